//! What tokens of the read path are.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use hotset_cache::{LinuxPageCache, PAGE_BYTES};
use hotset_petri::{Colour, Fifo, Place, Time};

use super::stdio::Stdio;
use crate::page_cache::PageCachePolicy;
use crate::read_ahead::{Lookup, OnDemand, Window};

/// A place of tokens that leave in the order of their coming.
pub(super) type Queue<T> = Place<Fifo<T>>;

/// A block that the application wants: bytes of the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub from: u64,
    /// The next byte to be handed on.
    pub at: u64,
    pub end: u64,
    /// Whether it waited for the disk.
    pub missed: bool,
    pub asked: Time,
}

/// A read system call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub from: u64,
    /// The next byte to be copied.
    pub at: u64,
    pub end: u64,
    pub missed: bool,
    /// What was found at the page of `at`.
    pub found: Lookup,
}

impl Call {
    /// The page that comes next.
    pub fn page(&self) -> u64 {
        self.at / PAGE_BYTES
    }

    /// Pages from there to the end.
    pub fn wanted(&self) -> u64 {
        self.end.div_ceil(PAGE_BYTES) - self.page()
    }

    /// Where what is copied of that page ends.
    pub fn chunk_end(&self) -> u64 {
        ((self.page() + 1) * PAGE_BYTES).min(self.end)
    }
}

/// Something done to a page of the page cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageRequest {
    pub page: u64,
    pub now: Time,
    /// Whether the page is introduced; otherwise it is accessed.
    pub introduces: bool,
}

/// Pages that are read together, one behind the other in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub page: u64,
    pub pages: u64,
    pub asked: Time,
}

/// What a disk is asked for.
pub(super) trait Placed: Colour {
    /// First byte on the disk.
    fn offset(&self) -> u64;

    /// The byte behind it.
    fn end(&self) -> u64;
}

/// What the disk is asked to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Request {
    /// First byte on the disk.
    pub offset: u64,
    pub bytes: u64,
    /// Pages of the file that it brings; none where it brings a block of the file system's own.
    pub page: u64,
    pub pages: u64,
    pub asked: Time,
}

impl Placed for Request {
    fn offset(&self) -> u64 {
        self.offset
    }

    fn end(&self) -> u64 {
        self.offset + self.bytes
    }
}

impl Request {
    /// For a block of the file system's own.
    pub fn of_map(offset: u64) -> Self {
        Self {
            offset,
            bytes: PAGE_BYTES,
            page: 0,
            pages: 0,
            asked: Time::ZERO,
        }
    }
}

/// Read-ahead at work: windows of which what is missing is read.
#[derive(Clone, Debug)]
pub(super) struct Prefetch {
    pub call: Call,
    windows: Vec<Window>,
    file_pages: u64,
    /// The page that is looked at next.
    pub at: u64,
    /// Pages right before it that were added and are to be read.
    run: u64,
}

impl Prefetch {
    pub fn new(call: Call, windows: Vec<Window>, file_pages: u64) -> Self {
        Self {
            call,
            at: windows.first().map_or(0, |it| it.start),
            windows,
            file_pages,
            run: 0,
        }
    }

    /// Whether there is a page to look at in the window.
    pub fn has_page(&self) -> bool {
        self.at < self.window_end()
    }

    pub fn has_run(&self) -> bool {
        self.run > 0
    }

    pub fn has_window(&self) -> bool {
        !self.windows.is_empty()
    }

    /// The page was added and is part of a run.
    pub fn added(mut self) -> Self {
        self.at += 1;
        self.run += 1;
        self
    }

    /// The page was in memory.
    pub fn skipped(mut self) -> Self {
        self.at += 1;
        self
    }

    /// The run, which is read.
    pub fn take_run(mut self, asked: Time) -> (Self, Run) {
        let pages = std::mem::take(&mut self.run);
        let page = self.at - pages;
        (self, Run { page, pages, asked })
    }

    /// Whether the page that is looked at has the next window read later.
    pub fn is_marker(&self) -> bool {
        let marker = self.windows.first().and_then(|it| it.marker);
        marker == Some(self.at)
    }

