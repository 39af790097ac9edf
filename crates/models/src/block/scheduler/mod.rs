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

/// The schedulers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SchedulerKind {
    /// As they come.
    #[default]
    None,
    /// Upwards, unless one has waited too long; `deadline` before 5.0.
    Deadline,
    /// As they come, so many at a time.
    Kyber,
    /// Budgets for processes, and waiting for a process's next request.
    Bfq,
    /// Upwards, and waiting for a process's next request (2.6.0 to 2.6.32).
    Anticipatory,
    /// Slices of time for processes, and waiting for a process's next request (2.6.6 to 4.20).
    Cfq,
}

impl SchedulerKind {
    /// All, by the names that `/sys/block/*/queue/scheduler` has.
    pub const ALL: [(&'static str, Self); 7] = [
        ("none", Self::None),
        ("mq-deadline", Self::Deadline),
        ("deadline", Self::Deadline),
        ("kyber", Self::Kyber),
        ("bfq", Self::Bfq),
        ("anticipatory", Self::Anticipatory),
        ("cfq", Self::Cfq),
    ];

    /// The one of this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == name);
        found.map(|(_, kind)| *kind)
    }

    pub(super) fn make(self) -> Box<dyn Scheduler> {
        match self {
            Self::None => Box::<none::NoScheduler>::default(),
            Self::Deadline => Box::<deadline::Deadline>::default(),
            Self::Kyber => Box::<kyber::Kyber>::default(),
            Self::Bfq => Box::<bfq::Bfq>::default(),
            Self::Anticipatory => Box::<anticipatory::Anticipatory>::default(),
            Self::Cfq => Box::<cfq::Cfq>::default(),
        }
    }
}
