//! Jobs that run at the same time, event by event.

use hotset_outcome::Resource;

use super::application::{Finished, LOOP_NS, Process};
use super::files::Files;
use super::next::Next;
use super::operation::Operation;
use super::result::{Counts, Written};
use super::{Delivery, Job, JobResult, SimulationError};
use crate::block::DeviceEvent;
use crate::calendar::{Calendar as _, EventQueue};
use crate::station::Station;
use crate::storage::{
    PastCacheProgress, PastCacheWrite, Progress, Read, Storage, SyncKind, Write, WriteProgress,
};
use crate::write_back::{FlusherWakes, PageSync};

/// Longest time that is simulated, a hundred years, nanoseconds: a sixth of what 64 bits hold.
const LONGEST_NS: u64 = 100 * 365 * 86_400 * 1_000_000_000;

/// Events between two questions whether to go on.
const PATIENCE: u64 = 1 << 16;

/// What a job does between two requests. The loop is fio's, which sends nothing.
fn loop_ns(job: &Job) -> u64 {
    match job.delivery {
        Delivery::Kept => LOOP_NS,
        Delivery::Written | Delivery::Sent => 0,
    }
}

/// What takes place in a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Event {
    /// A lane goes on.
    Lane(u32),
    /// Something of the disks.
    Device(DeviceEvent),
    /// The flusher looks for what it has to write.
    Flusher,
}

impl Event {
    /// Whether it comes when nothing else takes place as well.
    fn is_timer(self) -> bool {
        match self {
            Self::Flusher => true,
            Self::Device(event) => event.is_timer(),
            Self::Lane(_) => false,
        }
    }
}

impl From<FlusherWakes> for Event {
    fn from(_: FlusherWakes) -> Self {
        Self::Flusher
    }
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

/// A read or a write under way.
#[derive(Clone, Copy)]
struct Going<T> {
    from_ns: u64,
    /// One of the process's files.
    file: usize,
    request: T,
}

/// A write through the page cache, and what is synced of its bytes before it is over.
#[derive(Clone, Copy)]
struct CachedWrite {
    write: Write,
    sync: Option<SyncKind>,
}

/// Bytes of a file that are synced, and how.
#[derive(Clone, Copy)]
struct Synced {
    start: u64,
    end: u64,
    kind: SyncKind,
}

/// What a lane waits for.
#[derive(Clone, Copy)]
enum Wait {
    /// The disks, for a read or a write.
    Device,
    /// All of a file on the disks.
    Flush,
    /// Room in the journal.
    Journal,
}

/// Whatever of a process does one request after the other: as many as are under way at the same time.
#[derive(Clone, Copy)]
struct Lane {
    process: usize,
    step: Step,
    /// What it waits for, and since when.
    waits: Option<(u64, Wait)>,
}

#[derive(Clone, Copy)]
enum Step {
    /// Begins the next request.
    Begin,
    /// Reads through the page cache.
    Copy(Going<Read>),
    /// Has the device read past the page cache.
    Ask(Going<Read>),
    /// Writes into the page cache.
    Write(Going<CachedWrite>),
    /// Has synced what it has written there.
    SyncWrite(Going<CachedWrite>),
    /// Has the device write past the page cache.
    WritePast(Going<PastCacheWrite>),
    /// Has a file synced.
    Sync(Going<Synced>),
    /// Has its data, or has given it.
    End(Finished),
    /// Its file is synced.
    Synced(Finished),
}

/// Jobs that run at the same time.
pub(super) struct Stage<'j> {
    jobs: &'j [Job],
    processes: Vec<Process>,
    lanes: Vec<Lane>,
    counts: Vec<Counts>,
    events: EventQueue<Event>,
    /// Lanes that have something left to do.
    lanes_left: usize,
    /// What the device was given of each job's files before, and how long the journal was waited for.
    written_before: Vec<Written>,
    start_ns: u64,
}

