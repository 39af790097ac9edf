//! Jobs simulated, stage by stage: a stage is the jobs up to the next `stonewall`.

use std::collections::BTreeMap;

use hotset_cache::PAGE_BYTES;
use hotset_outcome::Resource;
use hotset_scenario::{Handover, Profile};

use super::application::{Done, LOOP_NS, OpenFile, Process};
use super::divisor::common_divisor;
use super::next::Next;
use super::result::Counts;
use super::{Delivery, Engine, Job, JobResult, Pattern, SimulationError};
use crate::block::{BlockLayer, Disks};
use crate::costs::Costs;
use crate::events::{Event, Events};
use crate::file_system::{FilePlaces, FileSystemKind};
use crate::page_cache::{PageCache, StoredFile};
use crate::read_ahead::Advice;
use crate::station::Station;
use crate::storage::{Asker, Reached, ReadPath, SEND_BYTES, Wanted};

/// What jobs run on.
#[derive(Clone, Copy, Debug)]
pub struct System<'p> {
    /// Costs of the store.
    pub profile: &'p Profile,
    /// Memory for pages of files, bytes; where not given, all fit.
    pub memory_bytes: Option<u64>,
    /// Seed of the places that are read at random.
    pub seed: u64,
}

/// Longest time that is simulated, a hundred years, nanoseconds: a sixth of what 64 bits hold.
const LONGEST_NS: u64 = 100 * 365 * 86_400 * 1_000_000_000;

/// Events between two questions whether to go on.
const PATIENCE: u64 = 1 << 16;

/// Simulates `jobs`, in their order; a result for each. Files are in memory when the first begins, as far as they fit, as an
/// earlier run leaves them; `goes_on` is asked now and then.
///
/// # Errors
/// Jobs that are too large to be followed, and an interrupt.
pub fn simulate(
    jobs: &[Job],
    system: &System<'_>,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<JobResult>, SimulationError> {
    simulate_placed(jobs, system, &FilePlaces::default(), goes_on)
}

