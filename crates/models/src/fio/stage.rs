//! Jobs that run at the same time, event by event.

use hotset_outcome::Resource;

use super::application::{FinishedRead, LOOP_NS, Process};
use super::files::Files;
use super::next::Next;
use super::result::Counts;
use super::{Delivery, Job, JobResult, SimulationError};
use crate::block::DeviceEvent;
use crate::calendar::{Calendar as _, EventQueue};
use crate::station::Station;
use crate::storage::{Progress, Read, Storage};

/// Longest time that is simulated, a hundred years, nanoseconds: a sixth of what 64 bits hold.
const LONGEST_NS: u64 = 100 * 365 * 86_400 * 1_000_000_000;

/// Events between two questions whether to go on.
const PATIENCE: u64 = 1 << 16;

/// What a job does between two reads. The loop is fio's, which sends nothing.
fn loop_ns(job: &Job) -> u64 {
    match job.delivery {
        Delivery::Kept => LOOP_NS,
        Delivery::Written | Delivery::Sent => 0,
    }
}

/// What takes place in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Event {
    /// A lane goes on.
    Lane(u32),
    /// Something of the disks.
    Device(DeviceEvent),
}

impl From<DeviceEvent> for Event {
    fn from(event: DeviceEvent) -> Self {
        Self::Device(event)
    }
}

/// What all jobs share.
pub(super) struct Machine {
    pub storage: Storage<u32>,
    pub processors: Station,
}

impl Machine {
    pub fn count_anew(&mut self) {
        self.processors.count_anew();
        self.storage.count_anew();
    }

    fn resources(&self, length_ns: u64) -> Vec<Resource> {
        let mut resources = vec![self.processors.resource("processors", length_ns)];
        resources.extend(self.storage.resources(length_ns));
        resources
    }
}

/// A read under way.
#[derive(Clone, Copy)]
struct JobRead {
    from_ns: u64,
    /// One of the process's files.
    file: usize,
    read: Read,
}

/// Whatever of a process does one read after the other: as many as are under way at the same time.
#[derive(Clone, Copy)]
struct Lane {
    process: usize,
    step: Step,
    /// Since when it waits for a disk.
    waits_ns: Option<u64>,
}

#[derive(Clone, Copy)]
enum Step {
    /// Begins the next read.
    Begin,
    /// Goes through the page cache.
    Copy(JobRead),
    /// Has the device read past the page cache.
    Ask(JobRead),
    /// Has its data.
    End(FinishedRead),
}

/// Jobs that run at the same time.
pub(super) struct Stage<'j> {
    jobs: &'j [Job],
    processes: Vec<Process>,
    lanes: Vec<Lane>,
    counts: Vec<Counts>,
    events: EventQueue<Event>,
    start_ns: u64,
}

impl<'j> Stage<'j> {
    pub fn new(
        jobs: &'j [Job],
        files: &Files,
        machine: &mut Machine,
        start_ns: u64,
        seed: u64,
    ) -> Result<Self, SimulationError> {
        machine.storage.unmap_all();
        let counts = jobs
            .iter()
            .map(|job| Counts::new(start_ns + (job.uncounted_us() * 1e3) as u64));
        let mut stage = Self {
            jobs,
            processes: Vec::new(),
            lanes: Vec::new(),
            counts: counts.collect(),
            events: EventQueue::default(),
            start_ns,
        };
        let bytes = files.bytes_of(jobs);
        for (number, job) in jobs.iter().enumerate() {
            for thread in 0..job.threads {
                let process = stage.processes.len() as u32;
                let opened = files.opened((job, thread), process, bytes, &mut machine.storage);
                let seed = seed.wrapping_add(u64::from(process));
                let process = Process::new((number, job), opened, start_ns, seed)?;
                stage.add(process, job.lanes());
            }
        }
        Ok(stage)
    }

    fn add(&mut self, process: Process, lanes: u32) {
        let (process_number, start_ns) = (self.processes.len(), process.start_ns);
        self.processes.push(process);
        for _ in 0..lanes {
            let step = Step::Begin;
            self.lanes.push(Lane {
                process: process_number,
                step,
                waits_ns: None,
            });
            self.at(start_ns, self.lanes.len() - 1);
        }
    }

