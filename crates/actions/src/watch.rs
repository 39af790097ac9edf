//! Whoever follows a job while it is done.

use std::any::Any;
use std::ops::ControlFlow;

use hotset_cache::Stop;
use hotset_trace::read::Progress;

use crate::Message;

/// A part of a job, called as it is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What is done of it is counted in bytes.
    Bytes(&'static str),
    /// What is done of it is known as a share.
    Share(&'static str),
    /// How far it is is not known.
    Uncounted(&'static str),
}

/// Whoever follows a job while it is done. By default nobody listens, and nobody asks it to stop.
pub trait Watch: Sync {
    /// A part begins, and the one before has ended.
    fn begin(&self, _part: Part) {}

    /// So many bytes of the part are done, of so many where that is known.
    fn bytes(&self, _done: u64, _total: Option<u64>) {}

    /// This share of the part is done, 0 to 1.
    fn share(&self, _done: f64) {}

    /// A step of a job of many steps begins.
    fn step(&self, _what: &str) {}

    /// The last part has ended.
    fn end(&self) {}

    /// Something is to be known that is no error.
    fn warn(&self, _warning: Message) {}

    /// Something is to be known before the job is done.
    fn note(&self, _note: Message) {}

    /// Whether the job is to stop.
    fn stops(&self) -> bool {
        false
    }

    /// What long computations are asked to stop by; they look at [`Watch::stops`] only now and then.
    fn stop(&self) -> Option<Stop> {
        None
    }

    /// Until what it gives is dropped, the job asks by itself whether it is to stop, and must not be ended otherwise.
    fn hold_interrupts(&self) -> Box<dyn Any> {
        Box::new(())
    }

    /// The job has stopped as it was asked to; what it has to tell is still to be told.
    fn has_stopped(&self) {}
}

/// Nobody follows.
#[derive(Clone, Copy, Debug)]
pub struct NoWatch;

impl Watch for NoWatch {}

/// What readers of logs are given to tell `watch` how far they are.
pub(crate) fn reading(watch: &dyn Watch) -> impl FnMut(Progress) -> ControlFlow<()> {
    |progress| {
        watch.bytes(progress.bytes, progress.total_bytes);
        match watch.stops() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