impl<'j> Stage<'j> {
    /// `events` is what the stage before has left: write-back of what it wrote.
    pub fn new(
        jobs: &'j [Job],
        files: &Files,
        machine: &mut Machine,
        (start_ns, events): (u64, EventQueue<Event>),
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
            events,
            lanes_left: 0,
            written_before: written(jobs, files, machine),
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
            self.lanes_left += 1;
            self.lanes.push(Lane {
                process: process_number,
                step,
                waits: None,
            });
            self.at(start_ns, self.lanes.len() - 1);
        }
    }

    /// Has `lane` go on at a time.
    fn at(&mut self, time_ns: u64, lane: usize) {
        self.events.at(time_ns, Event::Lane(lane as u32));
    }

    /// Runs until nothing is left to do, but for write-back after the last request; when that is.
    pub fn run(
        &mut self,
        machine: &mut Machine,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<u64, SimulationError> {
        let (mut last_ns, mut patience) = (self.start_ns, self.events.added() + PATIENCE);
        while self.lanes_left > 0 || !has_unwritten(machine) {
            let Some((now_ns, event)) = self.events.pop() else {
                break;
            };
            if now_ns > LONGEST_NS {
                return Err(SimulationError::TooLong);
            }
            // Nobody waits for what clocks bring: it takes place in the next stage.
            if self.lanes_left == 0 && event.is_timer() {
                self.events.at(now_ns, event);
                break;
            }
            last_ns = now_ns;
            match event {
                Event::Lane(lane) => self.step(machine, now_ns, lane as usize),
                Event::Device(event) => self.handle(machine, now_ns, event),
                Event::Flusher => machine.storage.wake_flusher(now_ns, &mut self.events),
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
            if let Some((since_ns, wait)) = waiting.waits.take() {
                let counts = &mut self.counts[self.processes[waiting.process].job];
                let waited_ns = (now_ns - since_ns) as f64;
                match wait {
                    Wait::Device => counts.device_ns += waited_ns,
                    Wait::Flush => counts.flush_ns += waited_ns,
                    Wait::Journal => counts.journal_ns += waited_ns,
                }
            }
            self.events.at(now_ns, Event::Lane(lane));
        }
    }

    fn step(&mut self, machine: &mut Machine, now_ns: u64, lane: usize) {
        match self.lanes[lane].step {
            Step::Begin => self.begin(machine, now_ns, lane),
            Step::Copy(read) => self.copy(machine, now_ns, lane, read),
            Step::Ask(read) => self.ask(machine, now_ns, lane, read),
            Step::Write(write) => self.write(machine, now_ns, lane, write),
            Step::SyncWrite(write) => self.sync_write(machine, now_ns, lane, write),
            Step::WritePast(write) => self.write_past(machine, now_ns, lane, write),
            Step::Sync(sync) => self.sync(machine, now_ns, lane, sync),
            Step::End(done) => self.end(machine, now_ns, lane, done),
            Step::Synced(done) => self.end_sync(now_ns, lane, done),
        }
    }

    /// Begins the next request, or waits until it may.
    fn begin(&mut self, machine: &mut Machine, now_ns: u64, lane: usize) {
        let process = &mut self.processes[self.lanes[lane].process];
        if let Some(held) = &mut process.held {
            return held.push(lane);
        }
        let job = &self.jobs[process.job];
        let next = process.next(job, now_ns);
        if matches!(next, Next::End | Next::Wait(_)) {
            let counts = &mut self.counts[process.job];
            process
                .take_all_back()
                .for_each(|done| counts.take(now_ns, done));
        }
        match next {
            Next::End => self.lanes_left -= 1,
            Next::Sync { file, bytes, kind } => {
                let request = Synced {
                    start: bytes.start,
                    end: bytes.end,
                    kind,
                };
                self.lanes[lane].step = Step::Sync(Going {
                    from_ns: now_ns,
                    file,
                    request,
                });
                let call_ns = machine.storage.costs().call();
                self.work(machine, now_ns, lane, call_ns);
            }
            Next::Wait(due_ns) => {
                self.counts[process.job].pause_ns += (due_ns - now_ns) as f64;
                self.at(due_ns, lane);
            }
            Next::Open { file, drops } => self.open(machine, now_ns, lane, file, drops),
            Next::Access {
                file,
                operation,
                offset,
                bytes,
                begins,
                drops,
            } => {
                process.under_way += 1;
                let opened = &process.files[file];
                if begins {
                    machine.storage.map_anew(opened);
                }
                if drops {
                    machine.storage.forget(opened);
                }
                if operation == Operation::Write {
                    return self.begin_write(machine, now_ns, lane, (file, offset, bytes));
                }
                let read = Going {
                    from_ns: now_ns,
                    file,
                    request: Read::new(offset, bytes),
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

    /// Begins to write so many bytes from a byte of a file.
    fn begin_write(
        &mut self,
        machine: &mut Machine,
        now_ns: u64,
        lane: usize,
        (file, offset, bytes): (usize, u64, u64),
    ) {
        let job = &self.jobs[self.processes[self.lanes[lane].process].job];
        let (from_ns, sync) = (now_ns, job.write_sync.kind());
        if job.direct {
            self.lanes[lane].step = Step::WritePast(Going {
                from_ns,
                file,
                request: PastCacheWrite::new(offset, bytes, sync),
            });
            let call_ns = machine.storage.costs().call();
            return self.work(machine, now_ns, lane, call_ns);
        }
        let write = Write::new(offset, bytes);
        let going = Going {
            from_ns,
            file,
            request: CachedWrite { write, sync },
        };
        self.write(machine, now_ns, lane, going);
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
    fn copy(&mut self, machine: &mut Machine, now_ns: u64, lane: usize, mut going: Going<Read>) {
        let process = &mut self.processes[self.lanes[lane].process];
        let job = process.job;
        let file = &mut process.files[going.file];
        let (storage, events) = (&mut machine.storage, &mut self.events);
        let before = storage.device_bytes();
        let progress = storage.read(now_ns, lane as u32, file, &mut going.request, events);
        self.counts[job].device_bytes += storage.device_bytes() - before;
        match progress {
            Progress::Waits => {
                self.lanes[lane].waits = Some((now_ns, Wait::Device));
                self.lanes[lane].step = Step::Copy(going);
            }
            Progress::Copies(busy_ns) => {
                self.lanes[lane].step = Step::Copy(going);
                self.work(machine, now_ns, lane, busy_ns);
            }
            // A process keeps its processor between two reads: where there are too few, it waits within a read.
            Progress::Ends(busy_ns) => {
                self.lanes[lane].step = Step::End(Finished {
                    operation: Operation::Read,
                    from_ns: going.from_ns,
                    bytes: going.request.bytes(),
                    hit: !going.request.missed(),
                    is_before_loop: false,
                });
                self.work(machine, now_ns, lane, busy_ns + loop_ns(&self.jobs[job]));
            }
        }
    }

    /// Writes into the page cache until the write waits, is paused or copies.
    fn write(
        &mut self,
        machine: &mut Machine,
        now_ns: u64,
        lane: usize,
        mut going: Going<CachedWrite>,
    ) {
        let process = &mut self.processes[self.lanes[lane].process];
        let job = process.job;
        let file = &mut process.files[going.file];
        let (storage, events) = (&mut machine.storage, &mut self.events);
        let before = storage.device_bytes();
        let write = &mut going.request.write;
        let progress = storage.write(now_ns, lane as u32, file, write, events);
        self.counts[job].device_bytes += storage.device_bytes() - before;
        self.lanes[lane].step = Step::Write(going);
        match progress {
            WriteProgress::Waits => self.lanes[lane].waits = Some((now_ns, Wait::Device)),
            WriteProgress::WaitsForJournal => {
                self.lanes[lane].waits = Some((now_ns, Wait::Journal));
            }
            WriteProgress::Pauses(until_ns) => {
                self.counts[job].throttle_ns += (until_ns - now_ns) as f64;
                self.at(until_ns, lane);
            }
            WriteProgress::Copies(busy_ns) => self.work(machine, now_ns, lane, busy_ns),
            WriteProgress::Ends(busy_ns) if going.request.sync.is_some() => {
                self.lanes[lane].step = Step::SyncWrite(going);
                self.work(machine, now_ns, lane, busy_ns);
            }
            WriteProgress::Ends(busy_ns) => {
                let write = going.request.write;
                self.lanes[lane].step = Step::End(Finished {
                    operation: Operation::Write,
                    from_ns: going.from_ns,
                    bytes: write.bytes(),
                    hit: !write.waited(),
                    is_before_loop: false,
                });
                self.work(machine, now_ns, lane, busy_ns + loop_ns(&self.jobs[job]));
            }
        }
    }

    /// Has synced what was written into the page cache (`generic_write_sync`, `include/linux/fs.h`).
    fn sync_write(
        &mut self,
        machine: &mut Machine,
        now_ns: u64,
        lane: usize,
        going: Going<CachedWrite>,
    ) {
        let CachedWrite { write, sync } = going.request;
        let file = &self.processes[self.lanes[lane].process].files[going.file];
        let (storage, events) = (&mut machine.storage, &mut self.events);
        let bytes = write.offset()..write.offset() + write.bytes();
        let waits = sync.is_some_and(|kind| {
            storage.sync_part(now_ns, lane as u32, file, (&bytes, kind), events)
        });
        let done = Finished {
            operation: Operation::Write,
            from_ns: going.from_ns,
            bytes: write.bytes(),
            hit: !waits && !write.waited(),
            is_before_loop: true,
        };
        if waits {
            self.lanes[lane].waits = Some((now_ns, Wait::Flush));
            self.lanes[lane].step = Step::End(done);
            return;
        }
        self.end(machine, now_ns, lane, done);
    }

    /// Has the device write past the page cache.
    fn write_past(
        &mut self,
        machine: &mut Machine,
        now_ns: u64,
        lane: usize,
        mut going: Going<PastCacheWrite>,
    ) {
        let file = &self.processes[self.lanes[lane].process].files[going.file];
        let (storage, events) = (&mut machine.storage, &mut self.events);
        let write = &mut going.request;
        let progress = storage.write_past_cache(now_ns, lane as u32, file, write, events);
        let (offset, bytes) = (write.offset(), write.bytes());
        self.lanes[lane].step = Step::WritePast(going);
        let wait = match progress {
            PastCacheProgress::Waits => Wait::Device,
            PastCacheProgress::WaitsForJournal => Wait::Journal,
            PastCacheProgress::Syncs => Wait::Flush,
            PastCacheProgress::ByMemory { waits } => {
                let job = &self.jobs[self.processes[self.lanes[lane].process].job];
                let pages = waits.then_some(SyncKind::Pages(PageSync::WRITTEN));
                let write = Going {
                    from_ns: going.from_ns,
                    file: going.file,
                    request: CachedWrite {
                        write: Write::new(offset, bytes),
                        sync: job.write_sync.kind().or(pages),
                    },
                };
                return self.write(machine, now_ns, lane, write);
            }
            PastCacheProgress::Ends => {
                let done = Finished {
                    operation: Operation::Write,
                    from_ns: going.from_ns,
                    bytes,
                    hit: false,
                    is_before_loop: true,
                };
                return self.end(machine, now_ns, lane, done);
            }
        };
        self.lanes[lane].waits = Some((now_ns, wait));
    }

    /// Has a file synced.
    fn sync(&mut self, machine: &mut Machine, now_ns: u64, lane: usize, going: Going<Synced>) {
        let done = Finished {
            operation: Operation::Fsync,
            from_ns: going.from_ns,
            bytes: 0,
            hit: false,
            is_before_loop: false,
        };
        let Synced { start, end, kind } = going.request;
        let process = &mut self.processes[self.lanes[lane].process];
        let file = &process.files[going.file];
        let (storage, events) = (&mut machine.storage, &mut self.events);
        if storage.sync_part(now_ns, lane as u32, file, (&(start..end), kind), events) {
            if self.jobs[process.job].syncs_alone() {
                process.held.get_or_insert_with(Vec::new);
            }
            self.lanes[lane].waits = Some((now_ns, Wait::Flush));
            self.lanes[lane].step = Step::Synced(done);
            return;
        }
        self.end_sync(now_ns, lane, done);
    }

    /// A file is synced, and its process goes on, with all that waited for that.
    fn end_sync(&mut self, now_ns: u64, lane: usize, done: Finished) {
        let process = &mut self.processes[self.lanes[lane].process];
        let held = process.held.take().unwrap_or_default();
        self.counts[process.job].take(now_ns, done);
        self.lanes[lane].step = Step::Begin;
        for lane in std::iter::once(lane).chain(held) {
            self.at(now_ns, lane);
        }
    }

    /// Has the device read past the page cache.
    fn ask(&mut self, machine: &mut Machine, now_ns: u64, lane: usize, asked: Going<Read>) {
        let process = &self.processes[self.lanes[lane].process];
        let (file, read) = (&process.files[asked.file], &asked.request);
        self.counts[process.job].device_bytes += read.bytes();
        self.lanes[lane].waits = Some((now_ns, Wait::Device));
        self.lanes[lane].step = Step::End(Finished {
            operation: Operation::Read,
            from_ns: asked.from_ns,
            bytes: read.bytes(),
            hit: false,
            is_before_loop: true,
        });
        let (storage, events) = (&mut machine.storage, &mut self.events);
        storage.read_past(now_ns, lane as u32, file, read, events);
    }

    fn end(&mut self, machine: &mut Machine, now_ns: u64, lane: usize, done: Finished) {
        let process = &mut self.processes[self.lanes[lane].process];
        if let Some(held) = &mut process.held {
            self.lanes[lane].step = Step::End(done);
            return held.push(lane);
        }
        process.under_way -= 1;
        let (job, counts) = (&self.jobs[process.job], &mut self.counts[process.job]);
        let copied_ns = match done.is_before_loop {
            true => now_ns,
            false => now_ns - loop_ns(job),
        };
        if let Some(done) = process.take_back(done, job) {
            counts.take(copied_ns, done);
        }
        let think_ns = (job.think_us * 1e3) as u64;
        counts.pause_ns += think_ns as f64;
        self.lanes[lane].step = Step::Begin;
        let free_ns = match done.is_before_loop {
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

    /// The results of all jobs, and the events that are left.
    pub fn results(
        self,
        machine: &Machine,
        files: &Files,
        settings: &[(String, String)],
        seed: u64,
        end_ns: u64,
    ) -> (Vec<JobResult>, EventQueue<Event>) {
        let resources = machine.resources(end_ns - self.start_ns);
        let written = written(self.jobs, files, machine);
        let written = written.iter().zip(&self.written_before);
        let jobs = self.jobs.iter().zip(&self.counts).zip(written);
        let results = jobs.map(|((job, counts), (now, before))| {
            let written = Written {
                bytes: now.bytes - before.bytes,
                commit_ns: now.commit_ns - before.commit_ns,
            };
            counts.result(job, settings, seed, written, resources.clone())
        });
        (results.collect(), self.events)
    }
}

/// Whether there is something that the device does not have yet.
fn has_unwritten(machine: &Machine) -> bool {
    let pages = machine.storage.unwritten_pages();
    pages.dirty + pages.writing > 0
}

/// What the device was given so far of the files of each job, and how long programs waited for the journal for them.
fn written(jobs: &[Job], files: &Files, machine: &Machine) -> Vec<Written> {
    let storage = &machine.storage;
    let of_job = |job: &Job| {
        let each = files.numbers_of(job).into_iter();
        each.fold(Written::default(), |sum, file| Written {
            bytes: sum.bytes + storage.written_bytes_of(file),
            commit_ns: sum.commit_ns + storage.commit_ns_of(file),
        })
    };
    jobs.iter().map(of_job).collect()
}