    /// Has `lane` go on at a time.
    fn at(&mut self, time_ns: u64, lane: usize) {
        self.events.at(time_ns, Event::Lane(lane as u32));
    }

    /// Runs until nothing is left to do; when that is.
    pub fn run(
        &mut self,
        machine: &mut Machine,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<u64, SimulationError> {
        let (mut last_ns, mut patience) = (self.start_ns, PATIENCE);
        while let Some((now_ns, event)) = self.events.pop() {
            if now_ns > LONGEST_NS {
                return Err(SimulationError::TooLong);
            }
            last_ns = now_ns;
            match event {
                Event::Lane(lane) => self.step(machine, now_ns, lane as usize),
                Event::Device(event) => self.handle(machine, now_ns, event),
            }
            if self.events.added() >= patience {
                patience = self.events.added() + PATIENCE;
                if !goes_on() {
                    return Err(SimulationError::Interrupted);
                }
            }
        }
        Ok(last_ns)
    }

    /// Something takes place at a disk: who has waited for it goes on.
    fn handle(&mut self, machine: &mut Machine, now_ns: u64, event: DeviceEvent) {
        for lane in machine.storage.handle(now_ns, event, &mut self.events) {
            let waiting = &mut self.lanes[lane as usize];
            if let Some(since_ns) = waiting.waits_ns.take() {
                let job = self.processes[waiting.process].job;
                self.counts[job].device_ns += (now_ns - since_ns) as f64;
            }
            self.events.at(now_ns, Event::Lane(lane));
        }
    }

    fn step(&mut self, machine: &mut Machine, now_ns: u64, lane: usize) {
        match self.lanes[lane].step {
            Step::Begin => self.begin(machine, now_ns, lane),
            Step::Copy(read) => self.copy(machine, now_ns, lane, read),
            Step::Ask(read) => self.ask(machine, now_ns, lane, read),
            Step::End(done) => self.end(machine, now_ns, lane, done),
        }
    }

    /// Begins the next read, or waits until it may.
    fn begin(&mut self, machine: &mut Machine, now_ns: u64, lane: usize) {
        let process = &mut self.processes[self.lanes[lane].process];
        let job = &self.jobs[process.job];
        let next = process.next(job, now_ns);
        if matches!(next, Next::End | Next::Wait(_)) {
            let counts = &mut self.counts[process.job];
            process
                .take_all_back()
                .for_each(|done| counts.take(now_ns, done));
        }
        match next {
            Next::End => {}
            Next::Wait(due_ns) => {
                self.counts[process.job].pause_ns += (due_ns - now_ns) as f64;
                self.at(due_ns, lane);
            }
            Next::Open { file, drops } => self.open(machine, now_ns, lane, file, drops),
            Next::Read {
                file,
                offset,
                bytes,
                begins,
                drops,
            } => {
                let opened = &process.files[file];
                if begins {
                    machine.storage.map_anew(opened);
                }
                if drops {
                    machine.storage.forget(opened);
                }
                let read = JobRead {
                    from_ns: now_ns,
                    file,
                    read: Read::new(offset, bytes),
                };
                if job.direct {
                    self.lanes[lane].step = Step::Ask(read);
                    let call_ns = machine.storage.costs().call();
                    self.work(machine, now_ns, lane, call_ns);
                } else {
                    self.copy(machine, now_ns, lane, read);
                }
            }
        }
    }

    /// Opens a file: nothing is known of its reads, and it is dropped from memory where so told.
    fn open(&mut self, machine: &mut Machine, now_ns: u64, lane: usize, file: usize, drops: bool) {
        let opened = &mut self.processes[self.lanes[lane].process].files[file];
        machine.storage.reopen(opened);
        if drops {
            machine.storage.forget(opened);
        }
        let open_ns = machine.storage.costs().open();
        self.work(machine, now_ns, lane, open_ns);
    }

    /// Reads through the page cache until the read waits or copies.
    fn copy(&mut self, machine: &mut Machine, now_ns: u64, lane: usize, mut going: JobRead) {
        let process = &mut self.processes[self.lanes[lane].process];
        let job = process.job;
        let file = &mut process.files[going.file];
        let (storage, events) = (&mut machine.storage, &mut self.events);
        let before = storage.device_bytes();
        let progress = storage.read(now_ns, lane as u32, file, &mut going.read, events);
        self.counts[job].device_bytes += storage.device_bytes() - before;
        match progress {
            Progress::Waits => {
                self.lanes[lane].waits_ns = Some(now_ns);
                self.lanes[lane].step = Step::Copy(going);
            }
            Progress::Copies(busy_ns) => {
                self.lanes[lane].step = Step::Copy(going);
                self.work(machine, now_ns, lane, busy_ns);
            }
            // A process keeps its processor between two reads: where there are too few, it waits within a read.
            Progress::Ends(busy_ns) => {
                self.lanes[lane].step = Step::End(FinishedRead {
                    from_ns: going.from_ns,
                    bytes: going.read.bytes(),
                    hit: !going.read.missed(),
                });
                self.work(machine, now_ns, lane, busy_ns + loop_ns(&self.jobs[job]));
            }
        }
    }

    /// Has the device read past the page cache.
    fn ask(&mut self, machine: &mut Machine, now_ns: u64, lane: usize, asked: JobRead) {
        let process = &self.processes[self.lanes[lane].process];
        let (file, read) = (&process.files[asked.file], &asked.read);
        self.counts[process.job].device_bytes += read.bytes();
        self.lanes[lane].waits_ns = Some(now_ns);
        self.lanes[lane].step = Step::End(FinishedRead {
            from_ns: asked.from_ns,
            bytes: read.bytes(),
            hit: false,
        });
        let (storage, events) = (&mut machine.storage, &mut self.events);
        storage.read_past(now_ns, lane as u32, file, read, events);
    }

    fn end(&mut self, machine: &mut Machine, now_ns: u64, lane: usize, done: FinishedRead) {
        let process = &mut self.processes[self.lanes[lane].process];
        let (job, counts) = (&self.jobs[process.job], &mut self.counts[process.job]);
        let copied_ns = if job.direct {
            now_ns
        } else {
            now_ns - loop_ns(job)
        };
        if let Some(done) = process.take_back(done, job) {
            counts.take(copied_ns, done);
        }
        let think_ns = (job.think_us * 1e3) as u64;
        counts.pause_ns += think_ns as f64;
        self.lanes[lane].step = Step::Begin;
        let free_ns = match job.direct {
            true => self.processor(machine, now_ns, lane, loop_ns(job)),
            false => now_ns,
        };
        self.at(free_ns + think_ns, lane);
    }

    /// Has a processor work for `lane`, which goes on afterwards.
    fn work(&mut self, machine: &mut Machine, now_ns: u64, lane: usize, busy_ns: u64) {
        let done_ns = self.processor(machine, now_ns, lane, busy_ns);
        self.at(done_ns, lane);
    }

    /// When a processor has worked so long for the process of `lane`, which has one at a time.
    fn processor(&mut self, machine: &mut Machine, now_ns: u64, lane: usize, busy_ns: u64) -> u64 {
        let process = &mut self.processes[self.lanes[lane].process];
        let done_ns = machine
            .processors
            .serve(now_ns.max(process.free_ns), busy_ns);
        process.free_ns = done_ns;
        self.counts[process.job].processor_ns += (done_ns - now_ns) as f64;
        done_ns
    }

    pub fn results(
        &self,
        machine: &Machine,
        settings: &[(String, String)],
        seed: u64,
        end_ns: u64,
    ) -> Vec<JobResult> {
        let resources = machine.resources(end_ns - self.start_ns);
        let jobs = self.jobs.iter().zip(&self.counts);
        jobs.map(|(job, counts)| counts.result(job, settings, seed, resources.clone()))
            .collect()
    }
}
