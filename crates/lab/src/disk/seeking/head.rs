//! The drive at work: requests wait for the one head, and their replies until the drive would have had them.

use super::divided::{Countdown, Divided};
use super::options::Options;
use super::own_time::OwnTime;
use super::statistics::Statistics;
use fuser::{Errno, ReplyData, ReplyWrite};
use hotset_models::disk::{CachedWrite, Drive, Elevator, Service, WriteCache};
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A reply this much behind the drive's time is counted as late: the machine was too slow to play the drive.
const LATE_NS: u64 = 1_000_000;

/// A request and whom to answer.
pub(super) struct Job {
    pub offset: u64,
    pub work: Work,
}

pub(super) enum Work {
    Read {
        length: usize,
        reply: ReplyData,
    },
    Write {
        data: Vec<u8>,
        reply: ReplyWrite,
    },
    /// A part of a request to several drives, of which only the time is played.
    Part {
        length: u64,
        writes: bool,
        disk: usize,
        request: Arc<Divided>,
    },
}

impl Work {
    /// Bytes, and whether they are written.
    fn extent(&self) -> (u64, bool) {
        match self {
            Self::Read { length, .. } => (*length as u64, false),
            Self::Write { data, .. } => (data.len() as u64, true),
            Self::Part { length, writes, .. } => (*length, *writes),
        }
    }
}

/// What the head does next, how long that takes, and when it begins; no time where the drive has no delays.
enum Deed {
    Serves(Job, Option<Service>, u64),
    /// It puts something of the cache on the platters.
    Empties(CachedWrite, Option<Service>, u64),
}

/// The queue before the drive, shared between those who ask, the head and the control socket.
pub(super) struct Head {
    image: File,
    began: Instant,
    state: Mutex<State>,
    arrived: Condvar,
}

struct State {
    drive: Drive,
    waiting: Elevator<Job>,
    /// Writes that wait for room in it, and flushes that wait for what it has.
    cache: WriteCache<Job, Arc<Countdown>>,
    /// Whether the cache had the last turn.
    has_emptied: bool,
    /// The drive's own time, where it is slower or faster than its model.
    own_time: Option<OwnTime>,
    delays: bool,
    closed: bool,
    statistics: Statistics,
}

impl Head {
    pub(super) fn new(image: File, options: &Options) -> Self {
        let state = State {
            drive: Drive::new(options.model.clone(), options.capacity_bytes),
            waiting: Elevator::default(),
            cache: WriteCache::new(options.model.write_cache_bytes),
            has_emptied: false,
            own_time: None,
            delays: true,
            closed: false,
            statistics: Statistics::default(),
        };
        Self {
            image,
            began: Instant::now(),
            state: Mutex::new(state),
            arrived: Condvar::new(),
        }
    }

    /// A job comes. A write is answered at once where the drive's cache takes it.
    pub(super) fn push(&self, job: Job) {
        let mut state = self.state();
        let now = self.now();
        let (bytes, writes) = job.work.extent();
        let is_cached = writes && state.delays && !state.cache.is_none();
        self.arrived.notify_one();
        if !is_cached {
            return state.waiting.push(now, job.offset, job);
        }
        if !state.cache.has_room(bytes) {
            return state.cache.push_waiting(bytes, job);
        }
        state.cache.hold(now, job.offset, bytes);
        drop(state);
        self.answer(job, None);
    }

    /// `flush` is told when all that the cache has now is on the platters.
    pub(super) fn flush(&self, flush: &Arc<Countdown>) {
        let rest = self.state().cache.flush(Arc::clone(flush));
        self.arrived.notify_one();
        if let Some(flush) = rest {
            flush.has_done();
        }
    }

    /// Serves requests until the file system is unmounted.
    pub(super) fn run(&self) {
        while let Some(deed) = self.take() {
            match deed {
                Deed::Serves(job, service, start) => {
                    self.answer(job, service);
                    self.count(service, start);
                }
                Deed::Empties(write, service, start) => {
                    self.wait_for(service);
                    self.end(write);
                    self.count(service, start);
                }
            }
        }
    }

    /// Something of the cache is on the platters: who has waited for that is answered.
    fn end(&self, write: CachedWrite) {
        let mut state = self.state();
        let flushed = state.cache.end(write);
        let mut admitted = Vec::new();
        while let Some(job) = state.cache.pop_waiting() {
            let (bytes, _) = job.work.extent();
            state.cache.hold(self.now(), job.offset, bytes);
            admitted.push(job);
        }
        drop(state);
        admitted.into_iter().for_each(|job| self.answer(job, None));
        flushed.iter().for_each(|flush| flush.has_done());
    }

