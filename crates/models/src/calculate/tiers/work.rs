//! What one request takes: of each station, and from its beginning to its end where it is alone.

use super::calls::{AlikeCalls, Calls};
use super::origin::Origin;
use super::plant::{Leg, Plant, Way};
use super::processing;
use super::served::Mounted;
use super::store::{self, Pieces};
use crate::calculate::demand::Visits;
use crate::calculate::device::Missing;
use crate::tiers::{File, HEAD_BYTES, Link, PIECE_BYTES, REQUEST_BYTES, Role, Wire, packet_bytes};

/// The nodes that a request goes through, by their places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Path {
    /// The one that is asked.
    pub entry: usize,
    /// The one that has the file: the same one without a proxy, and where a proxy has kept the answer.
    pub web: usize,
    /// The one that the client is on, by its number; none at the switch.
    pub home: Option<usize>,
}

impl Path {
    pub fn origin(self) -> Origin {
        Origin {
            entry: self.entry,
            home: self.home,
        }
    }

    fn goes_on(self) -> bool {
        self.entry != self.web
    }
}

/// What a request takes.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Visits, and the station.
    pub visits: Vec<(usize, Visits)>,
    /// What passes a way of a link: its number, 0 for what its node receives and 1 for what that sends.
    pub passed: Vec<(usize, usize, Wire)>,
    /// From the request to the first and to the last byte of the answer, where nothing else is under way, seconds.
    pub first_byte_s: f64,
    pub response_s: f64,
    /// From when a proxy hands it on to the last byte of the answer there, where nothing else is under way, seconds.
    pub behind_s: f64,
    handed_on_s: f64,
    /// Calls to a file server.
    pub calls: Vec<AlikeCalls>,
    /// What that reads; nothing where no file server has the file.
    pub server: Option<ServerReads>,
}

/// What a file server reads for a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerReads {
    /// Its place.
    pub at: usize,
    pub reads: f64,
    /// Those that wait for no disk.
    pub hits: f64,
    pub device_bytes: f64,
}

/// When the first and the last byte of a message come to where it goes, seconds.
#[derive(Clone, Copy, Debug)]
struct Arrival {
    head_s: f64,
    tail_s: f64,
}

/// A station that the pieces of an answer pass one after the other.
#[derive(Clone, Copy, Debug, Default)]
struct Passage {
    free_s: f64,
    busy_s: f64,
    square: f64,
}

impl Passage {
    /// A piece that is there from `from_s` on takes so long; when that begins.
    fn pass(&mut self, from_s: f64, takes_s: f64) -> f64 {
        let begins_s = from_s.max(self.free_s);
        self.free_s = begins_s + takes_s;
        self.busy_s += takes_s;
        // A piece waits for those before it, unless they come no faster than they pass.
        self.square += takes_s * (takes_s + 2.0 * (begins_s - from_s));
        begins_s
    }

    /// All pieces as one visit, which counts so many times as long.
    fn visit(&self, times: f64) -> Visits {
        Visits {
            number: 1.0,
            seconds: self.busy_s * times,
            variance: 0.0,
            square: self.square * times * times,
        }
    }
}

