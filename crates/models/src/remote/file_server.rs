//! A file server: threads that each have one call, processors, a page cache and disks.
//!
//! What is read and written goes the way of local reads and writes. Pages that are read go to the connection uncopied (`nfsd_splice_read`,
//! `fs/nfsd/vfs.c` of Linux 6.1). A file stays open, so what is read ahead of it does not depend on the thread (`fs/nfsd/filecache.c`).

use std::collections::VecDeque;

use hotset_outcome::Resource;
use hotset_scenario::Profile;

use super::costs::CallCosts;
use super::event::RemoteEvent;
use crate::block::DeviceEvent;
use crate::calendar::Calendar;
use crate::page_cache::StoredFile;
use crate::station::{SharedStation, Station, resource};
use crate::storage::{
    OpenFile, Progress, Read, Storage, StorageError, System, Usage, Write, WriteProgress,
};
use crate::write_back::FlusherWakes;

/// The machine of a file server.
#[derive(Clone, Debug)]
pub struct ServerMachine<'p> {
    /// Its name.
    pub name: String,
    /// Costs of the store that it keeps files on.
    pub profile: &'p Profile,
    /// Memory for pages of files, bytes; where not given, all fit.
    pub memory_bytes: Option<u64>,
    /// Processors.
    pub processors: usize,
    /// Threads that answer calls.
    pub threads: usize,
    /// Whether it answers before what is to be on its disk is there (`async`, `man 5 exports`).
    pub is_async: bool,
    /// What calls cost its processors.
    pub costs: CallCosts,
}

/// What a call has the server do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Work {
    /// Nothing that takes a disk: names and attributes are in memory.
    Nothing,
    /// These bytes of a file are read.
    Read { file: u32, offset: u64, bytes: u64 },
    /// The same are written. They are to be on the disk then, if it is stable.
    Write {
        file: u32,
        offset: u64,
        bytes: u64,
        is_stable: bool,
    },
    /// All that was written to a file is to be on the disk.
    Commit { file: u32 },
}

impl Work {
    /// Bytes of files that the call has.
    fn written_bytes(self) -> u64 {
        match self {
            Self::Write { bytes, .. } => bytes,
            _ => 0,
        }
    }
}

/// What a thread does next for a call.
#[derive(Clone, Copy, Debug)]
enum Step {
    Read(u32, Read),
    Write(u32, Write),
    Sync(u32),
    Answer,
}

/// A call at the server.
#[derive(Clone, Copy, Debug)]
struct Job {
    work: Work,
    /// What it costs beside bytes of files.
    call_ns: u64,
    step: Step,
    arrived_ns: u64,
    begun_ns: u64,
}

/// What was counted of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ServerCounts {
    /// Reads, and those that waited for no disk.
    pub reads: u64,
    pub hits: u64,
    /// Time that calls waited for a thread, that they were with one, and both.
    pub waited_ns: u64,
    busy_ns: u64,
    stay_ns: u64,
}

/// A file server.
pub(crate) struct FileServer {
    name: String,
    /// Its number among all.
    number: u32,
    storage: Storage<u32>,
    /// By number.
    opened: Vec<OpenFile>,
    processors: SharedStation,
    costs: CallCosts,
    /// Whether those of a byte have what copying it to the page cache takes.
    has_copies_in_costs: bool,
    is_async: bool,
    threads: usize,
    /// Threads that have no call, and calls that have no thread.
    idle: usize,
    waiting: VecDeque<u32>,
    /// By the number of the call.
    jobs: Vec<Job>,
    counts: ServerCounts,
}

/// A calendar that takes what takes place at the disks of the server with this number.
struct AtServer<'c, C>(&'c mut C, u32);

impl<C: Calendar<RemoteEvent>> Calendar<DeviceEvent> for AtServer<'_, C> {
    fn at(&mut self, time_ns: u64, event: DeviceEvent) {
        let server = self.1;
        self.0.at(time_ns, RemoteEvent::Disk { server, event });
    }
}

impl<C: Calendar<RemoteEvent>> Calendar<FlusherWakes> for AtServer<'_, C> {
    fn at(&mut self, time_ns: u64, _event: FlusherWakes) {
        let server = self.1;
        self.0.at(time_ns, RemoteEvent::Flusher { server });
    }
}

