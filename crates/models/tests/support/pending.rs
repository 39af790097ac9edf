//! What a storage has to do later, for programs of one thread.

use hotset_models::block::DeviceEvent;
use hotset_models::calendar::Calendar;
use hotset_models::write_back::FlusherWakes;

/// What takes place at a storage that a lone program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Event {
    Device(DeviceEvent),
    Flusher,
}

impl From<DeviceEvent> for Event {
    fn from(event: DeviceEvent) -> Self {
        Self::Device(event)
    }
}

impl From<FlusherWakes> for Event {
    fn from(_: FlusherWakes) -> Self {
        Self::Flusher
    }
}

/// Events to come, in no order but that of their adding.
#[derive(Default)]
pub struct Pending(Vec<(u64, Event)>);

impl<F> Calendar<F> for Pending
where
    Event: From<F>,
{
    fn at(&mut self, time_ns: u64, event: F) {
        self.0.push((time_ns, event.into()));
    }
}

impl Pending {
    /// Takes the first of the earliest, unless that is after `until_ns`.
    pub fn take(&mut self, until_ns: u64) -> Option<(u64, Event)> {
        let first = (0..self.0.len()).min_by_key(|&at| self.0[at].0)?;
        (self.0[first].0 <= until_ns).then(|| self.0.remove(first))
    }
}
