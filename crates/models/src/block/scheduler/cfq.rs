//! CFQ, complete fairness: slices of time for processes (`block/cfq-iosched.c`, Linux 2.6.18 to 4.20; here for reads of one
//! priority).

use super::turns::{Share, Turn, Turns};

/// A process's slice (`cfq_slice_sync`, HZ / 10).
const SLICE_NS: u64 = 100_000_000;
/// The longest that it waits for the process's next read (`cfq_slice_idle`, HZ / 125).
const WAITS_NS: u64 = 8_000_000;

/// Processes take turns of the same time.
pub(super) type Cfq = Turns<Slice>;

#[derive(Debug, Default)]
pub(super) struct Slice;

impl Share for Slice {
    fn is_over(&self, turn: &Turn, now_ns: u64) -> bool {
        now_ns >= turn.since_ns + SLICE_NS
    }

    fn waits_ns(&self) -> u64 {
        WAITS_NS
    }

    fn waits_until_ns(&self, turn: &Turn) -> u64 {
        (turn.since_ns + SLICE_NS).min(turn.served_ns + WAITS_NS)
    }

    fn used(&self, turn: &Turn, now_ns: u64) -> f64 {
        (now_ns - turn.since_ns) as f64
    }
}
