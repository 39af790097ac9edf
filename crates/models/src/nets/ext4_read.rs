//! Reading a file of ext4 as Linux does today: the page cache that `hotset plan` has too, read-ahead on demand. Extents map long
//! runs of blocks; the inode lists the first four, so that files below 512 MiB need no block that maps.

use hotset_cache::LinuxPageCache;
use hotset_petri::nets::{Entry, Values};
use hotset_petri::{Net, NetError};

use super::block_map::{Names, block_map};
use super::page_cache::page_cache;
use super::places::Cache;
use super::tokens::Folios;
use super::wiring::read_path;
use super::{ReadJob, parameters};
use crate::file_system::Extents;
use crate::read_ahead::{Advice, LARGEST_REQUEST_BYTES, OnDemand};

pub(super) const ENTRY: Entry = Entry {
    name: "ext4-read",
    about: "a file of ext4 read as Linux does today, page by page",
    parameters: parameters::ALL,
    build,
};

fn build(values: &Values<'_>) -> Result<Net, NetError> {
    ext4_read(&parameters::job("ext4-read", values)?)
}

/// The net of a job.
///
/// # Errors
/// A file of more than 16 TiB.
pub fn ext4_read(job: &ReadJob) -> Result<Net, NetError> {
    let pages = job.file_pages();
    let too_large = || parameters::too_large("ext4-read", job.file_bytes);
    let count = usize::try_from(pages).map_err(|_| too_large())?;
    let mut cache =
        LinuxPageCache::new(job.memory_pages(), &vec![1; count]).map_err(|_| too_large())?;
    let before = if job.cached { pages } else { 0 };
    (0..before).for_each(|page| cache.fetch(page as u32));
    Net::build("ext4-read", |page| {
        let cache = Cache::new(page, Folios { cache, pages });
        let names = Names {
            page: "ext4",
            read: "read extent block",
            known: "extent blocks",
        };
        read_path(
            page,
            job,
            &cache,
            OnDemand::new(job.read_ahead_bytes, LARGEST_REQUEST_BYTES, Advice::Normal),
            |page| page_cache(page, &cache),
            |page, runs, requests| {
                let known_pages = job.known_pages();
                block_map(page, &names, Extents::EXT4, known_pages, runs, requests);
            },
        );
    })
}
