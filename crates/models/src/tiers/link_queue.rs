//! One way of a link: what is in line for it, what senders hold back until the line has room, and what has passed.
//!
//! The line is short, as the queue of an interface is, and first come, first served. What has room in it passes at a time that is known
//! at once. What has none waits in its sender's socket: each flow, which is a request or an answer, gets as much of the room that comes
//! free as any other. So the connections of TCP share a link, and a short answer does not wait for all of a long one.

use std::collections::{HashMap, VecDeque};

use hotset_petri::Time;

use super::held_back::HeldBack;
use super::message::{Message, Wire};
use super::system::Link;

/// Pieces of an answer that its sender's socket holds beyond those in line, 256 KiB: the server reads no further ahead. Assumed. Linux has
/// sockets hold more as their windows grow, up to 4 MB (`tcp_wmem`).
const SOCKET_PIECES: u32 = 4;

/// A way of a link.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    In,
    Out,
}

/// What passed one way of a link.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Flow {
    /// Bytes since counting began anew, and from the very beginning.
    pub bytes: u64,
    pub all_bytes: u64,
    /// Packets since counting began anew, and those the other way that acknowledge them.
    pub packets: u64,
    pub acks: u64,
    busy_ns: u64,
    /// How long it has passed what has not come whole to the line yet, and how much of that was before counting began anew.
    partly_ns: u64,
    before_ns: u64,
    /// How long messages have waited until they passed, all together.
    pub waited_ns: u64,
    /// When what passes now has passed.
    free_at_ns: u64,
}

impl Flow {
    fn pass(&mut self, now: Time, of: InLine) {
        self.waited_ns += of.waited_ns;
        self.bytes += of.wire.bytes;
        self.all_bytes += of.wire.bytes;
        self.packets += of.wire.packets;
        self.acks += of.wire.acks;
        self.busy_ns += of.passing_ns;
        self.free_at_ns = now.nanos() + of.passing_ns;
    }

    /// How long it was busy, until now.
    pub fn busy_ns(&self, now: Time) -> u64 {
        let begun_ns = self.busy_ns + self.partly_ns;
        begun_ns.saturating_sub(self.ahead_ns(now) + self.before_ns)
    }

    /// What of the passing that has begun is still to come.
    fn ahead_ns(&self, now: Time) -> u64 {
        self.free_at_ns.saturating_sub(now.nanos())
    }

    fn count_anew(&mut self, now: Time) {
        (self.bytes, self.waited_ns) = (0, 0);
        (self.packets, self.acks) = (0, 0);
        self.busy_ns = self.ahead_ns(now);
        self.before_ns = self.partly_ns;
    }
}

/// What passes of a message that comes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Passing {
    /// When it comes, no sooner than those before it.
    pub comes: Time,
    pub wire: Wire,
    pub passing_ns: u64,
    /// How long what is in line passes at most.
    pub room_ns: u64,
}

/// What is in line.
#[derive(Clone, Copy, Debug)]
struct InLine {
    waited_ns: u64,
    wire: Wire,
    passing_ns: u64,
}

/// A message that was held back.
pub(crate) struct Held {
    pub message: Message,
    pub passing: Passing,
}

/// What becomes of a message that comes.
pub(crate) enum Come {
    /// It begins to pass then.
    Passes(Time),
    /// It is held back; in how many nanoseconds [`LinkQueue::end`] is to be called, where that is sooner than is known.
    Waits(Option<u64>),
}

/// One way of a link.
pub(crate) struct LinkQueue {
    pub flow: Flow,
    /// When all has passed that is in line as a whole. While something is held back, what has come in part follows.
    free_at: Time,
    /// What does not pass yet, with when it begins to.
    in_line: VecDeque<(Time, InLine)>,
    held: HeldBack<Held>,
    /// By flow, of answers of which servers read no further: the last piece that they sent.
    blocked: HashMap<u64, Message>,
    /// Messages that are on their way to it, of which it is not known ahead when they pass.
    expected: u32,
    /// Changes that were looked at.
    changes: u32,
}

impl LinkQueue {
    /// With nothing. The link may change every so many nanoseconds.
    pub fn new(most_ns: u64) -> Self {
        Self {
            flow: Flow::default(),
            free_at: Time::ZERO,
            in_line: VecDeque::new(),
            held: HeldBack::new(most_ns),
            blocked: HashMap::new(),
            expected: 0,
            changes: 0,
        }
    }

    /// A message comes after all others that were made known; when it begins to pass. Nothing where that is not known yet.
    #[inline]
    pub fn pass_ahead(&mut self, now: Time, passing: Passing) -> Option<Time> {
        let is_first = self.expected == 0 && self.held.is_empty();
        (is_first && self.has_room(passing)).then(|| self.pass(now, passing))
    }

    /// The next one is on its way to it, and will [`LinkQueue::come`].
    pub fn expect(&mut self) {
        self.expected += 1;
    }

