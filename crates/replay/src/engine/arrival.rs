//! When bytes arrived.

use super::clock::Clock;
use super::stamp::Stamp;

/// What is known of when bytes arrived.
pub struct Arrival {
    pub stamp: Option<Stamp>,
    /// When the loop heard of the first bytes of an event; those behind them arrived later.
    pub event_ns: Option<u64>,
}

impl Arrival {
    /// The kernel's time for the last of them or, without a stamp that can be true, the loop's. It lies between
    /// `earliest_ns`, when the request was sent or bytes before these arrived, and now.
    pub fn last_ns(&self, clock: &Clock, earliest_ns: u64) -> u64 {
        let stamp_ns = self.stamp.map(|stamp| clock.ns_of(stamp));
        let possible = |ns: &u64| *ns >= earliest_ns;
        match (stamp_ns.filter(possible), self.event_ns.filter(possible)) {
            (Some(stamp_ns), Some(event_ns)) if stamp_ns <= event_ns => stamp_ns,
            (Some(stamp_ns), _) => stamp_ns.min(clock.now_ns()),
            (None, Some(event_ns)) => event_ns,
            (None, None) => clock.now_ns(),
        }
    }

    /// The same for the first of them: more may have arrived since the event, and the stamp be theirs.
    pub fn first_ns(&self, last_ns: u64, sent_ns: u64) -> u64 {
        match self.event_ns {
            Some(event_ns) if event_ns >= sent_ns => last_ns.min(event_ns),
            _ => last_ns,
        }
    }
}
