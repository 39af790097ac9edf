//! One way of a node's link, and how messages pass it.

use hotset_petri::Time;

use crate::tiers::counts::{Counts, Passing, Way};
use crate::tiers::message::Message;
use crate::tiers::system::Link;

/// One way of a node's link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cable {
    /// The node.
    pub at: usize,
    pub link: Link,
    pub way: Way,
}

impl Cable {
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
        let start = counts.come(self.at, self.way, now, passing);
        self.passed(start, passing_ns, message, has_link)
    }

    /// When a message that begins to pass now is where it goes to, and how it is then.
    ///
    /// A message does not wait on the switch to be whole: the link behind it takes it on after one packet, and has passed it on
    /// no sooner than a packet after the last byte has come.
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
        match self.way {
            Way::In => {
                let ready = whole.max(message.tail + packet) + delay;
                (
                    ready,
                    Message {
                        head: ready,
                        tail: ready,
                        ..message
                    },
                )
            }
            Way::Out => {
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
