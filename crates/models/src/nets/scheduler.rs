//! "I/O scheduler": in which order requests go to the disk.

use std::collections::VecDeque;

use hotset_petri::{Colour, Page};

use super::places::Requests;
use super::tokens::Request;
use crate::disk::Elevator;

/// The orders in which waiting requests are served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetScheduler {
    /// As they come.
    None,
    /// A one-way elevator with a deadline.
    Deadline,
}

/// Requests that wait.
#[derive(Clone, Debug)]
enum RequestQueue {
    Fifo(VecDeque<Request>),
    Sorted {
        elevator: Elevator<Request>,
        /// Where the last request ended.
        end: u64,
    },
}

impl Colour for RequestQueue {}

impl RequestQueue {
    fn new(scheduler: NetScheduler) -> Self {
        match scheduler {
            NetScheduler::None => Self::Fifo(VecDeque::new()),
            NetScheduler::Deadline => Self::Sorted {
                elevator: Elevator::default(),
                end: 0,
            },
        }
    }

    fn has_any(&self) -> bool {
        match self {
            Self::Fifo(requests) => !requests.is_empty(),
            Self::Sorted { elevator, .. } => !elevator.is_empty(),
        }
    }

    fn with(mut self, now_ns: u64, request: Request) -> Self {
        match &mut self {
            Self::Fifo(requests) => requests.push_back(request),
            Self::Sorted { elevator, .. } => elevator.push(now_ns, request.offset, request),
        }
        self
    }

    fn next(&mut self, now_ns: u64) -> Option<Request> {
        match self {
            Self::Fifo(requests) => requests.pop_front(),
            Self::Sorted { elevator, end } => {
                let request = elevator.pop(now_ns, *end)?;
                *end = request.offset + request.bytes;
                Some(request)
            }
        }
    }
}

/// Adds a scheduler. It hands a request over where the disk is idle.
pub(super) fn scheduler(page: &mut Page<'_>, kind: NetScheduler, requests: &Requests) {
    page.page("IO scheduler", |page| {
        let waiting = page.fifo("waiting requests", [RequestQueue::new(kind)]);
        page.transition("queue request")
            .take(&requests.submitted)
            .take(&waiting)
            .put(&waiting)
            .fire(|(request, waiting), firing| waiting.with(firing.now().nanos(), request));
        page.transition("dispatch")
            .take(&waiting)
            .take(&requests.idle)
            .when(RequestQueue::has_any)
            .put(&waiting)
            .put(requests.dispatched.maybe())
            .fire(|mut waiting, firing| {
                let request = waiting.next(firing.now().nanos());
                (waiting, request)
            });
    });
}
