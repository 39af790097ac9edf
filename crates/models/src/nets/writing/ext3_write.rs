//! Writing a file of ext3 as Linux 2.6 did: two queues of pages, blocks that are allocated and mapped one by one when they are written to.

use hotset_petri::nets::{Entry, Values};
use hotset_petri::{Net, NetError};

use super::buffer_cache::buffer_cache;
use super::job::WriteJob;
use super::parameters;
use super::wiring::write_path;
use crate::file_system::FileSystemKind;
use crate::nets::tokens::PageSet;

pub(crate) const ENTRY: Entry = Entry {
    name: "ext3-write",
    about: "a file of ext3 written through the journal, page by page",
    parameters: parameters::ALL,
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    ext3_write(&parameters::job("ext3-write", values)?)
}

/// The net of a job.
///
/// # Errors
/// None that a job can cause: what the engine says of a net.
pub fn ext3_write(job: &WriteJob) -> Result<Net, NetError> {
    let free = u32::try_from(job.memory_pages()).unwrap_or(u32::MAX);
    let file_system = ("ext3", FileSystemKind::Ext3);
    Net::build("ext3-write", |page| {
        write_path(page, job, file_system, PageSet::default(), |page, cache| {
            buffer_cache(page, free, cache);
        });
    })
}
