//! Reading a file of ext4 as Linux does today: the page cache that `hotset plan` has too, read-ahead on demand.

use hotset_cache::LinuxPageCache;
use hotset_petri::nets::{Entry, Values};
use hotset_petri::{Net, NetError};

use super::ext4::ext4;
use super::page_cache::page_cache;
use super::tokens::{Folios, PageRequest};
use super::wiring::{Parts, read_path};
use super::{ReadJob, parameters};
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
        let folios = page.fifo("page tree", [Folios { cache, pages }]);
        let requests = page.fifo::<PageRequest>("page request", []);
        let served = page.unit("page is served", 0);
        let parts = Parts {
            tree: &folios,
            read_ahead: OnDemand::new(job.read_ahead_bytes, LARGEST_REQUEST_BYTES, Advice::Normal),
            requests: &requests,
            served: &served,
            cache: Box::new(|page| page_cache(page, &folios, &requests, &served)),
            file_system: ext4,
        };
        read_path(page, job, parts);
    })
}
