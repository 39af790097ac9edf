//! When files are looked at, and what that says of how late a change is known of. Times are those since the keeper began.

use crate::PlacerKind;
use std::time::Duration;

/// Where nothing is said to have happened to files, they are looked at so often all the same: the kernel does not tell of
/// writes through mappings.
const UNASKED_LOOK: Duration = Duration::from_secs(30);
/// The longest from one pass to the next: a server that was started anew, and room that is short, are seen to in a pass.
const PASS_INTERVAL: Duration = Duration::from_secs(1);
/// The least time from one pass to the next that news give rise to.
const NEWS_SPACING: Duration = Duration::from_millis(100);
/// A look takes at most a fifth of the time, however often files are said to have changed.
const REST: u32 = 4;

/// What a look has found of how changes become known, and what it took.
#[derive(Clone, Copy, Debug, Default)]
pub struct LookResult {
    /// Whether files may change without the kernel's telling.
    pub changes_unseen: bool,
    /// Whether nothing bounds how late a change is known of.
    pub is_unbounded: bool,
    /// Without the placing of files that were not held before.
    pub took: Duration,
    /// What that placing took.
    pub placing_took: Duration,
}

/// When files are looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct LookSchedule {
    /// The bound that is asked for.
    staleness: Duration,
    last: LookResult,
    /// When that was.
    looked: Duration,
    /// When all files are looked at, whatever the kernel tells.
    next: Duration,
    /// When news are listened to again.
    listens_from: Duration,
    /// The bound on what is stale that was written down last.
    bound: Option<Duration>,
}

impl LookSchedule {
    /// By another bound: files are looked at now.
    pub fn restart(&mut self, staleness: Duration, now: Duration) {
        self.staleness = staleness;
        self.look_again(now);
    }

    /// Files are looked at now, whatever the kernel tells.
    pub fn look_again(&mut self, now: Duration) {
        self.next = now;
    }

    /// A look has begun.
    pub fn begin(&mut self, now: Duration) {
        self.next = now + UNASKED_LOOK;
    }

    /// A look has ended.
    pub fn finish(&mut self, look: LookResult, now: Duration) {
        (self.last, self.looked) = (look, now);
    }

    /// Whether it is time to look whatever the kernel tells.
    #[must_use]
    pub fn is_time(&self, now: Duration) -> bool {
        now >= self.next
    }

    /// Whether files may change without the kernel's telling.
    #[must_use]
    pub fn changes_unseen(&self) -> bool {
        self.last.changes_unseen
    }

    /// From one pass to the next, where `placing_wait` says how long it is until more files are placed.
    #[must_use]
    pub fn interval(&self, placing_wait: Option<Duration>) -> Duration {
        let longest = PASS_INTERVAL.min(self.look_interval());
        placing_wait.map_or(longest, |wait| longest.min(wait))
    }

    /// From one look to the next where the kernel does not tell of changes: half of the time is for the look itself.
    fn look_interval(&self) -> Duration {
        self.staleness / 2
    }

    /// Whether files may have changed unseen, and the pass after this one would come too late to look.
    #[must_use]
    pub fn is_due(&self, interval: Duration, now: Duration) -> bool {
        let next_pass = now.saturating_sub(self.looked) + interval;
        self.last.changes_unseen && next_pass > self.look_interval()
    }

    /// News are not listened to for a while.
    pub fn rest(&mut self, now: Duration) {
        self.listens_from = now + self.spacing();
    }

    /// When news are listened to again.
    #[must_use]
    pub fn listens_from(&self) -> Duration {
        self.listens_from
    }

    fn spacing(&self) -> Duration {
        NEWS_SPACING.max(REST * self.last.took)
    }

    /// For how long an answer may be older than the file on disk because of what is held; none where nothing bounds it.
    #[must_use]
    pub fn bound(&self) -> Option<Duration> {
        self.bound
    }

    /// Whether the bound is to be written down anew. It follows how long looks take, and is not written for every twitch of that.
    pub fn renew_bound(&mut self, placer: PlacerKind, is_watched: bool, is_placing: bool) -> bool {
        let bound = self.bound_now(placer, is_watched, is_placing);
        let is_near =
            |(old, new): (Duration, Duration)| new <= old && old <= 2 * new + NEWS_SPACING;
        if self.bound == bound || self.bound.zip(bound).is_some_and(is_near) {
            return false;
        }
        self.bound = bound;
        true
    }

    /// A pinned file is the file itself. Of copies it is the wait for the next look and the look. The kernel does not tell of
    /// writes through mappings.
    fn bound_now(
        &self,
        placer: PlacerKind,
        is_watched: bool,
        is_placing: bool,
    ) -> Option<Duration> {
        if placer == PlacerKind::Pin {
            return Some(Duration::ZERO);
        }
        let wait = match is_watched && !self.last.changes_unseen {
            true => self.spacing(),
            false => self.look_interval(),
        };
        let placing = match is_placing {
            true => self.last.placing_took,
            false => Duration::ZERO,
        };
        (!self.last.is_unbounded).then(|| wait + self.last.took + placing)
    }
}
