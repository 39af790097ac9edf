//! Reading a file of ext3 as Linux 2.6 did: two queues of pages, read-ahead on demand or by an older policy. Indirect blocks map the
//! blocks of the file one by one, and are read from the disk as any block.

use hotset_petri::nets::{Entry, Values};
use hotset_petri::{Net, NetError};

use super::block_map::{Names, block_map};
use super::buffer_cache::{Memory, buffer_cache};
use super::places::Cache;
use super::tokens::PageSet;
use super::wiring::read_path;
use super::{ReadJob, parameters};
use crate::file_system::Indirect;

pub(super) const ENTRY: Entry = Entry {
    name: "ext3-read",
    about: "a file of ext3 read as Linux 2.6 did, page by page",
    parameters: parameters::OF_LINUX_2_6,
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    ext3_read(&parameters::job_of_linux_2_6("ext3-read", values)?)
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
        let tree = PageSet(pages.iter().copied().collect());
        let cache = Cache::new(page, tree);
        let memory = Memory {
            free: u32::try_from(free).unwrap_or(u32::MAX),
            pages,
            unused_ns: job.unused_ns,
        };
        let names = Names {
            page: "ext3",
            read: "read indirect block",
            known: "indirect blocks",
        };
        read_path(
            page,
            job,
            &cache,
            job.read_ahead.of_file(job.read_ahead_bytes, job.file_bytes),
            |page| buffer_cache(page, &memory, &cache),
            |page, runs, requests| {
                block_map(page, &names, Indirect, job.known_pages(), runs, requests);
            },
        );
    })
}
