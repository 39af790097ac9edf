//! Links between clients and file servers, and messages that pass them.
//!
//! A message travels in bursts of up to 64 KiB, as the kernel hands them to a network card that divides them into packets
//! (`GSO_LEGACY_MAX_SIZE`, `include/linux/netdevice.h`). Each way of a link passes one burst after the other. Connections that have some
//! waiting take turns, as queues that are fair do (`fq_codel`). A link behind another takes a burst on after its first packet. Where adapters
//! move messages, the link's virtual lanes take turns. Those of a lane follow each other.
//!
//! Acknowledgements take their time with the next burst of their way. Where a way has a delay, a connection has no more on it than its
//! window (`window.rs`). Not followed: lost packets, limits of queues.

use std::collections::VecDeque;
use std::ops::Range;

use hotset_outcome::Resource;

use super::connection::{BothWays, Connection, Line};
use super::event::RemoteEvent;
use super::transport::retransmission_ns;
use super::window::{Part, Window};
use crate::calendar::Calendar;
use crate::numbered::Numbered;
use crate::station::resource;

/// Most bytes of a burst.
const BURST_BYTES: u64 = 64 << 10;
/// Bytes that a connection may pass in its turn, with headers.
const TURN_BYTES: u64 = BURST_BYTES * 5 / 4;

/// A link by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedLine {
    /// Its name.
    pub name: String,
    /// What it is like.
    pub line: Line,
}

/// Where a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From a client to the server.
    ToServer,
    /// Back.
    ToClient,
}

impl Direction {
    /// Its number among the ways of a link.
    fn number(self) -> usize {
        match self {
            Self::ToServer => 0,
            Self::ToClient => 1,
        }
    }
}

/// A link on a way from a client to the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The link, by its number.
    pub link: usize,
    /// Whether the way goes against the link's own direction: what is to the server for one connection is from it for another.
    pub backwards: bool,
}

impl Hop {
    /// A link that leads to the server for all.
    pub(super) fn along(link: usize) -> Self {
        Self {
            link,
            backwards: false,
        }
    }

    /// The way of the link that messages pass which go there.
    fn way(self, direction: Direction) -> usize {
        2 * self.link + (direction.number() ^ usize::from(self.backwards))
    }
}

/// A message that has come to where it goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    /// The call that it belongs to.
    pub call: u32,
    /// Where it has come to.
    pub direction: Direction,
}

/// A part of a message.
#[derive(Clone, Copy, Debug)]
struct Burst {
    connection: u32,
    direction: Direction,
    call: u32,
    /// With headers of all its packets.
    bytes: u64,
    /// Of its first packet.
    packet_bytes: u64,
    /// Links that it has passed.
    passed: u32,
    /// When it came to the link, and when its last byte did.
    came_ns: u64,
    whole_ns: u64,
    /// Bytes of the message, without headers.
    part_bytes: u64,
    /// Whether the message ends with it.
    is_last: bool,
    /// It is none, but tells its sender of what has come.
    is_heard: bool,
}

/// One way of a link.
#[derive(Clone, Debug)]
struct Way {
    line: Line,
    /// When it has passed what it has begun.
    free_ns: u64,
    /// Bursts that wait, by connection or by virtual lane, and those that have some, in their turn.
    waiting: Vec<VecDeque<u32>>,
    turns: VecDeque<u32>,
    /// Bytes that the first of them has passed in its turn.
    turn_bytes: u64,
    /// Bytes of acknowledgements that pass with the next burst.
    owed_bytes: u64,
    /// How much it may pass at once after a pause, as time at its rate, nanoseconds; and until when what has passed has used its rate.
    bucket_ns: u64,
    used_ns: u64,
    counts: WayCounts,
}

