//! Jobs that run at the same time, event by event.

use super::application::{Finished, LOOP_NS, Process};
use super::files::Files;
use super::machines::{At, Event, Machines, Opened};
use super::next::Next;
use super::operation::Operation;
use super::ramps::Ramps;
use super::result::{Counts, Written};
use super::{Delivery, Job, JobResult, SimulationError};
use crate::calendar::{Calendar as _, EventQueue};
use crate::remote::RemoteEvent;
use crate::storage::{
    PastCacheProgress, PastCacheWrite, Progress, Read, SyncKind, Write, WriteProgress,
};
use crate::write_back::PageSync;

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
    machine: u32,
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
    files: &'j Files,
    processes: Vec<Process>,
    /// By process.
    opened: Vec<Opened>,
    lanes: Vec<Lane>,
    counts: Vec<Counts>,
    events: EventQueue<Event>,
    /// Lanes that have something left to do.
    lanes_left: usize,
    /// What the device was given of each job's files before, and how long the journal was waited for.
    written_before: Vec<Written>,
    ramps: Ramps,
    start_ns: u64,
}

impl<'j> Stage<'j> {
    /// `events` is what the stage before has left: write-back of what it wrote.
    pub fn new(
        jobs: &'j [Job],
        files: &'j Files,
        machines: &mut Machines,
        (start_ns, events): (u64, EventQueue<Event>),
        seed: u64,
    ) -> Result<Self, SimulationError> {
        for machine in &mut machines.each {
            machine.storage.unmap_all();
        }
        let counts = jobs
            .iter()
            .map(|job| Counts::new(start_ns + (job.uncounted_us() * 1e3) as u64));
        let counts: Vec<Counts> = counts.collect();
        let mut stage = Self {
            jobs,
            files,
            processes: Vec::new(),
            opened: Vec::new(),
            lanes: Vec::new(),
            ramps: Ramps::of(jobs, &counts, start_ns),
            counts,
            events,
            lanes_left: 0,
            written_before: written(jobs, files, machines),
            start_ns,
        };
        let bytes = files.bytes_of(jobs);
        for machine in 0..machines.each.len() as u32 {
            for (number, job) in jobs.iter().enumerate() {
                for thread in 0..job.threads {
                    let process = stage.processes.len() as u32;
                    let storage = &mut machines.each[machine as usize].storage;
                    let opened = files.opened((job, thread), process, bytes, storage);
                    let seed = seed.wrapping_add(u64::from(process));
                    let process = Process::new((number, job), opened, start_ns, seed)?;
                    let opened = Opened {
                        machine,
                        files: files.of_process(job, thread),
                        lanes_left: job.lanes(),
                    };
                    machines.open(start_ns, &opened, job.mode.writes(), &mut stage.events);
                    stage.add(process, opened);
                }
            }
        }
        Ok(stage)
    }

