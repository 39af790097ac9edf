//! I/O schedulers, a file for each: in which order waiting requests are handed to a disk. All requests read.

mod anticipatory;
mod bfq;
mod cfq;
mod deadline;
mod kyber;
mod none;
mod readers;
mod sorted;
mod think_time;

use hotset_scenario::Scheduler as SchedulerKind;

use super::Request;

/// What a scheduler does next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
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
pub(super) trait Scheduler {
    /// Takes a request.
    fn add(&mut self, now_ns: u64, request: Request);

    /// Which is handed over next. It is asked when a request came, one was served, or [`Choice::Idle`] is over.
    fn next(&mut self, now_ns: u64) -> Choice;

    /// The disk has served `request`.
    fn served(&mut self, _now_ns: u64, _request: &Request) {}
}

/// The scheduler of a kind.
pub(super) fn of_kind(kind: SchedulerKind) -> Box<dyn Scheduler> {
    match kind {
        SchedulerKind::None => Box::<none::NoScheduler>::default(),
        SchedulerKind::MqDeadline | SchedulerKind::Deadline => Box::<deadline::Deadline>::default(),
        SchedulerKind::Kyber => Box::<kyber::Kyber>::default(),
        SchedulerKind::Bfq => Box::<bfq::Bfq>::default(),
        SchedulerKind::Anticipatory => Box::<anticipatory::Anticipatory>::default(),
        SchedulerKind::Cfq => Box::<cfq::Cfq>::default(),
    }
}