impl FileServer {
    /// One that has `files`, of which calls want multiples of `unit_bytes`, and nothing of them in memory.
    ///
    /// # Errors
    /// Files that are too large to be followed, or for its device.
    pub fn new(
        machine: &ServerMachine<'_>,
        files: &[StoredFile<'_>],
        unit_bytes: u64,
        seed: u64,
    ) -> Result<Self, StorageError> {
        let system = System {
            profile: machine.profile,
            memory_bytes: machine.memory_bytes,
            seed,
        };
        let mut storage = Storage::new(&system, files, unit_bytes)?;
        let files = files.iter().zip(0..);
        let opened = files.map(|(file, number)| storage.open(number, file.bytes, Usage::SERVER));
        let opened: Vec<OpenFile> = opened.collect();
        let threads = machine.threads.max(1);
        Ok(Self {
            name: machine.name.clone(),
            number: 0,
            storage,
            opened,
            processors: Station::new(machine.processors).shared(),
            costs: machine.costs,
            has_copies_in_costs: false,
            is_async: machine.is_async,
            threads,
            idle: threads,
            waiting: VecDeque::new(),
            jobs: Vec::new(),
            counts: ServerCounts::default(),
        })
    }

    /// The same on processors that others have too.
    pub fn on(mut self, processors: &SharedStation) -> Self {
        self.processors = processors.clone();
        self
    }

    /// The same where the costs of a byte have what copying it to the page cache takes.
    pub fn with_copies_in_costs(mut self) -> Self {
        self.has_copies_in_costs = true;
        self
    }

    /// The same as the server with this number.
    pub fn numbered(mut self, number: u32) -> Self {
        self.number = number;
        self
    }

    /// Has all of a file in memory, as far as it fits.
    pub fn fill(&mut self, file: u32) {
        self.storage.fill(file);
    }

    /// A file is new, and nothing of it has data.
    pub fn empty(&mut self, file: u32) {
        let preallocates = self.storage.preallocates(file);
        self.storage.empty(file, preallocates);
    }

    /// A call comes.
    pub fn arrive(
        &mut self,
        now_ns: u64,
        call: u32,
        work: Work,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let call_ns = self.costs.call_ns;
        self.arrive_costing(now_ns, call, (work, call_ns), calendar);
    }

    /// The same of a call that costs its processors so many nanoseconds beside bytes of files.
    pub fn arrive_costing(
        &mut self,
        now_ns: u64,
        call: u32,
        (work, call_ns): (Work, u64),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let job = Job {
            work,
            call_ns,
            step: first_step(work),
            arrived_ns: now_ns,
            begun_ns: now_ns,
        };
        let place = call as usize;
        if place >= self.jobs.len() {
            self.jobs.resize(place + 1, job);
        }
        self.jobs[place] = job;
        match self.idle {
            0 => self.waiting.push_back(call),
            _ => {
                self.idle -= 1;
                self.begin(now_ns, call, calendar);
            }
        }
    }

    /// A thread takes a call.
    fn begin(&mut self, now_ns: u64, call: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        let job = &mut self.jobs[call as usize];
        job.begun_ns = now_ns;
        self.counts.waited_ns += now_ns - job.arrived_ns;
        let work_ns = job.call_ns + self.costs.received_bytes_ns(job.work.written_bytes());
        let done_ns = self.processors.borrow_mut().serve(now_ns, work_ns);
        calendar.at(done_ns, RemoteEvent::Works { call });
    }

    /// Something takes place here; the call that is answered.
    pub fn handle(
        &mut self,
        now_ns: u64,
        event: RemoteEvent,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) -> Option<u32> {
        match event {
            RemoteEvent::Works { call } => self.work(now_ns, call, calendar),
            RemoteEvent::Answers { call } => {
                self.release(now_ns, call, calendar);
                return Some(call);
            }
            RemoteEvent::Disk { event, .. } => self.handle_disk(now_ns, event, calendar),
            RemoteEvent::Flusher { .. } => {
                let mut at_server = AtServer(calendar, self.number);
                self.storage.wake_flusher(now_ns, &mut at_server);
            }
            // Not of a server.
            RemoteEvent::LinkFree { .. }
            | RemoteEvent::Comes { .. }
            | RemoteEvent::Sends { .. }
            | RemoteEvent::Ends { .. } => {}
        }
        None
    }

    /// Something takes place at a disk: calls that have waited for it go on.
    fn handle_disk(
        &mut self,
        now_ns: u64,
        event: DeviceEvent,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let mut at_server = AtServer(&mut *calendar, self.number);
        let woken = self.storage.handle(now_ns, event, &mut at_server);
        for call in woken {
            calendar.at(now_ns, RemoteEvent::Works { call });
        }
    }

    /// A thread goes on with a call.
    fn work(&mut self, now_ns: u64, call: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        match self.jobs[call as usize].step {
            Step::Read(file, read) => self.read(now_ns, call, (file, read), calendar),
            Step::Write(file, write) => self.write(now_ns, call, (file, write), calendar),
            Step::Sync(file) => self.sync(now_ns, call, file, calendar),
            Step::Answer => self.answer(now_ns, call, 0, calendar),
        }
    }

    /// What moving pages to the connection takes is in the costs of a byte.
    fn read(
        &mut self,
        now_ns: u64,
        call: u32,
        (file, mut read): (u32, Read),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let opened = &mut self.opened[file as usize];
        let mut at_server = AtServer(&mut *calendar, self.number);
        loop {
            let progress = self
                .storage
                .read(now_ns, call, opened, &mut read, &mut at_server);
            match progress {
                Progress::Copies(_) => {}
                Progress::Ends(_) => break,
                Progress::Waits => {
                    self.jobs[call as usize].step = Step::Read(file, read);
                    return;
                }
            }
        }
        self.counts.reads += 1;
        self.counts.hits += u64::from(!read.missed());
        let work_ns = self.costs.sent_bytes_ns(read.bytes());
        self.answer(now_ns, call, work_ns, calendar);
    }

    fn write(
        &mut self,
        now_ns: u64,
        call: u32,
        (file, mut write): (u32, Write),
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let opened = &mut self.opened[file as usize];
        let mut at_server = AtServer(&mut *calendar, self.number);
        let progress = self
            .storage
            .write(now_ns, call, opened, &mut write, &mut at_server);
        let (step, goes_on_ns) = match progress {
            WriteProgress::Waits | WriteProgress::WaitsForJournal => {
                (Step::Write(file, write), None)
            }
            WriteProgress::Pauses(until_ns) => (Step::Write(file, write), Some(until_ns)),
            WriteProgress::Copies(ns) => {
                (Step::Write(file, write), Some(self.copied_ns(now_ns, ns)))
            }
            WriteProgress::Ends(ns) => (
                self.step_behind(call, file),
                Some(self.copied_ns(now_ns, ns)),
            ),
        };
        self.jobs[call as usize].step = step;
        if let Some(goes_on_ns) = goes_on_ns {
            calendar.at(goes_on_ns, RemoteEvent::Works { call });
        }
    }

    /// When what takes so long to copy to the page cache is there.
    fn copied_ns(&self, now_ns: u64, copying_ns: u64) -> u64 {
        match self.has_copies_in_costs {
            true => now_ns,
            false => self.processors.borrow_mut().serve(now_ns, copying_ns),
        }
    }

    /// What follows when all of a write is in the page cache.
    fn step_behind(&self, call: u32, file: u32) -> Step {
        match self.jobs[call as usize].work {
            Work::Write {
                is_stable: true, ..
            } => Step::Sync(file),
            _ => Step::Answer,
        }
    }

    fn sync(
        &mut self,
        now_ns: u64,
        call: u32,
        file: u32,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let opened = &self.opened[file as usize];
        let mut at_server = AtServer(&mut *calendar, self.number);
        let waits = !self.is_async && self.storage.sync(now_ns, call, opened, &mut at_server);
        match waits {
            true => self.jobs[call as usize].step = Step::Answer,
            false => self.answer(now_ns, call, 0, calendar),
        }
    }

    /// A call is answered when a processor has worked so long for that.
    fn answer(
        &mut self,
        now_ns: u64,
        call: u32,
        work_ns: u64,
        calendar: &mut impl Calendar<RemoteEvent>,
    ) {
        let done_ns = match work_ns {
            0 => now_ns,
            _ => self.processors.borrow_mut().serve(now_ns, work_ns),
        };
        calendar.at(done_ns, RemoteEvent::Answers { call });
    }

    /// A thread is done with a call, and takes the next.
    fn release(&mut self, now_ns: u64, call: u32, calendar: &mut impl Calendar<RemoteEvent>) {
        let job = self.jobs[call as usize];
        self.counts.busy_ns += now_ns - job.begun_ns;
        self.counts.stay_ns += now_ns - job.arrived_ns;
        match self.waiting.pop_front() {
            Some(next) => self.begin(now_ns, next, calendar),
            None => self.idle += 1,
        }
    }

    /// What was counted.
    pub fn counts(&self) -> ServerCounts {
        self.counts
    }

    /// How busy threads, processors and disks were in so long a time.
    pub fn resources(&self, length_ns: u64) -> Vec<Resource> {
        let own = [self.threads(length_ns), self.processors(length_ns)];
        let all = own.into_iter().chain(self.disks(length_ns));
        let named = all.map(|it| Resource {
            name: format!("{}, {}", self.name, it.name),
            ..it
        });
        named.collect()
    }

    /// Its threads alone.
    pub fn threads(&self, length_ns: u64) -> Resource {
        let ServerCounts {
            busy_ns, stay_ns, ..
        } = self.counts;
        resource("threads", busy_ns, stay_ns, self.threads as u64, length_ns)
    }

    /// Its processors alone.
    pub fn processors(&self, length_ns: u64) -> Resource {
        self.processors.borrow().resource("processors", length_ns)
    }

    /// Its disks alone.
    pub fn disks(&self, length_ns: u64) -> Vec<Resource> {
        self.storage.resources(length_ns)
    }

    /// Bytes that its disks were asked for so far.
    pub fn device_bytes(&self) -> u64 {
        self.storage.device_bytes()
    }

    /// From now on its disks are so many times as fast as they were at first.
    pub fn set_speed(&mut self, now_ns: u64, speed: f64) {
        self.storage.set_speed(now_ns, 0, speed);
    }

    /// Forgets what was counted, not what is in memory or under way.
    pub fn count_anew(&mut self) {
        self.counts = ServerCounts::default();
        self.processors.borrow_mut().count_anew();
        self.storage.count_anew();
    }
}

fn first_step(work: Work) -> Step {
    match work {
        Work::Read {
            file,
            offset,
            bytes,
        } if bytes > 0 => Step::Read(file, Read::new(offset, bytes)),
        Work::Write {
            file,
            offset,
            bytes,
            ..
        } if bytes > 0 => Step::Write(file, Write::new(offset, bytes)),
        Work::Commit { file } => Step::Sync(file),
        _ => Step::Answer,
    }
}
