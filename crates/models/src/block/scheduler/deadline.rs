//! The deadline scheduler (`block/mq-deadline.c`; before 5.0 `block/deadline-iosched.c`, which orders reads alike).

use super::choice::{Choice, Scheduler};
use crate::block::Request;
use crate::disk::{Key, SortedRequests};

/// A read that has waited longer goes first, once a batch is over (`read_expire`).
const EXPIRES_NS: u64 = 500_000_000;
/// Requests that are handed over upwards before ages are looked at (`fifo_batch`).
const BATCH: u32 = 16;

/// Upwards from the last request, in batches.
#[derive(Debug, Default)]
pub(super) struct Deadline {
    waiting: SortedRequests<Request>,
    end: u64,
    batched: u32,
}

impl Deadline {
    /// The next of the batch; else the oldest, where it has waited too long or none lies beyond the last.
    fn choose(&self, now_ns: u64) -> Option<(Key, bool)> {
        let next = self.waiting.at_or_beyond(self.end);
        if self.batched < BATCH
            && let Some(next) = next
        {
            return Some((next, true));
        }
        let expired = self
            .waiting
            .oldest_before(now_ns.saturating_sub(EXPIRES_NS));
        let begins = expired.or(next).or_else(|| self.waiting.oldest());
        begins.map(|it| (it, false))
    }
}

impl Scheduler for Deadline {
    fn add(&mut self, now_ns: u64, request: Request) {
        self.waiting.add(now_ns, request.offset, request);
    }

    fn next(&mut self, now_ns: u64) -> Choice {
        let chosen = self.choose(now_ns);
        let request = chosen.and_then(|(key, _)| self.waiting.remove(key));
        let Some(((_, goes_on), request)) = chosen.zip(request) else {
            return Choice::None;
        };
        self.batched = if goes_on { self.batched + 1 } else { 1 };
        self.end = request.end();
        Choice::Serve(request)
    }
}
