//! I/O schedulers, a file for each: in which order waiting requests are handed to a disk.

mod anticipatory;
mod bfq;
mod cfq;
mod choice;
mod deadline;
mod kyber;
mod none;
mod readers;
mod think_time;
mod turns;

use hotset_scenario::Scheduler as SchedulerKind;

pub(super) use choice::{Choice, Scheduler};

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
