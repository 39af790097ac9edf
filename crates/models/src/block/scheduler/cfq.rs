//! CFQ, complete fairness: slices of time for processes (`block/cfq-iosched.c`, Linux 2.6.18 to 4.20; here of one
//! priority). What is written in the background has a queue of its own (`cfq_async_queue_prio`). Its slices are shorter, and end when a request comes that
//! somebody waits for (`cfq_should_preempt`). The disk has nothing of it beside other requests (`cfq_may_dispatch`).

use super::turns::{Share, Turn, Turns};

/// A process's slice (`cfq_slice_sync`, HZ / 10).
const SLICE_NS: u64 = 100_000_000;
/// That of writes in the background (`cfq_slice_async`, HZ / 25).
const BACKGROUND_SLICE_NS: u64 = 40_000_000;
/// Requests of such a slice (`cfq_prio_to_maxrq`, for `cfq_slice_async_rq` of 2 and the usual priority of 4).
const BACKGROUND_REQUESTS: u32 = 16;
/// The longest that it waits for the process's next read (`cfq_slice_idle`, HZ / 125).
const WAITS_NS: u64 = 8_000_000;

/// Processes take turns of the same time.
pub(super) type Cfq = Turns<Slice>;

#[derive(Debug, Default)]
pub(super) struct Slice;

impl Share for Slice {
    const DRAINS: bool = true;

    fn is_over(&self, turn: &Turn, now_ns: u64) -> bool {
        let has_had = match turn.is_background {
            true => now_ns >= turn.since_ns + BACKGROUND_SLICE_NS,
            false => now_ns >= turn.since_ns + SLICE_NS,
        };
        let has_to_end = turn.is_pressed || turn.given == BACKGROUND_REQUESTS;
        has_had || turn.is_background && has_to_end
    }

    fn waits_ns(&self) -> u64 {
        WAITS_NS
    }

    fn waits_until_ns(&self, turn: &Turn) -> u64 {
        (turn.since_ns + SLICE_NS).min(turn.served_ns + WAITS_NS)
    }

    /// Queues go round: a slice of the background counts as any other, however short it is.
    fn used(&self, turn: &Turn, now_ns: u64) -> f64 {
        match turn.is_background {
            true => SLICE_NS as f64,
            false => (now_ns - turn.since_ns) as f64,
        }
    }
}
