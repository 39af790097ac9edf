//! Objects that come and go while a cache is in use, for programs that keep running.

use std::sync::Arc;

use super::blocks::Blocks;
use super::lists::Lists;
use super::reclaim::Reclaim;
use super::{LinuxPageCache, check_blocks};
use crate::CacheError;

impl LinuxPageCache {
    /// An empty cache of `capacity_pages` that knows of no object yet.
    #[must_use]
    pub fn empty(capacity_pages: u64) -> Self {
        let blocks = Blocks::new(&[]);
        Self {
            lists: Lists::new(&blocks),
            blocks: Arc::new(blocks),
            reclaim: Reclaim::default(),
            metadata: None,
            capacity_pages,
        }
    }

    /// Adds an object of so many pages that was never read; its id, the next free one. Its directory and inode are not followed.
    ///
    /// # Errors
    /// As [`LinuxPageCache::new`]; then nothing was added.
    pub fn add(&mut self, pages: u64) -> Result<u32, CacheError> {
        check_blocks(self.blocks.len() as u64, [pages].into_iter())?;
        let blocks = Arc::make_mut(&mut self.blocks);
        let object = blocks.push(pages);
        self.lists.extend(blocks);
        Ok(object)
    }

    /// Whether object `id` is in memory in part, or was evicted so lately that it would be activated if it was read now. One that is
    /// not is read as if it never had been.
    #[must_use]
    pub fn remembers(&self, id: u32) -> bool {
        let mut blocks = self.blocks.of(id);
        blocks.any(|block| self.lists.remembers(block))
    }

    /// Forgets all objects but those with these ids, each once, which from now on go by their places in `ids`, and all directories and
    /// inodes. What stays in memory keeps its order.
    pub fn keep(&mut self, ids: &[u32]) {
        let pages: Vec<u64> = ids.iter().map(|&id| self.blocks.pages_of(id)).collect();
        let kept = Blocks::new(&pages);
        let before = ids.iter().flat_map(|&id| self.blocks.of(id));
        self.lists = self.lists.kept(before, &kept);
        self.blocks = Arc::new(kept);
        self.metadata = None;
    }
}
