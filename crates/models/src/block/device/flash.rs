//! A solid-state drive: pages of flash on channels that work side by side, behind one interface. Neither mapping nor cleaning is
//! followed.
//!
//! The parts are those of N. Agrawal et al., "Design tradeoffs for SSD performance", 2008: an array read, an array program, a channel's bus, the
//! host's interface. What is written goes to the channels in turn, as drives place it anew each time. Where a profile does not say what programming
//! takes, a write takes as long as a read.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use hotset_outcome::Resource;
use hotset_scenario::SsdDevice;

use super::Device;
use crate::block::Request;
use crate::station::Station;

/// What is in the drive's cache of writes: until when, and its bytes; what leaves first on top.
#[derive(Clone, Debug, Default)]
struct Cache {
    held: BinaryHeap<Reverse<(u64, u64)>>,
    held_bytes: u64,
}

impl Cache {
    /// When there is room for so many bytes more, from a time on. Alone, anything has room.
    fn room_ns(&mut self, now_ns: u64, bytes: u64, capacity_bytes: u64) -> u64 {
        let mut room_ns = now_ns;
        while let Some(&Reverse((until_ns, held))) = self.held.peek() {
            let is_full = self.held_bytes + bytes > capacity_bytes;
            if until_ns > room_ns && !is_full {
                break;
            }
            room_ns = room_ns.max(until_ns);
            self.held_bytes -= held;
            self.held.pop();
        }
        room_ns
    }

    fn hold(&mut self, until_ns: u64, bytes: u64) {
        self.held.push(Reverse((until_ns, bytes)));
        self.held_bytes += bytes;
    }
}

/// Pages lie on the channels in turn.
#[derive(Clone, Debug)]
pub(crate) struct Flash {
    spec: SsdDevice,
    channels: Vec<Station>,
    interface: Station,
    /// The channel that is written to next.
    next: usize,
    cache: Cache,
    /// When all that it has is programmed.
    programmed_ns: u64,
}

impl Flash {
    pub fn new(spec: &SsdDevice) -> Self {
        Self {
            spec: spec.clone(),
            channels: vec![Station::new(1); spec.channels],
            interface: Station::new(1),
            next: 0,
            cache: Cache::default(),
            programmed_ns: 0,
        }
    }

    /// A request's part of a page is there; the channel is busy with the array and with the bus.
    fn page(&mut self, now_ns: u64, page: u64, bytes: u64) -> u64 {
        let channel = (page % self.spec.channels as u64) as usize;
        let busy_us = self.spec.read_us + bytes as f64 / self.spec.bus_bytes_per_us;
        self.channels[channel].serve(now_ns, (busy_us * 1e3) as u64)
    }

    /// When a request is read.
    fn read(&mut self, started_ns: u64, request: &Request) -> u64 {
        let mut done_ns = started_ns;
        for (page, bytes) in pages(request, self.spec.page_bytes) {
            let read_ns = self.page(started_ns, page, bytes);
            done_ns = done_ns.max(self.pass(read_ns, bytes));
        }
        done_ns
    }

    /// Bytes have passed the interface.
    fn pass(&mut self, now_ns: u64, bytes: u64) -> u64 {
        let passing_us = bytes as f64 / self.spec.interface_bytes_per_us;
        self.interface.serve(now_ns, (passing_us * 1e3) as u64)
    }

    /// When a request is written, programming taking so long: once it is in the cache, else once all of it is programmed.
    fn write(&mut self, started_ns: u64, request: &Request, program_us: f64) -> u64 {
        let capacity_bytes = self.spec.write_cache_bytes;
        let is_cached = capacity_bytes > 0 && !request.past_cache;
        let started_ns = match is_cached {
            true => self
                .cache
                .room_ns(started_ns, request.bytes, capacity_bytes),
            false => started_ns,
        };
        let (mut taken_ns, mut programmed_ns) = (started_ns, started_ns);
        for (_, bytes) in pages(request, self.spec.page_bytes) {
            taken_ns = taken_ns.max(self.pass(started_ns, bytes));
            let busy_us = program_us + bytes as f64 / self.spec.bus_bytes_per_us;
            let channel = &mut self.channels[self.next];
            programmed_ns = programmed_ns.max(channel.serve(taken_ns, (busy_us * 1e3) as u64));
            self.next = (self.next + 1) % self.spec.channels;
        }
        self.programmed_ns = self.programmed_ns.max(programmed_ns);
        if !is_cached {
            return programmed_ns;
        }
        self.cache.hold(programmed_ns, request.bytes);
        taken_ns
    }
}

/// Pages that a request has parts of, and bytes of each part.
fn pages(request: &Request, page_bytes: u64) -> impl Iterator<Item = (u64, u64)> {
    let (mut at, end) = (request.offset, request.end());
    std::iter::from_fn(move || {
        let page = at / page_bytes;
        let bytes = ((page + 1) * page_bytes).min(end) - at;
        at += bytes;
        (bytes > 0).then_some((page, bytes))
    })
}

impl Device for Flash {
    fn slots(&self) -> usize {
        self.spec.queue_depth
    }

    fn accept(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>) {
        let started_ns = now_ns + (self.spec.command_us * 1e3) as u64;
        // A cache takes writes whatever programming takes.
        let program_us = match self.spec.write_cache_bytes {
            0 => self.spec.write_us,
            _ => Some(self.spec.write_us.unwrap_or(self.spec.read_us)),
        };
        let done_ns = match program_us.filter(|_| request.writes) {
            Some(program_us) => self.write(started_ns, request, program_us),
            None => self.read(started_ns, request),
        };
        begun.push((done_ns, request.number));
    }

    fn flush(&mut self, now_ns: u64, number: u32, begun: &mut Vec<(u64, u32)>) -> bool {
        let has_cache = self.spec.write_cache_bytes > 0;
        if has_cache {
            let started_ns = now_ns + (self.spec.command_us * 1e3) as u64;
            begun.push((started_ns.max(self.programmed_ns), number));
        }
        has_cache
    }

    fn count_anew(&mut self) {
        self.channels.iter_mut().for_each(Station::count_anew);
        self.interface.count_anew();
    }

    fn resources(&self, length_ns: u64) -> Vec<Resource> {
        vec![
            Station::resource_of(&self.channels, "channels", length_ns),
            self.interface.resource("interface", length_ns),
        ]
    }
}
