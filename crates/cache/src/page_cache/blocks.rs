//! The blocks that objects consist of.

use std::ops::Range;

use crate::policy::column_bytes;

/// Bytes of a page of memory; files take whole pages.
pub const PAGE_BYTES: u64 = 4096;

/// Pages that `sendfile` moves at a time: a pipe holds 16 (`PIPE_DEF_BUFFERS`, `include/linux/pipe_fs_i.h`). Files are
/// tracked in blocks of as many, because no page of a block is ever read or touched without the others.
pub const BLOCK_PAGES: u64 = 16;

/// Blocks of all objects, numbered object by object. Where every object is one block, both have the same number, and nothing is
/// looked up: of parts of large files that are read at random, no table would be in the processor's caches.
#[derive(Clone)]
pub(super) struct Blocks {
    /// First block of each object; one more entry ends the last. Empty where every object is one block.
    first: Vec<u32>,
    /// Pages of each object's last block.
    tail_pages: Vec<u8>,
    /// Object of each block. Empty where every object is one block.
    objects: Vec<u32>,
}

impl Blocks {
    /// Their number must fit, see [`super::LinuxPageCache::new`].
    pub fn new(pages: &[u64]) -> Self {
        let mut first = Vec::with_capacity(pages.len() + 1);
        let mut tails = Vec::with_capacity(pages.len());
        let (mut next, mut objects) = (0u32, Vec::new());
        for (object, &pages) in pages.iter().enumerate() {
            let (blocks, tail_pages) = divided(pages);
            first.push(next);
            next += blocks;
            objects.resize(next as usize, object as u32);
            tails.push(tail_pages);
        }
        first.push(next);
        if next as usize == pages.len() {
            (first, objects) = (Vec::new(), Vec::new());
        }
        Self {
            first,
            tail_pages: tails,
            objects,
        }
    }

    /// Adds an object; its number.
    pub fn push(&mut self, pages: u64) -> u32 {
        let (blocks, tail_pages) = divided(pages);
        let object = self.objects() as u32;
        if self.are_objects() && blocks > 1 {
            self.first = (0..=object).collect();
            self.objects = (0..object).collect();
        }
        self.tail_pages.push(tail_pages);
        if let Some(&next) = self.first.last() {
            let next = next + blocks;
            self.objects.resize(next as usize, object);
            self.first.push(next);
        }
        object
    }

    /// Whether every object is one block.
    #[inline]
    pub fn are_objects(&self) -> bool {
        self.first.is_empty()
    }

    #[inline]
    pub fn of(&self, object: u32) -> Range<u32> {
        self.first(object)..self.end(object)
    }

    /// The first block of `object`.
    #[inline]
    pub fn first(&self, object: u32) -> u32 {
        match self.are_objects() {
            true => object,
            false => self.first[object as usize],
        }
    }

    /// The object that `block` is part of.
    #[inline]
    pub fn object(&self, block: u32) -> u32 {
        match self.are_objects() {
            true => block,
            false => self.objects[block as usize],
        }
    }

    /// Blocks of `object` that are [`BLOCK_PAGES`] long.
    pub fn whole(&self, object: u32) -> u32 {
        let blocks = self.of(object);
        let tail_is_whole = u64::from(self.tail_pages[object as usize]) == BLOCK_PAGES;
        blocks.end - blocks.start - u32::from(!tail_is_whole)
    }

    #[inline]
    fn end(&self, object: u32) -> u32 {
        match self.are_objects() {
            true => object + 1,
            false => self.first[object as usize + 1],
        }
    }

    /// Pages of every block, in their order.
    pub fn all_pages(&self) -> impl Iterator<Item = u64> {
        (0..self.len() as u32).map(|block| self.pages(self.object(block), block))
    }

    /// Pages of `block`, which is one of `object`.
    pub fn pages(&self, object: u32, block: u32) -> u64 {
        if block + 1 == self.end(object) {
            u64::from(self.tail_pages[object as usize])
        } else {
            BLOCK_PAGES
        }
    }

    /// Pages of all blocks of `object`.
    #[inline]
    pub fn pages_of(&self, object: u32) -> u64 {
        let blocks = self.of(object);
        let before_tail = u64::from(blocks.end - blocks.start - 1) * BLOCK_PAGES;
        before_tail + u64::from(self.tail_pages[object as usize])
    }

    pub fn objects(&self) -> usize {
        self.tail_pages.len()
    }

    pub fn len(&self) -> usize {
        match self.are_objects() {
            true => self.tail_pages.len(),
            false => self.objects.len(),
        }
    }

    pub fn memory_bytes(&self) -> usize {
        column_bytes(&self.first) + column_bytes(&self.tail_pages) + column_bytes(&self.objects)
    }
}

/// The blocks of an object of so many pages, and the pages of the last. An empty file takes a page.
fn divided(pages: u64) -> (u32, u8) {
    let pages = pages.max(1);
    let tail_pages = (pages - 1) % BLOCK_PAGES + 1;
    (pages.div_ceil(BLOCK_PAGES) as u32, tail_pages as u8)
}
