//! "I/O scheduler": in which order requests go to the disk.

use std::collections::VecDeque;

use hotset_petri::{Colour, Page, Urgent};

use super::places::ToDisk;
use super::tokens::Placed;
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
enum RequestQueue<R> {
    Fifo(VecDeque<R>),
    Sorted {
        elevator: Elevator<R>,
        /// Where the last request ended.
        end: u64,
    },
}

impl<R: Colour> Colour for RequestQueue<R> {}

impl<R: Placed> RequestQueue<R> {
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

    fn with(mut self, now_ns: u64, request: R) -> Self {
        match &mut self {
            Self::Fifo(requests) => requests.push_back(request),
            Self::Sorted { elevator, .. } => elevator.push(now_ns, request.offset(), request),
        }
        self
    }

    fn next(&mut self, now_ns: u64) -> Option<R> {
        match self {
            Self::Fifo(requests) => requests.pop_front(),
            Self::Sorted { elevator, end } => {
                let request = elevator.pop(now_ns, *end)?;
                *end = request.end();
                Some(request)
            }
        }
    }
}

/// Adds a scheduler. It hands a request over where the disk is idle, before another comes to wait.
pub(super) fn scheduler<R: Placed>(page: &mut Page<'_>, kind: NetScheduler, requests: &ToDisk<R>) {
    page.page("IO scheduler", |page| {
        let waiting = page.fifo("waiting requests", [RequestQueue::<R>::new(kind)]);
        page.transition("queue request")
            .take(&requests.submitted)
            .take(&waiting)
            .put(&waiting)
            .fire(|(request, waiting): (R, RequestQueue<R>), firing| {
                waiting.with(firing.now().nanos(), request)
            });
        page.transition("dispatch")
            .take(&waiting)
            .take(&requests.idle)
            .when(RequestQueue::<R>::has_any)
            .put(&waiting)
            .put(requests.dispatched.maybe())
            .urgency(Urgent::HIGH)
            .fire(|mut waiting: RequestQueue<R>, firing| {
                let request = waiting.next(firing.now().nanos());
                (waiting, request)
            });
    });
}