impl Plant<'_> {
    /// What a request for `file` takes, of which so much is missing in the node's memory, and in that of its file server.
    pub fn work(&self, path: Path, file: File, (missing, mounted): (Missing, Mounted)) -> Work {
        let mut work = Work::default();
        let asked_s = self.ask(&mut work, path, file);
        let calls = self.call(&mut work, path, (file, missing), mounted);
        self.answer(&mut work, path, (file, missing), (asked_s, calls.as_ref()));
        if let Some(calls) = calls {
            work.calls = calls.alike;
        }
        if let Role::Web(web) = &self.tiers.nodes[path.web].role
            && !missing.is_none()
            && let Some(disks) = &self.nodes[path.web].disks[web.store_of(file.site)]
        {
            let visits = disks.stations().zip(disks.devices.visits(missing));
            work.visits.extend(visits);
        }
        work
    }

    /// Calls to the file server that has the file, where one does.
    fn call(
        &self,
        work: &mut Work,
        path: Path,
        (file, missing): (File, Missing),
        mounted: Mounted,
    ) -> Option<Calls> {
        let Role::Web(web) = &self.tiers.nodes[path.web].role else {
            return None;
        };
        // The last page of a file is seldom full.
        let read = Missing {
            bytes: missing.bytes.min(file.bytes),
            ..missing
        };
        let mut calls = self.calls((path.web, web.store_of(file.site)), read, mounted)?;
        work.visits.append(&mut calls.visits);
        work.passed.append(&mut calls.passed);
        work.server = Some(ServerReads {
            at: calls.server,
            reads: calls.reads,
            hits: calls.hits,
            device_bytes: calls.device_bytes,
        });
        Some(calls)
    }

    /// The way to the file; when the web node has served the request.
    fn ask(&self, work: &mut Work, path: Path, file: File) -> f64 {
        let mut now_s = 0.0;
        let mut from = path.home;
        if path.goes_on() {
            now_s += request_passes(work, self.leg(from, Some(path.entry)));
            now_s += self.request_is_served(work, path.entry, file);
            work.handed_on_s = now_s;
            from = Some(path.entry);
        }
        now_s += request_passes(work, self.leg(from, Some(path.web)));
        now_s + self.request_is_served(work, path.web, file)
    }

    fn request_is_served(&self, work: &mut Work, at: usize, file: File) -> f64 {
        let node = &self.tiers.nodes[at];
        let ns = match &node.role {
            Role::Web(web) => store::request_ns(web, file),
            Role::Proxy(proxy) => proxy.request_ns,
            Role::Files(_) => 0,
        };
        self.is_worked_on(work, at, ns)
    }

    /// Processors of a node work on something; how long that takes alone.
    fn is_worked_on(&self, work: &mut Work, at: usize, ns: u64) -> f64 {
        let processors = self.tiers.nodes[at].processors;
        let seconds = processors.seconds(ns);
        let visit = Visits::one(seconds * processing::times_alone(processors));
        work.visits.push((self.nodes[at].processors, visit));
        seconds
    }

    /// The way back, piece after piece, from `asked_s` on. Where a file server has the file, it is opened first.
    fn answer(
        &self,
        work: &mut Work,
        path: Path,
        of: (File, Missing),
        (asked_s, calls): (f64, Option<&Calls>),
    ) {
        let opened_s = asked_s + calls.map_or(0.0, |it| it.opening_s);
        let (to, mut front) = match path.goes_on() {
            false => (path.home, None),
            true => {
                let road = Road::of(self.leg(Some(path.entry), path.home));
                (Some(path.entry), Some(Front::before(road)))
            }
        };
        let mut road = Road::of(self.leg(Some(path.web), to));
        let mut processors = Passage::default();
        let (file, _) = of;
        // An empty file is a piece of no bytes.
        for start in (0..file.bytes.max(1)).step_by(PIECE_BYTES as usize) {
            let piece = Piece::of(start, file.bytes);
            let ready_s = match calls {
                Some(calls) => opened_s + calls.ready_s(read_by(piece.end, file.bytes)),
                None => opened_s + self.ready_s(path, of, piece),
            };
            let takes_s = self.is_worked_on(work, path.web, self.piece_ns(path, file, piece));
            processors.pass(ready_s, takes_s);
            let mut arrival = road.carry(work, piece, processors.free_s);
            if let Some(front) = &mut front {
                arrival = self.goes_on(work, front, path, (piece, arrival.tail_s));
            }
            if piece.is_first() {
                work.first_byte_s = arrival.head_s;
            }
            work.response_s = arrival.tail_s;
        }
        road.add_visits(work);
        if let Some(front) = front {
            work.behind_s = front.got_s - work.handed_on_s;
            let (entry, node) = (&self.nodes[path.entry], &self.tiers.nodes[path.entry]);
            let times = processing::times_alone(node.processors);
            work.visits
                .push((entry.processors, front.processors.visit(times)));
            front.road.add_visits(work);
        }
    }

    /// How long it takes until a piece is in memory.
    fn ready_s(&self, path: Path, (file, missing): (File, Missing), piece: Piece) -> f64 {
        let Role::Web(web) = &self.tiers.nodes[path.web].role else {
            return 0.0;
        };
        let disks = self.nodes[path.web].disks[web.store_of(file.site)].as_ref();
        let part = read_by(piece.end, file.bytes);
        disks.map_or(0.0, |it| it.devices.ready_s(missing, part))
    }

    /// Processor time of a piece in the node that has the file, nanoseconds.
    fn piece_ns(&self, path: Path, file: File, piece: Piece) -> u64 {
        match &self.tiers.nodes[path.web].role {
            Role::Web(web) => {
                let store = &web.stores[web.store_of(file.site)];
                Pieces::of(&store.profile).ns(piece.start, piece.end)
            }
            Role::Proxy(proxy) => proxy.piece_ns(piece.bytes(), false),
            Role::Files(_) => 0,
        }
    }

    /// A piece goes through the proxy, which got it then.
    fn goes_on(
        &self,
        work: &mut Work,
        front: &mut Front,
        path: Path,
        (piece, got_s): (Piece, f64),
    ) -> Arrival {
        let node = &self.tiers.nodes[path.entry];
        front.got_s = got_s;
        let Role::Proxy(proxy) = &node.role else {
            return Arrival::at(got_s);
        };
        let ns = proxy.piece_ns(piece.bytes(), piece.is_first());
        front.processors.pass(got_s, node.processors.seconds(ns));
        let done_s = front.processors.free_s;
        front.road.carry(work, piece, done_s)
    }
}