/// As [`simulate`], of files that lie where `places` says. Others are laid out in one go on an empty file system.
///
/// # Errors
/// As there.
pub fn simulate_placed(
    jobs: &[Job],
    system: &System<'_>,
    places: &FilePlaces,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<JobResult>, SimulationError> {
    jobs.iter()
        .try_for_each(|job| check_sending(job, system.profile))?;
    let costs = Costs::of(system.profile);
    let files = Files::of(jobs);
    let memory_bytes = system.memory_bytes.unwrap_or(u64::MAX);
    let layout = file_system(system.profile);
    let cache = PageCache::new(
        memory_bytes,
        &files.stored(places),
        unit_bytes(jobs),
        layout,
        &costs.reading,
    )?;
    let disks = Disks::of(system.profile, &costs, system.seed);
    check_room(&cache, &disks)?;
    let settings = settings(system, &costs);
    let mut path = ReadPath::new(cache, BlockLayer::new(disks));
    (0..files.sizes.len()).for_each(|file| path.fill(file as u32));
    let mut machine = Machine {
        costs,
        path,
        processors: Station::new(costs.reading.processors),
    };
    let (mut results, mut now_ns) = (Vec::new(), 0);
    for stage in stages(jobs) {
        let mut stage = Stage::new(stage, &files, &mut machine, now_ns, system.seed)?;
        machine.count_anew();
        now_ns = stage.run(&mut machine, goes_on)?;
        results.extend(stage.results(&machine, &settings, system.seed, now_ns));
    }
    Ok(results)
}

fn check_sending(job: &Job, profile: &Profile) -> Result<(), SimulationError> {
    let lack = match job.delivery {
        Delivery::Kept => return Ok(()),
        _ if job.direct => "which is modelled through the page cache only; take direct away",
        _ if profile.sending.is_empty() => {
            "and the profile has no rows [[sending]]; measure the store with hotset probe"
        }
        _ => return Ok(()),
    };
    Err(SimulationError::NotSent {
        job: job.name.clone(),
        lack,
    })
}

/// The profile's file system, or ext4 where it names none that is known.
fn file_system(profile: &Profile) -> FileSystemKind {
    let spec = profile.file_system.as_ref();
    let known = spec.and_then(|spec| FileSystemKind::named(&spec.kind));
    known.unwrap_or(FileSystemKind::Ext4)
}

fn check_room(cache: &PageCache, disks: &Disks) -> Result<(), SimulationError> {
    let needed_bytes = cache.device_bytes();
    match disks.capacity_bytes {
        Some(capacity_bytes) if needed_bytes > capacity_bytes => {
            Err(SimulationError::LargerThanDevice {
                needed_bytes,
                capacity_bytes,
            })
        }
        _ => Ok(()),
    }
}

fn settings(system: &System<'_>, costs: &Costs<'_>) -> Vec<(String, String)> {
    let memory = system
        .memory_bytes
        .map(|bytes| ("memory_bytes", bytes.to_string()));
    let known = [
        ("profile", system.profile.name.clone()),
        (
            "read_ahead_bytes",
            costs.reading.read_ahead_bytes.to_string(),
        ),
        ("processors", costs.reading.processors.to_string()),
    ];
    // What stands for the device where nothing but lines is known of it.
    let of_lines = system.profile.device.is_none();
    let slots = of_lines.then(|| ("device_requests_at_once", costs.slots.to_string()));
    let all = known.into_iter().chain(slots).chain(memory);
    all.map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Files by name, and the bytes that each has.
struct Files {
    numbers: BTreeMap<String, u32>,
    sizes: Vec<u64>,
}

impl Files {
    fn of(jobs: &[Job]) -> Self {
        let (mut numbers, mut sizes) = (BTreeMap::new(), Vec::new());
        for job in jobs {
            for (name, bytes) in (0..job.threads).flat_map(|number| job.files(number)) {
                let number = *numbers.entry(name).or_insert(sizes.len() as u32);
                if number as usize == sizes.len() {
                    sizes.push(0);
                }
                let size: &mut u64 = &mut sizes[number as usize];
                *size = (*size).max(bytes);
            }
        }
        Self { numbers, sizes }
    }

    /// All, and where they lie if that is known.
    fn stored<'p>(&self, places: &'p FilePlaces) -> Vec<StoredFile<'p>> {
        let of_bytes = |&bytes: &u64| StoredFile {
            bytes,
            extents: None,
        };
        let mut stored: Vec<_> = self.sizes.iter().map(of_bytes).collect();
        for (name, &number) in &self.numbers {
            stored[number as usize].extents = places.of(name);
        }
        stored
    }

    /// Those of a process of `job`, just opened.
    fn opened(&self, job: &Job, thread: u32, machine: &mut Machine<'_>) -> Vec<OpenFile> {
        let (costs, path) = (&machine.costs, &mut machine.path);
        let number = |name: &String| self.numbers.get(name).copied().unwrap_or(0);
        let mut map = |name: &String| match job.engine {
            _ if job.delivery == Delivery::Sent => None,
            Engine::Mapped => Some(path.map(number(name), job.advice() != Advice::Around)),
            Engine::Calls(_) | Engine::Queue(_) => None,
        };
        let opened = |(name, bytes): (String, u64)| OpenFile {
            number: number(&name),
            mapping: map(&name),
            bytes,
            ahead: costs.read_ahead(job.advice(), bytes),
            streams: job.advice() != Advice::Random && costs.reading.read_ahead_bytes > 0,
        };
        job.files(thread).into_iter().map(opened).collect()
    }
}