impl Way {
    /// When the first packet and the last byte of a burst have passed, which takes so long each at the way's rate.
    fn pass(&mut self, now_ns: u64, burst: &Burst, (packet_ns, own_ns): (u64, u64)) -> [u64; 2] {
        if self.bucket_ns == 0 {
            let ends_ns = (now_ns + own_ns).max(burst.whole_ns + packet_ns);
            return [now_ns + packet_ns, ends_ns];
        }
        let begins_ns = self.used_ns.max(now_ns.saturating_sub(self.bucket_ns));
        self.used_ns = begins_ns + own_ns;
        let ends_ns = self.used_ns.max(burst.whole_ns).max(now_ns);
        [(begins_ns + packet_ns).max(now_ns), ends_ns]
    }

    /// What a connection waits its turn as: itself, or a virtual lane that it shares with others.
    fn lane(&self, connection: u32) -> u32 {
        match self.line.rdma_lanes {
            None => connection,
            Some(lanes) => connection % lanes.max(1),
        }
    }
}

/// What was counted of one way of a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct WayCounts {
    /// Bytes that came, and those of them that have passed.
    came_bytes: u64,
    passed_bytes: u64,
    busy_ns: u64,
    stay_ns: u64,
}

/// A connection: the links between its client and the server, the client's first.
#[derive(Clone, Debug)]
struct Path {
    hops: Vec<Hop>,
    /// Packets that its client sees.
    packets: Connection,
    /// Bytes of a message that a packet has, and its headers.
    segment_bytes: u64,
    header_bytes: u64,
    /// The line, where messages are datagrams of UDP.
    datagrams: Option<Line>,
    /// What may be on its way to the server and back, where the way has a delay.
    windows: Option<[Window; 2]>,
}

impl Path {
    /// Bytes of a part of a message with headers of its packets, and those of its first packet.
    fn framed(&self, bytes: u64) -> (u64, u64) {
        match self.datagrams {
            Some(line) => line.datagram(bytes),
            None => (
                bytes + bytes.div_ceil(self.segment_bytes) * self.header_bytes,
                bytes.min(self.segment_bytes) + self.header_bytes,
            ),
        }
    }
}

/// What a link has carried. Of a link between switches, what is sent goes from its first switch to its second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkResult {
    /// Its name.
    pub name: String,
    /// Bytes that came to it, with headers of IP and TCP.
    pub bytes: BothWays,
    /// Those of them that have passed it.
    pub passed_bytes: BothWays,
}

/// Links and what is on its way. It has no clock: events go to a calendar, and come back by [`Network::comes`] and [`Network::free`].
#[derive(Clone, Debug)]
pub struct Network {
    names: Vec<String>,
    /// How many of them lead to the server for all; those between switches follow.
    outer: usize,
    /// Two for each link: to the server, to the client.
    ways: Vec<Way>,
    paths: Vec<Path>,
    bursts: Numbered<Burst>,
}

impl Network {
    /// Links, and for each connection those between its client and the server, the client's first. A connection without a link has one of
    /// its own that is never the limit.
    #[must_use]
    pub fn new(links: &[NamedLine], connections: &[Vec<usize>]) -> Self {
        let along = |links: &Vec<usize>| -> Vec<Hop> {
            links.iter().map(|&link| Hop::along(link)).collect()
        };
        let connections: Vec<Vec<Hop>> = connections.iter().map(along).collect();
        Self::routed(links, links.len(), &connections)
    }

    /// The same with links between switches behind the first `outer` ones, which connections may pass either way.
    #[must_use]
    pub fn routed(links: &[NamedLine], outer: usize, connections: &[Vec<Hop>]) -> Self {
        let mut network = Self {
            names: Vec::new(),
            outer,
            ways: Vec::new(),
            paths: Vec::new(),
            bursts: Numbered::default(),
        };
        let count = connections.len();
        for link in links {
            network.add_link(&link.name, link.line, count);
        }
        for hops in connections {
            let mut hops = hops.clone();
            if hops.is_empty() {
                hops.push(Hop::along(network.names.len()));
                network.add_link("", Line::default(), count);
            }
            network.add_path(hops);
        }
        network
    }

