//! The replay's clock, with the kernel's stamps on it.

use std::time::{Duration, Instant};

use rustix::thread::ClockId;

use super::stamp::Stamp;

/// Nanoseconds since time zero, by a monotonic clock, and what the wall clock is ahead of them, in bounds that comparing
/// both narrows.
///
/// Linux derives both clocks from one count and slews them alike, so the difference is constant until somebody
/// sets the wall clock. A comparison that contradicts the bounds says that it was set.
#[derive(Debug)]
pub struct Clock {
    origin: Instant,
    least_ahead_ns: i64,
    most_ahead_ns: i64,
}

impl Clock {
    /// Time zero is `origin`, which may lie ahead. Stamps say nothing before the first comparison.
    pub fn since(origin: Instant) -> Self {
        Self {
            origin,
            least_ahead_ns: i64::MIN,
            most_ahead_ns: i64::MAX,
        }
    }

    /// Nanoseconds since time zero; 0 before it.
    pub fn now_ns(&self) -> u64 {
        ns(Instant::now().saturating_duration_since(self.origin))
    }

    /// Compares with the wall clock, whose times stamps are. `now_ns` has just passed.
    pub fn compare(&mut self, now_ns: u64) {
        let wall = rustix::time::clock_gettime(ClockId::Realtime);
        let wall = Stamp(wall.tv_sec * 1_000_000_000 + wall.tv_nsec);
        self.look(now_ns, wall, self.now_ns());
    }

    /// The wall clock stood at `wall` between two times of the replay.
    fn look(&mut self, before_ns: u64, wall: Stamp, after_ns: u64) {
        let least = wall.0.saturating_sub_unsigned(after_ns);
        let most = wall.0.saturating_sub_unsigned(before_ns);
        if least > self.most_ahead_ns || most < self.least_ahead_ns {
            *self = Self::since(self.origin);
        }
        self.least_ahead_ns = self.least_ahead_ns.max(least);
        self.most_ahead_ns = self.most_ahead_ns.min(most);
    }

    /// A stamp as nanoseconds since time zero, 0 where it is from before.
    pub fn ns_of(&self, stamp: Stamp) -> u64 {
        u64::try_from(stamp.0.saturating_sub(self.ahead_ns())).unwrap_or(0)
    }

    /// What a stamp would say at `ns`.
    pub fn stamp_at(&self, ns: u64) -> Stamp {
        Stamp(self.ahead_ns().saturating_add_unsigned(ns))
    }

    fn ahead_ns(&self) -> i64 {
        self.least_ahead_ns.midpoint(self.most_ahead_ns)
    }
}

/// A duration in nanoseconds; half a thousand years at most.
pub fn ns(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_narrow_the_difference() {
        let mut clock = Clock::since(Instant::now());
        clock.look(1_000, Stamp(1_000_500), 2_000);
        clock.look(3_000, Stamp(1_002_020), 3_040);
        clock.look(5_000, Stamp(1_004_900), 9_000);
        let ns = clock.ns_of(Stamp(1_010_000));
        assert!((10_980..=11_020).contains(&ns), "{ns}");
    }

    #[test]
    fn a_clock_that_was_set_is_looked_at_anew() {
        let mut clock = Clock::since(Instant::now());
        clock.look(1_000, Stamp(1_001_010), 1_020);
        clock.look(2_000, Stamp(51_010), 2_020);
        let ns = clock.ns_of(Stamp(52_010));
        assert!((2_990..=3_030).contains(&ns), "{ns}");
    }

    #[test]
    fn a_stamp_from_before_the_replay_is_time_zero() {
        let mut clock = Clock::since(Instant::now());
        clock.look(1_000, Stamp(1_001_010), 1_020);
        assert_eq!(clock.ns_of(Stamp(5)), 0);
    }
}
