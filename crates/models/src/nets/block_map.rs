//! How a file system maps pages to places on the disk, reading blocks of its own first where it must.

use hotset_cache::PAGE_BYTES;
use hotset_petri::Page;

use super::places::{Requests, Runs};
use super::tokens::{PageSet, PageTree as _, Request, Run};
use crate::file_system::Layout;

/// What a file system's page is called, and what is on it.
pub(super) struct Names {
    pub page: &'static str,
    /// The transition that has a block of the map read.
    pub read: &'static str,
    /// The place of those that are in memory.
    pub known: &'static str,
}

/// Adds a file system. Blocks of the map stay in memory once they were read; those of the first `known_pages` were.
pub(super) fn block_map<L: Layout + Copy + Send + Sync + 'static>(
    page: &mut Page<'_>,
    names: &Names,
    layout: L,
    known_pages: u64,
    runs: &Runs,
    requests: &Requests,
) {
    let block_of = move |page| layout.place(page).map_block;
    let is_known = move |run: &Run, known: &PageSet| {
        block_of(run.page).is_none_or(|block| known.holds(block.number))
    };
    let known = (0..known_pages).filter_map(|page| Some(block_of(page)?.number));
    let known = PageSet(known.collect());
    page.page(names.page, |page| {
        let known = page.fifo(names.known, [known]);
        let waiting = page.fifo::<Run>("waiting for the map", []);
        page.transition("get block")
            .take(&runs.runs)
            .take(&known)
            .when(move |(run, known)| run.pages > 0 && is_known(run, known))
            .put(&requests.to_disk.submitted)
            .put(&runs.runs)
            .put(&known)
            .fire(move |(run, known), _| {
                let (request, rest) = map(run, layout);
                (request, rest, known)
            });
        page.transition("all blocks are mapped")
            .take(&runs.runs)
            .when(|run| run.pages == 0)
            .put(&runs.mapped)
            .done();
        page.transition(names.read)
            .take(&runs.runs)
            .take(&known)
            .when(move |(run, known)| run.pages > 0 && !is_known(run, known))
            .put(&requests.to_disk.submitted)
            .put(&waiting)
            .put(&known)
            .fire(move |(run, known): (Run, PageSet), _| {
                let offset = block_of(run.page).map_or(0, |block| block.offset);
                (Request::of_map(offset), run, known)
            });
        page.transition("map is read")
            .take(&waiting)
            .take(&known)
            .take(&requests.map_read)
            .put(&runs.runs)
            .put(&known)
            .fire(move |(run, known, _): (Run, PageSet, Request), _| {
                let number = block_of(run.page).map_or(0, |block| block.number);
                (run, known.with(number))
            });
    });
}

/// The first pages of a run that lie side by side, and the rest.
fn map<L: Layout>(run: Run, layout: L) -> (Request, Run) {
    let place = layout.place(run.page);
    let pages = place.pages.min(run.pages);
    let request = Request {
        offset: place.offset,
        bytes: pages * PAGE_BYTES,
        page: run.page,
        pages,
        asked: run.asked,
    };
    let rest = Run {
        page: run.page + pages,
        pages: run.pages - pages,
        ..run
    };
    (request, rest)
}
