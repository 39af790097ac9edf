//! What the threads of a replay tell each other and the one that watches them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::clock::Clock;
use super::coarse_histogram::CoarseHistogram;

/// Requests that ended.
#[derive(Default)]
pub struct Counts {
    pub finished: u64,
    /// Those that failed.
    pub errors: u64,
    /// Of bodies.
    pub bytes: u64,
}

/// State that threads and the one that watches them exchange.
pub struct Shared {
    /// The replay's time zero.
    pub origin: Instant,
    /// Set to end at once.
    pub stop: AtomicBool,
    pub finished: AtomicU64,
    pub errors: AtomicU64,
    pub bytes: AtomicU64,
    pub connections: AtomicU64,
    /// Of the responses without error.
    pub first_bytes: CoarseHistogram,
    /// Requests that the clients of a closed loop have taken.
    pub taken: AtomicU64,
}

impl Shared {
    /// Time zero lies a little ahead, so that all threads are there.
    pub fn new() -> Self {
        Self {
            origin: Instant::now() + Duration::from_millis(5),
            stop: AtomicBool::new(false),
            finished: AtomicU64::new(0),
            errors: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            connections: AtomicU64::new(0),
            first_bytes: CoarseHistogram::new(),
            taken: AtomicU64::new(0),
        }
    }

    /// This thread's clock.
    pub fn clock(&self) -> Clock {
        Clock::since(self.origin)
    }

    /// Adds what a thread counted.
    pub fn add(&self, counts: Counts) {
        if counts.finished > 0 {
            self.finished.fetch_add(counts.finished, Ordering::Relaxed);
            self.errors.fetch_add(counts.errors, Ordering::Relaxed);
            self.bytes.fetch_add(counts.bytes, Ordering::Relaxed);
        }
    }
}
