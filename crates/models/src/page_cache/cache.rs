//! The page cache, by extents of files: what is in memory, and what is on its way there.

use std::ops::Range;

use hotset_cache::{CacheError, PAGE_BYTES};
use hotset_scenario::Reading;

use super::dirty::DirtyExtents;
use super::mapping::Mapping;
use super::of_profile::{goes_by_pages, keeps, page_cache};
use super::policy::PageCachePolicy;
use crate::file_system::{Extent, FileSystemKind, KnownExtents, Layout};
use crate::read_ahead::{Lookup, ReadAheadPolicy, Window};

/// Most pages of an extent: the cache follows files in blocks of as many.
const MOST_PAGES: u64 = 16;

/// What is under way for an extent, in one word: for files read at random each further table would be another wait for memory.
#[derive(Clone, Copy)]
struct ExtentState(u32);

impl ExtentState {
    /// Nothing brings the extent, and nothing follows.
    const NOTHING: Self = Self(u32::MAX >> 1);
    /// Coming to the extent has the next window read (`PG_readahead`).
    const MARK: u32 = 1 << 31;

    /// The transfer that brings the extent.
    fn transfer(self) -> Option<u32> {
        let transfer = self.0 & !Self::MARK;
        (transfer != Self::NOTHING.0).then_some(transfer)
    }

    /// The same mark with another transfer.
    fn set_transfer(&mut self, transfer: Option<u32>) {
        self.0 = self.0 & Self::MARK | transfer.unwrap_or(Self::NOTHING.0);
    }

    fn set_mark(&mut self, marked: bool) {
        self.0 = self.0 & !Self::MARK | if marked { Self::MARK } else { 0 };
    }

    fn is_marked(self) -> bool {
        self.0 & Self::MARK != 0
    }
}

/// A file that is read.
#[derive(Clone, Copy, Debug)]
struct File {
    /// Its first extent.
    first: u32,
    extents: u64,
    pages: u64,
    /// Where its own space begins on the device, bytes; 0 where its places are known.
    start: u64,
    /// Its layout, by number.
    layout: u32,
    /// The extent of the first block that maps it.
    first_map: u32,
    /// Its part of memory.
    part: u32,
}

/// A file as the file system has it.
#[derive(Clone, Copy, Debug)]
pub struct StoredFile<'p> {
    /// Its store, by number.
    pub store: usize,
    /// Its bytes.
    pub bytes: u64,
    /// Where it lies, if that is known.
    pub extents: Option<&'p [Extent]>,
}

/// Memory for pages of files.
#[derive(Clone, Copy, Debug)]
pub struct Memory<'m> {
    /// Bytes of each part: that of a memory group, or all there is.
    pub parts: &'m [u64],
    /// The part of each file; of those beyond, the first.
    pub part_of: &'m [u32],
}

/// Bytes to be read from the device for extents of the cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MissingRun {
    /// First byte on the device.
    pub offset: u64,
    pub bytes: u64,
    pub extents: Range<u32>,
}

/// The page cache.
pub(crate) struct PageCache {
    cache: Box<dyn PageCachePolicy>,
    files: Vec<File>,
    /// Those of files of which nothing is known, by store, then one for each of the others.
    layouts: Vec<Box<dyn Layout>>,
    /// Bytes that the former take on the device of each store.
    device_bytes: Vec<u64>,
    /// A power of two, as is its size in bytes: two to the power of `extent_bits`.
    extent_pages: u64,
    extent_bits: u32,
    under_way: Vec<ExtentState>,
    /// By part of memory: whether pages stay there until they are dropped.
    keeps: Vec<bool>,
    /// Files that processes have mapped.
    pub(super) mappings: Vec<Mapping>,
    /// Extents that processes have written to.
    pub(super) unwritten: DirtyExtents,
}

