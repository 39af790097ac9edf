//! The anticipatory scheduler of Linux 2.6.0 to 2.6.32 (`block/as-iosched.c`; S. Iyer, P. Druschel, "Anticipatory scheduling",
//! 2001).

use super::choice::{Choice, Scheduler};
use super::think_time::ThinkTimes;
use crate::block::Request;
use crate::disk::SortedRequests;

/// The longest that it waits for a process's next read (`default_antic_expire`, HZ / 150).
const WAITS_NS: u64 = 1_000_000_000 / 150;
/// A read that has waited longer goes first (`default_read_expire`, HZ / 8).
const EXPIRES_NS: u64 = 125_000_000;
/// How far it goes back (`MAXBACK`, 1024 * 1024 sectors).
const BACK_BYTES: u64 = 512 << 20;
/// As near as this is as good as the process's own (`as_close_req`: 64 sectors at first).
const CLOSE_BYTES: u64 = 32 << 10;

/// Upwards from the last request, waiting for its process.
#[derive(Debug, Default)]
pub(super) struct Anticipatory {
    waiting: SortedRequests<Request>,
    end: u64,
    thinking: ThinkTimes,
    /// The process whose next read is waited for, and since when.
    awaited: Option<(u32, u64)>,
}

impl Anticipatory {
    /// Until when it waits instead of serving `candidate`.
    fn waits_until(&self, now_ns: u64, candidate: &Request) -> Option<u64> {
        let (reader, since_ns) = self.awaited?;
        let until_ns = since_ns + WAITS_NS;
        let is_close = candidate.offset.abs_diff(self.end) <= CLOSE_BYTES;
        let waits = candidate.reader != reader
            && !is_close
            && now_ns < until_ns
            && self.thinking.is_within(reader, WAITS_NS);
        waits.then_some(until_ns)
    }
}

impl Scheduler for Anticipatory {
    fn add(&mut self, now_ns: u64, request: Request) {
        self.thinking.note_request(now_ns, request.reader);
        self.waiting.add(now_ns, request.offset, request);
    }

    fn next(&mut self, now_ns: u64) -> Choice {
        let expired = self
            .waiting
            .oldest_before(now_ns.saturating_sub(EXPIRES_NS));
        let nearest = self.waiting.nearest(self.end, BACK_BYTES);
        let chosen = expired.or(nearest);
        let Some((key, candidate)) = chosen.and_then(|key| Some((key, *self.waiting.get(key)?)))
        else {
            return Choice::None;
        };
        if expired.is_none()
            && let Some(until_ns) = self.waits_until(now_ns, &candidate)
        {
            return Choice::Idle { until_ns };
        }
        self.awaited = None;
        self.end = candidate.end();
        self.waiting.remove(key);
        Choice::Serve(candidate)
    }

    fn served(&mut self, now_ns: u64, request: &Request) {
        self.thinking.note_answer(now_ns, request.reader);
        self.awaited = Some((request.reader, now_ns));
    }
}
