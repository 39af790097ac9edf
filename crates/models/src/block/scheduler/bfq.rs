//! BFQ, budget fair queueing: budgets of bytes for processes (`block/bfq-iosched.c`; here of one weight, without the
//! raising of weights for interactive processes). What is written in the background has a queue of its own (`bfq_async_queue_prio`).

use super::turns::{Share, Turn, Turns};
use crate::block::Request;

/// Bytes that a process is served before another (`bfq_default_max_budget`, 16 * 1024 sectors).
const BUDGET_BYTES: u64 = 8 << 20;
/// The longest that a budget lasts (`bfq_timeout`, HZ / 8).
const LASTS_NS: u64 = 125_000_000;
/// The longest that it waits for the process's next read (`bfq_slice_idle`, NSEC_PER_SEC / 125).
const WAITS_NS: u64 = 8_000_000;
/// The same for a process that reads here and there (`BFQ_MIN_TT`).
const SEEKY_WAITS_NS: u64 = 2_000_000;
/// Requests further apart are here and there (`BFQQ_SEEK_THR`, 8 * 100 sectors).
const FAR_BYTES: u64 = 400 << 10;

/// How many times its bytes a write in the background counts (`bfq_async_charge_factor`).
const BACKGROUND_TIMES: f64 = 3.0;

/// Processes take turns of the same bytes.
pub(super) type Bfq = Turns<Budget>;

#[derive(Debug, Default)]
pub(super) struct Budget {
    used_bytes: u64,
    /// Where the process's last request ended.
    end: Option<u64>,
    is_seeky: bool,
}

impl Share for Budget {
    const DRAINS: bool = false;

    fn is_over(&self, turn: &Turn, now_ns: u64) -> bool {
        self.used_bytes == BUDGET_BYTES || now_ns >= turn.since_ns + LASTS_NS
    }

    fn hand_over(&mut self, request: &Request) {
        self.used_bytes = BUDGET_BYTES.min(self.used_bytes + request.bytes);
        let is_far = |end: u64| end.abs_diff(request.offset) > FAR_BYTES;
        self.is_seeky = self.end.is_some_and(is_far);
        self.end = Some(request.end());
    }

    fn waits_ns(&self) -> u64 {
        match self.is_seeky {
            true => SEEKY_WAITS_NS,
            false => WAITS_NS,
        }
    }

    fn waits_until_ns(&self, turn: &Turn) -> u64 {
        turn.served_ns + self.waits_ns()
    }

    fn used(&self, turn: &Turn, _now_ns: u64) -> f64 {
        match turn.is_background {
            true => self.used_bytes as f64 * BACKGROUND_TIMES,
            false => self.used_bytes as f64,
        }
    }
}
