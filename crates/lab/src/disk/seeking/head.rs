//! The drive at work: requests wait for the one head, and their replies until the drive would have had them.

use super::divided::Divided;
use super::options::Options;
use super::own_time::OwnTime;
use super::statistics::Statistics;
use fuser::{Errno, ReplyData, ReplyWrite};
use hotset_models::disk::{Drive, Elevator, Service};
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

    pub(super) fn push(&self, job: Job) {
        let mut state = self.state();
        let now = self.now();
        state.waiting.push(now, job.offset, job);
        self.arrived.notify_one();
    }

    /// Serves requests until the file system is unmounted.
    pub(super) fn run(&self) {
        while let Some((job, service, start)) = self.take() {
            self.serve(job, service, start);
        }
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

    /// The next job and how long the drive takes over it; `None` for no time.
    fn take(&self) -> Option<(Job, Option<Service>, u64)> {
        let mut state = self.state();
        loop {
            let now = self.now();
            let head = state.drive.head(state.own_ns(now));
            if let Some(job) = state.waiting.pop(now, head) {
                let service = state.delays.then(|| state.move_head(now, &job));
                return Some((job, service, now));
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

    fn serve(&self, job: Job, service: Option<Service>, start: u64) {
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

    fn move_head(&mut self, now: u64, job: &Job) -> Service {
        let own_time = self.own_time;
        let service = self.begin(self.own_ns(now), job);
        Service {
            done_ns: own_time.map_or(service.done_ns, |it| it.when(now, service.done_ns)),
            ..service
        }
    }

    /// By the drive's own time.
    fn begin(&mut self, now: u64, job: &Job) -> Service {
        self.statistics.requests += 1;
        match &job.work {
            Work::Read { length, .. } => self.drive.read(now, job.offset, *length as u64),
            Work::Write { data, .. } => self.drive.write(now, job.offset, data.len() as u64),
            Work::Part { length, writes, .. } => match writes {
                true => self.drive.write(now, job.offset, *length),
                false => self.drive.read(now, job.offset, *length),
            },
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
