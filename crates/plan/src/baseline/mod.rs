//! What the page cache alone would have had, read by read, beside what is held.
//!
//! Two page caches are followed, as plans model them ([`hotset_cache::LinuxPageCache`]): one that has all memory for files, and one
//! beside the held files, which has what these leave. Both begin empty and are told of the same reads, so that what one has more
//! than the other is what holding saves. It is a prediction on both sides, but for which reads are of held files.
//!
//! While the files are few, all of them are followed. Where they would take too much memory or time, a share of them is, drawn by a
//! hash of their names, in page caches that are smaller by the same share (Waldspurger, Saemundsson, Ahmad, Park: "Cache modeling and
//! optimization using miniature simulations", USENIX ATC 2017). The share is halved each time, and consists of [`PARTS`] parts with
//! page caches of their own. How far these are apart says how far the estimate may be off ([`Sum::estimate`]).
//!
//! Directories and inodes are not followed. A file whose blocks would be an eighth of what may be followed is taken to be found, or not,
//! by both alike.

mod estimate;
mod part;

use std::time::Duration;

use hotset_cache::{PAGE_BYTES, StoreRead};
use hotset_scenario::Profile;

use crate::value::{AccessResult, Responses};
use part::{Found, Part};

pub use estimate::{Compared, Estimate, FromStore, LEVEL, PARTS, Sum};

/// A share is halved no more often: page caches that are smaller by this have too few files to tell anything.
const MOST_HALVINGS: u32 = 8;

/// Files of fewer blocks are never thinned out to save time. Where 375 to 750 blocks are followed, errors hold nine figures in ten
/// and more of generated traces (`tests/baseline.rs`); where half as many are, seven in ten.
const LEAST_BLOCKS: u64 = 1_000;

/// Blocks of files that may be walked through for each read, on average over an interval. Most reads find small files, or files that
/// are settled, for which nothing is walked through.
const WALKED_A_READ: u64 = 4;

/// The same for each second, however few reads there are: some 0.1 % of a processor.
const WALKED_A_SECOND: f64 = 50_000.0;

/// Follows what the page cache alone would have had.
#[derive(Clone)]
pub struct Baseline {
    memory_pages: u64,
    held_pages: u64,
    sites: Vec<Responses>,
    /// One while every file is followed, else [`PARTS`].
    parts: Vec<Part>,
    halvings: u32,
    /// Blocks of files that are followed at most.
    most_blocks: u64,
    interval: Interval,
    /// Blocks walked through in this interval.
    walked: u64,
}

/// What an interval came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Interval {
    /// What was read from the store, site by site.
    pub sites: Vec<Compared>,
    /// Reads, of all sites.
    pub reads: u64,
    /// Reads of files that were not known before: what an empty memory cannot have.
    pub first_reads: Sum,
}

impl Baseline {
    /// Knows of no read yet. Files share `memory_bytes`; those of each site lie on one of `stores`. No more than `most_blocks` of 64
    /// KiB are followed, each of which takes some 30 bytes.
    #[must_use]
    pub fn new(memory_bytes: u64, stores: &[Profile], most_blocks: u64) -> Self {
        let memory_pages = memory_bytes / PAGE_BYTES;
        Self {
            memory_pages,
            held_pages: 0,
            // A held file is read from the page cache: what this takes is the same on both sides.
            sites: stores.iter().map(|it| Responses::new(it, it)).collect(),
            parts: vec![Part::new(memory_pages)],
            halvings: 0,
            most_blocks,
            interval: Interval::of(stores.len()),
            walked: 0,
        }
    }

    /// Goes on with other memory and other sites. The interval begins anew.
    pub fn change(&mut self, memory_bytes: u64, stores: &[Profile]) {
        let next = Self::new(memory_bytes, stores, self.most_blocks);
        (self.memory_pages, self.sites) = (next.memory_pages, next.sites);
        self.interval = next.interval;
        self.resize();
    }

    /// The share of the files that is followed.
    #[must_use]
    pub fn share(&self) -> f64 {
        0.5f64.powi(self.halvings as i32)
    }

    /// Whether memory has been full, so that what is not known was not in it.
    #[must_use]
    pub fn has_been_full(&self) -> bool {
        self.parts.iter().all(|part| part.has_been_full)
    }

    /// Held files take so much of the memory from now on.
    pub fn hold(&mut self, bytes: u64) {
        let pages = bytes.div_ceil(PAGE_BYTES);
        if pages != self.held_pages {
            self.held_pages = pages;
            self.resize();
        }
    }

