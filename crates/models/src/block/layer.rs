//! Transfers, divided into requests for the disks and put together again.

use std::collections::BTreeMap;
use std::ops::Range;

use hotset_outcome::Resource;
use hotset_scenario::{Raid, Scheduler};

use super::disk_queue::DiskQueue;
use super::event::DeviceEvent;
use super::raid::{DividedWrite, Part, divide, divide_write};
use super::scheduler;
use super::write_back_throttle::WriteBackThrottle;
use super::{Device, Request, TICK_NS};
use crate::calendar::Calendar;
use crate::numbered::Numbered;

/// Disks of a store, and how they act together.
pub(crate) struct Disks {
    /// One, or as many alike as `raid` has; none of a store that is on another machine.
    pub devices: Vec<Box<dyn Device>>,
    pub scheduler: Scheduler,
    pub raid: Option<Raid>,
    /// The largest request that a disk takes, bytes.
    pub max_request_bytes: u64,
    /// Bytes that they hold together; nothing where that is not known.
    pub capacity_bytes: Option<u64>,
    /// Whether they are disks that turn.
    pub turns: bool,
}

/// The disks of a store among all of them.
struct DiskSet {
    disks: Range<usize>,
    raid: Option<Raid>,
    max_request_bytes: u64,
    throttle: WriteBackThrottle,
    /// When the last flush of their caches begins, and when it ends.
    flush_ns: Range<u64>,
    /// What was written into their caches since that began.
    unflushed: Unflushed,
    /// The tick of the last write.
    tick: Option<u64>,
}

/// What a store was given to write since its disks' caches were flushed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Unflushed {
    pub bytes: u64,
    /// Whether some of it was the first write in a tick: a file that the disk is made of has a new time then.
    pub is_of_new_tick: bool,
}

impl DiskSet {
    /// Something is written.
    fn note_write(&mut self, now_ns: u64, request: &Request) {
        if !request.past_cache {
            self.unflushed.bytes += request.bytes;
        }
        let tick = Some(now_ns / TICK_NS);
        self.unflushed.is_of_new_tick |= std::mem::replace(&mut self.tick, tick) != tick;
    }
}

/// What a store on another machine is asked for. Whoever carries it out says so with [`BlockLayer::end_remote`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RemoteTransfer {
    /// The transfer's number.
    pub number: u32,
    /// The store, by its number.
    pub store: u32,
    /// First byte, where files lie one behind the other.
    pub offset: u64,
    pub bytes: u64,
    pub writes: bool,
    /// The process that asks.
    pub reader: u32,
}

/// A transfer under way, or a place for one.
#[derive(Clone, Copy, Debug, Default)]
struct Transfer {
    requests_left: u32,
}

/// What is written once all is read that parity is computed from.
#[derive(Debug)]
struct Following {
    store: usize,
    writes: Vec<Part>,
    asked: Request,
}

/// A request under way.
#[derive(Clone, Copy, Debug)]
struct UnderWay {
    request: Request,
    disk: u32,
    /// What it is a part of.
    transfer: u32,
}

/// The block layer, for the disks of one store or of several.
pub(crate) struct BlockLayer {
    disks: Vec<DiskQueue>,
    /// By store.
    sets: Vec<DiskSet>,
    transfers: Numbered<Transfer>,
    requests: Numbered<UnderWay>,
    /// Bytes that the disks were asked for.
    pub bytes: u64,
    parts: Vec<Part>,
    /// What stores on other machines have yet to be asked for.
    remote: Vec<RemoteTransfer>,
    /// Whether something was written so far: reads are timed then.
    is_written_to: bool,
    /// Writes that wait for reads of their own, by transfer.
    following: BTreeMap<u32, Following>,
}

impl BlockLayer {
    /// Of the disks of each store.
    pub fn new(stores: impl IntoIterator<Item = Disks>) -> Self {
        let (mut disks, mut sets) = (Vec::new(), Vec::new());
        for store in stores {
            let scheduler = store.scheduler;
            let slots = store.devices.first().map_or(1, |device| device.slots());
            let throttle = WriteBackThrottle::new(scheduler, slots, store.turns);
            let queue = |device| DiskQueue::new(scheduler::of_kind(scheduler), device);
            let first = disks.len();
            disks.extend(store.devices.into_iter().map(queue));
            sets.push(DiskSet {
                disks: first..disks.len(),
                raid: store.raid,
                max_request_bytes: store.max_request_bytes,
                throttle,
                flush_ns: 0..0,
                unflushed: Unflushed::default(),
                tick: None,
            });
        }
        Self {
            disks,
            sets,
            transfers: Numbered::default(),
            requests: Numbered::default(),
            bytes: 0,
            parts: Vec::new(),
            remote: Vec::new(),
            is_written_to: false,
            following: BTreeMap::new(),
        }
    }

