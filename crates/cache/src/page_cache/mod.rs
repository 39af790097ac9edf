//! The page cache of Linux, by parts of files.
//!
//! Followed are `mm/filemap.c`, `mm/readahead.c`, `mm/swap.c`, `mm/vmscan.c` and `mm/workingset.c` of Linux 6.18 with the
//! classic lists (no multi-generation LRU) for a memory group without swap, clean file pages and a server that sends
//! whole files from their start by `sendfile`.

mod arrivals;
mod blocks;
mod ext4;
mod growth;
mod lists;
mod parts;
mod read_ahead;
mod reclaim;

use std::ops::Range;
use std::sync::Arc;

use blocks::Blocks;
use ext4::Metadata;
use lists::Lists;
use read_ahead::{ReadAhead, Window};
use reclaim::Reclaim;

use crate::{CacheError, Policy};

pub use blocks::{BLOCK_PAGES, PAGE_BYTES};
pub use ext4::METADATA_PLACES;

/// Most blocks of all objects together: 16 TiB of files, for which a cache takes 4 GiB of memory.
const MAX_BLOCKS: u64 = 1 << 28;

/// What reading a file took from its store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreRead {
    /// Pages that were not in memory.
    pub pages: u64,
    /// Contiguous stretches of the file that they are.
    pub gaps: u32,
}

/// The page cache of Linux: two lists of parts of files, read-ahead with growing folios, and activation of what comes
/// back soon after it was evicted.
///
/// What [`crate::TwoList`] leaves out and this has:
/// - A file can be in memory in part, and is read where it is not.
/// - Read-ahead makes folios of 1, 4, 16 and at last 32 pages as it goes. `sendfile` touches one of 32 pages twice, which
///   activates it on its first read.
/// - The active list is a queue: a hit there only marks a folio, which stays marked when it is deactivated and then needs
///   one hit, not two, to return.
/// - Evicted pages are remembered. Those that return within as many evictions and activations as there are active pages
///   become active at once, and the active list shrinks for them.
///
/// It never holds more than its capacity, but where nothing else is left than what [has yet to be written](Self::set_unwritten). Files are
/// followed in blocks of 16 pages. A cache of fewer pages keeps the files that fit into it whole, and others pass through it.
#[derive(Clone)]
pub struct LinuxPageCache {
    /// Shared by copies of the cache, as nothing in it changes.
    blocks: Arc<Blocks>,
    lists: Lists,
    reclaim: Reclaim,
    metadata: Option<Metadata>,
    capacity_pages: u64,
}

impl LinuxPageCache {
    /// An empty cache of `capacity_pages` for objects of so many pages each.
    ///
    /// # Errors
    /// [`CacheError::TooManyPages`] for objects of more than 16 TiB together.
    pub fn new(capacity_pages: u64, pages: &[u64]) -> Result<Self, CacheError> {
        check_blocks(0, pages.iter().copied())?;
        let blocks = Blocks::new(pages);
        Ok(Self {
            lists: Lists::new(&blocks),
            blocks: Arc::new(blocks),
            ..Self::empty(capacity_pages)
        })
    }

    /// The same where directories and inodes of files share the cache: those of ext4. File `id` is in the directory
    /// `directory_of[id]`, in the order of the ids.
    ///
    /// # Errors
    /// As [`LinuxPageCache::new`].
    pub fn with_metadata(
        capacity_pages: u64,
        pages: &[u64],
        directory_of: &[u16],
    ) -> Result<Self, CacheError> {
        let mut pages = pages.to_vec();
        let metadata = Metadata::lay_out(&mut pages, directory_of);
        Ok(Self {
            metadata: Some(metadata),
            ..Self::new(capacity_pages, &pages)?
        })
    }

    /// Opens object `id`: of the [`METADATA_PLACES`] of its directory and inode, how many its store had to read. None when it
    /// was opened before, or where metadata is not followed.
    #[inline]
    pub fn open(&mut self, id: u32) -> u32 {
        let places = self
            .metadata
            .as_mut()
            .and_then(|metadata| metadata.open(id));
        let mut missing = |place| u32::from(self.read(place).pages > 0);
        places.map_or(0, |places| places.into_iter().map(&mut missing).sum())
    }

    /// Whether opening and reading object `id` would find all of it in memory and change nothing.
    #[inline]
    pub fn is_settled(&self, id: u32) -> bool {
        self.lists.is_settled(id)
    }

    /// Pages of object `id`.
    #[inline]
    pub fn pages(&self, id: u32) -> u64 {
        self.blocks.pages_of(id)
    }

    /// Changes how much fits from now on; evicts at once what no longer does.
    pub fn resize(&mut self, capacity_pages: u64) {
        self.capacity_pages = capacity_pages;
        self.make_room(0);
    }

    /// Reads object `id` from its first to its last page; what its store had to read for that.
    ///
    /// `id` must be below [`Policy::objects`], as in [`Policy::access`].
    pub fn read(&mut self, id: u32) -> StoreRead {
        if self.is_settled(id) {
            return StoreRead::default();
        }
        let blocks = self.blocks.of(id);
        match blocks.end - blocks.start {
            1 => self.read_block(id, blocks.start),
            _ => self.read_blocks(id, blocks),
        }
    }