    /// The same without windows: all that is sent is on its way at once, whatever the delays.
    pub(super) fn without_windows(mut self) -> Self {
        self.paths.iter_mut().for_each(|path| path.windows = None);
        self
    }

    /// The same where each link is a token bucket of so many bytes: after a pause so much passes at once (`tbf`, `net/sched/sch_tbf.c`). Links
    /// that are never the limit have none.
    pub(super) fn with_buckets(mut self, bytes: u64) -> Self {
        for way in &mut self.ways {
            way.bucket_ns = way.line.passing_ns(bytes);
        }
        self
    }

    /// The same of datagrams of UDP: nothing acknowledges them, and a message is one burst.
    pub(super) fn of_datagrams(mut self) -> Self {
        for path in &mut self.paths {
            let mtus = path.hops.iter();
            let mtus = mtus.map(|hop| self.ways[2 * hop.link].line.mtu_bytes);
            let line = Line {
                mtu_bytes: mtus.min().unwrap_or(Line::default().mtu_bytes),
                ..Line::default()
            };
            path.datagrams = Some(line);
            path.packets = Connection::of_datagrams(line);
            path.windows = None;
        }
        self
    }

    fn add_link(&mut self, name: &str, line: Line, connections: usize) {
        self.names.push(name.to_owned());
        let way = Way {
            line,
            free_ns: 0,
            waiting: vec![VecDeque::new(); connections],
            turns: VecDeque::new(),
            turn_bytes: 0,
            owed_bytes: 0,
            bucket_ns: 0,
            used_ns: 0,
            counts: WayCounts::default(),
        };
        self.ways.extend([way.clone(), way]);
    }

    fn add_path(&mut self, hops: Vec<Hop>) {
        let lines = hops.iter().map(|hop| self.ways[2 * hop.link].line);
        let mtus = lines.clone().map(|line| line.mtu_bytes);
        let mut lanes = lines.clone().map(|line| line.rdma_lanes);
        // Packets are counted here, times are those of the ways. Adapters move messages where all links have some.
        let line = Line {
            mtu_bytes: mtus.min().unwrap_or(Line::default().mtu_bytes),
            rdma_lanes: lanes.all(|it| it.is_some()).then_some(1),
            ..Line::default()
        };
        let delays = lines.map(|line| line.delay_ns);
        let delay_ns = delays.fold(0, u64::saturating_add);
        let idle_ns = retransmission_ns(delay_ns.saturating_mul(2), 0);
        let window = Window::new(line.segment_bytes(), (delay_ns, idle_ns));
        self.paths.push(Path {
            hops,
            packets: Connection::new(line),
            segment_bytes: line.segment_bytes(),
            datagrams: None,
            header_bytes: line.header_bytes(),
            windows: (delay_ns > 0 && line.rdma_lanes.is_none()).then(|| [window.clone(), window]),
        });
    }

    /// A message of so many bytes is sent over a connection.
    pub fn send(
        &mut self,
        now_ns: u64,
        (connection, direction): (usize, Direction),
        (call, bytes): (u32, u64),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        self.count(now_ns, connection, direction, bytes);
        if let Some(windows) = &mut self.paths[connection].windows {
            let window = &mut windows[direction.number()];
            let has_waited = window.is_waiting();
            window.add(now_ns, (call, bytes));
            self.send_parts(now_ns, (connection, direction), calendar);
            if !has_waited {
                self.wait(connection, direction, calendar);
            }
            return;
        }
        let most = self.most_bytes(connection);
        let mut left = bytes;
        while left > 0 {
            let part = left.min(most);
            left -= part;
            let part = Part {
                call,
                bytes: part,
                is_last: left == 0,
            };
            self.send_part(now_ns, (connection, direction), part, calendar);
        }
    }

