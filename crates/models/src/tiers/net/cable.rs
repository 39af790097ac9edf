//! One way of a link, of a node's to the switch or of one between two nodes or two switches, and how messages pass it.

use hotset_petri::Time;

use crate::tiers::counts::Counts;
use crate::tiers::link_queue::{Held, Passing, Way};
use crate::tiers::message::{Message, Wire};
use crate::tiers::system::{DirectLink, Link, Tiers};

/// One way of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cable {
    /// The node that it is drawn at: the one whose link to the switch it is, or the one that sends. None of a link between two switches.
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
    /// The switch at its end, where it begins at another one.
    to_switch: Option<usize>,
}

/// What messages meet behind a link.
#[derive(Clone, Debug)]
pub(super) struct Beyond {
    /// Which nodes have a link.
    has_link: Vec<bool>,
    /// The switch of each node; empty where one is all there is.
    switches: Vec<usize>,
}

impl Beyond {
    /// In `tiers`.
    pub fn of(tiers: &Tiers) -> Self {
        let nodes = tiers.nodes.iter().map(|node| node.link.is_some());
        let of_clients = tiers.client_nodes.iter().map(|node| node.link.is_some());
        let switches = tiers.switches.iter().flat_map(|it| {
            let nodes = 0..tiers.nodes_count();
            nodes.map(move |node| it.of_node(node))
        });
        Self {
            has_link: nodes.chain(of_clients).collect(),
            switches: switches.collect(),
        }
    }

    /// Whether a node has a link to its switch.
    pub fn has_link(&self, node: usize) -> bool {
        self.has_link[node]
    }

    /// Whether another link takes on what a cable has passed and is for the node `to`.
    fn takes_on(&self, cable: &Cable, to: usize) -> bool {
        let own = cable
            .to_switch
            .or_else(|| self.switches.get(cable.at).copied());
        self.has_link[to] || self.switches.get(to).copied() != own
    }
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
            to_switch: None,
        }
    }

    /// One way of the link of this number between two switches, to the switch `to`.
    pub fn between_switches(number: usize, link: Link, (way, to): (Way, usize)) -> Self {
        Self {
            at: usize::MAX,
            number,
            link,
            room_ns: link.room_ns(),
            way,
            ends_at_node: false,
            ends_at_clients: false,
            to_switch: Some(to),
        }
    }

    /// The node that a message is for which passes it.
    pub fn target(self, message: &Message) -> Option<usize> {
        match self.to_switch {
            None => message.next(self.at),
            Some(_) => message.next(usize::from(message.sent_by)),
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
            to_switch: None,
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
        beyond: &Beyond,
    ) -> Option<(Time, Message)> {
        if counts.faults.is_stale(&message) {
            return Some(self.passed(comes, 0, message, beyond));
        }
        let passing = self.passing(comes, &message, false);
        let queue = counts.queue(self.number, self.way);
        let start = queue.pass_ahead(now, passing)?;
        Some(self.passed(start, passing.passing_ns, message, beyond))
    }

    /// All of a message is in line now that was held back; when it is where it goes to, and how it is then. It is behind a whole line. Its
    /// first packet was so when it came.
    pub fn let_in(self, now: Time, held: &Held, beyond: &Beyond) -> (Time, Message) {
        let Passing {
            comes,
            passing_ns,
            room_ns,
            ..
        } = held.passing;
        let in_line_ns = passing_ns.min(room_ns);
        let start = now + Time::from_nanos(room_ns - in_line_ns);
        let (ready, message) = self.passed(start, in_line_ns, held.message, beyond);
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
        beyond: &Beyond,
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
                let head = now + packet + delay;
                let tail = match self.to_switch {
                    None => whole + delay,
                    // A link between switches takes on what another may still pass.
                    Some(_) => whole.max(message.tail + packet) + delay,
                };
                let target = self.target(&message);
                let goes_on = target.is_some_and(|to| beyond.takes_on(&self, to));
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
