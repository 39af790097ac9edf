//! Reading a file of ext3 as Linux 2.6 did: two queues of pages, two windows of read-ahead.

use hotset_petri::nets::{Entry, Values};
use hotset_petri::{Net, NetError};

use super::buffer_cache::{BufferCache, Memory, buffer_cache};
use super::ext3::ext3;
use super::tokens::{PageRequest, PageSet};
use super::wiring::{Parts, read_path};
use super::{ReadJob, parameters};
use crate::read_ahead::TwoWindows;

pub(super) const ENTRY: Entry = Entry {
    name: "ext3-read",
    about: "a file of ext3 read as Linux 2.6 did, page by page",
    parameters: parameters::WITH_TWO_QUEUES,
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    let unused_ns = values.get("unused_s") * 1e9;
    ext3_read(&ReadJob {
        unused_ns: unused_ns as u64,
        ..parameters::job("ext3-read", values)?
    })
}

/// The net of a job.
///
/// # Errors
/// None that a job can cause: what the engine says of a net.
pub fn ext3_read(job: &ReadJob) -> Result<Net, NetError> {
    let fits = job.memory_pages();
    let pages: Vec<u64> = match job.cached {
        true => (job.file_pages().saturating_sub(fits)..job.file_pages()).collect(),
        false => Vec::new(),
    };
    let free = fits - pages.len() as u64;
    Net::build("ext3-read", |page| {
        let tree = page.fifo("page tree", [PageSet(pages.iter().copied().collect())]);
        let requests = page.fifo::<PageRequest>("page request", []);
        let served = page.unit("page is served", 0);
        let memory = Memory {
            free: u32::try_from(free).unwrap_or(u32::MAX),
            pages,
            unused_ns: job.unused_ns,
        };
        let places = BufferCache {
            tree: &tree,
            requests: &requests,
            served: &served,
        };
        let parts = Parts {
            tree: &tree,
            read_ahead: TwoWindows::new(job.read_ahead_bytes, job.file_bytes),
            requests: &requests,
            served: &served,
            cache: Box::new(|page| buffer_cache(page, &memory, &places)),
            file_system: ext3,
        };
        read_path(page, job, parts);
    })
}