    /// Asks a store for the bytes of `asked`, of whatever length; the transfer's number. [`BlockLayer::handle`] tells when it is done.
    #[inline]
    pub fn read(
        &mut self,
        now_ns: u64,
        store: usize,
        asked: Request,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> u32 {
        self.bytes += asked.bytes;
        let mut parts = std::mem::take(&mut self.parts);
        let set = &self.sets[store];
        match set.raid {
            Some(raid) => {
                let members = &self.disks[set.disks.clone()];
                divide(raid, asked.offset, asked.bytes, members, &mut parts);
            }
            None => parts.push(whole(asked)),
        }
        self.transfer(now_ns, (store, parts), asked, calendar)
    }

    /// Has the bytes of `asked` written to a store, to all copies, as [`BlockLayer::read`] has them read. Where parity is computed from what
    /// is there, that is read first.
    pub fn write(
        &mut self,
        now_ns: u64,
        store: usize,
        asked: Request,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> u32 {
        if !std::mem::replace(&mut self.is_written_to, true) {
            self.disks.iter_mut().for_each(DiskQueue::follow);
        }
        self.sets[store].note_write(now_ns, &asked);
        let mut parts = std::mem::take(&mut self.parts);
        let asked = Request {
            writes: true,
            ..asked
        };
        let Some(raid) = self.sets[store].raid else {
            parts.push(whole(asked));
            return self.transfer(now_ns, (store, parts), asked, calendar);
        };
        let mut divided = DividedWrite {
            reads: Vec::new(),
            writes: parts,
        };
        divide_write(raid, asked.offset, asked.bytes, &mut divided);
        let DividedWrite { reads, writes } = divided;
        if reads.is_empty() {
            return self.transfer(now_ns, (store, writes), asked, calendar);
        }
        let first = Request {
            writes: false,
            ..asked
        };
        let number = self.transfer(now_ns, (store, reads), first, calendar);
        let following = Following {
            store,
            writes,
            asked,
        };
        self.following.insert(number, following);
        number
    }

    /// Has the disks of a store put what is in their caches on their media. Beside what they serve that takes what `takes_ns` says of what
    /// was written since the last flush, and as long as it takes disks that are told to have a cache. Returns the number that
    /// [`BlockLayer::handle`] tells. One flush of a set time is under way at a time, and all that are asked for meanwhile are one
    /// (`block/blk-flush.c`).
    pub fn flush(
        &mut self,
        now_ns: u64,
        store: usize,
        takes_ns: impl FnOnce(Unflushed) -> u64,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> u32 {
        let set = &mut self.sets[store];
        let (last, disks) = (&mut set.flush_ns, set.disks.clone());
        if now_ns >= last.start {
            let begins_ns = now_ns.max(last.end);
            let unflushed = std::mem::take(&mut set.unflushed);
            *last = begins_ns..begins_ns + takes_ns(unflushed);
        }
        let ends_ns = last.end;
        let transfer = self.transfers.add(Transfer { requests_left: 1 });
        calendar.at(ends_ns, DeviceEvent::Flushed { transfer });
        for disk in disks {
            let request = Request {
                asked_ns: now_ns,
                flushes: true,
                ..Request::default()
            };
            let number = self.requests.add(UnderWay {
                request,
                disk: disk as u32,
                transfer,
            });
            match self.disks[disk].flush(now_ns, disk as u32, number, calendar) {
                true => self.transfers.of(transfer).requests_left += 1,
                false => {
                    self.requests.remove(number);
                }
            }
        }
        transfer
    }

    /// Hands all parts of a transfer to the disks of a store; its number.
    #[inline]
    fn transfer(
        &mut self,
        now_ns: u64,
        (store, mut parts): (usize, Vec<Part>),
        asked: Request,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> u32 {
        let number = self.transfers.add(Transfer::default());
        if self.sets[store].disks.is_empty() {
            parts.clear();
            self.ask_remote(number, store, asked);
        }
        for part in parts.drain(..) {
            self.hand_over(now_ns, (store, part), asked, number, calendar);
        }
        self.parts = parts;
        number
    }

    /// A transfer of a store on another machine is one request.
    fn ask_remote(&mut self, number: u32, store: usize, asked: Request) {
        self.transfers.of(number).requests_left = 1;
        self.remote.push(RemoteTransfer {
            number,
            store: store as u32,
            offset: asked.offset,
            bytes: asked.bytes,
            writes: asked.writes,
            reader: asked.reader,
        });
    }

    /// Adds to `to` what stores on other machines were asked for since the last time.
    #[inline]
    pub fn take_remote(&mut self, to: &mut Vec<RemoteTransfer>) {
        to.append(&mut self.remote);
    }

    /// A store on another machine has done what it was asked for.
    pub fn end_remote(&mut self, number: u32) -> Option<u32> {
        let transfer = self.transfers.of(number);
        transfer.requests_left -= 1;
        let is_done = transfer.requests_left == 0;
        if is_done {
            self.transfers.remove(number);
        }
        is_done.then_some(number)
    }

    /// Hands over what a transfer writes after what it has read; whether there is something.
    fn follow(
        &mut self,
        now_ns: u64,
        number: u32,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> bool {
        let Some(following) = self.following.remove(&number) else {
            return false;
        };
        let Following {
            store,
            writes,
            asked,
        } = following;
        for part in writes {
            self.hand_over(now_ns, (store, part), asked, number, calendar);
        }
        true
    }

    fn hand_over(
        &mut self,
        now_ns: u64,
        (store, part): (usize, Part),
        asked: Request,
        transfer: u32,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) {
        let set = &self.sets[store];
        let (disk, most_bytes) = (set.disks.start + part.disk, set.max_request_bytes);
        let end = part.offset + part.bytes;
        let mut offset = part.offset;
        while offset < end {
            let bytes = most_bytes.min(end - offset);
            let mut request = Request {
                offset,
                bytes,
                asked_ns: now_ns,
                ..asked
            };
            request.number = self.requests.add(UnderWay {
                request,
                disk: disk as u32,
                transfer,
            });
            if request.writes {
                self.sets[store].throttle.note_write(now_ns);
            }
            self.transfers.of(transfer).requests_left += 1;
            self.disks[disk].add(now_ns, request);
            offset += bytes;
        }
        self.disks[disk].choose(now_ns, disk as u32, calendar);
    }

    /// Something happens to a disk; the transfer that is done thereby.
    pub fn handle(
        &mut self,
        now_ns: u64,
        event: DeviceEvent,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Option<u32> {
        match event {
            DeviceEvent::Served { request: number } => {
                let served = self.requests.remove(number);
                let (disk, transfer) = (served.disk, served.transfer);
                let request = Request {
                    number,
                    ..served.request
                };
                if self.is_written_to {
                    self.note_served(now_ns, disk as usize, &request);
                }
                if !request.flushes {
                    self.disks[disk as usize].served(now_ns, disk, &request, calendar);
                }
                self.end_part(now_ns, transfer, calendar)
            }
            DeviceEvent::GoesOn { disk } => {
                self.disks[disk as usize].goes_on(now_ns, disk, calendar);
                None
            }
            DeviceEvent::Chooses { disk } => {
                self.disks[disk as usize].choose(now_ns, disk, calendar);
                None
            }
            DeviceEvent::Flushed { transfer } => self.end_part(now_ns, transfer, calendar),
            DeviceEvent::Commits { .. } => None,
        }
    }

    /// What a request took tells how much may be written.
    fn note_served(&mut self, now_ns: u64, disk: usize, request: &Request) {
        let disks = &mut self.disks;
        let Some(set) = self.sets.iter_mut().find(|set| set.disks.contains(&disk)) else {
            return;
        };
        let own = &disks[set.disks.clone()];
        let oldest_read_ns = || own.iter().filter_map(DiskQueue::oldest_read_ns).min();
        set.throttle.look(now_ns, oldest_read_ns);
        if let Some(since_ns) = disks[disk].take_issued(request.number) {
            set.throttle.note_served(request.writes, now_ns - since_ns);
        }
    }

    /// Writes of dirty pages that a store may have under way: those that a program waits for, or others.
    pub fn most_writes(&self, now_ns: u64, store: usize, syncs: bool) -> usize {
        self.sets[store].throttle.most(now_ns, syncs)
    }

    /// A program that writes to a store is paused as too much is dirty.
    pub fn note_pause(&mut self, now_ns: u64, store: usize) {
        self.sets[store].throttle.note_pause(now_ns);
    }

    fn end_part(
        &mut self,
        now_ns: u64,
        number: u32,
        calendar: &mut impl Calendar<DeviceEvent>,
    ) -> Option<u32> {
        let transfer = self.transfers.of(number);
        transfer.requests_left -= 1;
        if transfer.requests_left > 0 || self.follow(now_ns, number, calendar) {
            return None;
        }
        self.transfers.remove(number);
        Some(number)
    }

    /// From now on the disks of a store are so many times as fast as they were at first.
    pub fn set_speed(&mut self, now_ns: u64, store: usize, speed: f64) {
        let disks = &mut self.disks[self.sets[store].disks.clone()];
        disks.iter_mut().for_each(|it| it.set_speed(now_ns, speed));
    }

    /// Forgets what was counted, not what is under way.
    pub fn count_anew(&mut self) {
        self.disks.iter_mut().for_each(DiskQueue::count_anew);
    }

    /// What the disks of a store did in so long a time.
    pub fn resources(&self, store: usize, length_ns: u64) -> Vec<Resource> {
        let disks = &self.disks[self.sets[store].disks.clone()];
        let alone = disks.len() == 1;
        let resources = disks.iter().enumerate().flat_map(|(number, disk)| {
            let name = match alone {
                true => String::new(),
                false => format!("disk {}, ", number + 1),
            };
            disk.resources(length_ns, &name)
        });
        resources.collect()
    }
}

/// What the only disk has of a transfer.
fn whole(asked: Request) -> Part {
    Part {
        disk: 0,
        offset: asked.offset,
        bytes: asked.bytes,
    }
}
