//! The pages of a net, joined.

use hotset_petri::{Colour, Page};

use super::ReadJob;
use super::application::application;
use super::copy::copy;
use super::disk::disk;
use super::fread::fread;
use super::generic_file_read::generic_file_read;
use super::places::{Cache, Lookups, Reads, Requests, Runs};
use super::read_ahead::read_ahead;
use super::scheduler::scheduler;
use super::tokens::PageTree;
use crate::read_ahead::ReadAheadPolicy;

/// Adds all pages, from the application down to the disk: pictures have them in this order. Nets of file systems differ in
/// the page cache, in `ahead`, the read-ahead of a file just opened, and in the file system.
pub(super) fn read_path<T: PageTree, R: ReadAheadPolicy + Colour>(
    page: &mut Page<'_>,
    job: &ReadJob,
    cache: &Cache<T>,
    ahead: R,
    add_cache: impl FnOnce(&mut Page<'_>),
    add_file_system: impl FnOnce(&mut Page<'_>, &Runs, &Requests),
) {
    let reads = Reads::new(page);
    application(page, job, &reads);
    fread(page, &reads);
    let lookups = Lookups::new(page, ahead);
    generic_file_read(page, job.call_ns, &reads, cache, &lookups);
    copy(page, &job.copy, &lookups.to_copy, &lookups.copied);
    add_cache(page);
    let runs = Runs::new(page);
    read_ahead(page, job.file_pages(), cache, &lookups, &runs);
    let requests = Requests::new(page);
    add_file_system(page, &runs, &requests);
    scheduler(page, job.scheduler, &requests.to_disk);
    disk(page, &job.disk, &requests, &lookups.under_way);
}