    /// Most bytes of a message that a burst has: whole packets.
    fn most_bytes(&self, connection: usize) -> u64 {
        if self.paths[connection].datagrams.is_some() {
            return u64::MAX;
        }
        let segment_bytes = self.paths[connection].segment_bytes;
        (BURST_BYTES / segment_bytes).max(1) * segment_bytes
    }

    /// Sends what a window has room for. Where more waits, its sender is told of what has come.
    fn send_parts(
        &mut self,
        now_ns: u64,
        (connection, direction): (usize, Direction),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let most = self.most_bytes(connection);
        while let Some(windows) = &mut self.paths[connection].windows
            && let Some(part) = windows[direction.number()].next(now_ns, most)
        {
            self.send_part(now_ns, (connection, direction), part, calendar);
        }
    }

    /// Where a sender waits from now on, it is told of what has come already when it hears of that.
    fn wait(
        &mut self,
        connection: usize,
        direction: Direction,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let Some(windows) = &self.paths[connection].windows else {
            return;
        };
        let window = &windows[direction.number()];
        if !window.is_waiting() {
            return;
        }
        for at_ns in window.hears() {
            let heard = self.bursts.add(Burst {
                connection: connection as u32,
                direction,
                call: 0,
                bytes: 0,
                packet_bytes: 0,
                passed: 0,
                came_ns: at_ns,
                whole_ns: at_ns,
                part_bytes: 0,
                is_last: false,
                is_heard: true,
            });
            calendar.at(at_ns, RemoteEvent::Comes { burst: heard });
        }
    }

    /// A part of a message comes to its first link.
    fn send_part(
        &mut self,
        now_ns: u64,
        (connection, direction): (usize, Direction),
        part: Part,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let (bytes, packet_bytes) = self.paths[connection].framed(part.bytes);
        let burst = Burst {
            connection: connection as u32,
            direction,
            call: part.call,
            bytes,
            packet_bytes,
            passed: 0,
            came_ns: now_ns,
            whole_ns: now_ns,
            part_bytes: part.bytes,
            is_last: part.is_last,
            is_heard: false,
        };
        let number = self.bursts.add(burst);
        let way = self.way(&burst);
        self.come(now_ns, way, number, calendar);
    }

    /// A burst has come to its end: its sender hears of that.
    fn tell(&mut self, now_ns: u64, burst: Burst, calendar: &mut impl Calendar<RemoteEvent>) {
        let path = &mut self.paths[burst.connection as usize];
        let Some(windows) = &mut path.windows else {
            return;
        };
        let window = &mut windows[burst.direction.number()];
        if let Some(at_ns) = window.come(now_ns, burst.part_bytes) {
            let heard = self.bursts.add(Burst {
                is_heard: true,
                ..burst
            });
            calendar.at(at_ns, RemoteEvent::Comes { burst: heard });
        }
    }

    /// The sender of a burst hears of what has come, and goes on.
    fn hear(&mut self, now_ns: u64, burst: Burst, calendar: &mut impl Calendar<RemoteEvent>) {
        let connection = burst.connection as usize;
        if let Some(windows) = &mut self.paths[connection].windows {
            windows[burst.direction.number()].hear(now_ns);
        }
        self.send_parts(now_ns, (connection, burst.direction), calendar);
    }

    /// Counts the packets of a message and those that acknowledge it. The latter are owed to each link.
    fn count(&mut self, now_ns: u64, connection: usize, direction: Direction, bytes: u64) {
        let path = &mut self.paths[connection];
        let before = path.packets.bytes;
        let (data, _) = path.framed(bytes);
        match direction {
            Direction::ToServer => {
                // Links pass each message in packets of its own.
                path.packets.uncork();
                path.packets.send(now_ns, bytes)
            }
            Direction::ToClient => path.packets.receive(now_ns, bytes),
        };
        let after = path.packets.bytes;
        let mut owed = [after.sent - before.sent, after.received - before.received];
        owed[direction.number()] -= data;
        for hop in &path.hops {
            for (to, owed) in [Direction::ToServer, Direction::ToClient]
                .into_iter()
                .zip(owed)
            {
                let way = &mut self.ways[hop.way(to)];
                way.owed_bytes += owed;
                way.counts.came_bytes += owed;
            }
        }
    }

