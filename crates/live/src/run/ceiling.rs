//! How much may be held: at most a share of the memory for files; less where memory gets short, and more again only step by step.

use super::spec::RunSpec;
use hotset_plan::PageCacheModel;

/// Of the memory for files, what held files may take: the rest is page cache, for files that are asked for rarely or for
/// the first time. A rule and not a result: the middle of what plans try that are renewed, from half to all.
const HELD_SHARE: f64 = 0.75;

/// Of what was held, what stays where memory is short.
const SHRINK: f64 = 0.75;

/// Of all that may ever be held, what is added in an interval in which memory was not short: all of it comes back in sixteen.
const GROWTH: u64 = 16;

/// Bytes that may be held.
#[derive(Clone, Copy, Debug)]
pub struct Ceiling {
    most: u64,
    now: u64,
}

impl Ceiling {
    /// What held files may take at most of a node's memory for files.
    pub(super) fn of(spec: &RunSpec) -> Self {
        Self::new(Self::most_bytes(spec))
    }

    /// Bytes that held files may take at most: at least what sites reserve, which is there for them alone.
    pub(super) fn most_bytes(spec: &RunSpec) -> u64 {
        let floor = PageCacheModel::Linux.floor_bytes(spec.memory_bytes);
        let share = (spec.memory_bytes as f64 * HELD_SHARE) as u64;
        let reserved = spec.sites.iter().map(|site| site.terms.reservation_bytes);
        let reserved = reserved.fold(0, u64::saturating_add);
        share.max(reserved).min(spec.memory_bytes - floor)
    }

    /// All of what may ever be held.
    #[must_use]
    pub fn new(most: u64) -> Self {
        Self { most, now: most }
    }

    /// Bytes that may be held now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.now
    }

    /// Sets what may be held at most; what memory was short of before stays short.
    pub fn change(&mut self, most: u64) {
        let was_whole = self.now == self.most;
        self.most = most;
        self.now = if was_whole { most } else { self.now.min(most) };
    }

    /// Memory is short: gives back a part of `held_bytes`.
    pub fn shrink(&mut self, held_bytes: u64) {
        self.now = (held_bytes.min(self.now) as f64 * SHRINK) as u64;
    }

    /// There is no room for more.
    pub fn limit(&mut self, bytes: u64) {
        self.now = self.now.min(bytes);
    }

    /// An interval has passed in which memory was not short.
    pub fn grow(&mut self) {
        self.now = self.now.saturating_add(self.most / GROWTH).min(self.most);
    }
}