impl PageCache {
    /// An empty cache in `memory` for `stored` files, of which readers want multiples of `unit_bytes`. Those of which nothing
    /// is known lie one behind the other on the device of their store. Of each store it is known which file system it has, and how the
    /// kernel reads it. The policy is that of the first.
    ///
    /// # Errors
    /// Files of more than 16 TiB in all, less where small parts of them are read.
    pub fn new(
        memory: Memory<'_>,
        stored: &[StoredFile<'_>],
        unit_bytes: u64,
        stores: &[(FileSystemKind, Reading)],
    ) -> Result<Self, CacheError> {
        let extent_pages = match stores.iter().any(|(_, reading)| goes_by_pages(reading)) {
            true => 1,
            false => extent_pages(unit_bytes),
        };
        let layouts = stores.iter().map(|(file_system, _)| file_system.layout());
        let mut layouts: Vec<Box<dyn Layout>> = layouts.collect();
        let (mut files, mut extents) = (Vec::new(), Vec::new());
        // What nobody reads through the cache has no pages there.
        let kept = |pages: u64| if unit_bytes == 0 { 0 } else { pages };
        let mut device_bytes = vec![0; stores.len()];
        for (number, file) in stored.iter().enumerate() {
            let part = memory.part_of.get(number).copied().unwrap_or_default();
            let pages = file.bytes.div_ceil(PAGE_BYTES);
            let layout_number = match file.extents {
                Some(extents) => {
                    let (file_system, _) = stores[file.store];
                    layouts.push(Box::new(KnownExtents::new(extents, file_system)));
                    layouts.len() - 1
                }
                None => file.store,
            };
            let layout = &layouts[layout_number];
            let (count, maps) = (pages.div_ceil(extent_pages), layout.map_blocks(pages));
            // Before anything is allocated, as the number comes from a file.
            check(extents.len() as u64, count + maps, extent_pages)?;
            let first = extents.len() as u32;
            let of_extent = |it| kept(extent_pages.min(pages - it * extent_pages));
            extents.extend((0..count).map(|it| (part, of_extent(it))));
            files.push(File {
                first,
                extents: count,
                pages,
                start: match file.extents {
                    Some(_) => 0,
                    None => device_bytes[file.store],
                },
                layout: layout_number as u32,
                first_map: extents.len() as u32,
                part,
            });
            extents.extend((0..maps).map(|_| (part, kept(1))));
            if file.extents.is_none() {
                device_bytes[file.store] += layout.bytes(pages);
            }
        }
        let kind = stores.first().map(|(_, reading)| reading.page_cache);
        let kind = kind.unwrap_or_default();
        Ok(Self {
            cache: page_cache(kind, memory.parts, &extents)?,
            keeps: keeps(kind, memory.parts, &extents),
            under_way: vec![ExtentState::NOTHING; extents.len()],
            mappings: Vec::new(),
            unwritten: DirtyExtents::default(),
            files,
            layouts,
            device_bytes,
            extent_pages,
            extent_bits: (extent_pages * PAGE_BYTES).ilog2(),
        })
    }

    /// Whether what is in memory of `file` stays there until it is dropped: its part of memory has room for all files that it is for. Once that part
    /// was resized, this is not said any more.
    pub fn keeps(&self, file: u32) -> bool {
        self.keeps[self.files[file as usize].part as usize]
    }

    /// Whether any part of memory does.
    pub fn keeps_some(&self) -> bool {
        self.keeps.contains(&true)
    }

    /// Bytes that files of which nothing is known take on the device of each store.
    pub fn device_bytes(&self) -> &[u64] {
        &self.device_bytes
    }

    fn layout(&self, file: File) -> &dyn Layout {
        &*self.layouts[file.layout as usize]
    }

    /// Bytes of an extent.
    pub(super) fn extent_bytes(&self) -> u64 {
        self.extent_pages * PAGE_BYTES
    }

    /// The number of the extent at `offset` among those of its file.
    #[inline]
    pub(super) fn extent_number(&self, offset: u64) -> u64 {
        offset >> self.extent_bits
    }

    /// Where the extent at `offset` ends.
    #[inline]
    pub fn extent_end(&self, offset: u64) -> u64 {
        (self.extent_number(offset) + 1) << self.extent_bits
    }

    /// Pages of an extent.
    pub(super) fn extent_pages(&self) -> u64 {
        self.extent_pages
    }

    /// Extents of `file`.
    pub(super) fn extent_count(&self, file: u32) -> u64 {
        self.files[file as usize].extents
    }

    /// Whether the extent of `file` with this number is in memory, has arrived and is not marked.
    pub(super) fn may_be_mapped(&self, file: u32, number: u64) -> bool {
        let extent = self.files[file as usize].first + number as u32;
        let under_way = self.under_way[extent as usize];
        under_way.transfer().is_none() && !under_way.is_marked() && self.holds(extent)
    }

    /// A program accesses an extent of `file` through its page table.
    pub(super) fn access_by_page_table(&mut self, file: u32, number: u64) {
        let extent = u64::from(self.files[file as usize].first) + number;
        self.cache.access_mapped(extent);
    }

    /// An extent of `file` leaves a program's page table.
    pub(super) fn leave_page_table(&mut self, file: u32, number: u64) {
        let extent = u64::from(self.files[file as usize].first) + number;
        self.cache.unmap(extent);
    }

    /// Has all of `file` in memory with what maps it, as far as it fits.
    pub fn fill(&mut self, file: u32) {
        let known = self.files[file as usize];
        let maps = self.layout(known).map_blocks(known.pages) as u32;
        let maps = known.first_map..known.first_map + maps;
        maps.chain(self.extents(file))
            .for_each(|extent| self.cache.fetch(0, u64::from(extent)));
    }

    /// Drops all of `file`, but not what maps it, nor what has yet to reach the device (`invalidate_mapping_pages`, `mm/truncate.c`).
    pub fn forget(&mut self, file: u32) {
        self.forget_part(self.extents(file));
    }

    /// The same of some extents.
    pub fn forget_part(&mut self, extents: Range<u32>) {
        for extent in extents {
            if self.unwritten.is_unwritten(extent) {
                continue;
            }
            self.cache.forget(u64::from(extent));
            self.under_way[extent as usize] = ExtentState::NOTHING;
        }
    }

    /// The same of what has arrived.
    pub fn forget_arrived(&mut self, file: u32) {
        for extent in self.extents(file) {
            if self.under_way[extent as usize].transfer().is_none() {
                self.forget_part(extent..extent + 1);
            }
        }
    }

    /// Whether all of `file` is in memory.
    pub fn has_all(&self, file: u32) -> bool {
        let mut extents = self.extents(file);
        extents.all(|extent| {
            self.holds(extent) && self.under_way[extent as usize].transfer().is_none()
        })
    }

    /// Adds what memory lacks of `file`, which was there all along, but not of what maps it.
    pub fn put_back(&mut self, now_ns: u64, file: u32) {
        for extent in self.extents(file) {
            if !self.holds(extent) {
                self.cache.fetch(now_ns, u64::from(extent));
                self.under_way[extent as usize] = ExtentState::NOTHING;
            }
        }
    }

    /// So many pages fit from now on.
    pub fn resize(&mut self, now_ns: u64, pages: u64) {
        if let Some(keeps) = self.keeps.first_mut() {
            *keeps = false;
        }
        self.cache.resize(now_ns, pages);
    }

    /// Whether the extent at `offset` of `file` would have to be asked for.
    #[inline]
    pub fn lacks(&self, file: u32, offset: u64) -> bool {
        !self.holds(self.extent(file, offset))
    }

    /// The transfer that brings the extent at `offset` of `file`, even if memory is too small to keep it.
    #[inline]
    pub fn coming(&self, file: u32, offset: u64) -> Option<u32> {
        self.under_way[self.extent(file, offset) as usize].transfer()
    }

    /// What a reader finds at `offset` of `file`. A mark is taken off.
    #[inline]
    pub fn find(&mut self, file: u32, offset: u64) -> Lookup {
        let extent = self.extent(file, offset);
        // Looked up before the cache is asked: a processor then waits for both places in memory at the same time.
        let marked = self.under_way[extent as usize].is_marked();
        match (self.holds(extent), marked) {
            (false, _) => Lookup::Missing,
            (true, false) => Lookup::Present,
            (true, true) => {
                self.under_way[extent as usize].set_mark(false);
                Lookup::Marked
            }
        }
    }

    /// Copies the extent at `offset` of `file` to a reader.
    #[inline]
    pub fn copy(&mut self, now_ns: u64, file: u32, offset: u64) {
        let extent = self.extent(file, offset);
        self.cache.touch(now_ns, u64::from(extent));
    }

    /// Adds the windows that a reader that wants `wanted` pages from `page` on, and has `found` something there, has read.
    #[inline]
    pub fn windows(
        &self,
        file: u32,
        page: u64,
        wanted: u64,
        found: Lookup,
        ahead: &mut dyn ReadAheadPolicy,
        windows: &mut Vec<Window>,
    ) {
        let File { first, pages, .. } = self.files[file as usize];
        let holds =
            |page: u64| page < pages && self.holds(first + (page / self.extent_pages) as u32);
        ahead.choose(page, wanted, found, &holds, windows);
    }

    /// The block that maps `page` of `file`, unless it is in memory, and the transfer that brings it, if one does.
    pub fn missing_map(&self, file: u32, page: u64) -> Option<(MissingRun, Option<u32>)> {
        let known = self.files[file as usize];
        let map_block = self.layout(known).place(page).map_block?;
        let extent = known.first_map + map_block.number as u32;
        let coming = self.under_way[extent as usize].transfer();
        let is_here = coming.is_none() && self.holds(extent);
        let missing = MissingRun {
            offset: known.start + map_block.offset,
            bytes: PAGE_BYTES,
            extents: extent..extent + 1,
        };
        (!is_here).then_some((missing, coming))
    }

    /// Adds to memory what of `window` is not there, as runs that lie side by side on the device. Extents are added one by one, as
    /// the kernel adds pages (`page_cache_ra_unbounded`, `mm/readahead.c`): where memory is tight, one may have the next evicted.
    /// They are folios of 2^`order` pages, cut to the window.
    ///
    /// Only what is added is marked: a marker that was in memory before is not, and the mark of what left memory is gone.
    pub fn add(
        &mut self,
        now_ns: u64,
        file: u32,
        window: Window,
        order: u8,
        runs: &mut Vec<MissingRun>,
    ) {
        let known = self.files[file as usize];
        let first = window.start / self.extent_pages;
        let end = (window.start + window.pages).div_ceil(self.extent_pages);
        let end = end.min(known.extents);
        let order = match order {
            0 => 0,
            _ => order.min(self.largest_order(known, window, first..end)),
        };
        let marker = window.marker.filter(|&page| page < known.pages);
        let marked = marker.map(|page| page / self.extent_pages);
        for number in first..end {
            let extent = known.first + number as u32;
            if !self.holds(extent) {
                let page = u64::from(extent);
                self.cache.fetch_in_folios(now_ns, page, order);
                self.add_missing(known, number, runs);
                self.under_way[extent as usize].set_mark(marked == Some(number));
                self.unmap(file, number);
            }
        }
    }

    /// Folios are aligned to their own size and end with the file, and none of their pages was in memory before
    /// (`page_cache_ra_order`, `mm/readahead.c`); other windows have them as large as an extent.
    fn largest_order(&self, file: File, window: Window, extents: Range<u64>) -> u8 {
        let is_aligned = window.start.is_multiple_of(window.pages.max(1));
        let of_file = window.start + window.pages <= file.pages;
        let held = |number| self.holds(file.first + number as u32);
        match is_aligned && of_file && !extents.into_iter().any(held) {
            true => window.pages.checked_ilog2().unwrap_or(0) as u8,
            false => self.extent_pages.ilog2() as u8,
        }
    }

    fn add_missing(&self, file: File, number: u64, runs: &mut Vec<MissingRun>) {
        let extent = file.first + number as u32;
        let pages = number * self.extent_pages..((number + 1) * self.extent_pages).min(file.pages);
        let mut page = pages.start;
        while page < pages.end {
            let place = self.layout(file).place(page);
            let count = place.pages.min(pages.end - page);
            let (offset, bytes) = (file.start + place.offset, count * PAGE_BYTES);
            let last = runs.last_mut();
            match last.filter(|it| it.offset + it.bytes == offset && it.extents.end + 1 >= extent) {
                Some(run) => {
                    run.bytes += bytes;
                    run.extents.end = extent + 1;
                }
                None => runs.push(MissingRun {
                    offset,
                    bytes,
                    extents: extent..extent + 1,
                }),
            }
            page += count;
        }
    }

    /// Adds the extent of a block that maps a file to memory.
    pub fn add_map(&mut self, now_ns: u64, map: &MissingRun) {
        self.cache.fetch(now_ns, u64::from(map.extents.start));
    }

    /// `transfer` brings `extents`.
    pub fn expect(&mut self, extents: Range<u32>, transfer: u32) {
        for extent in extents {
            self.under_way[extent as usize].set_transfer(Some(transfer));
        }
    }

    /// What `transfer` brought of `extents` is there.
    pub fn arrive(&mut self, extents: Range<u32>, transfer: u32) {
        for extent in extents {
            let coming = &mut self.under_way[extent as usize];
            if coming.transfer() == Some(transfer) {
                coming.set_transfer(None);
            }
        }
    }

    /// Where a byte of `file` is on the device.
    pub fn device_offset(&self, file: u32, offset: u64) -> u64 {
        let known = self.files[file as usize];
        let place = self.layout(known).place(offset / PAGE_BYTES);
        known.start + place.offset + offset % PAGE_BYTES
    }

    /// Where the block is that maps `page` of `file`; nothing where the inode does, or where files are mapped by few extents.
    pub fn map_place(&self, file: u32, page: u64) -> Option<u64> {
        let known = self.files[file as usize];
        let map_block = self.layout(known).place(page).map_block?;
        Some(known.start + map_block.offset)
    }

    /// Pages of `file`.
    pub fn file_pages(&self, file: u32) -> u64 {
        self.files[file as usize].pages
    }

    /// Adds the extent at `offset` of `file`, of which nothing is read: all of it is written.
    pub(super) fn add_written(&mut self, now_ns: u64, file: u32, offset: u64) {
        let extent = self.extent(file, offset);
        self.cache.fetch(now_ns, u64::from(extent));
        self.under_way[extent as usize] = ExtentState::NOTHING;
        self.unmap(file, self.extent_number(offset));
    }

    /// Has an extent stay in memory until it is written, or lets it leave again.
    pub(super) fn set_unwritten(&mut self, extent: u32, is_unwritten: bool) {
        self.cache.set_unwritten(u64::from(extent), is_unwritten);
    }

    /// Pages of an extent of `file`, by its number there.
    pub(super) fn pages_of(&self, file: u32, number: u64) -> u64 {
        let pages = self.files[file as usize].pages;
        self.extent_pages.min(pages - number * self.extent_pages)
    }

    /// Where an extent of `file` begins on the device, and how many pages from there on lie side by side.
    pub(super) fn place_of(&self, file: u32, number: u64) -> (u64, u64) {
        let known = self.files[file as usize];
        let place = self.layout(known).place(number * self.extent_pages);
        (known.start + place.offset, place.pages)
    }

    /// Adds the bytes of an extent of `file` to `runs`.
    pub(super) fn add_run(&self, file: u32, number: u64, runs: &mut Vec<MissingRun>) {
        self.add_missing(self.files[file as usize], number, runs);
    }

    /// Extents of all files and of what maps them.
    pub(super) fn all_extents(&self) -> u64 {
        self.under_way.len() as u64
    }

    #[inline]
    pub(super) fn holds(&self, extent: u32) -> bool {
        self.cache.holds(u64::from(extent))
    }

    #[inline]
    pub(super) fn extent(&self, file: u32, offset: u64) -> u32 {
        self.files[file as usize].first + self.extent_number(offset) as u32
    }

    /// The extents of `file`.
    pub(super) fn extents(&self, file: u32) -> Range<u32> {
        let File { first, extents, .. } = self.files[file as usize];
        first..first + extents as u32
    }
}

/// Pages of an extent where nobody reads through the cache: 1 GiB.
const UNREAD_PAGES: u64 = 1 << 18;

/// The largest power of two of pages, at most [`MOST_PAGES`], that divides what readers want.
fn extent_pages(unit_bytes: u64) -> u64 {
    let pages = unit_bytes / PAGE_BYTES;
    match unit_bytes.is_multiple_of(PAGE_BYTES) {
        true if pages == 0 => UNREAD_PAGES,
        true => (1 << pages.trailing_zeros()).min(MOST_PAGES),
        false => 1,
    }
}

/// Most extents of all files together, half of what [`hotset_cache::LinuxPageCache`] follows.
const MOST_EXTENTS: u64 = 1 << 27;

fn check(before: u64, more: u64, extent_pages: u64) -> Result<(), CacheError> {
    match before.saturating_add(more) <= MOST_EXTENTS {
        true => Ok(()),
        false => Err(CacheError::TooManyPages {
            pages: before.saturating_add(more).saturating_mul(extent_pages),
            most: MOST_EXTENTS * extent_pages,
        }),
    }
}
