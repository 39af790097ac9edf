//! A disk with the scheduler before it.

use hotset_outcome::Resource;

use super::device::OWN_WORK;
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
    /// What the device has begun: when each is done, and its number, or [`OWN_WORK`].
    begun: Vec<(u64, u32)>,
    /// Requests that the device has, where that is followed.
    issued: Vec<Issued>,
    follows: bool,
    /// Time that requests waited in the scheduler.
    waited_ns: u64,
    /// The device's own time, where it is slower or faster than it was.
    own_time: Option<OwnTime>,
}

/// A request that a device has.
#[derive(Clone, Copy, Debug)]
struct Issued {
    number: u32,
    writes: bool,
    since_ns: u64,
}

/// The time of a device whose speed has changed: all that it does takes as long in it as before.
#[derive(Clone, Copy, Debug)]
struct OwnTime {
    /// When the speed changed, and what time it was at the device.
    since_ns: u64,
    own_ns: u64,
    speed: f64,
}

impl OwnTime {
    /// What time it is at the device. Few devices change their speed. Inlined, compilers compute it for all of them, which took an eighth of a
    /// random read.
    #[cold]
    #[inline(never)]
    fn at(self, now_ns: u64) -> u64 {
        self.own_ns + ((now_ns - self.since_ns) as f64 * self.speed) as u64
    }

    /// When it is so late at the device.
    #[cold]
    #[inline(never)]
    fn when(self, now_ns: u64, own_ns: u64) -> u64 {
        let left_ns = own_ns.saturating_sub(self.at(now_ns)) as f64;
        now_ns + (left_ns / self.speed).ceil() as u64
    }
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
            issued: Vec::new(),
            follows: false,
            waited_ns: 0,
            own_time: None,
        }
    }

    /// From now on it is followed how long the device has requests.
    pub fn follow(&mut self) {
        self.follows = true;
    }

    /// Since when the device has the oldest read that it has not served, if that is followed.
    pub fn oldest_read_ns(&self) -> Option<u64> {
        let reads = self.issued.iter().filter(|it| !it.writes);
        reads.map(|it| it.since_ns).min()
    }

    /// Since when the device has had a request that it has served, if that is followed.
    pub fn take_issued(&mut self, number: u32) -> Option<u64> {
        let at = self.issued.iter().position(|it| it.number == number)?;
        Some(self.issued.swap_remove(at).since_ns)
    }

    /// From now on the device is so many times as fast as it was at first, in what it begins.
    pub fn set_speed(&mut self, now_ns: u64, speed: f64) {
        self.own_time = Some(OwnTime {
            since_ns: now_ns,
            own_ns: self.own_ns(now_ns),
            speed,
        });
    }

    /// What time it is at the device.
    fn own_ns(&self, now_ns: u64) -> u64 {
        self.own_time.map_or(now_ns, |it| it.at(now_ns))
    }

    pub fn add(&mut self, now_ns: u64, request: Request) {
        self.end = request.end();
        self.length += 1;
        self.scheduler.add(now_ns, request);
    }

    /// Gives the device what it takes.
    pub fn choose(&mut self, now_ns: u64, disk: u32, calendar: &mut impl Calendar<DeviceEvent>) {
        let own_ns = self.own_ns(now_ns);
        while self.taken < self.device.slots() {
            match self.scheduler.next(now_ns) {
                Choice::Serve(request) => {
                    self.taken += 1;
                    self.waited_ns += now_ns - request.asked_ns;
                    if self.follows {
                        self.issued.push(Issued {
                            number: request.number,
                            writes: request.writes,
                            since_ns: now_ns,
                        });
                    }
                    self.device.accept(own_ns, &request, &mut self.begun);
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
        self.expect(now_ns, disk, calendar);
    }

    /// What the device has begun takes place at its time.
    fn expect(&mut self, now_ns: u64, disk: u32, calendar: &mut impl Calendar<DeviceEvent>) {
        let own_time = self.own_time;
        for (done_ns, request) in self.begun.drain(..) {
            let done_ns = own_time.map_or(done_ns, |it| it.when(now_ns, done_ns));
            let event = match request {
                OWN_WORK => DeviceEvent::GoesOn { disk },
                request => DeviceEvent::Served { request },
            };
            calendar.at(done_ns, event);
        }
    }

    /// Has the device put on its medium what its cache has; whether it has one. Schedulers are not asked (`blk_insert_flush`,
    /// `block/blk-flush.c`).
    pub fn flush(
        &mut self,
        now_ns: u64,
        disk: u32,
        request: u32,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> bool {
        let own_ns = self.own_ns(now_ns);
        let flushes = self.device.flush(own_ns, request, &mut self.begun);
        self.expect(now_ns, disk, calendar);
        flushes
    }

    /// The device has put something of its cache on its medium.
    pub fn goes_on(&mut self, now_ns: u64, disk: u32, calendar: &mut impl Calendar<DeviceEvent>) {
        let own_ns = self.own_ns(now_ns);
        self.device.goes_on(own_ns, &mut self.begun);
        self.expect(now_ns, disk, calendar);
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
        let own_ns = self.own_ns(now_ns);
        self.device.served(own_ns, request.number, &mut self.begun);
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
