//! kyber: requests as they come, but no more at a time than a number that keeps latencies low (`block/kyber-iosched.c`).
//!
//! Reads are the kind that kyber prefers, so without writes their number stays at its most.

use std::collections::VecDeque;

use super::choice::{Choice, Scheduler};
use crate::block::Request;

/// Most reads that the disk has (`kyber_depth[KYBER_READ]`).
const MOST_READS: usize = 256;

/// Requests in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct Kyber {
    waiting: VecDeque<Request>,
    handed_over: usize,
}

impl Scheduler for Kyber {
    fn add(&mut self, _now_ns: u64, request: Request) {
        self.waiting.push_back(request);
    }

    fn next(&mut self, _now_ns: u64) -> Choice {
        if self.handed_over == MOST_READS {
            return Choice::None;
        }
        let next = self.waiting.pop_front();
        self.handed_over += usize::from(next.is_some());
        next.map_or(Choice::None, Choice::Serve)
    }

    fn served(&mut self, _now_ns: u64, _request: &Request) {
        self.handed_over = self.handed_over.saturating_sub(1);
    }
}