    /// A message comes now, to a link that is like this now.
    pub fn come(&mut self, now: Time, link: Link, (message, passing): (Message, Passing)) -> Come {
        self.expected = self.expected.saturating_sub(1);
        if passing.passing_ns == 0 {
            return Come::Passes(now);
        }
        let mut room_ns = 0;
        if self.held.is_empty() {
            if self.has_room(passing) {
                return Come::Passes(self.pass(now, passing));
            }
            self.free_at = self.free_at.max(now);
            // The first of it takes what room there is.
            room_ns = passing.room_ns.saturating_sub((self.free_at - now).nanos());
        }
        let rest_ns = passing.passing_ns.saturating_sub(room_ns);
        let bytes = passing.wire.bytes as f64 * rest_ns as f64 / passing.passing_ns as f64;
        let flow = message.flow();
        self.held.set_rate(now.nanos(), link.bytes_per_ns());
        let held = Held { message, passing };
        Come::Waits(self.held.add(now.nanos(), (flow, bytes), held))
    }

    /// The time has come that this or [`LinkQueue::come`] told. A message of which all is in line now, and in how many nanoseconds it is to
    /// be called again. The link is like this now; so many changes have happened until now, by which messages may have become stale.
    pub fn end(
        &mut self,
        now: Time,
        link: Link,
        (changes, is_stale): (u32, impl Fn(&Message) -> bool),
    ) -> (Option<Held>, Option<u64>) {
        self.held.set_rate(now.nanos(), link.bytes_per_ns());
        if changes != self.changes {
            self.changes = changes;
            self.held.let_go(now.nanos(), |it| is_stale(&it.message));
        }
        let (ended, next_ns) = self.held.end(now.nanos());
        let ended = ended.map(|held| {
            let passing = match is_stale(&held.message) {
                true => Passing {
                    wire: Wire::default(),
                    passing_ns: 0,
                    room_ns: 0,
                    ..held.passing
                },
                false => Passing {
                    passing_ns: link.passing_ns(held.passing.wire.bytes),
                    room_ns: link.room_ns(),
                    ..held.passing
                },
            };
            self.line_up(now, link, passing);
            Held { passing, ..held }
        });
        (ended, next_ns)
    }

    /// Whether a server goes on with an answer of which it has sent this piece. Otherwise it does when [`LinkQueue::unblock`] says so.
    pub fn goes_on(&mut self, piece: &Message) -> bool {
        let flow = piece.flow();
        let has_room = self.held.count(flow) < SOCKET_PIECES;
        if !has_room {
            self.blocked.insert(flow, *piece);
        }
        has_room
    }

    /// A piece has left its sender's socket: that with which the server goes on, where it had to wait.
    pub fn unblock(&mut self, piece: &Message) -> Option<Message> {
        self.blocked.remove(&piece.flow())
    }

    /// Counting goes as far as this.
    pub fn count_until(&mut self, now: Time) {
        while let Some(&(start, of)) = self.in_line.front()
            && start <= now
        {
            self.in_line.pop_front();
            self.flow.pass(start, of);
        }
        self.flow.partly_ns = match self.held.is_empty() {
            true => 0,
            false => (now - self.free_at).nanos(),
        };
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self, now: Time) {
        self.count_until(now);
        self.flow.count_anew(now);
    }

    /// Whether all of a message has room in line when it comes.
    fn has_room(&self, passing: Passing) -> bool {
        let ahead_ns = (self.free_at - passing.comes).nanos();
        ahead_ns + passing.passing_ns <= passing.room_ns
    }

    /// A message has its place in line; when it begins to pass.
    fn pass(&mut self, now: Time, passing: Passing) -> Time {
        self.count_until(now);
        let start = self.free_at.max(passing.comes);
        self.add(now, start, (start - passing.comes, passing));
        start
    }

    /// All of a message is in line that was held back: the line is as long as it can be. The link was busy all the time.
    fn line_up(&mut self, now: Time, link: Link, passing: Passing) {
        self.count_until(now);
        if passing.passing_ns > 0 {
            // It may have begun to pass before all of it was in line. What it takes beyond passing is its wait.
            let ends = now + Time::from_nanos(passing.room_ns);
            let waited = ends - passing.comes - Time::from_nanos(passing.passing_ns);
            self.add(now, self.free_at, (waited, passing));
        }
        if self.held.is_empty() {
            self.free_at = now + Time::from_nanos(link.room_ns());
        }
    }

    fn add(&mut self, now: Time, start: Time, (waited, passing): (Time, Passing)) {
        let of = InLine {
            waited_ns: waited.nanos(),
            wire: passing.wire,
            passing_ns: passing.passing_ns,
        };
        self.free_at = start + Time::from_nanos(passing.passing_ns);
        match start > now {
            true => self.in_line.push_back((start, of)),
            false => self.flow.pass(start, of),
        }
    }
}
