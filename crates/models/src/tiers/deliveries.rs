//! What becomes of calls and answers on ways that lose packets, and where an end is down.
//!
//! A datagram of which a packet is lost is lost. A connection hands messages over in their order, so one that is not whole holds those
//! behind it back. What is missing is sent again at once when three packets have come behind it, else when the sender's timer runs out. A
//! timer is of the first message that is missing: when that has come, its acknowledgement has what else is missing sent.

use std::collections::{BTreeMap, VecDeque};

use hotset_petri::{Stream, Time};

use super::message::Message;
use crate::remote::{DUPLICATES, MOST_ATTEMPTS, Protocol, retransmission_ns};

/// The way between a web node and a file server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub protocol: Protocol,
    /// Whether what comes to an end that is out of reach is sent again by the same connection.
    pub sends_on: bool,
    /// The share of packets that is lost, each way.
    pub loss: f64,
    /// Delay of its links, nanoseconds.
    pub delay_ns: u64,
    /// Bytes of a message that a packet has.
    pub segment_bytes: u64,
}

/// A message that is not handed over yet.
struct Waiting {
    message: Message,
    /// Packets of it that are missing, and packets that have come behind it.
    missing: u64,
    behind: u64,
    /// How often it was sent again, and whether that has yet to come.
    attempt: u32,
    is_under_way: bool,
}

/// What a node has after a message has come, or not.
#[derive(Default)]
pub(crate) struct Received {
    /// Messages that are whole and in order.
    pub whole: Vec<Message>,
    /// What is to be sent again, and in what time.
    pub again: Vec<(Time, Message)>,
}

/// Messages on their way between web nodes and file servers.
pub(crate) struct Deliveries {
    /// By web node and file server.
    ways: BTreeMap<(u16, u16), Way>,
    /// By the same and whether answers come by it: what connections do not hand over yet.
    waiting: BTreeMap<(u16, u16, bool), VecDeque<Waiting>>,
}

impl Deliveries {
    /// By these ways.
    pub fn new(ways: BTreeMap<(u16, u16), Way>) -> Self {
        Self {
            ways,
            waiting: BTreeMap::new(),
        }
    }

    /// A message would come to its node now; nothing of it does where one end is out of reach.
    pub fn receive(
        &mut self,
        now: Time,
        message: Message,
        is_out_of_reach: bool,
        random: &mut Stream,
    ) -> Received {
        let Some(&way) = self.ways.get(&(message.web, message.entry)) else {
            return Received {
                whole: vec![message],
                again: Vec::new(),
            };
        };
        let stream = (message.web, message.entry, message.is_answer);
        if is_out_of_reach && !way.sends_on {
            // The connection is none any more.
            self.waiting.remove(&stream);
            return Received::default();
        }
        let packets = u64::from(message.bytes).div_ceil(way.segment_bytes).max(1);
        let lost = match is_out_of_reach {
            true => Lost {
                count: packets,
                behind: 0,
            },
            false => Lost::of(packets, way.loss, random),
        };
        match way.protocol {
            Protocol::Udp => Received {
                whole: (lost.count == 0).then_some(message).into_iter().collect(),
                again: Vec::new(),
            },
            Protocol::Tcp => {
                let waiting = self.waiting.entry(stream).or_default();
                come(now, waiting, (message, lost), way)
            }
        }
    }

    /// What is still to be sent again of a message, when the time for that has come; nothing where it has come, or was sent meanwhile.
    pub fn send_again(&mut self, now: Time, message: &Message) -> Option<Message> {
        let stream = (message.web, message.entry, message.is_answer);
        let way = *self.ways.get(&(message.web, message.entry))?;
        let waiting = self.waiting.get_mut(&stream)?;
        let of = waiting.iter_mut().find(|it| it.is_of(message))?;
        let is_due = of.missing > 0 && u32::from(message.attempt) == of.attempt;
        let missing_bytes = of.missing.saturating_mul(way.segment_bytes);
        is_due.then(|| {
            of.attempt += 1;
            of.is_under_way = true;
            Message {
                bytes: u64::from(of.message.bytes).min(missing_bytes) as u32,
                attempt: of.attempt as u16,
                since: now,
                head: now,
                tail: now,
                ..of.message
            }
        })
    }
}