    /// Reads an object of one block: what [`ReadAhead`] comes to there.
    fn read_block(&mut self, id: u32, block: u32) -> StoreRead {
        if self.lists.is_resident(block) {
            if self.lists.touch(block) {
                self.lists.settle(id);
            }
            return StoreRead::default();
        }
        let pages = self.lists.pages_of(block);
        if pages <= self.capacity_pages {
            self.insert(block, 0);
            self.lists.touch(block);
        }
        StoreRead { pages, gaps: 1 }
    }

    fn read_blocks(&mut self, id: u32, blocks: Range<u32>) -> StoreRead {
        if self.capacity_pages < BLOCK_PAGES {
            let pages = self.blocks.pages_of(id);
            return StoreRead { pages, gaps: 1 };
        }
        let (whole_blocks, count) = (self.blocks.whole(id), blocks.end - blocks.start);
        let (mut read, mut ahead) = (Reading::default(), ReadAhead::default());
        let (mut settled, mut block) = (true, 0);
        while block < count {
            let lists = &self.lists;
            let resident = |block| block < count && lists.is_resident(blocks.start + block);
            if let Some(window) = ahead.reach(block, whole_blocks, resident) {
                self.load(&blocks, &window, &mut read, |added| ahead.mark(added));
            }
            let place = blocks.start + block;
            let is_alone = block + 1 == count || ahead.loads_at(block + 1);
            let both = match is_alone {
                true => None,
                false => self.lists.touch_both(place),
            };
            settled &= both.unwrap_or_else(|| self.lists.touch(place));
            block += if both.is_some() { 2 } else { 1 };
        }
        // Loading a later block may have deactivated an earlier one.
        if settled && read.done.pages == 0 {
            self.lists.settle(id);
        }
        read.done
    }

    /// Reads what `window` lacks, and tells `add` of each block.
    fn load(
        &mut self,
        blocks: &Range<u32>,
        window: &Window,
        read: &mut Reading,
        mut add: impl FnMut(u32),
    ) {
        for block in window.blocks.clone() {
            let place = blocks.start + block;
            if place < blocks.end && !self.lists.is_resident(place) {
                self.insert(place, window.order);
                read.add(block, self.lists.pages_of(place));
                add(block);
            }
        }
    }

    /// Pages of all files in memory, on the inactive and on the active list.
    pub fn resident_pages(&self) -> [u64; 2] {
        self.lists.pages()
    }

    #[inline]
    fn insert(&mut self, block: u32, order: u8) {
        self.make_room(self.lists.pages_of(block));
        self.lists.insert(block, order);
    }

    /// Evicts until `pages` fit, which are no more than the capacity, or nothing is left that may leave. A round that only deactivates
    /// brings the next nearer.
    fn make_room(&mut self, pages: u64) {
        while self.lists.resident_pages() + pages > self.capacity_pages && self.lists.has_written()
        {
            self.reclaim.round(&mut self.lists, &self.blocks);
        }
    }
}

/// Whether objects of so many pages can be followed beside so many blocks of others.
fn check_blocks(others: u64, pages: impl Iterator<Item = u64>) -> Result<(), CacheError> {
    let (mut blocks, mut objects) = (others, 0);
    for pages in pages {
        blocks = blocks.saturating_add(pages.div_ceil(BLOCK_PAGES));
        objects += 1;
    }
    if blocks.saturating_add(objects) > MAX_BLOCKS {
        return Err(CacheError::TooManyPages {
            pages: blocks.saturating_mul(BLOCK_PAGES),
            most: MAX_BLOCKS * BLOCK_PAGES,
        });
    }
    Ok(())
}

/// A read in progress.
#[derive(Default)]
struct Reading {
    done: StoreRead,
    /// The block after the last that was read from the store.
    next: Option<u32>,
}

impl Reading {
    fn add(&mut self, block: u32, pages: u64) {
        self.done.pages += pages;
        self.done.gaps += u32::from(self.next != Some(block));
        self.next = Some(block + 1);
    }
}

impl Policy for LinuxPageCache {
    fn access(&mut self, id: u32, _pages: u64) -> bool {
        self.read(id).pages == 0
    }

    #[inline]
    fn read_ahead(&self, ids: &[u32]) {
        let (mut read, mut unsettled) = (0u8, 0);
        for &id in ids {
            // Of what is settled nothing else is read. A branch on that would be guessed wrong too often.
            let is_unsettled = !self.is_settled(id);
            let block = u32::from(is_unsettled) * self.blocks.first(id);
            read = read.wrapping_add(self.lists.read_ahead(block));
            unsettled += usize::from(is_unsettled);
        }
        let victims = self.lists.next_victims(unsettled);
        let victims = victims.map(|block| self.lists.read_ahead(block));
        std::hint::black_box(victims.fold(read, u8::wrapping_add));
    }

    fn objects(&self) -> usize {
        let metadata = self.metadata.as_ref();
        metadata.map_or_else(|| self.blocks.objects(), Metadata::files)
    }

    fn memory_bytes(&self) -> usize {
        let metadata = self.metadata.as_ref().map_or(0, Metadata::memory_bytes);
        self.blocks.memory_bytes() + self.lists.memory_bytes() + metadata
    }
}