/// A request passes links; how long that takes alone.
fn request_passes(work: &mut Work, leg: Leg) -> f64 {
    let ways = [leg.out, leg.into].into_iter().flatten();
    let each = ways.map(|way| {
        let wire = Wire::of(REQUEST_BYTES, way.link.mtu_bytes, false);
        let passing_s = passing_s(way.link, wire.bytes);
        work.visits.push((way.station, Visits::one(passing_s)));
        work.passed.push((way.number, way.way, wire));
        passing_s + delay_s(way.link)
    });
    each.sum()
}

/// The links that the pieces of an answer pass from one node to another.
struct Road {
    leg: Leg,
    out: Passage,
    into: Passage,
}

impl Road {
    fn of(leg: Leg) -> Self {
        Self {
            leg,
            out: Passage::default(),
            into: Passage::default(),
        }
    }

    /// A piece that is sent then passes them.
    fn carry(&mut self, work: &mut Work, piece: Piece, from_s: f64) -> Arrival {
        let mut arrival = Arrival::at(from_s);
        if let Some(way) = self.leg.out {
            arrival = self.out.sends(work, way, piece, from_s);
        }
        if let Some(way) = self.leg.into {
            arrival = self.into.receives(work, way, piece, arrival);
        }
        arrival
    }

    /// All of the answer has passed them.
    fn add_visits(&self, work: &mut Work) {
        for (way, passage) in [(self.leg.out, &self.out), (self.leg.into, &self.into)] {
            if let Some(way) = way {
                work.visits.push((way.station, passage.visit(1.0)));
            }
        }
    }
}

impl Arrival {
    /// All of it at once.
    fn at(now_s: f64) -> Self {
        Self {
            head_s: now_s,
            tail_s: now_s,
        }
    }
}

impl Passage {
    /// A piece passes the link of whoever sends.
    fn sends(&mut self, work: &mut Work, way: Way, piece: Piece, from_s: f64) -> Arrival {
        let wire = piece.wire(way.link);
        work.passed.push((way.number, way.way, wire));
        let begins_s = self.pass(from_s, passing_s(way.link, wire.bytes));
        Arrival {
            head_s: begins_s + piece.packet_s(way.link) + delay_s(way.link),
            tail_s: self.free_s + delay_s(way.link),
        }
    }

    /// A piece passes the link into whom it is for. It begins after its first packet, as in simulations.
    fn receives(&mut self, work: &mut Work, way: Way, piece: Piece, arrival: Arrival) -> Arrival {
        let wire = piece.wire(way.link);
        work.passed.push((way.number, way.way, wire));
        let begins_s = self.pass(arrival.head_s, passing_s(way.link, wire.bytes));
        let packet_s = piece.packet_s(way.link);
        Arrival {
            head_s: begins_s + packet_s + delay_s(way.link),
            tail_s: self.free_s.max(arrival.tail_s + packet_s) + delay_s(way.link),
        }
    }
}

/// A piece of an answer: bytes of the file from one to another.
#[derive(Clone, Copy, Debug)]
struct Piece {
    start: u64,
    end: u64,
}

impl Piece {
    fn of(start: u64, file_bytes: u64) -> Self {
        Self {
            start,
            end: (start + PIECE_BYTES).min(file_bytes),
        }
    }

    fn bytes(self) -> u64 {
        self.end - self.start
    }

    fn is_first(self) -> bool {
        self.start == 0
    }

    fn http_bytes(self) -> u64 {
        let head_bytes = if self.is_first() { HEAD_BYTES } else { 0 };
        head_bytes + self.bytes()
    }

    fn wire(self, link: Link) -> Wire {
        Wire::of(self.http_bytes(), link.mtu_bytes, true)
    }

    /// How long its first packet passes.
    fn packet_s(self, link: Link) -> f64 {
        passing_s(link, packet_bytes(self.http_bytes(), link.mtu_bytes))
    }
}

/// The proxy, as an answer passes it.
struct Front {
    processors: Passage,
    /// From there on.
    road: Road,
    /// When it has the last piece.
    got_s: f64,
}

impl Front {
    fn before(road: Road) -> Self {
        Self {
            processors: Passage::default(),
            road,
            got_s: 0.0,
        }
    }
}

/// The share of a file that has been read when its bytes up to `end` have: a window of read-ahead is waited for as a whole.
fn read_by(end: u64, file_bytes: u64) -> f64 {
    const WINDOW_BYTES: u64 = 2 * PIECE_BYTES;
    if file_bytes == 0 {
        return 1.0;
    }
    let read = (end.div_ceil(WINDOW_BYTES) * WINDOW_BYTES).min(file_bytes);
    read as f64 / file_bytes as f64
}

fn passing_s(link: Link, bytes: u64) -> f64 {
    link.passing_ns(bytes) as f64 / 1e9
}

fn delay_s(link: Link) -> f64 {
    link.delay_ns as f64 / 1e9
}
