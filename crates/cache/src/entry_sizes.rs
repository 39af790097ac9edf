//! Sizes at insertion, in four bytes each.

use std::collections::HashMap;

use crate::policy::{column_bytes, touch};

/// Marks a size of 2^32 - 1 units or more, which is kept apart.
const LARGE: u32 = u32::MAX;

/// The size each object had when it entered the cache: 4 bytes per object, and some 20 more for
/// each that takes 2^32 - 1 units or more (files of 4 GiB, when the unit is a byte).
pub(crate) struct EntrySizes {
    sizes: Vec<u32>,
    large: HashMap<u32, u64>,
}

impl EntrySizes {
    pub(crate) fn new(objects: usize) -> Self {
        Self {
            sizes: vec![0; objects],
            large: HashMap::new(),
        }
    }

    pub(crate) fn memory_bytes(&self) -> usize {
        column_bytes(&self.sizes) + self.large.capacity() * size_of::<(u32, u64)>()
    }

    /// As [`crate::Policy::read_ahead`].
    #[inline]
    pub(crate) fn read_ahead(&self, ids: impl Iterator<Item = u32>) {
        touch(&self.sizes, ids);
    }

    #[inline]
    pub(crate) fn get(&self, id: u32) -> u64 {
        match self.sizes[id as usize] {
            LARGE => self.large.get(&id).copied().unwrap_or(u64::from(LARGE)),
            size => u64::from(size),
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, id: u32, size: u64) {
        let small = u32::try_from(size).unwrap_or(LARGE);
        self.sizes[id as usize] = small;
        if small == LARGE {
            self.large.insert(id, size);
        }
    }
}
