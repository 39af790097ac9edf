//! What copying between kernel and program costs by the size of the block: the dissertation that [`TwoQueues`](crate::page_cache::TwoQueues) follows,
//! chapter 4.5.

use hotset_cache::PAGE_BYTES;

/// A level of memory that copying goes through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopyLevel {
    /// Bytes of a block up to which this level serves (`S_threshold`).
    pub threshold_bytes: u64,
    /// What a page takes there, nanoseconds (`T_L2`).
    pub page_ns: f64,
}

/// What copying a page takes, by the size of the block that it is part of.
///
/// Of a block, the pages up to the first level's threshold take that level's time, those up to the second's take the second's,
/// and so on; the rest takes memory's. A page takes their mean. With one level that is the formula of chapter 4.5: T_L2 up to S,
/// beyond (S/p · T_L2 + x · T_memory) / (S/p + x), where p is a page and x the pages beyond S.
#[derive(Clone, Debug, PartialEq)]
pub struct CopyCost {
    /// Nearest first.
    pub levels: Vec<CopyLevel>,
    /// What a page takes beyond the last level, nanoseconds (`T_memory`).
    pub memory_page_ns: f64,
}

impl CopyCost {
    /// The same for every block.
    #[must_use]
    pub fn constant(page_ns: f64) -> Self {
        Self {
            levels: Vec::new(),
            memory_page_ns: page_ns,
        }
    }

    /// A page of a block of so many bytes, nanoseconds.
    #[must_use]
    pub fn page_ns(&self, block_bytes: u64) -> f64 {
        if block_bytes == 0 {
            return 0.0;
        }
        self.pages_ns(block_bytes) / (block_bytes as f64 / PAGE_BYTES as f64)
    }

    /// Some bytes of a block of so many, nanoseconds.
    #[must_use]
    pub fn copy_ns(&self, bytes: u64, block_bytes: u64) -> f64 {
        self.page_ns(block_bytes) * bytes as f64 / PAGE_BYTES as f64
    }

    fn pages_ns(&self, block_bytes: u64) -> f64 {
        let pages = |bytes: u64| bytes as f64 / PAGE_BYTES as f64;
        let (mut from, mut sum_ns) = (0, 0.0);
        for level in &self.levels {
            let to = level.threshold_bytes.clamp(from, block_bytes.max(from));
            sum_ns += pages(to - from) * level.page_ns;
            from = to;
        }
        sum_ns + pages(block_bytes.saturating_sub(from)) * self.memory_page_ns
    }
}
