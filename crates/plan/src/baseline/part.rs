//! Files that are followed, and their two page caches.

use std::collections::HashMap;

use foldhash::fast::RandomState;
use hotset_cache::{BLOCK_PAGES, LinuxPageCache, StoreRead};

/// A part of the files.
#[derive(Clone)]
pub(super) struct Part {
    /// Numbers of files by their keys, with their pages.
    files: HashMap<u64, (u32, u64), RandomState>,
    alone: LinuxPageCache,
    with_held: LinuxPageCache,
    alone_pages: u64,
    /// Whether the page cache alone had to evict.
    pub has_been_full: bool,
    /// Blocks of all files that either cache knows.
    pub blocks: u64,
}

/// What a read took from the store.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    pub alone: StoreRead,
    pub with_held: StoreRead,
}

impl Part {
    pub fn new(pages: u64) -> Self {
        Self {
            files: HashMap::default(),
            alone: LinuxPageCache::empty(pages),
            with_held: LinuxPageCache::empty(pages),
            alone_pages: pages,
            has_been_full: false,
            blocks: 0,
        }
    }

    /// Blocks that a file of so many pages consists of.
    pub fn blocks(pages: u64) -> u64 {
        pages.div_ceil(BLOCK_PAGES)
    }

    /// The number of a file that is followed and still as large. One that has changed is another file to the page cache.
    #[inline]
    pub fn number(&self, key: u64, pages: u64) -> Option<u32> {
        let file = self.files.get(&key).filter(|file| file.1 == pages);
        file.map(|&(number, _)| number)
    }

    /// Follows a file from now on; its number, if there is room for it.
    pub fn add(&mut self, key: u64, pages: u64) -> Option<u32> {
        let number = self.alone.add(pages).ok()?;
        // It knows the same files, so that it has room for it too.
        self.with_held.add(pages).ok()?;
        self.files.insert(key, (number, pages));
        self.blocks += Self::blocks(pages);
        Some(number)
    }

    /// Whether nothing changes when a file is read.
    #[inline]
    pub fn is_settled(&self, number: u32, is_held: bool) -> bool {
        self.alone.is_settled(number) && (is_held || self.with_held.is_settled(number))
    }

    /// Reads a file.
    pub fn read(&mut self, number: u32, is_held: bool) -> Found {
        let resident: u64 = self.alone.resident_pages().iter().sum();
        let alone = self.alone.read(number);
        self.has_been_full |= resident + alone.pages > self.alone_pages;
        let with_held = match is_held {
            true => StoreRead::default(),
            false => self.with_held.read(number),
        };
        Found { alone, with_held }
    }

    /// Forgets files of which neither cache remembers anything.
    pub fn forget(&mut self) {
        let (alone, with_held) = (&self.alone, &self.with_held);
        let files = self.files.iter();
        let kept = files.filter(|(_, (id, _))| alone.remembers(*id) || with_held.remembers(*id));
        let kept = kept.map(|(&key, &(id, _))| (key, id)).collect();
        self.keep(kept);
    }

    /// The same with some of the files.
    pub fn kept(&self, is_kept: impl Fn(u64) -> bool) -> Self {
        let files = self.files.iter().filter(|(key, _)| is_kept(**key));
        let kept = files.map(|(&key, &(id, _))| (key, id)).collect();
        let mut part = self.clone();
        part.keep(kept);
        part
    }

    /// Goes on with these files alone.
    fn keep(&mut self, mut kept: Vec<(u64, u32)>) {
        // In the order of their ids: neighbours may have been read as one folio.
        kept.sort_unstable_by_key(|&(_, id)| id);
        let ids: Vec<u32> = kept.iter().map(|&(_, id)| id).collect();
        self.alone.keep(&ids);
        self.with_held.keep(&ids);
        let file = |(new, (key, _)): (u32, (u64, u32))| (key, (new, self.alone.pages(new)));
        self.files = (0..).zip(kept).map(file).collect();
        self.blocks = self
            .files
            .values()
            .map(|&(_, pages)| Self::blocks(pages))
            .sum();
    }

    /// Gives the caches so many pages.
    pub fn resize(&mut self, alone: u64, with_held: u64) {
        self.alone_pages = alone;
        self.alone.resize(alone);
        self.with_held.resize(with_held);
    }
}
