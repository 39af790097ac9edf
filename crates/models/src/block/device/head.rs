//! A disk drive with a head: the very drive that the lab plays, with the queue before it. A write is served by the same mechanics as a
//! read, and is done when it is on the platters, unless the drive has a volatile cache of writes.
//!
//! With such a cache a write is done once the drive has its bytes. The head serves other requests first, and puts on the platters what the cache
//! has when nothing else waits. Where a flush is waited for, or a write for room, both have their turn. A read goes to the platters even where the cache has
//! the bytes.

use hotset_outcome::Resource;
use hotset_scenario::{DriveDevice, DriveQueue};

use super::{Device, OWN_WORK};
use crate::block::Request;
use crate::disk::{CachedWrite, Drive, DriveModel, Elevator, WriteCache};
use crate::station::resource;

/// What the head does.
#[derive(Clone, Copy, Debug)]
enum Deed {
    /// It serves the request with this number.
    Serves(u32),
    /// It puts something of the cache on the platters.
    Empties(CachedWrite),
}

/// Requests wait for the one head.
#[derive(Debug)]
pub(crate) struct Head {
    drive: Drive,
    waiting: Elevator<Request>,
    /// Requests that wait for room in it, and numbers of those that flush it.
    cache: WriteCache<Request, u32>,
    slots: usize,
    /// Time that a request is on its way, once there and once back. The drive sends an answer before it looks for the next
    /// request, while the platters turn on.
    way_ns: u64,
    /// A byte's passing to the host, which is part of the way back.
    ns_per_byte: f64,
    deed: Option<Deed>,
    /// Whether the cache had the last turn.
    has_emptied: bool,
    busy_ns: u64,
    stay_ns: u64,
}

impl Head {
    /// A drive with an elevator orders by itself what it is given; another takes one request at a time.
    pub fn new(spec: &DriveDevice) -> Self {
        let model = DriveModel {
            track_to_track_us: spec.track_to_track_us,
            average_seek_us: spec.average_seek_us,
            revolutions_per_minute: spec.revolutions_per_minute,
            bytes_per_s: spec.bytes_per_s,
            read_ahead_bytes: spec.read_ahead_bytes,
            write_cache_bytes: spec.write_cache_bytes,
        };
        Self {
            drive: Drive::new(model, spec.capacity_bytes),
            waiting: match spec.queue {
                DriveQueue::Elevator | DriveQueue::Fifo => Elevator::default(),
                DriveQueue::Sweep => Elevator::without_deadline(),
            },
            cache: WriteCache::new(spec.write_cache_bytes),
            slots: match spec.queue {
                DriveQueue::Elevator | DriveQueue::Sweep => usize::MAX,
                DriveQueue::Fifo => 1,
            },
            way_ns: (spec.overhead_us * 1e3 / 2.0) as u64,
            ns_per_byte: spec.interface_bytes_per_us.map_or(0.0, |rate| 1e3 / rate),
            deed: None,
            has_emptied: false,
            busy_ns: 0,
            stay_ns: 0,
        }
    }

    /// The head's next deed, where something is to be done.
    fn begin(&mut self, now_ns: u64, begun: &mut Vec<(u64, u32)>) {
        let empties_first = self.cache.is_pressed() && !self.has_emptied;
        let has_begun = match empties_first {
            true => self.empty(now_ns, begun) || self.serve(now_ns, begun),
            false => self.serve(now_ns, begun) || self.empty(now_ns, begun),
        };
        if !has_begun {
            self.deed = None;
        }
    }

    /// Serves a request, if one waits.
    fn serve(&mut self, now_ns: u64, begun: &mut Vec<(u64, u32)>) -> bool {
        let head = self.drive.head(now_ns);
        let Some(request) = self.waiting.pop(now_ns, head) else {
            return false;
        };
        let service = match request.writes {
            true => self.drive.write(now_ns, request.offset, request.bytes),
            false => self.drive.read(now_ns, request.offset, request.bytes),
        };
        self.deed = Some(Deed::Serves(request.number));
        self.has_emptied = false;
        let answered_ns = service.done_ns + self.passing_ns(request.bytes) + self.way_ns;
        self.count(answered_ns - now_ns);
        begun.push((answered_ns, request.number));
        true
    }

    /// Puts something of the cache on the platters, if it has something.
    fn empty(&mut self, now_ns: u64, begun: &mut Vec<(u64, u32)>) -> bool {
        let head = self.drive.head(now_ns);
        let Some(write) = self.cache.take(now_ns, head) else {
            return false;
        };
        let service = self.drive.write(now_ns, write.offset, write.bytes);
        self.deed = Some(Deed::Empties(write));
        self.has_emptied = true;
        self.count(service.done_ns - now_ns);
        begun.push((service.done_ns, OWN_WORK));
        true
    }

    fn count(&mut self, took_ns: u64) {
        self.busy_ns += took_ns;
        self.stay_ns += took_ns * (1 + self.waiting.len() as u64);
    }

    fn passing_ns(&self, bytes: u64) -> u64 {
        (bytes as f64 * self.ns_per_byte) as u64
    }

    /// The cache takes a write, and it is answered.
    fn hold(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>) {
        self.cache.hold(now_ns, request.offset, request.bytes);
        let answered_ns = now_ns + self.passing_ns(request.bytes) + self.way_ns;
        begun.push((answered_ns, request.number));
    }
}

impl Device for Head {
    fn slots(&self) -> usize {
        self.slots
    }

    fn accept(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>) {
        let there_ns = now_ns + self.way_ns;
        let is_cached = request.writes && !request.past_cache && !self.cache.is_none();
        if !is_cached {
            self.waiting.push(now_ns, request.offset, *request);
        } else if self.cache.has_room(request.bytes) {
            self.hold(there_ns, request, begun);
        } else {
            self.cache.push_waiting(request.bytes, *request);
        }
        if self.deed.is_none() {
            self.begin(there_ns, begun);
        }
    }

    fn served(&mut self, now_ns: u64, number: u32, begun: &mut Vec<(u64, u32)>) {
        // Another one was answered by the cache.
        if matches!(self.deed, Some(Deed::Serves(served)) if served == number) {
            self.begin(now_ns, begun);
        }
    }

    fn goes_on(&mut self, now_ns: u64, begun: &mut Vec<(u64, u32)>) {
        if let Some(Deed::Empties(write)) = self.deed {
            let flushed = self.cache.end(write);
            begun.extend(
                flushed
                    .into_iter()
                    .map(|number| (now_ns + self.way_ns, number)),
            );
            while let Some(request) = self.cache.pop_waiting() {
                self.hold(now_ns, &request, begun);
            }
        }
        self.begin(now_ns, begun);
    }

    fn flush(&mut self, now_ns: u64, number: u32, begun: &mut Vec<(u64, u32)>) -> bool {
        if self.cache.is_none() {
            return false;
        }
        if self.cache.flush(number).is_some() {
            begun.push((now_ns + 2 * self.way_ns, number));
        }
        true
    }

    fn count_anew(&mut self) {
        (self.busy_ns, self.stay_ns) = (0, 0);
    }

    fn resources(&self, length_ns: u64) -> Vec<Resource> {
        // What documents call it.
        vec![resource("arm", self.busy_ns, self.stay_ns, 1, length_ns)]
    }
}
