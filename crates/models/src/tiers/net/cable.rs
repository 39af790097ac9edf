//! One way of a link, of a node's to the switch or of one between two nodes, and how messages pass it.

use hotset_petri::Time;

use crate::tiers::counts::{Counts, Passing, Way};
use crate::tiers::message::Message;
use crate::tiers::system::{DirectLink, Link, Tiers};

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
        let bits_per_s = bits_per_s.unwrap_or(self.link.bits_per_s);
        Self {
            link: Link {
                bits_per_s,
                ..self.link
            },
            ..self
        }
    }

    /// A message comes, after all others that were made known; when it is where it goes to, and how it is then. The rate never changes.
    pub fn carry(
        self,
        now: Time,
        (comes, message): (Time, Message),
        counts: &mut Counts,
        has_link: &[bool],
    ) -> (Time, Message) {
        let wire = message.wire(self.link.mtu_bytes);
        let passing_ns = self.link.passing_ns(wire.bytes);
        let passing = Passing {
            comes,
            since: message.head,
            wire,
            passing_ns,
        };
        let start = counts.come(self.number, self.way, now, passing);
        self.passed(start, passing_ns, message, has_link)
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
        let packet_bytes = message.packet_bytes(self.link.mtu_bytes);
        let packet = Time::from_nanos(self.link.passing_ns(packet_bytes));
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
