//! A disk with the scheduler before it.

use hotset_outcome::Resource;

use super::event::DeviceEvent;
use super::raid::Members;
use super::scheduler::{Choice, Scheduler};
use super::{Device, Request};
use crate::calendar::Calendar;

impl Members for [DiskQueue] {
    fn end(&self, disk: usize) -> u64 {
        self[disk].end
    }

    fn length(&self, disk: usize) -> usize {
        self[disk].length
    }
}

/// A disk with the scheduler before it.
pub(super) struct DiskQueue {
    scheduler: Box<dyn Scheduler>,
    device: Box<dyn Device>,
    /// Requests that are not served yet, and those of them that the device has.
    length: usize,
    taken: usize,
    /// Where the last request that came ends.
    end: u64,
    /// When the scheduler is to choose anew.
    chooses_ns: Option<u64>,
    /// What the device has begun: when each is done, and its number.
    begun: Vec<(u64, u32)>,
    /// Time that requests waited in the scheduler.
    waited_ns: u64,
}

impl DiskQueue {
    pub fn new(scheduler: Box<dyn Scheduler>, device: Box<dyn Device>) -> Self {
        Self {
            scheduler,
            device,
            length: 0,
            taken: 0,
            end: 0,
            chooses_ns: None,
            begun: Vec::new(),
            waited_ns: 0,
        }
    }

    pub fn add(&mut self, now_ns: u64, request: Request) {
        self.end = request.end();
        self.length += 1;
        self.scheduler.add(now_ns, request);
    }

    /// Gives the device what it takes.
    pub fn choose(&mut self, now_ns: u64, disk: u32, calendar: &mut impl Calendar<DeviceEvent>) {
        while self.taken < self.device.slots() {
            match self.scheduler.next(now_ns) {
                Choice::Serve(request) => {
                    self.taken += 1;
                    self.waited_ns += now_ns - request.asked_ns;
                    self.device.accept(now_ns, &request, &mut self.begun);
                }
                Choice::Idle { until_ns } => {
                    if self.chooses_ns != Some(until_ns) {
                        self.chooses_ns = Some(until_ns);
                        calendar.at(until_ns, DeviceEvent::Chooses { disk });
                    }
                    break;
                }
                Choice::None => break,
            }
        }
        for (done_ns, request) in self.begun.drain(..) {
            calendar.at(done_ns, DeviceEvent::Served { disk, request });
        }
    }

    /// The device has served `request`.
    pub fn served(
        &mut self,
        now_ns: u64,
        disk: u32,
        request: &Request,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        self.length -= 1;
        self.taken -= 1;
        self.device.served(now_ns, &mut self.begun);
        self.scheduler.served(now_ns, request);
        self.choose(now_ns, disk, calendar);
    }

    pub fn count_anew(&mut self) {
        self.waited_ns = 0;
        self.device.count_anew();
    }

    pub fn resources(&self, length_ns: u64, prefix: &str) -> Vec<Resource> {
        let mut resources = self.device.resources(length_ns);
        for resource in &mut resources {
            resource.name = format!("{prefix}{}", resource.name);
        }
        // Those who wait in the scheduler wait for the device's first part.
        let first = resources.first_mut();
        if let Some(length) = first.and_then(|it| it.mean_queue_length.as_mut()) {
            *length += self.waited_ns as f64 / length_ns.max(1) as f64;
        }
        resources
    }
}