    /// Notes a read of a whole file of a site. `key` is a hash of the names of both whose bits are independent.
    pub fn read(&mut self, key: u64, site: u16, bytes: u64, is_held: bool) {
        self.interval.reads += 1;
        let Some(number) = self.part_of(key) else {
            return;
        };
        let pages = pages_of(bytes);
        let blocks = Part::blocks(pages);
        if blocks > self.most_blocks / PARTS as u64 {
            return;
        }
        let part = &mut self.parts[number];
        match part.number(key, pages) {
            None => self.read_first(key, site, bytes, is_held),
            Some(file) if part.is_settled(file, is_held) => {}
            Some(file) => {
                let found = part.read(file, is_held);
                self.walked += blocks;
                self.count(number, site, bytes, found);
            }
        }
    }

    /// A read of a file that is not known.
    fn read_first(&mut self, key: u64, site: u16, bytes: u64, is_held: bool) {
        let pages = pages_of(bytes);
        if self.blocks() + Part::blocks(pages) > self.most_blocks {
            self.make_room();
        }
        // Half of the files may not be followed any more.
        let Some(number) = self.part_of(key) else {
            return;
        };
        let part = &mut self.parts[number];
        let was_full = part.has_been_full;
        let Some(file) = part.add(key, pages) else {
            return;
        };
        let mut found = part.read(file, is_held);
        if is_held && !was_full {
            // Before it was followed, the page cache may have had it.
            found.alone = StoreRead::default();
        }
        self.walked += Part::blocks(pages);
        let (drawn, share) = (self.drawn(number), self.share());
        self.interval.first_reads.add(drawn, 1.0 / share);
        self.count(number, site, bytes, found);
    }

    /// Adds what was read from the store to what the site comes to.
    fn count(&mut self, number: usize, site: u16, bytes: u64, found: Found) {
        let (share, drawn, pages) = (self.share(), self.drawn(number), pages_of(bytes));
        let responses = &self.sites[usize::from(site)];
        let hit_us = responses.us(AccessResult::Hit, bytes, pages);
        let compared = &mut self.interval.sites[usize::from(site)];
        for (read, sums) in [
            (found.alone, &mut compared.alone),
            (found.with_held, &mut compared.with_held),
        ] {
            if read.pages > 0 {
                let us = responses.us(AccessResult::of_read(read, pages), bytes, pages);
                sums.reads.add(drawn, 1.0 / share);
                sums.us.add(drawn, (us - hit_us) / share);
            }
        }
    }

    /// Ends an interval that took so long; what it came to.
    pub fn next_interval(&mut self, passed: Duration) -> Interval {
        let next = Interval::of(self.sites.len());
        let interval = std::mem::replace(&mut self.interval, next);
        let most = (passed.as_secs_f64() * WALKED_A_SECOND) as u64;
        let is_slow = self.walked > most.max(interval.reads * WALKED_A_READ);
        if is_slow && self.blocks() >= LEAST_BLOCKS {
            self.halve();
        }
        self.walked = 0;
        interval
    }

    /// The part that a file is in.
    #[inline]
    fn part_of(&self, key: u64) -> Option<usize> {
        if self.halvings == 0 {
            return Some(0);
        }
        let part = key >> (u64::BITS - PARTS.trailing_zeros() - self.halvings);
        (part < PARTS as u64).then_some(part as usize)
    }

    /// The part that a read counts for; none where every file is followed.
    fn drawn(&self, number: usize) -> Option<usize> {
        (self.halvings > 0).then_some(number)
    }

    fn blocks(&self) -> u64 {
        self.parts.iter().map(|part| part.blocks).sum()
    }

    /// Forgets files that make no difference any more. If these are few, half of the files are followed from now on.
    fn make_room(&mut self) {
        self.parts.iter_mut().for_each(Part::forget);
        // A quarter is to be free, so that this is not done again soon.
        while self.blocks() > self.most_blocks / 4 * 3 && self.halve() {}
    }

    /// Follows half as many files from now on; whether that may be.
    fn halve(&mut self) -> bool {
        if self.halvings == MOST_HALVINGS {
            return false;
        }
        let is_first = self.halvings == 0;
        self.halvings += 1;
        let part = |number: usize| {
            let before = &self.parts[if is_first { 0 } else { number / 2 }];
            before.kept(|key| self.part_of(key) == Some(number))
        };
        self.parts = (0..PARTS).map(part).collect();
        self.resize();
        true
    }

    /// Gives each part its share of the memory.
    fn resize(&mut self) {
        let shift = match self.halvings {
            0 => 0,
            halvings => halvings + PARTS.trailing_zeros(),
        };
        let left = self.memory_pages.saturating_sub(self.held_pages);
        let (alone, with_held) = (self.memory_pages >> shift, left >> shift);
        let parts = self.parts.iter_mut();
        parts.for_each(|part| part.resize(alone, with_held));
    }
}

impl Interval {
    fn of(sites: usize) -> Self {
        Self {
            sites: vec![Compared::default(); sites],
            ..Self::default()
        }
    }
}

/// Pages of a file. An empty one takes a page.
fn pages_of(bytes: u64) -> u64 {
    bytes.div_ceil(PAGE_BYTES).max(1)
}