    pub(super) fn close(&self) {
        self.state().closed = true;
        self.arrived.notify_all();
    }

    pub(super) fn set_delays(&self, on: bool) {
        self.state().delays = on;
    }

    /// From now on the drive is so many times as fast as its model, in what it begins.
    pub(super) fn set_speed(&self, speed: f64) {
        let mut state = self.state();
        let own_time = OwnTime::since(self.now(), state.own_time, speed);
        state.own_time = Some(own_time);
    }

    pub(super) fn statistics(&self) -> Statistics {
        self.state().statistics
    }

    /// What is done next; nothing once the file system is unmounted.
    fn take(&self) -> Option<Deed> {
        let mut state = self.state();
        loop {
            if let Some(deed) = state.next(self.now()) {
                return Some(deed);
            }
            if state.closed {
                return None;
            }
            state = self
                .arrived
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Does a job, and answers once the drive would have.
    fn answer(&self, job: Job, service: Option<Service>) {
        match job.work {
            Work::Read { length, reply } => {
                let data = read(&self.image, job.offset, length);
                self.wait_for(service);
                match data {
                    Ok(data) => reply.data(&data),
                    Err(error) => reply.error(Errno::from(error)),
                }
            }
            Work::Write { data, reply } => {
                let written = self.image.write_all_at(&data, job.offset);
                self.wait_for(service);
                match written {
                    Ok(()) => reply.written(u32::try_from(data.len()).unwrap_or(u32::MAX)),
                    Err(error) => reply.error(Errno::from(error)),
                }
            }
            Work::Part { disk, request, .. } => {
                self.wait_for(service);
                request.has_done(disk);
            }
        }
    }

    fn count(&self, service: Option<Service>, start: u64) {
        if let Some(service) = service {
            self.state().statistics.time(service, start, self.now());
        }
    }

    fn wait_for(&self, service: Option<Service>) {
        let Some(service) = service else { return };
        thread::sleep(Duration::from_nanos(
            service.done_ns.saturating_sub(self.now()),
        ));
    }

    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_nanos()).unwrap_or(u64::MAX)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// What time it is at the drive.
    fn own_ns(&self, now: u64) -> u64 {
        self.own_time.map_or(now, |it| it.at(now))
    }

    /// What the head does next, if something is to be done: requests first, and the cache in turn with them where somebody waits for it.
    fn next(&mut self, now: u64) -> Option<Deed> {
        match self.cache.is_pressed() && !self.has_emptied {
            true => self.empty(now).or_else(|| self.serve(now)),
            false => self.serve(now).or_else(|| self.empty(now)),
        }
    }

    fn serve(&mut self, now: u64) -> Option<Deed> {
        let head = self.drive.head(self.own_ns(now));
        let job = self.waiting.pop(now, head)?;
        let service = self
            .delays
            .then(|| self.move_head(now, job.offset, job.work.extent()));
        self.has_emptied = false;
        Some(Deed::Serves(job, service, now))
    }

    fn empty(&mut self, now: u64) -> Option<Deed> {
        let head = self.drive.head(self.own_ns(now));
        let write = self.cache.take(now, head)?;
        let extent = (write.bytes, true);
        let service = self
            .delays
            .then(|| self.move_head(now, write.offset, extent));
        self.has_emptied = true;
        Some(Deed::Empties(write, service, now))
    }

    fn move_head(&mut self, now: u64, offset: u64, extent: (u64, bool)) -> Service {
        let own_time = self.own_time;
        let service = self.begin(self.own_ns(now), offset, extent);
        Service {
            done_ns: own_time.map_or(service.done_ns, |it| it.when(now, service.done_ns)),
            ..service
        }
    }

    /// By the drive's own time.
    fn begin(&mut self, now: u64, offset: u64, (bytes, writes): (u64, bool)) -> Service {
        self.statistics.requests += 1;
        match writes {
            true => self.drive.write(now, offset, bytes),
            false => self.drive.read(now, offset, bytes),
        }
    }
}

impl Statistics {
    fn time(&mut self, service: Service, start_ns: u64, end_ns: u64) {
        self.seek_us += service.seek_ns / 1000;
        self.rotation_us += service.rotation_ns / 1000;
        self.busy_us += service.done_ns.saturating_sub(start_ns) / 1000;
        self.buffer_hits += u64::from(service.from_buffer);
        self.late += u64::from(end_ns > service.done_ns + LATE_NS);
    }
}

fn read(image: &File, offset: u64, length: usize) -> io::Result<Vec<u8>> {
    let mut data = vec![0; length];
    image.read_exact_at(&mut data, offset)?;
    Ok(data)
}
