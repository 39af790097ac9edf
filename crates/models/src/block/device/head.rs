//! A disk drive with a head: the very drive that the lab plays, with the queue before it. A write is served by the same mechanics as a
//! read. It is done when it is on the platters: the drive has no volatile cache.

use hotset_outcome::Resource;
use hotset_scenario::{DriveDevice, DriveQueue};

use super::Device;
use crate::block::Request;
use crate::disk::{Drive, DriveModel, Elevator};
use crate::station::resource;

/// Requests wait for the one head.
#[derive(Debug)]
pub(crate) struct Head {
    drive: Drive,
    waiting: Elevator<Request>,
    slots: usize,
    /// Time that a request is on its way, once there and once back. The drive sends an answer before it looks for the next
    /// request, while the platters turn on.
    way_ns: u64,
    /// A byte's passing to the host, which is part of the way back.
    ns_per_byte: f64,
    is_busy: bool,
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
        };
        Self {
            drive: Drive::new(model, spec.capacity_bytes),
            waiting: Elevator::default(),
            slots: match spec.queue {
                DriveQueue::Elevator => usize::MAX,
                DriveQueue::Fifo => 1,
            },
            way_ns: (spec.overhead_us * 1e3 / 2.0) as u64,
            ns_per_byte: spec.interface_bytes_per_us.map_or(0.0, |rate| 1e3 / rate),
            is_busy: false,
            busy_ns: 0,
            stay_ns: 0,
        }
    }

    fn begin(&mut self, now_ns: u64, begun: &mut Vec<(u64, u32)>) {
        let head = self.drive.head(now_ns);
        let Some(request) = self.waiting.pop(now_ns, head) else {
            return;
        };
        let service = match request.writes {
            true => self.drive.write(now_ns, request.offset, request.bytes),
            false => self.drive.read(now_ns, request.offset, request.bytes),
        };
        self.is_busy = true;
        let passing_ns = (request.bytes as f64 * self.ns_per_byte) as u64;
        let answered_ns = service.done_ns + passing_ns + self.way_ns;
        let took_ns = answered_ns - now_ns;
        self.busy_ns += took_ns;
        self.stay_ns += took_ns * (1 + self.waiting.len() as u64);
        begun.push((answered_ns, request.number));
    }
}

impl Device for Head {
    fn slots(&self) -> usize {
        self.slots
    }

    fn accept(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>) {
        self.waiting.push(now_ns, request.offset, *request);
        if !self.is_busy {
            self.begin(now_ns + self.way_ns, begun);
        }
    }

    fn served(&mut self, now_ns: u64, begun: &mut Vec<(u64, u32)>) {
        self.is_busy = false;
        self.begin(now_ns, begun);
    }

    fn count_anew(&mut self) {
        (self.busy_ns, self.stay_ns) = (0, 0);
    }

    fn resources(&self, length_ns: u64) -> Vec<Resource> {
        // What documents call it.
        vec![resource("arm", self.busy_ns, self.stay_ns, 1, length_ns)]
    }
}
