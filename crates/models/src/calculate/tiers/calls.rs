//! What calls to file servers take: of each station, and from their beginning to their end where they are alone.
//!
//! A thread of the server is taken to be busy as long as its processors and disks work for its call. That it also waits for these, and keeps
//! others waiting meanwhile, is left to the stations that it waits at.

use super::plant::{Leg, Plant};
use super::processing;
use super::served::Mounted;
use crate::calculate::demand::Visits;
use crate::calculate::device::Missing;
use crate::remote::nfs::{FileCall, ReadMount};
use crate::remote::{Protocol, Work as Deed};
use crate::tiers::{Export, Files, PIECE_BYTES, Role, Wire, call_packet_bytes};

/// Bytes that are asked for at a time: a window of read-ahead. The next one is asked for when this has come.
const WINDOW_BYTES: u64 = 2 * PIECE_BYTES;

/// What the calls of a request take.
#[derive(Debug, Default)]
pub(super) struct Calls {
    /// Visits, and the station.
    pub visits: Vec<(usize, Visits)>,
    /// What passes a way of a link: its number, 0 for what its node receives and 1 for what that sends.
    pub passed: Vec<(usize, usize, Wire)>,
    /// Calls that are alike.
    pub alike: Vec<AlikeCalls>,
    /// How long the request waits for its file to be opened, seconds.
    pub opening_s: f64,
    /// Parts that what is missing comes in, one after the other, and how long each takes, seconds.
    pub parts: f64,
    pub part_s: f64,
    /// The file server by its place, and what it reads.
    pub server: usize,
    pub reads: f64,
    /// Reads that wait for no disk.
    pub hits: f64,
    pub device_bytes: f64,
}

/// Calls of one name that are alike.
#[derive(Debug)]
pub(super) struct AlikeCalls {
    pub name: &'static str,
    pub number: f64,
    /// How long one takes alone, seconds.
    pub alone_s: f64,
    /// Visits of one, and the station.
    pub visits: Vec<(usize, Visits)>,
}

/// One call.
#[derive(Debug, Default)]
struct One {
    visits: Vec<(usize, Visits)>,
    passed: Vec<(usize, usize, Wire)>,
    alone_s: f64,
    /// The longest service at a station, seconds: how far calls follow each other that are made together.
    longest_s: f64,
}

impl One {
    /// A message passes links; how long that takes alone. A link passes it on after its first packet.
    fn passes(&mut self, leg: Leg, bytes: u64, is_datagram: bool) -> f64 {
        let (mut head_s, mut tail_s) = (0.0, 0.0);
        for way in [leg.out, leg.into].into_iter().flatten() {
            let mtu_bytes = way.link.mtu_bytes;
            let wire = Wire::of_call(bytes, mtu_bytes, is_datagram);
            let passing_s = way.passing_s(wire.bytes);
            let packet_s = way.passing_s(call_packet_bytes(bytes, mtu_bytes, is_datagram));
            self.serve(way.station, passing_s, passing_s);
            self.passed.push((way.number, way.way, wire));
            tail_s = f64::max(head_s + passing_s, tail_s + packet_s) + way.delay_s();
            head_s += packet_s + way.delay_s();
        }
        tail_s
    }

    /// A station serves it for so long, of which it has the last part for itself.
    fn serve(&mut self, station: usize, seconds: f64, alone_s: f64) {
        self.visits.push((station, Visits::one(seconds)));
        self.longest_s = self.longest_s.max(alone_s);
    }
}

/// The way of calls of a node to a file server.
struct CallWay<'p> {
    plant: &'p Plant<'p>,
    web: usize,
    server: usize,
    files: &'p Files,
    export: Export,
}

impl Plant<'_> {
    /// Calls of a request at the node `web` for a file of a store, of which this is missing there and at the server. Nothing where no file server
    /// has the store.
    pub fn calls(
        &self,
        (web, store): (usize, usize),
        missing: Missing,
        mounted: Mounted,
    ) -> Option<Calls> {
        let (server, export) = self.mount(store)?;
        let Role::Files(files) = &self.tiers.nodes[server].role else {
            return None;
        };
        let way = CallWay {
            plant: self,
            web,
            server,
            files,
            export,
        };
        let mut calls = Calls {
            server,
            ..Calls::default()
        };
        let [first, second, close] = ReadMount::usual(export.mount, mounted.is_first);
        for call in [first, second].into_iter().flatten() {
            let one = way.one(&call, 0.0);
            calls.opening_s += one.alone_s;
            calls.add(call.name, 1, one);
        }
        // Nobody waits for it.
        if let Some(call) = close {
            calls.add(call.name, 1, way.one(&call, 0.0));
        }
        if !missing.is_none() {
            way.read(&mut calls, missing, mounted.missing);
        }
        Some(calls)
    }
}