/// Packets of a message that are lost, and how many came behind the first of them.
#[derive(Clone, Copy)]
struct Lost {
    count: u64,
    behind: u64,
}

impl Lost {
    fn of(packets: u64, loss: f64, random: &mut Stream) -> Self {
        let mut lost = Self {
            count: 0,
            behind: 0,
        };
        if loss <= 0.0 {
            return lost;
        }
        for _ in 0..packets {
            match random.chance(loss) {
                true => lost.count += 1,
                false if lost.count > 0 => lost.behind += 1,
                false => {}
            }
        }
        lost
    }
}

impl Waiting {
    /// Whether it is this message, or what was missing of it.
    fn is_of(&self, message: &Message) -> bool {
        (self.message.call, self.message.row) == (message.call, message.row)
    }

    /// What is to be sent again in a time; nothing where that was tried often enough.
    fn again(&self, after: Time) -> Option<(Time, Message)> {
        let attempt = self.attempt as u16;
        let message = Message {
            attempt,
            ..self.message
        };
        (self.attempt < MOST_ATTEMPTS).then_some((after, message))
    }

    /// Whether enough has come behind it for it to be sent again at once. What was sent again waits for the timer.
    fn is_seen(&self) -> bool {
        self.missing > 0 && self.attempt == 0 && self.behind >= DUPLICATES
    }
}

/// A message comes by a connection, with packets lost; it may be what was missing of one.
fn come(
    now: Time,
    waiting: &mut VecDeque<Waiting>,
    (message, lost): (Message, Lost),
    way: Way,
) -> Received {
    let mut received = Received::default();
    let back = Time::from_nanos(way.delay_ns);
    let place = waiting.iter().position(|it| it.is_of(&message));
    let came = u64::from(message.bytes).div_ceil(way.segment_bytes).max(1) - lost.count;
    // What has come is seen by those before it that lack something.
    for earlier in waiting.iter_mut().take(place.unwrap_or(usize::MAX)) {
        let was_seen = earlier.is_seen();
        earlier.behind += came;
        if earlier.is_seen() && !was_seen {
            received.again.extend(earlier.again(back));
        }
    }
    let is_first = place.unwrap_or(waiting.len()) == 0;
    let of = match place {
        Some(place) => {
            let of = &mut waiting[place];
            (of.missing, of.is_under_way) = (lost.count, false);
            of
        }
        None => {
            waiting.push_back(Waiting {
                message,
                missing: lost.count,
                behind: lost.behind,
                attempt: 0,
                is_under_way: false,
            });
            let last = waiting.len() - 1;
            &mut waiting[last]
        }
    };
    if of.missing > 0 {
        let is_seen = of.is_seen();
        if is_seen {
            received.again.extend(of.again(back));
        } else if is_first {
            let after = timer(now, &message, of.attempt, way);
            received.again.extend(of.again(after));
        }
        return received;
    }
    hand_over(now, waiting, back, &mut received);
    received
}

/// In what time the sender's timer runs out, which has run since it sent the message.
fn timer(now: Time, message: &Message, attempt: u32, way: Way) -> Time {
    let wait_ns = retransmission_ns(way.delay_ns.saturating_mul(2), attempt);
    let due = message.since + Time::from_nanos(wait_ns);
    due - now
}

/// Hands over what is whole and first. What is missing next is sent at once: its sender sees by the acknowledgement that it is.
fn hand_over(now: Time, waiting: &mut VecDeque<Waiting>, back: Time, received: &mut Received) {
    let before = waiting.len();
    while waiting.front().is_some_and(|it| it.missing == 0) {
        let whole = waiting.pop_front().map(|it| it.message);
        received.whole.extend(whole.map(|message| Message {
            attempt: 0,
            head: now,
            tail: now,
            ..message
        }));
    }
    if waiting.len() < before
        && let Some(next) = waiting.front()
        && !next.is_seen()
        && !next.is_under_way
    {
        received.again.extend(next.again(back));
    }
}
