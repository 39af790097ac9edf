//! The wall clock beside the replay's own.

use super::stamp::Stamp;

/// What the wall clock is ahead of the replay's, which is monotonic, in bounds that looks at both narrow.
///
/// Linux derives both from one count and slews them alike, so the difference is constant until somebody
/// sets the wall clock. A look that contradicts the bounds says that it was set.
#[derive(Debug)]
pub struct WallClock {
    least_ahead_ns: i64,
    most_ahead_ns: i64,
}

impl WallClock {
    /// Nothing is known before the first look.
    pub fn new() -> Self {
        Self {
            least_ahead_ns: i64::MIN,
            most_ahead_ns: i64::MAX,
        }
    }

    /// The wall clock stood at `wall` between two times of the replay.
    pub fn look(&mut self, before_ns: u64, wall: Stamp, after_ns: u64) {
        let least = wall.0.saturating_sub_unsigned(after_ns);
        let most = wall.0.saturating_sub_unsigned(before_ns);
        if least > self.most_ahead_ns || most < self.least_ahead_ns {
            *self = Self::new();
        }
        self.least_ahead_ns = self.least_ahead_ns.max(least);
        self.most_ahead_ns = self.most_ahead_ns.min(most);
    }

    /// A stamp as nanoseconds of the replay, 0 where it is from before.
    pub fn replay_ns(&self, stamp: Stamp) -> u64 {
        u64::try_from(stamp.0.saturating_sub(self.ahead_ns())).unwrap_or(0)
    }

    /// What a stamp would say at `replay_ns`.
    pub fn stamp(&self, replay_ns: u64) -> Stamp {
        Stamp(self.ahead_ns().saturating_add_unsigned(replay_ns))
    }

    fn ahead_ns(&self) -> i64 {
        self.least_ahead_ns.midpoint(self.most_ahead_ns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_narrow_the_difference() {
        let mut wall = WallClock::new();
        wall.look(1_000, Stamp(1_000_500), 2_000);
        wall.look(3_000, Stamp(1_002_020), 3_040);
        wall.look(5_000, Stamp(1_004_900), 9_000);
        let ns = wall.replay_ns(Stamp(1_010_000));
        assert!((10_980..=11_020).contains(&ns), "{ns}");
    }

    #[test]
    fn a_clock_that_was_set_is_looked_at_anew() {
        let mut wall = WallClock::new();
        wall.look(1_000, Stamp(1_001_010), 1_020);
        wall.look(2_000, Stamp(51_010), 2_020);
        let ns = wall.replay_ns(Stamp(52_010));
        assert!((2_990..=3_030).contains(&ns), "{ns}");
    }

    #[test]
    fn a_stamp_from_before_the_replay_is_time_zero() {
        let mut wall = WallClock::new();
        wall.look(1_000, Stamp(1_001_010), 1_020);
        assert_eq!(wall.replay_ns(Stamp(5)), 0);
    }
}
