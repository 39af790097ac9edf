//! No scheduler: requests are handed over as they come.

use std::collections::VecDeque;

use super::choice::{Choice, Scheduler};
use crate::block::Request;

/// Requests in the order in which they came.
#[derive(Debug, Default)]
pub(super) struct NoScheduler(VecDeque<Request>);

impl Scheduler for NoScheduler {
    fn add(&mut self, _now_ns: u64, request: Request) {
        self.0.push_back(request);
    }

    fn next(&mut self, _now_ns: u64) -> Choice {
        self.0.pop_front().map_or(Choice::None, Choice::Serve)
    }
}
