//! The replay's clock, with the kernel's stamps on it.

use std::time::{Duration, Instant};

use rustix::thread::ClockId;

use super::stamp::Stamp;
use super::wall_clock::WallClock;

/// Nanoseconds since time zero.
#[derive(Debug)]
pub struct Clock {
    origin: Instant,
    wall: WallClock,
}

impl Clock {
    /// Time zero is `origin`, which may lie ahead.
    pub fn since(origin: Instant) -> Self {
        Self {
            origin,
            wall: WallClock::new(),
        }
    }

    /// Nanoseconds since time zero; 0 before it.
    pub fn now_ns(&self) -> u64 {
        ns(Instant::now().saturating_duration_since(self.origin))
    }

    /// Compares with the wall clock, whose times stamps are. `now_ns` is just over.
    pub fn compare(&mut self, now_ns: u64) {
        let wall = rustix::time::clock_gettime(ClockId::Realtime);
        let wall = Stamp(wall.tv_sec * 1_000_000_000 + wall.tv_nsec);
        self.wall.look(now_ns, wall, self.now_ns());
    }

    /// A stamp as nanoseconds since time zero, 0 where it is from before.
    pub fn ns_of(&self, stamp: Stamp) -> u64 {
        self.wall.replay_ns(stamp)
    }

    /// What a stamp would say at `ns`.
    pub fn stamp_at(&self, ns: u64) -> Stamp {
        self.wall.stamp(ns)
    }
}

/// A duration in nanoseconds; half a thousand years at most.
pub fn ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}