impl CallWay<'_> {
    /// READs of what is missing, of which the server lacks a part.
    fn read(&self, calls: &mut Calls, missing: Missing, lacks: Missing) {
        let windows = missing.bytes.div_ceil(WINDOW_BYTES);
        let parts = windows.max(u64::from(missing.gaps)).max(1);
        let most_bytes = self.export.mount.read_bytes.max(1);
        let together = (missing.bytes / parts).div_ceil(most_bytes).max(1);
        let reads = parts * together;
        let mount = ReadMount::new(self.export.mount, 1);
        let Some(call) = mount.read(0, (0, (missing.bytes / reads).max(1))).next() else {
            return;
        };
        let disks = self.plant.nodes[self.server].disks.first();
        let disk = disks.and_then(Option::as_ref);
        let disk_s = disk.map_or(0.0, |it| it.devices.ready_s(lacks, 1.0)) / reads as f64;
        let one = self.one(&call, disk_s);
        calls.parts = parts as f64;
        calls.part_s = one.alone_s + (together - 1) as f64 * one.longest_s;
        calls.add(call.name, reads, one);
        if let Some(disk) = disk.filter(|_| !lacks.is_none()) {
            calls
                .visits
                .extend(disk.stations().zip(disk.devices.visits(lacks)));
        }
        let share = lacks.bytes as f64 / missing.bytes.max(1) as f64;
        calls.reads = reads as f64;
        calls.hits = reads as f64 * (1.0 - share.min(1.0));
        calls.device_bytes = lacks.bytes as f64;
    }

    /// A call whose thread waits so long for disks where it is alone.
    fn one(&self, call: &FileCall, disk_s: f64) -> One {
        let is_datagram = self.export.transport.protocol == Protocol::Udp;
        let (plant, both) = (self.plant, (Some(self.web), Some(self.server)));
        let mut one = One::default();
        let out_s = one.passes(plant.leg(both.0, both.1), call.call_bytes, is_datagram);
        let server_s = self.serves(&mut one, call, disk_s);
        let back_s = one.passes(plant.leg(both.1, both.0), call.answer_bytes, is_datagram);
        let client_s = self.takes_in(&mut one, call);
        one.alone_s = out_s + server_s + back_s + client_s;
        if let Some(turns) = plant.nodes[self.web].turns.filter(|_| call.is_in_turn) {
            one.serve(turns, one.alone_s, one.alone_s);
        }
        one
    }

    /// The server answers it; how long that takes alone.
    fn serves(&self, one: &mut One, call: &FileCall, disk_s: f64) -> f64 {
        let costs = self.files.costs;
        let read_bytes = match call.work {
            Deed::Read { bytes, .. } => bytes,
            Deed::Nothing | Deed::Write { .. } | Deed::Commit { .. } => 0,
        };
        let call_s = costs.call_ns as f64 / 1e9;
        let bytes_s = costs.bytes_ns(read_bytes) as f64 / 1e9;
        let stations = &self.plant.nodes[self.server];
        let processors = self.files.processors.max(1) as f64;
        for seconds in [call_s, bytes_s] {
            if seconds > 0.0 {
                one.serve(stations.processors, seconds, seconds / processors);
            }
        }
        let all_s = call_s + disk_s + bytes_s;
        if let Some(threads) = stations.threads {
            one.serve(threads, all_s, all_s / self.files.threads.max(1) as f64);
        }
        all_s
    }

    /// The node takes its answer in; how long that takes alone.
    fn takes_in(&self, one: &mut One, call: &FileCall) -> f64 {
        let costs = self.export.client_costs;
        let ns = costs.call_ns + costs.bytes_ns(call.answer_bytes);
        let processors = self.plant.tiers.nodes[self.web].processors;
        let seconds = processors.seconds(ns);
        let station = self.plant.nodes[self.web].processors;
        let times = processing::times_alone(processors);
        one.serve(station, seconds * times, seconds);
        seconds
    }
}

impl Calls {
    /// Adds so many calls that are alike.
    fn add(&mut self, name: &'static str, number: u64, one: One) {
        let times = number as f64;
        let visits = one.visits.iter().map(|&(station, visits)| {
            let visits = Visits {
                number: visits.number * times,
                ..visits
            };
            (station, visits)
        });
        self.visits.extend(visits);
        let passed = one.passed.iter().map(|&(link, way, wire)| {
            let all = Wire {
                bytes: wire.bytes * number,
                packets: wire.packets * number,
                acks: wire.acks * number,
            };
            (link, way, all)
        });
        self.passed.extend(passed);
        self.alike.push(AlikeCalls {
            name,
            number: times,
            alone_s: one.alone_s,
            visits: one.visits,
        });
    }

    /// How long it takes from when the file is open until the share `part` of it has been read, seconds.
    pub fn ready_s(&self, part: f64) -> f64 {
        (part * self.parts).ceil().max(self.parts.min(1.0)) * self.part_s
    }
}