    fn add(&mut self, process: Process, opened: Opened) {
        let (process_number, start_ns) = (self.processes.len(), process.start_ns);
        let (machine, lanes) = (opened.machine, opened.lanes_left);
        self.processes.push(process);
        self.opened.push(opened);
        for _ in 0..lanes {
            let step = Step::Begin;
            self.lanes_left += 1;
            self.lanes.push(Lane {
                process: process_number,
                machine,
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
        machines: &mut Machines,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<u64, SimulationError> {
        let (mut last_ns, mut patience) = (self.start_ns, self.events.added() + PATIENCE);
        while self.lanes_left > 0 || !machines.have_unwritten() {
            let Some((now_ns, event)) = self.events.pop() else {
                break;
            };
            if now_ns > LONGEST_NS {
                return Err(SimulationError::TooLong);
            }
            // Nobody waits for what clocks bring: it takes place in the next stage.
            if self.lanes_left == 0 && event.is_timer() && !machines.has_calls() {
                self.events.at(now_ns, event);
                break;
            }
            last_ns = now_ns;
            self.end_ramps(machines, now_ns);
            let machine = self.take_place(machines, now_ns, event);
            machines.send(now_ns, machine, &mut self.events);
            if self.events.added() >= patience {
                patience = self.events.added() + PATIENCE;
                if !goes_on() {
                    return Err(SimulationError::Interrupted);
                }
            }
        }
        // Of a job that ends within its ramp nothing is counted.
        self.end_ramps(machines, u64::MAX);
        Ok(last_ns)
    }

    /// Has figures begin anew that are not of single requests, where ramps are over.
    fn end_ramps(&mut self, machines: &mut Machines, now_ns: u64) {
        while let Some((end_ns, job)) = self.ramps.next_over(now_ns) {
            if end_ns == self.ramps.first_ns {
                machines.count_anew(end_ns);
            }
            self.written_before[job] = written_of(&self.jobs[job], self.files, machines);
        }
    }

    /// Has an event take place; the machine whose storage may have asked for something.
    fn take_place(&mut self, machines: &mut Machines, now_ns: u64, event: Event) -> u32 {
        match event {
            Event::Lane(lane) => {
                self.step(machines, now_ns, lane as usize);
                self.lanes[lane as usize].machine
            }
            Event::Device { machine, event } => {
                let events = &mut self.events;
                let storage = &mut machines.each[machine as usize].storage;
                let woken = storage.handle(now_ns, event, &mut At { events, machine });
                for lane in woken {
                    self.wake(now_ns, lane);
                }
                machine
            }
            Event::Flusher { machine } => {
                let events = &mut self.events;
                let storage = &mut machines.each[machine as usize].storage;
                storage.wake_flusher(now_ns, &mut At { events, machine });
                machine
            }
            Event::Remote(event) => self.handle_remote(machines, now_ns, event),
        }
    }

    /// Something takes place at a file server or on the way there: who has waited for it goes on. The machine that they are on.
    fn handle_remote(&mut self, machines: &mut Machines, now_ns: u64, event: RemoteEvent) -> u32 {
        let Some(remote) = &mut machines.remote else {
            return 0;
        };
        let mut of = 0;
        let ended = remote.handle(now_ns, event, &mut machines.each, &mut self.events);
        for (machine, transfer) in ended {
            of = machine;
            let events = &mut self.events;
            let storage = &mut machines.each[machine as usize].storage;
            let woken = storage.end_remote(now_ns, transfer, &mut At { events, machine });
            for lane in woken {
                self.wake(now_ns, lane);
            }
        }
        of
    }

    /// A lane goes on that has waited.
    fn wake(&mut self, now_ns: u64, lane: u32) {
        let waiting = &mut self.lanes[lane as usize];
        if let Some((since_ns, wait)) = waiting.waits.take() {
            let counts = &mut self.counts[self.processes[waiting.process].job];
            let waited_ns = counts.counted_ns(since_ns, now_ns);
            match wait {
                Wait::Device => counts.device_ns += waited_ns,
                Wait::Flush => counts.flush_ns += waited_ns,
                Wait::Journal => counts.journal_ns += waited_ns,
            }
        }
        self.events.at(now_ns, Event::Lane(lane));
    }

    fn step(&mut self, machines: &mut Machines, now_ns: u64, lane: usize) {
        match self.lanes[lane].step {
            Step::Begin => self.begin(machines, now_ns, lane),
            Step::Copy(read) => self.copy(machines, now_ns, lane, read),
            Step::Ask(read) => self.ask(machines, now_ns, lane, read),
            Step::Write(write) => self.write(machines, now_ns, lane, write),
            Step::SyncWrite(write) => self.sync_write(machines, now_ns, lane, write),
            Step::WritePast(write) => self.write_past(machines, now_ns, lane, write),
            Step::Sync(sync) => self.sync(machines, now_ns, lane, sync),
            Step::End(done) => self.end(machines, now_ns, lane, done),
            Step::Synced(done) => self.end_sync(now_ns, lane, done),
        }
    }

    /// Begins the next request, or waits until it may.
    fn begin(&mut self, machines: &mut Machines, now_ns: u64, lane: usize) {
        let at = self.lanes[lane].machine as usize;
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
            Next::End => self.end_lane(machines, now_ns, lane),
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
                let call_ns = machines.each[at].storage.costs().call();
                self.work(machines, now_ns, lane, call_ns);
            }
            Next::Wait(due_ns) => {
                let counts = &mut self.counts[process.job];
                counts.pause_ns += counts.counted_ns(now_ns, due_ns);
                self.at(due_ns, lane);
            }
            Next::Open { file, drops } => self.open(machines, now_ns, lane, file, drops),
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
                    machines.each[at].storage.map_anew(opened);
                }
                if drops {
                    machines.each[at].storage.forget(opened);
                }
                if operation == Operation::Write {
                    return self.begin_write(machines, now_ns, lane, (file, offset, bytes));
                }
                let read = Going {
                    from_ns: now_ns,
                    file,
                    request: Read::new(offset, bytes),
                };
                if job.direct {
                    self.lanes[lane].step = Step::Ask(read);
                    let call_ns = machines.each[at].storage.costs().call();
                    self.work(machines, now_ns, lane, call_ns);
                } else {
                    self.copy(machines, now_ns, lane, read);
                }
            }
        }
    }

