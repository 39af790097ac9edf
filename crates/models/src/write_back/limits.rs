//! How much may be dirty (`domain_dirty_limits`, `mm/page-writeback.c`).

use hotset_cache::PAGE_BYTES;
use hotset_scenario::Writing;

/// Pages that may be dirty or under write-back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// With more dirty pages than this the kernel writes.
    pub background: u64,
    /// Programs that write are slowed down so that there are never as many.
    pub limit: u64,
}

impl Limits {
    /// Those of `writing` where so many pages may be dirty at all (`global_dirtyable_memory`). A limit in bytes is what it says, even where memory
    /// is less: memory groups of version 1 have the limits of the machine.
    #[must_use]
    pub fn of(writing: &Writing, dirtyable_pages: u64) -> Self {
        let pages = |bytes: Option<u64>, percent: f64| match bytes {
            Some(bytes) => bytes.div_ceil(PAGE_BYTES),
            None => (dirtyable_pages as f64 * percent / 100.0) as u64,
        };
        let limit = pages(writing.dirty_limit_bytes, writing.dirty_limit_ratio);
        let background = pages(
            writing.dirty_background_bytes,
            writing.dirty_background_ratio,
        );
        Self {
            background: if background < limit {
                background
            } else {
                limit / 2
            },
            limit,
        }
    }

    /// Up to here nobody is slowed down (`dirty_freerun_ceiling`).
    #[must_use]
    pub fn free_run(&self) -> u64 {
        self.limit.midpoint(self.background)
    }

    /// Where the number of dirty pages is held (`wb_position_ratio`).
    #[must_use]
    pub fn setpoint(&self) -> u64 {
        self.free_run().midpoint(self.limit)
    }
}
