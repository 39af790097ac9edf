//! Writing a file of ext4 as Linux does today: the page cache that `hotset plan` has too. Pages are allocated when they go to the disk.

use hotset_cache::LinuxPageCache;
use hotset_petri::nets::{Entry, Values};
use hotset_petri::{Net, NetError};

use super::job::WriteJob;
use super::page_cache::page_cache;
use super::parameters;
use super::wiring::write_path;
use crate::file_system::FileSystemKind;
use crate::nets::parameters::too_large;
use crate::nets::tokens::Folios;

pub(crate) const ENTRY: Entry = Entry {
    name: "ext4-write",
    about: "a file of ext4 written through the journal, page by page",
    parameters: parameters::ALL,
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    ext4_write(&parameters::job("ext4-write", values)?)
}

/// The net of a job.
///
/// # Errors
/// A file of more than 16 TiB.
pub fn ext4_write(job: &WriteJob) -> Result<Net, NetError> {
    let pages = job.file_pages();
    let is_too_large = || too_large("ext4-write", job.file_bytes);
    let count = usize::try_from(pages).map_err(|_| is_too_large())?;
    let cache = LinuxPageCache::new(job.memory_pages(), &vec![1; count]);
    let cache = cache.map_err(|_| is_too_large())?;
    let file_system = ("ext4", FileSystemKind::Ext4);
    Net::build("ext4-write", |page| {
        let folios = Folios { cache, pages };
        write_path(page, job, file_system, folios, page_cache);
    })
}