    /// The way that a burst passes next.
    fn way(&self, burst: &Burst) -> usize {
        let hops = &self.paths[burst.connection as usize].hops;
        let passed = burst.passed as usize;
        let hop = match burst.direction {
            Direction::ToServer => hops[passed],
            Direction::ToClient => hops[hops.len() - 1 - passed],
        };
        hop.way(burst.direction)
    }

    /// A burst comes to a way: it passes if nothing does, else it waits.
    fn come(
        &mut self,
        now_ns: u64,
        number: usize,
        burst: u32,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let of = self.bursts.of(burst);
        of.came_ns = now_ns;
        let way = &mut self.ways[number];
        let connection = way.lane(of.connection);
        way.counts.came_bytes += of.bytes;
        if way.turns.is_empty() && now_ns >= way.free_ns {
            self.pass(now_ns, number, burst, calendar);
            return;
        }
        if way.turns.is_empty() {
            let way = number as u32;
            calendar.at(self.ways[number].free_ns, RemoteEvent::LinkFree { way });
        }
        let way = &mut self.ways[number];
        let waiting = &mut way.waiting[connection as usize];
        if waiting.is_empty() {
            way.turns.push_back(connection);
        }
        waiting.push_back(burst);
    }

    /// A burst begins to pass a way that is free. It has passed no sooner than a packet after its last byte came.
    fn pass(
        &mut self,
        now_ns: u64,
        number: usize,
        burst: u32,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let way = &mut self.ways[number];
        let of = self.bursts.of(burst);
        let bytes = of.bytes + std::mem::take(&mut way.owed_bytes);
        let (own_ns, packet_ns) = (
            way.line.passing_ns(bytes),
            way.line.passing_ns(of.packet_bytes),
        );
        let [first_ns, ends_ns] = way.pass(now_ns, of, (packet_ns, own_ns));
        way.free_ns = ends_ns;
        way.counts.passed_bytes += bytes;
        way.counts.busy_ns += own_ns;
        way.counts.stay_ns += ends_ns - of.came_ns;
        of.passed += 1;
        of.whole_ns = ends_ns + way.line.delay_ns;
        let links = self.paths[of.connection as usize].hops.len();
        let comes_ns = match of.passed as usize == links {
            true => of.whole_ns,
            false => first_ns + way.line.delay_ns,
        };
        calendar.at(comes_ns, RemoteEvent::Comes { burst });
    }

    /// A burst has come to the end of a link; the message that is whole thereby.
    pub fn comes(
        &mut self,
        now_ns: u64,
        number: u32,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) -> Option<Arrival> {
        let burst = *self.bursts.of(number);
        if burst.is_heard {
            self.bursts.remove(number);
            self.hear(now_ns, burst, calendar);
            return None;
        }
        let links = self.paths[burst.connection as usize].hops.len();
        if (burst.passed as usize) < links {
            let way = self.way(&burst);
            self.come(now_ns, way, number, calendar);
            return None;
        }
        self.bursts.remove(number);
        self.tell(now_ns, burst, calendar);
        burst.is_last.then_some(Arrival {
            call: burst.call,
            direction: burst.direction,
        })
    }

    /// A way is free for what waits: the next burst of the connection whose turn it is passes.
    pub fn free(&mut self, now_ns: u64, number: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        let place = number as usize;
        if let Some(burst) = self.next_burst(place) {
            self.pass(now_ns, place, burst, calendar);
        }
        let way = &self.ways[place];
        if !way.turns.is_empty() {
            calendar.at(way.free_ns, RemoteEvent::LinkFree { way: number });
        }
    }

