//! What takes place at a node's stores, and when.

use hotset_petri::{Colour, Time};

use crate::block::DeviceEvent;
use crate::calendar::Calendar;

/// What takes place at a node's stores.
#[derive(Clone, Copy, Debug)]
pub(crate) enum StorageEvent {
    /// Something of a disk.
    Device(DeviceEvent),
    /// A call is made, by its number in `FileReader::send`.
    Calls(u32),
    /// A call has its answer, by its number and row in `Calls`.
    Answered(u32, u32),
    /// The timer of such a call has run out.
    Late(u32, u32),
    /// A transfer is over for which nothing had to be asked, by its number.
    There(u32),
    /// The log has bytes that are dirty for long.
    Log,
}

impl Colour for StorageEvent {}

/// Events with how long it is until each: what a transition puts into a place.
#[derive(Default)]
pub(crate) struct Delays {
    now_ns: u64,
    pub events: Vec<(Time, StorageEvent)>,
}

impl Delays {
    pub fn since(now: Time) -> Self {
        Self {
            now_ns: now.nanos(),
            events: Vec::new(),
        }
    }

    /// Calls are sent now that were made.
    pub fn send(&mut self, made: &mut Vec<u32>) {
        let calls = made.drain(..).map(StorageEvent::Calls);
        self.events.extend(calls.map(|call| (Time::ZERO, call)));
    }
}

impl Calendar<DeviceEvent> for Delays {
    fn at(&mut self, time_ns: u64, event: DeviceEvent) {
        let after = Time::from_nanos(time_ns.saturating_sub(self.now_ns));
        self.events.push((after, StorageEvent::Device(event)));
    }
}
