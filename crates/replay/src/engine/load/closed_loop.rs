//! Clients that each send, wait for the response, think, and send again.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::script::Request;
use crate::engine::client_rate::ClientRate;
use crate::engine::clock::ns;
use crate::engine::requests::{Requests, Row};
use crate::engine::shared::Shared;
use crate::{ClosedLoad, Pause, WarmUp};

/// Pause of a client whose request failed without a response: a server that is gone answers at once, and asking it again
/// at once would be a busy loop.
const FAILURE_PAUSE: Duration = Duration::from_millis(10);

/// One thread's clients. All clients take rows from one cursor.
pub struct ClosedLoop<'a> {
    requests: &'a Requests<'a>,
    shared: &'a Shared,
    closed: &'a ClosedLoad,
    /// Number of this thread's next client to start, and how far the one after it is.
    next: usize,
    step: usize,
}

impl<'a> ClosedLoop<'a> {
    /// The share of the `index`-th of `threads`.
    pub fn new(
        requests: &'a Requests<'a>,
        shared: &'a Shared,
        closed: &'a ClosedLoad,
        index: usize,
        threads: usize,
    ) -> Self {
        Self {
            requests,
            shared,
            closed,
            next: index,
            step: threads,
        }
    }

    /// When the next client is to start; `None`: all have.
    pub fn next_start_ns(&self) -> Option<u64> {
        let share = self.next as f64 / self.closed.clients as f64;
        let start_ns = (ns(self.requests.options.ramp) as f64 * share) as u64;
        (self.next < self.closed.clients).then_some(start_ns)
    }

    /// Starts the next client.
    pub fn start(&mut self) {
        self.next += self.step;
    }

    /// When a client sends again whose last request ended at `ended_ns`; `None`: no more.
    pub fn due_ns(&self, client: &ClientRate, ended_ns: u64, lost: bool) -> Option<u64> {
        let due = match self.closed.pause {
            Pause::Think(think) => ended_ns.saturating_add(ns(think)),
            Pause::Rate(rate) => client.due_ns(rate).max(ended_ns),
        };
        let pause = if lost { FAILURE_PAUSE } else { Duration::ZERO };
        let due = due.max(ended_ns.saturating_add(ns(pause)));
        self.may_send(due).then_some(due)
    }

    fn may_send(&self, at_ns: u64) -> bool {
        at_ns < self.requests.end_ns()
    }

    /// Takes the next row; with a duration they begin anew after the last.
    pub fn take(&self, now_ns: u64) -> Option<Request> {
        if !self.may_send(now_ns) {
            return None;
        }
        let rows = self.requests.schedule.site.len() as u64;
        let taken_before = self.shared.taken.fetch_add(1, Ordering::Relaxed);
        if self.closed.duration.is_none() && taken_before >= rows {
            return None;
        }
        let recorded = match self.requests.options.warm_up {
            WarmUp::None => true,
            WarmUp::Duration(time) => now_ns >= ns(time),
            WarmUp::Requests(requests) => taken_before >= requests,
        };
        Some(Request {
            row: (taken_before % rows) as Row,
            recorded: recorded && now_ns >= ns(self.requests.options.ramp),
        })
    }
}