    /// Takes the burst that passes a way next. In its turn a connection passes as many bytes as the largest burst has.
    fn next_burst(&mut self, place: usize) -> Option<u32> {
        let way = &mut self.ways[place];
        let connection = *way.turns.front()?;
        let waiting = &mut way.waiting[connection as usize];
        let burst = waiting.pop_front()?;
        way.turn_bytes += self.bursts.of(burst).bytes;
        let next_bytes = waiting.front().map(|&next| self.bursts.of(next).bytes);
        let goes_on = next_bytes.is_some_and(|bytes| way.turn_bytes + bytes <= TURN_BYTES);
        if !goes_on {
            way.turn_bytes = 0;
            way.turns.pop_front();
            if next_bytes.is_some() {
                way.turns.push_back(connection);
            }
        }
        Some(burst)
    }

    /// Bytes and packets that clients see, acknowledgements among them.
    #[must_use]
    pub fn seen(&self) -> (BothWays, BothWays) {
        self.seen_among(0..self.paths.len())
    }

    /// Packets that a message of so many bytes has on a connection.
    pub(super) fn packets(&self, connection: usize, bytes: u64) -> u64 {
        bytes.div_ceil(self.paths[connection].segment_bytes)
    }

    /// The same of some connections.
    pub(super) fn seen_among(&self, connections: Range<usize>) -> (BothWays, BothWays) {
        let paths = &self.paths[connections];
        let sum = |of: fn(&Connection) -> BothWays| {
            let each = paths.iter().map(|path| of(&path.packets));
            each.fold(BothWays::default(), |sum, it| BothWays {
                sent: sum.sent + it.sent,
                received: sum.received + it.received,
            })
        };
        (sum(|it| it.bytes), sum(|it| it.packets))
    }

    /// Whether results have a link: it has a name, and something came to it if it is between switches.
    fn is_shown(&self, link: usize) -> bool {
        let ways = &self.ways[2 * link..2 * link + 2];
        let is_used = ways.iter().any(|way| way.counts.came_bytes > 0);
        !self.names[link].is_empty() && (link < self.outer || is_used)
    }

    /// What each link that has a name has carried.
    #[must_use]
    pub fn links(&self) -> Vec<LinkResult> {
        let names = self.names.iter().enumerate();
        let named = names.filter(|(link, _)| self.is_shown(*link));
        let both = |link: usize, of: fn(&WayCounts) -> u64| BothWays {
            sent: of(&self.ways[2 * link].counts),
            received: of(&self.ways[2 * link + 1].counts),
        };
        let result = |(link, name): (usize, &String)| LinkResult {
            name: name.clone(),
            bytes: both(link, |it| it.came_bytes),
            passed_bytes: both(link, |it| it.passed_bytes),
        };
        named.map(result).collect()
    }

    /// How busy each way of links with names was in so long a time.
    #[must_use]
    pub fn resources(&self, length_ns: u64) -> Vec<Resource> {
        let names = self.names.iter().enumerate();
        let named = names.filter(|(link, _)| self.is_shown(*link));
        let ways = named.flat_map(|(link, name)| {
            let ways = match link < self.outer {
                true => ["to the server", "to the client"],
                false => ["there", "back"],
            };
            let each = [(2 * link, ways[0]), (2 * link + 1, ways[1])];
            each.map(|(number, way)| {
                let counts = self.ways[number].counts;
                let name = format!("link {name}, {way}");
                resource(&name, counts.busy_ns, counts.stay_ns, 1, length_ns)
            })
        });
        ways.collect()
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self) {
        for way in &mut self.ways {
            // What waits has come already, and is still to pass.
            let left = way.counts.came_bytes - way.counts.passed_bytes;
            way.counts = WayCounts {
                came_bytes: left,
                ..WayCounts::default()
            };
        }
        for path in &mut self.paths {
            path.packets.bytes = BothWays::default();
            path.packets.packets = BothWays::default();
        }
    }
}
