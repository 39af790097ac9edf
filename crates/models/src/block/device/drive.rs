//! A disk drive with a head: the very drive that the lab plays, with the queue before its arm.

use hotset_outcome::Resource;

use super::Device;
use crate::block::Request;
use crate::disk::{Drive, DriveModel, Elevator};
use crate::station::resource;

/// Requests wait for the one arm.
#[derive(Debug)]
pub(crate) struct DriveDevice {
    drive: Drive,
    waiting: Elevator<Request>,
    slots: usize,
    is_busy: bool,
    busy_ns: u64,
    stay_ns: u64,
}

impl DriveDevice {
    /// `slots`: requests that the drive orders by itself.
    pub fn new(model: DriveModel, capacity_bytes: u64, slots: usize) -> Self {
        Self {
            drive: Drive::new(model, capacity_bytes),
            waiting: Elevator::default(),
            slots,
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
        let service = self.drive.read(now_ns, request.offset, request.bytes);
        self.is_busy = true;
        let took_ns = service.done_ns - now_ns;
        self.busy_ns += took_ns;
        self.stay_ns += took_ns * (1 + self.waiting.len() as u64);
        begun.push((service.done_ns, request.number));
    }
}

impl Device for DriveDevice {
    fn slots(&self) -> usize {
        self.slots
    }

    fn accept(&mut self, now_ns: u64, request: &Request, begun: &mut Vec<(u64, u32)>) {
        self.waiting.push(now_ns, request.offset, *request);
        if !self.is_busy {
            self.begin(now_ns, begun);
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
        vec![resource("arm", self.busy_ns, self.stay_ns, 1, length_ns)]
    }
}