    /// Goes on to the next window.
    pub fn end_window(mut self) -> Self {
        self.windows.remove(0);
        self.at = self.windows.first().map_or(0, |it| it.start);
        self
    }

    fn window_end(&self) -> u64 {
        let window = self.windows.first();
        window.map_or(0, |it| (it.start + it.pages).min(self.file_pages))
    }
}

/// What tells which pages are in memory.
pub(super) trait PageTree: Colour {
    fn holds(&self, page: u64) -> bool;
}

/// Pages, shown as runs.
#[derive(Clone, Default)]
pub(super) struct PageSet(pub BTreeSet<u64>);

impl PageTree for PageSet {
    fn holds(&self, page: u64) -> bool {
        self.0.contains(&page)
    }
}

impl PageSet {
    pub fn with(mut self, page: u64) -> Self {
        self.0.insert(page);
        self
    }

    pub fn without(mut self, page: u64) -> Self {
        self.0.remove(&page);
        self
    }
}

impl fmt::Debug for PageSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_runs(f, &self.0)
    }
}

fn write_runs<'a>(
    f: &mut fmt::Formatter<'_>,
    pages: impl IntoIterator<Item = &'a u64>,
) -> fmt::Result {
    let mut runs: Vec<(u64, u64)> = Vec::new();
    for &page in pages {
        match runs.last_mut() {
            Some((_, end)) if *end + 1 == page => *end = page,
            _ => runs.push((page, page)),
        }
    }
    let runs = runs.into_iter().map(|(from, to)| match from == to {
        true => from.to_string(),
        false => format!("{from}-{to}"),
    });
    write!(f, "{{{}}}", runs.collect::<Vec<_>>().join(", "))
}

/// Pages that were asked for, and when. A page that left memory before it came and was asked for again waits for the later request.
#[derive(Clone, Default)]
pub(super) struct PendingPages(BTreeMap<u64, Time>);

impl PendingPages {
    pub fn holds(&self, page: u64) -> bool {
        self.0.contains_key(&page)
    }

    pub fn with(mut self, page: u64, asked: Time) -> Self {
        self.0.insert(page, asked);
        self
    }

    /// After a page has come that was asked for at this time.
    pub fn without(mut self, page: u64, asked: Time) -> Self {
        if self.0.get(&page) == Some(&asked) {
            self.0.remove(&page);
        }
        self
    }
}

impl fmt::Debug for PendingPages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_runs(f, self.0.keys())
    }
}

/// The page cache of today's Linux, where each page is followed.
#[derive(Clone)]
pub(super) struct Folios {
    pub cache: LinuxPageCache,
    pub pages: u64,
}

impl PageTree for Folios {
    fn holds(&self, page: u64) -> bool {
        page < self.pages && PageCachePolicy::holds(&self.cache, page)
    }
}

impl Folios {
    /// The cache after a request.
    pub fn after(mut self, request: PageRequest) -> Self {
        let now_ns = request.now.nanos();
        match request.introduces {
            true => PageCachePolicy::fetch(&mut self.cache, now_ns, request.page),
            false => PageCachePolicy::touch(&mut self.cache, now_ns, request.page),
        }
        self
    }
}

/// Short, and different for different contents.
impl fmt::Debug for Folios {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [inactive, active] = self.cache.resident_pages();
        let mut hasher = DefaultHasher::new();
        let held = (0..self.pages).filter(|&page| self.holds(page));
        held.for_each(|page| page.hash(&mut hasher));
        let contents = hasher.finish();
        write!(
            f,
            "Folios {{ inactive: {inactive}, active: {active}, contents: {contents:016x} }}"
        )
    }
}

impl Colour for Block {}
impl Colour for Call {}
impl Colour for PageRequest {}
impl Colour for Run {}
impl Colour for Request {}
impl Colour for Prefetch {}
impl Colour for PageSet {}
impl Colour for PendingPages {}
impl Colour for Folios {}
impl Colour for Stdio {}
impl Colour for OnDemand {}
