//! One way of a link: of a node's to the switch, or of one between two nodes.

use std::sync::Arc;

use hotset_petri::{Colour, Page, Time};

use super::board::{Board, Queue};
use super::route::Route;
use crate::tiers::counts::Way;
use crate::tiers::message::Message;
use crate::tiers::system::Link;

/// One way of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cable {
    /// The node that it is drawn at: the one whose link to the switch it is, or the one that sends.
    pub at: usize,
    /// Its number among links.
    pub number: usize,
    pub link: Link,
    pub way: Way,
    /// Whether it ends at a node: what passes it is whole then. A switch takes messages on packet by packet.
    pub ends_at_node: bool,
    /// Whether clients are at its end: they see the first packet before the rest has come.
    pub ends_at_clients: bool,
}

/// Nothing passes.
#[derive(Clone, Copy, Debug)]
struct Idle;

impl Colour for Idle {}

impl Way {
    pub fn name(self) -> &'static str {
        match self {
            Self::In => "link in",
            Self::Out => "link out",
        }
    }
}

/// One message passes after the other.
pub(super) fn direction(
    page: &mut Page<'_>,
    board: &Board,
    (cable, name): (Cable, &str),
    (from, to): (&Queue, &Route),
) {
    let (has_link, route) = (Arc::clone(&board.has_link), to.clone());
    page.page(name, |page| {
        let idle = page.fifo("idle", [Idle]);
        page.transition("serve")
            .take(from)
            .take(&idle)
            .borrow(&board.counts)
            .put(to.arcs().timed())
            .put(idle.timed())
            .fire_with(move |(message, idle), counts, firing| {
                let now = firing.now();
                let cable = cable.since_events(counts.faults.rate(cable.number));
                let bytes = match counts.faults.is_stale(&message) {
                    true => 0,
                    false => message.wire_bytes(),
                };
                let passing_ns = cable.link.passing_ns(bytes);
                counts
                    .flow(cable.number, cable.way)
                    .pass(now, message.head, bytes, passing_ns);
                let (ready, message) = cable.passed(now, passing_ns, message, &has_link);
                let to = route.number(message.next(cable.at));
                (
                    (ready - now, (to, message)),
                    (Time::from_nanos(passing_ns), idle),
                )
            });
    });
}

impl Cable {
    /// With the rate that its link has since an event.
    fn since_events(self, bits_per_s: Option<u64>) -> Self {
        let bits_per_s = bits_per_s.unwrap_or(self.link.bits_per_s);
        Self {
            link: Link {
                bits_per_s,
                ..self.link
            },
            ..self
        }
    }

    /// When a message that begins to pass now is where it goes to, and how it is then.
    ///
    /// A message does not wait on the switch to be whole: the link behind it takes it on after one packet, and has passed it on
    /// no sooner than a packet after the last byte has come.
    fn passed(
        self,
        now: Time,
        passing_ns: u64,
        message: Message,
        has_link: &[bool],
    ) -> (Time, Message) {
        let packet = Time::from_nanos(self.link.passing_ns(message.packet_bytes()));
        let delay = Time::from_nanos(self.link.delay_ns);
        let whole = now + Time::from_nanos(passing_ns);
        match self.ends_at_node {
            true => {
                let ready = whole.max(message.tail + packet) + delay;
                let head = match self.ends_at_clients {
                    true => now + packet + delay,
                    false => ready,
                };
                (
                    ready,
                    Message {
                        head,
                        tail: ready,
                        ..message
                    },
                )
            }
            false => {
                let (head, tail) = (now + packet + delay, whole + delay);
                let goes_on = message.next(self.at).is_some_and(|to| has_link[to]);
                let ready = if goes_on { head } else { tail };
                (
                    ready,
                    Message {
                        head,
                        tail,
                        ..message
                    },
                )
            }
        }
    }
}
