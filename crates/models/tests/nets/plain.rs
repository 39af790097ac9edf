//! Reading a file page by page, in plain loops: no engine, no tokens, no places.

use std::collections::{BTreeMap, BTreeSet};

use hotset_cache::LinuxPageCache;
use hotset_models::nets::{NetDisk, NetReadAhead, ReadJob};
use hotset_models::page_cache::{PageCachePolicy, TwoQueues};
use hotset_models::read_ahead::{
    Advice, EarlyOnDemand, LARGEST_REQUEST_BYTES, Lookup, OnDemand, PreFetch, ReadAheadPolicy,
    TwoWindows,
};

const PAGE: u64 = 4096;

/// What reading a file comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Blocks that did not wait for the disk, and that did.
    pub hits: u64,
    pub misses: u64,
    pub pages_read: u64,
    pub map_blocks_read: u64,
    pub requests: u64,
    /// From a block's being wanted to its being there, of all blocks.
    pub response_ns: u64,
}

pub fn ext3(job: &ReadJob) -> Totals {
    let lists = TwoQueues::new(job.memory_bytes / PAGE, job.unused_ns);
    let most = job.read_ahead_bytes;
    match job.read_ahead {
        NetReadAhead::OnDemand => {
            Reader::new(job, lists, EarlyOnDemand::new(most), true).read_all()
        }
        NetReadAhead::TwoWindows => {
            let ahead = TwoWindows::new(most, job.file_bytes);
            Reader::new(job, lists, ahead, true).read_all()
        }
        NetReadAhead::PreFetch { least_bytes } => {
            Reader::new(job, lists, PreFetch::new(most, least_bytes), true).read_all()
        }
    }
}

pub fn ext4(job: &ReadJob) -> Totals {
    let pages = vec![1; job.file_bytes.div_ceil(PAGE) as usize];
    let cache = LinuxPageCache::new(job.memory_bytes / PAGE, &pages).unwrap();
    let ahead = OnDemand::new(job.read_ahead_bytes, LARGEST_REQUEST_BYTES, Advice::Normal);
    Reader::new(job, cache, ahead, false).read_all()
}

struct Reader<'j, C, R> {
    job: &'j ReadJob,
    cache: C,
    ahead: R,
    file_pages: u64,
    marks: BTreeSet<u64>,
    /// When pages that were asked for are there.
    arrival_ns: BTreeMap<u64, u64>,
    indirect: bool,
    known: BTreeSet<u64>,
    now_ns: u64,
    disk_free_ns: u64,
    passed_ns: u64,
    disk_end: Option<u64>,
    /// What the C library has: first byte, bytes.
    buffer: (u64, u64),
    totals: Totals,
}

impl<'j, C: PageCachePolicy, R: ReadAheadPolicy> Reader<'j, C, R> {
    fn new(job: &'j ReadJob, mut cache: C, ahead: R, indirect: bool) -> Self {
        let file_pages = job.file_bytes.div_ceil(PAGE);
        let before = if job.cached { file_pages } else { 0 };
        (0..before).for_each(|page| cache.fetch(0, page));
        let known = if job.mapped { file_pages } else { 0 };
        Self {
            job,
            cache,
            ahead,
            file_pages,
            marks: BTreeSet::new(),
            arrival_ns: BTreeMap::new(),
            indirect,
            known: (12..known).map(|page| (page - 12) / 1024).collect(),
            now_ns: 0,
            disk_free_ns: 0,
            passed_ns: 0,
            disk_end: None,
            buffer: (0, 0),
            totals: Totals::default(),
        }
    }

    fn read_all(mut self) -> Totals {
        for &offset in &self.job.offsets {
            let from_ns = self.now_ns;
            match self.fread(offset, offset + self.job.block_bytes) {
                true => self.totals.misses += 1,
                false => self.totals.hits += 1,
            }
            self.totals.response_ns += self.now_ns - from_ns;
            self.now_ns += self.job.loop_ns;
        }
        self.totals
    }

    /// Whether it waited for the disk.
    fn fread(&mut self, mut at: u64, end: u64) -> bool {
        let mut missed = false;
        while at < end {
            let (start, filled) = self.buffer;
            if (start..start + filled).contains(&at) {
                at = end.min(start + filled);
            } else if end - at >= 4096 {
                let bytes = (end - at) / 4096 * 4096;
                missed |= self.read(at, at + bytes);
                at += bytes;
            } else {
                self.buffer = (at / 4096 * 4096, 4096);
                missed |= self.read(self.buffer.0, self.buffer.0 + 4096);
            }
        }
        missed
    }

