//! One way of a link, of a node's to the switch or of one between two nodes, and how messages pass it.

use hotset_petri::Time;

use crate::tiers::counts::Counts;
use crate::tiers::link_queue::{Held, Passing, Way};
use crate::tiers::message::{Message, Wire};
use crate::tiers::system::{DirectLink, Link, Tiers};

/// One way of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cable {
    /// The node that it is drawn at: the one whose link to the switch it is, or the one that sends.
    pub at: usize,
    /// Its number among links.
    pub number: usize,
    pub link: Link,
    /// How long what is in line for it passes at most.
    room_ns: u64,
    pub way: Way,
    /// Whether it ends at a node: what passes it is whole then. A switch takes messages on packet by packet.
    ends_at_node: bool,
    /// Whether clients are at its end: they see the first packet before the rest has come.
    ends_at_clients: bool,
}

impl Cable {
    /// One way of the link of the node `at` to the switch.
    pub fn of_switch(tiers: &Tiers, at: usize, link: Link, way: Way) -> Self {
        let ends_at_node = matches!(way, Way::In);
        Self {
            at,
            number: at,
            link,
            room_ns: link.room_ns(),
            way,
            ends_at_node,
            ends_at_clients: ends_at_node && at >= tiers.nodes.len(),
        }
    }

    /// The way from the node `at` to the node `other` of the link between both that has this number.
    pub fn between(
        tiers: &Tiers,
        number: usize,
        direct: &DirectLink,
        [at, other]: [usize; 2],
    ) -> Self {
        Self {
            at,
            number,
            link: direct.link,
            room_ns: direct.link.room_ns(),
            way: match direct.between[0] == other {
                true => Way::In,
                false => Way::Out,
            },
            ends_at_node: true,
            ends_at_clients: other >= tiers.nodes.len(),
        }
    }

    /// With the rate that its link has since an event.
    pub fn since_events(self, bits_per_s: Option<u64>) -> Self {
        let Some(bits_per_s) = bits_per_s else {
            return self;
        };
        let link = Link {
            bits_per_s,
            ..self.link
        };
        Self {
            link,
            room_ns: link.room_ns(),
            ..self
        }
    }

    /// What passes of a message that comes then; nothing of a stale one.
    pub fn passing(self, comes: Time, message: &Message, is_stale: bool) -> Passing {
        let wire = match is_stale {
            true => Wire::default(),
            false => message.wire(self.link.mtu_bytes),
        };
        Passing {
            comes,
            wire,
            passing_ns: self.link.passing_ns(wire.bytes),
            room_ns: self.room_ns,
        }
    }

    /// A message comes, after all others that were made known; when it is where it goes to, and how it is then. The rate never changes.
    /// Of a stale one nothing passes. Nothing where it has no room in line, so that what comes meanwhile matters.
    pub fn carry(
        self,
        now: Time,
        (comes, message): (Time, Message),
        counts: &mut Counts,
        has_link: &[bool],
    ) -> Option<(Time, Message)> {
        if counts.faults.is_stale(&message) {
            return Some(self.passed(comes, 0, message, has_link));
        }
        let passing = self.passing(comes, &message, false);
        let queue = counts.queue(self.number, self.way);
        let start = queue.pass_ahead(now, passing)?;
        Some(self.passed(start, passing.passing_ns, message, has_link))
    }

    /// All of a message is in line now that was held back; when it is where it goes to, and how it is then. It is behind a whole line. Its
    /// first packet was so when it came.
    pub fn let_in(self, now: Time, held: &Held, has_link: &[bool]) -> (Time, Message) {
        let Passing {
            comes,
            passing_ns,
            room_ns,
            ..
        } = held.passing;
        let in_line_ns = passing_ns.min(room_ns);
        let start = now + Time::from_nanos(room_ns - in_line_ns);
        let (ready, message) = self.passed(start, in_line_ns, held.message, has_link);
        let first = comes + Time::from_nanos(room_ns) + self.packet(&message) + self.delay();
        let head = message.head.min(first);
        (ready, Message { head, ..message })
    }

    /// How long the first packet of a message passes.
    fn packet(self, message: &Message) -> Time {
        let packet_bytes = message.packet_bytes(self.link.mtu_bytes);
        Time::from_nanos(self.link.passing_ns(packet_bytes))
    }

    fn delay(self) -> Time {
        Time::from_nanos(self.link.delay_ns)
    }

    /// When a message that begins to pass now is where it goes to, and how it is then.
    ///
    /// A message does not wait on the switch to be whole. The link behind it takes it on after one packet, and has passed it on no sooner
    /// than a packet after its last byte came.
    pub fn passed(
        self,
        now: Time,
        passing_ns: u64,
        message: Message,
        has_link: &[bool],
    ) -> (Time, Message) {
        let (packet, delay) = (self.packet(&message), self.delay());
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