    /// Begins to write so many bytes from a byte of a file.
    fn begin_write(
        &mut self,
        machines: &mut Machines,
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
            let at = self.lanes[lane].machine as usize;
            let call_ns = machines.each[at].storage.costs().call();
            return self.work(machines, now_ns, lane, call_ns);
        }
        let write = Write::new(offset, bytes);
        let going = Going {
            from_ns,
            file,
            request: CachedWrite { write, sync },
        };
        self.write(machines, now_ns, lane, going);
    }

    /// A lane has nothing left to do. A process whose last lane ends closes its files.
    fn end_lane(&mut self, machines: &mut Machines, now_ns: u64, lane: usize) {
        self.lanes_left -= 1;
        let process = self.lanes[lane].process;
        let writes = self.jobs[self.processes[process].job].mode.writes();
        let opened = &mut self.opened[process];
        opened.lanes_left -= 1;
        if opened.lanes_left == 0 {
            machines.close(now_ns, opened, writes, &mut self.events);
        }
    }

    /// Opens a file: nothing is known of its reads, and it is dropped from memory where so told.
    fn open(
        &mut self,
        machines: &mut Machines,
        now_ns: u64,
        lane: usize,
        file: usize,
        drops: bool,
    ) {
        let storage = &mut machines.each[self.lanes[lane].machine as usize].storage;
        let opened = &mut self.processes[self.lanes[lane].process].files[file];
        storage.reopen(opened);
        if drops {
            storage.forget(opened);
        }
        let open_ns = storage.costs().open();
        self.work(machines, now_ns, lane, open_ns);
    }

    /// Reads through the page cache until the read waits or copies.
    fn copy(&mut self, machines: &mut Machines, now_ns: u64, lane: usize, mut going: Going<Read>) {
        let process = &mut self.processes[self.lanes[lane].process];
        let job = process.job;
        let file = &mut process.files[going.file];
        let machine = self.lanes[lane].machine;
        let storage = &mut machines.each[machine as usize].storage;
        let events = &mut self.events;
        let before = storage.device_bytes();
        let progress = storage.read(
            now_ns,
            lane as u32,
            file,
            &mut going.request,
            &mut At { events, machine },
        );
        self.counts[job].add_device_bytes(going.from_ns, storage.device_bytes() - before);
        match progress {
            Progress::Waits => {
                self.lanes[lane].waits = Some((now_ns, Wait::Device));
                self.lanes[lane].step = Step::Copy(going);
            }
            Progress::Copies(busy_ns) => {
                self.lanes[lane].step = Step::Copy(going);
                self.work(machines, now_ns, lane, busy_ns);
            }
            // A process keeps its processor between two reads: where there are too few, it waits within a read.
            Progress::Ends(busy_ns) => {
                if let Some(remote) = &mut machines.remote {
                    let number = self.opened[self.lanes[lane].process].files[going.file];
                    let file = (machine, number);
                    remote.note_read(now_ns, file, &mut machines.each, &mut self.events);
                }
                self.lanes[lane].step = Step::End(Finished {
                    operation: Operation::Read,
                    from_ns: going.from_ns,
                    bytes: going.request.bytes(),
                    hit: !going.request.missed(),
                    is_before_loop: false,
                });
                self.work(machines, now_ns, lane, busy_ns + loop_ns(&self.jobs[job]));
            }
        }
    }

    /// Writes into the page cache until the write waits, is paused or copies.
    fn write(
        &mut self,
        machines: &mut Machines,
        now_ns: u64,
        lane: usize,
        mut going: Going<CachedWrite>,
    ) {
        let process = &mut self.processes[self.lanes[lane].process];
        let job = process.job;
        let file = &mut process.files[going.file];
        let machine = self.lanes[lane].machine;
        let storage = &mut machines.each[machine as usize].storage;
        let events = &mut self.events;
        let before = storage.device_bytes();
        let write = &mut going.request.write;
        let progress = storage.write(
            now_ns,
            lane as u32,
            file,
            write,
            &mut At { events, machine },
        );
        self.counts[job].add_device_bytes(going.from_ns, storage.device_bytes() - before);
        self.lanes[lane].step = Step::Write(going);
        match progress {
            WriteProgress::Waits => self.lanes[lane].waits = Some((now_ns, Wait::Device)),
            WriteProgress::WaitsForJournal => {
                self.lanes[lane].waits = Some((now_ns, Wait::Journal));
            }
            WriteProgress::Pauses(until_ns) => {
                let counts = &mut self.counts[job];
                counts.throttle_ns += counts.counted_ns(now_ns, until_ns);
                self.at(until_ns, lane);
            }
            WriteProgress::Copies(busy_ns) => self.work(machines, now_ns, lane, busy_ns),
            WriteProgress::Ends(busy_ns) if going.request.sync.is_some() => {
                self.lanes[lane].step = Step::SyncWrite(going);
                self.work(machines, now_ns, lane, busy_ns);
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
                self.work(machines, now_ns, lane, busy_ns + loop_ns(&self.jobs[job]));
            }
        }
    }

    /// Has synced what was written into the page cache (`generic_write_sync`, `include/linux/fs.h`).
    fn sync_write(
        &mut self,
        machines: &mut Machines,
        now_ns: u64,
        lane: usize,
        going: Going<CachedWrite>,
    ) {
        let CachedWrite { write, sync } = going.request;
        let file = &self.processes[self.lanes[lane].process].files[going.file];
        let machine = self.lanes[lane].machine;
        let storage = &mut machines.each[machine as usize].storage;
        let events = &mut self.events;
        let bytes = write.offset()..write.offset() + write.bytes();
        let waits = sync.is_some_and(|kind| {
            storage.sync_part(
                now_ns,
                lane as u32,
                file,
                (&bytes, kind),
                &mut At { events, machine },
            )
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
        self.end(machines, now_ns, lane, done);
    }

    /// Has the device write past the page cache.
    fn write_past(
        &mut self,
        machines: &mut Machines,
        now_ns: u64,
        lane: usize,
        mut going: Going<PastCacheWrite>,
    ) {
        let file = &self.processes[self.lanes[lane].process].files[going.file];
        let machine = self.lanes[lane].machine;
        let storage = &mut machines.each[machine as usize].storage;
        let events = &mut self.events;
        let write = &mut going.request;
        let progress = storage.write_past_cache(
            now_ns,
            lane as u32,
            file,
            write,
            &mut At { events, machine },
        );
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
                return self.write(machines, now_ns, lane, write);
            }
            PastCacheProgress::Ends => {
                let done = Finished {
                    operation: Operation::Write,
                    from_ns: going.from_ns,
                    bytes,
                    hit: false,
                    is_before_loop: true,
                };
                return self.end(machines, now_ns, lane, done);
            }
        };
        self.lanes[lane].waits = Some((now_ns, wait));
    }

    /// Has a file synced.
    fn sync(&mut self, machines: &mut Machines, now_ns: u64, lane: usize, going: Going<Synced>) {
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
        let machine = self.lanes[lane].machine;
        let storage = &mut machines.each[machine as usize].storage;
        let events = &mut self.events;
        if storage.sync_part(
            now_ns,
            lane as u32,
            file,
            (&(start..end), kind),
            &mut At { events, machine },
        ) {
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
    fn ask(&mut self, machines: &mut Machines, now_ns: u64, lane: usize, asked: Going<Read>) {
        let process = &self.processes[self.lanes[lane].process];
        let (file, read) = (&process.files[asked.file], &asked.request);
        self.counts[process.job].add_device_bytes(asked.from_ns, read.bytes());
        self.lanes[lane].waits = Some((now_ns, Wait::Device));
        self.lanes[lane].step = Step::End(Finished {
            operation: Operation::Read,
            from_ns: asked.from_ns,
            bytes: read.bytes(),
            hit: false,
            is_before_loop: true,
        });
        let machine = self.lanes[lane].machine;
        let storage = &mut machines.each[machine as usize].storage;
        let events = &mut self.events;
        storage.read_past(now_ns, lane as u32, file, read, &mut At { events, machine });
    }

    fn end(&mut self, machines: &mut Machines, now_ns: u64, lane: usize, done: Finished) {
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
        counts.pause_ns += counts.counted_ns(now_ns, now_ns + think_ns);
        self.lanes[lane].step = Step::Begin;
        let free_ns = match done.is_before_loop {
            true => self.processor(machines, now_ns, lane, loop_ns(job)),
            false => now_ns,
        };
        self.at(free_ns + think_ns, lane);
    }

    /// Has a processor work for `lane`, which goes on afterwards.
    fn work(&mut self, machines: &mut Machines, now_ns: u64, lane: usize, busy_ns: u64) {
        let done_ns = self.processor(machines, now_ns, lane, busy_ns);
        self.at(done_ns, lane);
    }

    /// When a processor has worked so long for the process of `lane`, which has one at a time.
    fn processor(
        &mut self,
        machines: &mut Machines,
        now_ns: u64,
        lane: usize,
        busy_ns: u64,
    ) -> u64 {
        let process = &mut self.processes[self.lanes[lane].process];
        let machine = &mut machines.each[self.lanes[lane].machine as usize];
        let from_ns = now_ns.max(process.free_ns);
        let done_ns = machine.processors.serve(from_ns, busy_ns);
        process.free_ns = done_ns;
        let counts = &mut self.counts[process.job];
        counts.processor_ns += counts.counted_ns(now_ns, done_ns);
        done_ns
    }

    /// The results of all jobs, and the events that are left.
    pub fn results(
        self,
        machines: &Machines,
        settings: &[(String, String)],
        seed: u64,
        end_ns: u64,
    ) -> (Vec<JobResult>, EventQueue<Event>) {
        let counted_ns = end_ns.saturating_sub(self.ramps.first_ns);
        let mut resources = machines.resources(counted_ns);
        let remote = machines.remote.as_ref().map(|it| it.result(end_ns));
        if let Some(remote) = &remote {
            resources.extend(remote.resources.iter().cloned());
        }
        let written = written(self.jobs, self.files, machines);
        let written = written.iter().zip(&self.written_before);
        let jobs = self.jobs.iter().zip(&self.counts).zip(written);
        let results = jobs.map(|((job, counts), (now, before))| {
            let written = Written {
                bytes: now.bytes - before.bytes,
                commit_ns: now.commit_ns - before.commit_ns,
            };
            JobResult {
                remote: remote.clone(),
                ..counts.result(job, settings, seed, written, resources.clone())
            }
        });
        (results.collect(), self.events)
    }
}

/// What the device was given so far of the files of each job, and how long programs waited for the journal for them.
fn written(jobs: &[Job], files: &Files, machines: &Machines) -> Vec<Written> {
    let of_job = |job| written_of(job, files, machines);
    jobs.iter().map(of_job).collect()
}

/// The same of one job.
fn written_of(job: &Job, files: &Files, machines: &Machines) -> Written {
    let numbers = files.numbers_of(job);
    let storages = machines.each.iter().map(|machine| &machine.storage);
    let each = storages.flat_map(|storage| numbers.iter().map(move |&file| (storage, file)));
    each.fold(Written::default(), |sum, (storage, file)| Written {
        bytes: sum.bytes + storage.written_bytes_of(file),
        commit_ns: sum.commit_ns + storage.commit_ns_of(file),
    })
}