    fn read(&mut self, from: u64, end: u64) -> bool {
        let (mut at, mut missed) = (from, false);
        while at < end {
            let page = at / PAGE;
            let found = match (self.cache.holds(page), self.marks.contains(&page)) {
                (false, _) => Lookup::Missing,
                (true, true) => Lookup::Marked,
                (true, false) => Lookup::Present,
            };
            if found == Lookup::Marked {
                self.marks.remove(&page);
            }
            self.prefetch(page, end.div_ceil(PAGE) - page, found);
            let there_ns = self.arrival_ns.get(&page).copied().unwrap_or(0);
            if there_ns > self.now_ns {
                missed = true;
                self.now_ns = there_ns;
            }
            self.cache.touch(self.now_ns, page);
            let chunk_end = ((page + 1) * PAGE).min(end);
            let copy_ns = self.job.copy.copy_ns(chunk_end - at, end - from);
            self.now_ns += copy_ns.round() as u64;
            at = chunk_end;
        }
        self.ahead.has_read((end - 1) / PAGE);
        self.now_ns += self.job.call_ns;
        missed
    }

    fn prefetch(&mut self, page: u64, wanted: u64, found: Lookup) {
        let (cache, pages) = (&self.cache, self.file_pages);
        let holds = |it: u64| it < pages && cache.holds(it);
        let mut windows = Vec::new();
        self.ahead.choose(page, wanted, found, &holds, &mut windows);
        for window in windows {
            let end = (window.start + window.pages).min(self.file_pages);
            let mut run = window.start..window.start;
            for page in window.start..end {
                if self.cache.holds(page) {
                    self.ask(run);
                    run = page + 1..page + 1;
                } else {
                    self.cache.fetch(self.now_ns, page);
                    match window.marker == Some(page) {
                        true => self.marks.insert(page),
                        false => self.marks.remove(&page),
                    };
                    run.end = page + 1;
                }
            }
            self.ask(run);
        }
    }

    /// Has pages read, piece by piece as they lie on the disk.
    fn ask(&mut self, mut run: std::ops::Range<u64>) {
        while !run.is_empty() {
            let (offset, pages) = self.place(run.start);
            let end = run.end.min(run.start + pages);
            let done_ns = self.serve(offset, (end - run.start) * PAGE);
            for page in run.start..end {
                self.arrival_ns.insert(page, done_ns);
                self.totals.pages_read += 1;
            }
            run.start = end;
        }
    }

    /// Where a page is, and how many lie side by side from there. An indirect block that says so is read first.
    fn place(&mut self, page: u64) -> (u64, u64) {
        if !self.indirect {
            return (page * PAGE, 1 << 40);
        }
        if page < 12 {
            return (page * PAGE, 12 - page);
        }
        // Small files only: 12 pages, indirect block, 1024 pages, double-indirect block, indirect block, 1024 pages, …
        let number = (page - 12) / 1024;
        let before = number + 1 + u64::from(number > 0);
        if self.known.insert(number) {
            let offset = (12 + number * 1024 + before - 1) * PAGE;
            self.now_ns = self.serve(offset, PAGE);
            self.totals.map_blocks_read += 1;
        }
        ((page + before) * PAGE, 1024 - (page - 12) % 1024)
    }

    /// The disk: delays one after the other, and bytes one after the other.
    fn serve(&mut self, offset: u64, bytes: u64) -> u64 {
        let NetDisk::Constant {
            delay_ns,
            ns_per_byte,
            ..
        } = self.job.disk
        else {
            panic!("a disk of constant cost")
        };
        let follows = self.disk_end == Some(offset);
        self.disk_end = Some(offset + bytes);
        let delay_ns = if follows { 0 } else { delay_ns };
        let transfer_ns = (bytes as f64 * ns_per_byte) as u64;
        self.disk_free_ns = self.disk_free_ns.max(self.now_ns) + delay_ns;
        self.passed_ns = self.disk_free_ns.max(self.passed_ns) + transfer_ns;
        self.totals.requests += 1;
        self.passed_ns
    }
}
