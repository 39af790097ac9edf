//! The pages of a net, joined.

use hotset_petri::{Colour, Page, Unit};

use super::ReadJob;
use super::application::application;
use super::block_map::BlockMap;
use super::copy::copy;
use super::disk::{DiskPlaces, disk};
use super::fread::{Fread, fread};
use super::generic_file_read::{GenericFileRead, generic_file_read};
use super::read_ahead::{ReadAheadPlaces, read_ahead};
use super::scheduler::scheduler;
use super::tokens::{Block, Call, PageRequest, PageSet, PageTree, Queue, Request, Run, UnderWay};
use crate::read_ahead::ReadAheadPolicy;

/// What differs between nets of file systems.
pub(super) struct Parts<'p, T, R> {
    /// What tells which pages are in memory.
    pub tree: &'p Queue<T>,
    /// Read-ahead of a file just opened.
    pub read_ahead: R,
    /// What is done to pages of the page cache.
    pub requests: &'p Queue<PageRequest>,
    pub served: &'p Unit,
    /// Adds the page cache.
    pub cache: Box<dyn FnOnce(&mut Page<'_>) + 'p>,
    /// Adds the file system.
    pub file_system: fn(&mut Page<'_>, u64, &BlockMap<'_>),
}

/// Adds all pages, from the application down to the disk: pictures have them in this order.
pub(super) fn read_path<T: PageTree, R: ReadAheadPolicy + Colour>(
    page: &mut Page<'_>,
    job: &ReadJob,
    parts: Parts<'_, T, R>,
) {
    let wanted = page.fifo::<Block>("block wanted", []);
    let read = page.fifo::<Block>("block read", []);
    let calls = page.fifo::<Call>("read call", []);
    let returned = page.fifo::<Call>("data", []);
    application(page, job, &wanted, &read);
    fread(
        page,
        &Fread {
            wanted: &wanted,
            read: &read,
            calls: &calls,
            returned: &returned,
        },
    );
    let hit = page.fifo::<Call>("cache hit", []);
    let miss = page.fifo::<Call>("cache miss", []);
    let prefetched = page.fifo::<Call>("prefetched", []);
    let to_copy = page.fifo::<Call>("page to copy", []);
    let copied = page.fifo::<Call>("page copied", []);
    let marked = page.fifo("marked pages", [PageSet::default()]);
    let under_way = page.fifo("pages under way", [UnderWay::default()]);
    let state = page.fifo("read-ahead state", [parts.read_ahead]);
    generic_file_read(
        page,
        job.call_ns,
        &GenericFileRead {
            calls: &calls,
            returned: &returned,
            tree: parts.tree,
            marked: &marked,
            under_way: &under_way,
            hit: &hit,
            miss: &miss,
            prefetched: &prefetched,
            requests: parts.requests,
            served: parts.served,
            to_copy: &to_copy,
            copied: &copied,
            read_ahead: &state,
        },
    );
    copy(page, &job.copy, &to_copy, &copied);
    (parts.cache)(page);
    let runs = page.fifo::<Run>("pages to read", []);
    let mapped = page.unit("asked for", 0);
    read_ahead(
        page,
        job.file_pages(),
        &ReadAheadPlaces {
            hit: &hit,
            miss: &miss,
            prefetched: &prefetched,
            tree: parts.tree,
            marked: &marked,
            under_way: &under_way,
            requests: parts.requests,
            served: parts.served,
            state: &state,
            runs: &runs,
            mapped: &mapped,
        },
    );
    below(page, job, parts.file_system, &runs, &mapped, &under_way);
}

/// Adds file system, scheduler and disk.
fn below(
    page: &mut Page<'_>,
    job: &ReadJob,
    file_system: fn(&mut Page<'_>, u64, &BlockMap<'_>),
    runs: &Queue<Run>,
    mapped: &Unit,
    under_way: &Queue<UnderWay>,
) {
    let submitted = page.fifo::<Request>("requests", []);
    let dispatched = page.fifo::<Request>("dispatched request", []);
    let map_read = page.fifo::<Request>("map block", []);
    let idle = page.unit("disk is idle", 1);
    let map = BlockMap {
        runs,
        mapped,
        submitted: &submitted,
        map_read: &map_read,
    };
    file_system(page, job.known_pages(), &map);
    scheduler(page, job.scheduler, &submitted, &idle, &dispatched);
    disk(
        page,
        &job.disk,
        &DiskPlaces {
            dispatched: &dispatched,
            idle: &idle,
            under_way,
            map_read: &map_read,
        },
    );
}
