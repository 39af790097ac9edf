//! What a scheduler is asked, and what it chooses.

use crate::block::Request;

/// What a scheduler does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// Hands this one over.
    Serve(Request),
    /// Lets the disk idle until then, unless a request comes before: a better one is expected.
    Idle {
        /// When it chooses anew.
        until_ns: u64,
    },
    /// Has none to hand over.
    None,
}

/// Requests that wait for a disk.
pub(crate) trait Scheduler {
    /// Takes a request.
    fn add(&mut self, now_ns: u64, request: Request);

    /// Which is handed over next. It is asked when a request came, one was served, or [`Choice::Idle`] is over.
    fn next(&mut self, now_ns: u64) -> Choice;

    /// The disk has served `request`.
    fn served(&mut self, _now_ns: u64, _request: &Request) {}
}
