//! BFQ, budget fair queueing: budgets of bytes for processes (`block/bfq-iosched.c`; here for reads of one weight, without the
//! raising of weights for interactive processes).

use super::choice::{Choice, Scheduler};
use super::readers::Readers;
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
/// How far it goes back (`bfq_back_max`, 16 * 1024 KiB).
const BACK_BYTES: u64 = 16 << 20;

/// The process that is served.
#[derive(Clone, Copy, Debug)]
struct Turn {
    reader: u32,
    since_ns: u64,
    left_bytes: u64,
    handed_over: u32,
    served_ns: u64,
    /// Where its last request ended.
    end: Option<u64>,
    is_seeky: bool,
}

impl Turn {
    fn hand_over(&mut self, request: &Request) {
        self.handed_over += 1;
        self.left_bytes = self.left_bytes.saturating_sub(request.bytes);
        self.is_seeky = self
            .end
            .is_some_and(|end| end.abs_diff(request.offset) > FAR_BYTES);
        self.end = Some(request.end());
    }

    fn waits_ns(&self) -> u64 {
        match self.is_seeky {
            true => SEEKY_WAITS_NS,
            false => WAITS_NS,
        }
    }
}

/// Processes take turns, and are given bytes alike.
#[derive(Debug, Default)]
pub(super) struct Bfq {
    readers: Readers,
    turn: Option<Turn>,
}

impl Bfq {
    /// What is done in the turn, unless it is over.
    fn go_on(&mut self, now_ns: u64) -> Option<Choice> {
        let turn = self.turn.as_mut()?;
        if turn.left_bytes == 0 || now_ns >= turn.since_ns + LASTS_NS {
            return None;
        }
        if let Some(request) = self.readers.take(turn.reader, BACK_BYTES) {
            turn.hand_over(&request);
            return Some(Choice::Serve(request));
        }
        if turn.handed_over > 0 {
            return Some(Choice::None);
        }
        let waits_ns = turn.waits_ns();
        let until_ns = turn.served_ns + waits_ns;
        let waits = now_ns < until_ns && self.readers.asks_within(turn.reader, waits_ns);
        waits.then_some(Choice::Idle { until_ns })
    }

    fn end_turn(&mut self) {
        if let Some(turn) = self.turn.take() {
            let used = BUDGET_BYTES - turn.left_bytes;
            self.readers.give(turn.reader, used as f64);
        }
    }
}

impl Scheduler for Bfq {
    fn add(&mut self, now_ns: u64, request: Request) {
        self.readers.add(now_ns, request);
    }

    fn next(&mut self, now_ns: u64) -> Choice {
        if let Some(choice) = self.go_on(now_ns) {
            return choice;
        }
        self.end_turn();
        let Some(reader) = self.readers.least_given() else {
            return Choice::None;
        };
        self.readers.begin(reader);
        self.turn = Some(Turn {
            reader,
            since_ns: now_ns,
            left_bytes: BUDGET_BYTES,
            handed_over: 0,
            served_ns: now_ns,
            end: None,
            is_seeky: false,
        });
        self.go_on(now_ns).unwrap_or(Choice::None)
    }

    fn served(&mut self, now_ns: u64, request: &Request) {
        self.readers.answered(now_ns, request.reader);
        let turn = self.turn.as_mut().filter(|it| it.reader == request.reader);
        if let Some(turn) = turn {
            turn.handed_over = turn.handed_over.saturating_sub(1);
            turn.served_ns = now_ns;
        }
    }
}
