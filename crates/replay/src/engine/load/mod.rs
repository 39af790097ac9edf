//! When connections start and which request comes next on them.

mod closed_loop;
mod open_loop;
mod script;

use super::client_rate::ClientRate;
use super::requests::Requests;
use super::shared::Shared;
use crate::Load;
use closed_loop::ClosedLoop;
use open_loop::OpenLoop;
pub use open_loop::is_recorded;
pub use script::{Request, Script, Start};

/// One thread's share of the load.
pub enum Feed<'a> {
    Open(OpenLoop<'a>),
    Closed(ClosedLoop<'a>),
}

impl<'a> Feed<'a> {
    /// The share of the `index`-th of `threads`.
    pub fn new(
        requests: &'a Requests<'a>,
        shared: &'a Shared,
        index: usize,
        threads: usize,
    ) -> Self {
        match &requests.options.load {
            Load::Open => Feed::Open(OpenLoop::new(requests, index, threads)),
            Load::Closed(closed) => {
                Feed::Closed(ClosedLoop::new(requests, shared, closed, index, threads))
            }
        }
    }

    /// When the next connection or client is to start; `None`: no more will.
    pub fn next_start_ns(&self) -> Option<u64> {
        match self {
            Feed::Open(open) => open.next_start_ns(),
            Feed::Closed(closed) => closed.next_start_ns(),
        }
    }

    /// The one that [`Feed::next_start_ns`] announced.
    pub fn start(&mut self) -> Option<Start> {
        let intended_ns = self.next_start_ns()?;
        let script = match self {
            Feed::Open(open) => open.start(),
            Feed::Closed(closed) => {
                closed.start();
                Script::Any
            }
        };
        Some(Start {
            script,
            intended_ns,
        })
    }

    /// When the script's next request is due, its last one having ended at `ended_ns` and its client having received so
    /// much; `None`: there is none.
    pub fn due_ns(
        &self,
        script: &Script,
        client: &ClientRate,
        ended_ns: u64,
        lost: bool,
    ) -> Option<u64> {
        match (self, script) {
            (Feed::Open(open), Script::Rows { next, end }) => {
                (next < end).then(|| open.due_ns(*next))
            }
            (Feed::Closed(closed), Script::Any) => closed.due_ns(client, ended_ns, lost),
            _ => None,
        }
    }

    /// Takes the script's next request, sent at `now_ns`.
    pub fn take(&mut self, script: &mut Script, now_ns: u64) -> Option<Request> {
        match (self, script) {
            (Feed::Open(open), Script::Rows { next, end }) if *next < *end => {
                let row = *next;
                *next += 1;
                Some(open.request(row))
            }
            (Feed::Closed(closed), Script::Any) => closed.take(now_ns),
            _ => None,
        }
    }
}