/// What a fault of a mapped job asks for: what the kernel reads ahead at most, unless it was advised of a random reader
/// (`VM_RAND_READ`), else the page (`do_sync_mmap_readahead`, `mm/filemap.c`).
fn fault_bytes(job: &Job, machine: &Machine<'_>) -> u64 {
    let ahead = match job.advice() {
        Advice::Sequential => machine.costs.reading.read_ahead_bytes.saturating_mul(2),
        Advice::Around => machine.costs.reading.read_ahead_bytes,
        Advice::Normal | Advice::Random => 0,
    };
    ahead.max(PAGE_BYTES)
}

/// What a job does between two reads. The loop is fio's, which sends nothing.
fn loop_ns(job: &Job) -> u64 {
    match job.delivery {
        Delivery::Kept => LOOP_NS,
        Delivery::Written | Delivery::Sent => 0,
    }
}

/// Where what `sendfile` moves at a time ends that has `at` in it: a pipe's worth from where the read began.
fn sent_until(read: Read, at: u64) -> u64 {
    let start = read.end - read.bytes;
    let ends = start + ((at - start) / SEND_BYTES + 1) * SEND_BYTES;
    ends.min(read.end)
}

/// The largest number of bytes that every place where a read begins or ends is a multiple of.
fn unit_bytes(jobs: &[Job]) -> u64 {
    let buffered = jobs.iter().filter(|job| !job.direct);
    buffered.map(Job::unit_bytes).fold(0, common_divisor)
}

/// Jobs that run at the same time.
fn stages(jobs: &[Job]) -> impl Iterator<Item = &[Job]> {
    jobs.chunk_by(|_, next| !next.stonewall)
}

/// What all jobs share.
struct Machine<'p> {
    costs: Costs<'p>,
    path: ReadPath,
    processors: Station,
}

impl Machine<'_> {
    fn count_anew(&mut self) {
        self.processors.count_anew();
        self.path.count_anew();
    }

    fn resources(&self, length_ns: u64) -> Vec<Resource> {
        let mut resources = vec![self.processors.resource("processors", length_ns)];
        resources.extend(self.path.resources(length_ns));
        resources
    }
}

/// A read under way.
#[derive(Clone, Copy)]
struct Read {
    from_ns: u64,
    /// One of the process's files.
    file: usize,
    bytes: u64,
    /// The byte that is looked for next, and where it ends.
    at: u64,
    end: u64,
    /// Where what is not copied yet begins.
    copied: u64,
    missed: bool,
    /// Page faults that have yet to be paid for.
    faults: u64,
    /// What was waited for at `at`, and is used whatever has become of it: memory may be too small to keep it.
    waited: Option<Awaited>,
}

/// What a read waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaited {
    /// The block that says where data is.
    Map,
    /// Data.
    Data,
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
    Copy(Read),
    /// Has the device read past the page cache.
    Ask(Read),
    /// Has its data.
    End(Read),
}

struct Stage<'j> {
    jobs: &'j [Job],
    processes: Vec<Process>,
    lanes: Vec<Lane>,
    counts: Vec<Counts>,
    events: Events,
    /// Lanes that go on because a disk has served them.
    woken: Vec<u32>,
    start_ns: u64,
    /// Bytes of the files that are read at the same time.
    working_set_bytes: u64,
}

impl<'j> Stage<'j> {
    fn new(
        jobs: &'j [Job],
        files: &Files,
        machine: &mut Machine<'_>,
        start_ns: u64,
        seed: u64,
    ) -> Result<Self, SimulationError> {
        machine.path.unmap_all();
        let counts = jobs
            .iter()
            .map(|job| Counts::new(start_ns + (job.uncounted_us() * 1e3) as u64));
        let mut stage = Self {
            jobs,
            processes: Vec::new(),
            lanes: Vec::new(),
            counts: counts.collect(),
            events: Events::default(),
            woken: Vec::new(),
            start_ns,
            working_set_bytes: 0,
        };
        for (number, job) in jobs.iter().enumerate() {
            for thread in 0..job.threads {
                let opened = files.opened(job, thread, machine);
                let seed = seed.wrapping_add(stage.processes.len() as u64);
                let process = Process::new((number, job), opened, start_ns, seed)?;
                stage.add(process, job.lanes());
            }
        }
        stage.working_set_bytes = stage.file_bytes();
        Ok(stage)
    }

