//! Watching and ending a replay from outside.

use std::time::Duration;

/// Watches a replay. Both are called some twenty times a second, from the thread that called
/// [`replay`](crate::replay()).
pub trait Observer: Sync {
    /// How far the replay is.
    fn progress(&self, progress: &Progress);
    /// Whether to end now. What was measured so far is still reported.
    fn interrupted(&self) -> bool;
}

/// Watches nothing and never interrupts.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {
    fn progress(&self, _: &Progress) {}

    fn interrupted(&self) -> bool {
        false
    }
}

/// How far a replay is, warm-up included.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// Time since the start.
    pub elapsed: Duration,
    /// Requests that ended, with a response or an error.
    pub finished: u64,
    /// Those of them that failed.
    pub errors: u64,
    /// Bytes of bodies received.
    pub bytes: u64,
    /// Connections open now.
    pub connections: u64,
    /// About the 99th percentile of the times to the first byte so far, microseconds, at most 19 % too
    /// large; `None` before the first response.
    pub first_byte_p99_us: Option<f64>,
    /// Requests in all, where that is known beforehand.
    pub requests: Option<u64>,
}
