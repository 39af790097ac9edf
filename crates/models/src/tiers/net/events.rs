//! What happens to nodes, links and disks, one event after the other.

use std::sync::Arc;

use hotset_petri::{Colour, Fifo, Object, Page, Place, Time};

use crate::tiers::counts::Counts;
use crate::tiers::message::Message;
use crate::tiers::system::{Change, Event};

/// The event whose time comes next, by number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due(u32);

impl Colour for Due {}

/// What happens, and where the event stands whose time comes next.
#[derive(Clone)]
pub(super) struct Events {
    all: Arc<[Event]>,
    pub due: Place<Fifo<Due>>,
    /// Where requests are that fail.
    failed: Place<Fifo<Message>>,
}

impl Events {
    /// Draws where events stand; nothing where nothing ever happens.
    pub fn drawn(page: &mut Page<'_>, events: &[Event]) -> Option<Self> {
        (!events.is_empty()).then(|| Self {
            all: events.into(),
            due: page.fifo("events", []),
            failed: page.fifo("failed", []),
        })
    }

    /// The first one, and in what time it comes.
    pub fn first(&self) -> Option<(Time, Due)> {
        let first = self.all.first()?;
        Some((Time::from_nanos(first.at_ns), Due(0)))
    }

    fn change(&self, due: Due) -> Change {
        self.all[due.0 as usize].change
    }

    /// The one after it, and how much later it comes.
    fn next(&self, due: Due) -> Option<(Time, Due)> {
        let (this, number) = (&self.all[due.0 as usize], due.0 + 1);
        let next = self.all.get(number as usize)?;
        Some((Time::from_nanos(next.at_ns - this.at_ns), Due(number)))
    }

    /// Draws those about nodes and links, and what becomes of requests that fail thereby: errors go to `answered`.
    pub fn of_nodes(
        &self,
        page: &mut Page<'_>,
        counts: &Object<Counts>,
        answered: &Place<Fifo<Message>>,
    ) {
        let (guarded, events) = (self.clone(), self.clone());
        page.transition("happen")
            .take(&self.due)
            .when(move |due| !matches!(guarded.change(*due), Change::Speed { .. }))
            .borrow(counts)
            .put(self.failed.many())
            .put(self.due.maybe().timed())
            .fire_with(move |due: Due, counts, _| {
                let failed = counts.faults.happen(events.change(due));
                (failed, events.next(due))
            });
        page.transition("fail")
            .take(&self.failed)
            .when(|message| message.web == message.entry)
            .put(answered)
            .fire(|message, _| message);
    }

    /// Draws how the proxy `at` asks anew where a node behind it has gone down.
    pub fn of_proxy(&self, page: &mut Page<'_>, at: usize, arrived: &Place<Fifo<Message>>) {
        page.transition("retry")
            .take(&self.failed)
            .when(move |message| message.web != message.entry && usize::from(message.entry) == at)
            .put(arrived)
            .fire(|message: Message, firing| {
                let now = firing.now();
                Message {
                    head: now,
                    tail: now,
                    ..message
                }
            });
    }

    /// Draws those about the disks of the node `at`, which are `object`'s and change as `set` says, where there are some.
    pub fn of_disks<T: 'static>(
        &self,
        page: &mut Page<'_>,
        at: usize,
        object: &Object<T>,
        set: fn(&mut T, Time, usize, f64),
    ) {
        let is_here =
            move |change: Change| matches!(change, Change::Speed { node, .. } if node == at);
        if !self.all.iter().any(|event| is_here(event.change)) {
            return;
        }
        let (guarded, events) = (self.clone(), self.clone());
        page.transition("change speed")
            .take(&self.due)
            .when(move |due| is_here(guarded.change(*due)))
            .borrow(object)
            .put(self.due.maybe().timed())
            .fire_with(move |due: Due, object: &mut T, firing| {
                if let Change::Speed { store, speed, .. } = events.change(due) {
                    set(object, firing.now(), store, speed);
                }
                events.next(due)
            });
    }
}