    /// Bytes of all files of its processes; a file that several read counts once.
    fn file_bytes(&self) -> u64 {
        let files = self.processes.iter().flat_map(|process| &process.files);
        let sizes: BTreeMap<u32, u64> = files.map(|file| (file.number, file.bytes)).collect();
        sizes.into_values().fold(0, u64::saturating_add)
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
        self.events.at(time_ns, Event::Reader(lane as u32));
    }

    /// Runs until nothing is left to do; when that is.
    fn run(
        &mut self,
        machine: &mut Machine<'_>,
        goes_on: &dyn Fn() -> bool,
    ) -> Result<u64, SimulationError> {
        let (mut last_ns, mut patience) = (self.start_ns, PATIENCE);
        while let Some((now_ns, event)) = self.events.next() {
            if now_ns > LONGEST_NS {
                return Err(SimulationError::TooLong);
            }
            last_ns = now_ns;
            match event {
                Event::Reader(lane) => self.step(machine, now_ns, lane as usize),
                event => self.disk(machine, now_ns, event),
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

    /// Something happens to a disk: who has waited for it goes on.
    fn disk(&mut self, machine: &mut Machine<'_>, now_ns: u64, event: Event) {
        let mut woken = std::mem::take(&mut self.woken);
        machine
            .path
            .handle(now_ns, event, &mut self.events, &mut woken);
        for lane in woken.drain(..).map(|lane| lane as usize) {
            if let Some(since_ns) = self.lanes[lane].waits_ns.take() {
                let job = self.processes[self.lanes[lane].process].job;
                self.counts[job].device_ns += (now_ns - since_ns) as f64;
            }
            self.at(now_ns, lane);
        }
        self.woken = woken;
    }

    fn step(&mut self, machine: &mut Machine<'_>, now_ns: u64, lane: usize) {
        match self.lanes[lane].step {
            Step::Begin => self.begin(machine, now_ns, lane),
            Step::Copy(read) => self.copy(machine, now_ns, lane, read),
            Step::Ask(read) => self.ask(machine, now_ns, lane, read),
            Step::End(read) => self.end(machine, now_ns, lane, read),
        }
    }

    /// Begins the next read, or waits until it may.
    fn begin(&mut self, machine: &mut Machine<'_>, now_ns: u64, lane: usize) {
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
                if let Some(mapping) = process.files[file].mapping.filter(|_| begins) {
                    machine.path.map_anew(mapping);
                }
                if drops {
                    machine.path.forget(process.files[file].number);
                }
                let read = Read {
                    from_ns: now_ns,
                    file,
                    bytes,
                    at: offset,
                    end: offset + bytes,
                    copied: offset,
                    missed: job.direct,
                    faults: 0,
                    waited: None,
                };
                if job.direct {
                    self.lanes[lane].step = Step::Ask(read);
                    self.work(machine, now_ns, lane, machine.costs.call());
                } else {
                    self.copy(machine, now_ns, lane, read);
                }
            }
        }
    }

    /// Opens a file: nothing is known of its reads, and it is dropped from memory where so told.
    fn open(
        &mut self,
        machine: &mut Machine<'_>,
        now_ns: u64,
        lane: usize,
        file: usize,
        drops: bool,
    ) {
        let process = &mut self.processes[self.lanes[lane].process];
        let advice = self.jobs[process.job].advice();
        let opened = &mut process.files[file];
        opened.ahead = machine.costs.read_ahead(advice, opened.bytes);
        if drops {
            machine.path.forget(opened.number);
        }
        self.work(machine, now_ns, lane, machine.costs.open());
    }

    /// Goes from extent to extent until one is not there.
    fn copy(&mut self, machine: &mut Machine<'_>, now_ns: u64, lane: usize, mut read: Read) {
        let number = self.lanes[lane].process;
        let opened = &self.processes[number].files[read.file];
        let (file, mapping) = (opened.number, opened.mapping);
        let is_sent = self.jobs[self.processes[number].job].delivery == Delivery::Sent;
        while read.at < read.end {
            let waited = read.waited.take();
            let has_mapped = mapping.is_some_and(|it| machine.path.has_mapped(it, read.at));
            if waited != Some(Awaited::Data) && !has_mapped {
                // What `sendfile` has goes to the socket before it waits for more.
                let waits = is_sent && machine.path.is_coming(file, read.at);
                if read.at > read.copied && (waits || machine.path.lacks(file, read.at)) {
                    return self.catch_up(machine, now_ns, lane, read);
                }
                match self.reach(machine, now_ns, lane, read, waited.is_some()) {
                    Reached::Here => {}
                    Reached::Waits => return self.wait(now_ns, lane, read, Awaited::Data),
                    Reached::WaitsForMap => return self.wait(now_ns, lane, read, Awaited::Map),
                }
            }
            match mapping {
                None => machine.path.copy(now_ns, file, read.at),
                Some(mapping) if !has_mapped => {
                    machine.path.fault_around(mapping, read.at);
                    read.faults += 1;
                }
                Some(mapping) => machine.path.access_mapped(mapping, read.at),
            }
            let extent = machine.path.extent_bytes();
            read.at = ((read.at / extent + 1) * extent).min(read.end);
            if is_sent && read.at == sent_until(read, read.at - 1) {
                self.has_read(number, read.file, read.at);
            }
        }
        // Faults do not tell read-ahead where they were.
        if mapping.is_none() && !is_sent {
            self.has_read(number, read.file, read.end);
        }
        self.lanes[lane].step = Step::End(read);
        let busy_ns = self.copying(machine, number, read, read.end);
        let job = &self.jobs[self.processes[number].job];
        let written_ns = match job.delivery {
            Delivery::Written if mapping.is_none() => {
                machine.costs.sent(read.bytes, Handover::Written)
            }
            _ => 0.0,
        };
        // A process keeps its processor between two reads: where there are too few, it waits within a read.
        let busy_ns = busy_ns + written_ns as u64 + loop_ns(job);
        self.work(machine, now_ns, lane, busy_ns);
    }

    /// Tells read-ahead where a read ended.
    fn has_read(&mut self, process: usize, file: usize, end: u64) {
        let ahead = &mut self.processes[process].files[file].ahead;
        ahead.has_read((end - 1) / PAGE_BYTES);
    }

    fn reach(
        &mut self,
        machine: &mut Machine<'_>,
        now_ns: u64,
        lane: usize,
        read: Read,
        is_mapped: bool,
    ) -> Reached {
        let number = self.lanes[lane].process;
        let process = &mut self.processes[number];
        let file = &mut process.files[read.file];
        let asker = Asker {
            process: number as u32,
            reader: lane as u32,
        };
        let wanted = Wanted {
            file: file.number,
            offset: read.at,
            bytes: match (file.mapping, self.jobs[process.job].delivery) {
                (None, Delivery::Sent) => sent_until(read, read.at) - read.at,
                (None, _) => read.end - read.at,
                (Some(_), _) => fault_bytes(&self.jobs[process.job], machine),
            },
            streams: file.streams,
            is_mapped,
        };
        let before = machine.path.device_bytes();
        let (path, events) = (&mut machine.path, &mut self.events);
        let reached = path.reach(now_ns, asker, wanted, &mut *file.ahead, events);
        self.counts[process.job].device_bytes += machine.path.device_bytes() - before;
        reached
    }

    /// What copying takes process `number` from what is copied of `read` on up to `end`: its share of the whole.
    fn copying(&mut self, machine: &Machine<'_>, number: usize, read: Read, end: u64) -> u64 {
        let process = &mut self.processes[number];
        let sequential = self.jobs[process.job].pattern == Pattern::Sequential;
        let is_mapped = process.files[read.file].mapping.is_some();
        // What has come from the device is in no cache of the processor.
        let near_bytes = match self.jobs[process.job].invalidate {
            true => u64::MAX,
            false => self.working_set_bytes,
        };
        let (costs, delivery) = (&machine.costs, self.jobs[process.job].delivery);
        let whole_ns = process.cached_read(read.bytes, |bytes| match (delivery, is_mapped) {
            (Delivery::Sent, _) => costs.sent(bytes, Handover::Sent),
            (Delivery::Written, true) => costs.sent(bytes, Handover::Cold),
            (Delivery::Kept, true) => costs.mapped_read(bytes, sequential, near_bytes),
            (_, false) => costs.cached_read(bytes, sequential, near_bytes),
        });
        let faults_ns = read.faults * machine.costs.fault();
        faults_ns + (whole_ns * (end - read.copied) as f64 / read.bytes as f64) as u64
    }

    /// What is there is copied before anything more is asked for (`filemap_read`, `mm/filemap.c`).
    fn catch_up(&mut self, machine: &mut Machine<'_>, now_ns: u64, lane: usize, read: Read) {
        let busy_ns = self.copying(machine, self.lanes[lane].process, read, read.at);
        self.lanes[lane].step = Step::Copy(Read {
            copied: read.at,
            faults: 0,
            ..read
        });
        self.work(machine, now_ns, lane, busy_ns);
    }

    /// Waits for a disk, for the data itself or for what tells where it is.
    fn wait(&mut self, now_ns: u64, lane: usize, read: Read, awaited: Awaited) {
        self.lanes[lane].waits_ns = Some(now_ns);
        self.lanes[lane].step = Step::Copy(Read {
            missed: true,
            waited: Some(awaited),
            ..read
        });
    }

    /// Has the device read past the page cache.
    fn ask(&mut self, machine: &mut Machine<'_>, now_ns: u64, lane: usize, read: Read) {
        let number = self.lanes[lane].process;
        let process = &self.processes[number];
        let (job, file) = (process.job, process.files[read.file].number);
        let wanted = Wanted {
            file,
            offset: read.at,
            bytes: read.bytes,
            streams: false,
            is_mapped: true,
        };
        let asker = Asker {
            process: number as u32,
            reader: lane as u32,
        };
        self.counts[job].device_bytes += wanted.bytes;
        self.lanes[lane].waits_ns = Some(now_ns);
        self.lanes[lane].step = Step::End(read);
        machine
            .path
            .read_past(now_ns, asker, wanted, &mut self.events);
    }

    fn end(&mut self, machine: &mut Machine<'_>, now_ns: u64, lane: usize, read: Read) {
        let process = &mut self.processes[self.lanes[lane].process];
        let (job, counts) = (&self.jobs[process.job], &mut self.counts[process.job]);
        let done = Done {
            from_ns: read.from_ns,
            bytes: read.bytes,
            hit: !read.missed,
        };
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
    fn work(&mut self, machine: &mut Machine<'_>, now_ns: u64, lane: usize, busy_ns: u64) {
        let done_ns = self.processor(machine, now_ns, lane, busy_ns);
        self.at(done_ns, lane);
    }

    /// When a processor has worked so long for the process of `lane`, which has one at a time.
    fn processor(
        &mut self,
        machine: &mut Machine<'_>,
        now_ns: u64,
        lane: usize,
        busy_ns: u64,
    ) -> u64 {
        let process = &mut self.processes[self.lanes[lane].process];
        let done_ns = machine
            .processors
            .serve(now_ns.max(process.free_ns), busy_ns);
        process.free_ns = done_ns;
        self.counts[process.job].processor_ns += (done_ns - now_ns) as f64;
        done_ns
    }

    fn results(
        &self,
        machine: &Machine<'_>,
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
