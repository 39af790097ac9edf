//! Memory of a web server's workers: what they take, the page cache does not have.

use hotset_cache::PAGE_BYTES;

use super::result::MemoryCounts;
use super::system::Web;

/// Workers more or fewer than this change nothing yet, unless they take more than [`SMALL_SHARE`]: the page cache is not resized for each
/// request.
const STEP: u32 = 8;
/// This share of the memory is little.
const SMALL_SHARE: u64 = 16;
/// This share of the memory stays with the page cache, however many workers there are: the kernel does not run without (`min_free_kbytes`,
/// and pages that are under way).
const LEAST_SHARE: u64 = 64;

/// What the workers of a node take.
#[derive(Clone, Debug)]
pub(crate) struct WorkerMemory {
    worker_bytes: u64,
    swap_bytes: u64,
    /// Bytes that workers and the page cache have together, and those that stay with the latter.
    all_bytes: u64,
    least_bytes: u64,
    /// Workers that the page cache has made room for.
    workers: u32,
    /// Whether there was too little memory for these.
    is_short: bool,
    counts: MemoryCounts,
}

impl WorkerMemory {
    /// What workers of a web server take of its memory, where that is followed. What follows the traffic has the memory by itself.
    pub fn of(web: &Web) -> Option<Self> {
        let needs = web.needs;
        let has_workers = needs.worker_bytes > 0 && web.follow.is_none();
        has_workers.then(|| Self::new(needs.worker_bytes, needs.swap_bytes, web.memory_bytes))
    }

    /// Of workers of so many bytes, beside a page cache that has all memory without them.
    fn new(worker_bytes: u64, swap_bytes: u64, all_bytes: u64) -> Self {
        let mut memory = Self {
            worker_bytes,
            swap_bytes,
            all_bytes,
            least_bytes: (all_bytes / LEAST_SHARE).max(PAGE_BYTES).min(all_bytes),
            workers: 0,
            is_short: false,
            counts: MemoryCounts::default(),
        };
        memory.count_anew();
        memory
    }

    /// So many workers have a request or a connection. How many pages are left for files, where that is to change.
    pub fn change(&mut self, workers: u32) -> Option<u64> {
        self.counts.most_workers = self.counts.most_workers.max(workers);
        let changed = self.workers.abs_diff(workers);
        let bytes = u64::from(changed).saturating_mul(self.worker_bytes);
        if changed < STEP && bytes < self.all_bytes / SMALL_SHARE {
            return None;
        }
        self.workers = workers;
        let wanted = self.wanted_bytes();
        let most = self.all_bytes - self.least_bytes;
        let beyond = wanted.saturating_sub(most);
        let is_short = beyond > self.swap_bytes;
        let was_short = std::mem::replace(&mut self.is_short, is_short);
        self.counts.shortages += u64::from(is_short && !was_short);
        self.note();
        Some(self.left_bytes() / PAGE_BYTES)
    }

    /// What the workers would take.
    fn wanted_bytes(&self) -> u64 {
        u64::from(self.workers).saturating_mul(self.worker_bytes)
    }

    /// What is left for files.
    fn left_bytes(&self) -> u64 {
        let left = self.all_bytes.saturating_sub(self.wanted_bytes());
        left.max(self.least_bytes)
    }

    /// Notes what is left and what is elsewhere.
    fn note(&mut self) {
        let most = self.all_bytes - self.least_bytes;
        let beyond = self.wanted_bytes().saturating_sub(most);
        let swapped = beyond.min(self.swap_bytes);
        let left = self.left_bytes();
        let counts = &mut self.counts;
        counts.most_swapped_bytes = counts.most_swapped_bytes.max(swapped);
        counts.least_cache_bytes = counts.least_cache_bytes.min(left);
    }

    /// What was counted.
    pub fn counts(&self) -> MemoryCounts {
        self.counts
    }

    /// Forgets what was counted.
    pub fn count_anew(&mut self) {
        self.counts = MemoryCounts {
            most_workers: self.workers,
            least_cache_bytes: self.left_bytes(),
            most_swapped_bytes: 0,
            shortages: u64::from(self.is_short),
        };
        self.note();
    }
}
