//! Jobs simulated, stage by stage: a stage is the jobs up to the next `stonewall`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use hotset_cache::PAGE_BYTES;
use hotset_scenario::{Journal, PageKeeping, Profile, Reading};

use super::files::{Files, unit_bytes};
use super::machines::Machines;
use super::stage::Stage;
use super::{Allocation, Delivery, Engine, Job, JobResult, Mode, SimulationError, WriteSync};
use crate::calendar::EventQueue;
use crate::costs::Costs;
use crate::divisor::common_divisor;
use crate::file_system::{FilePlaces, FileSystemKind};
use crate::machine::Machine;
use crate::page_cache::Memory;
use crate::remote::FileStore;
use crate::remote::cluster::{ClusterFiles, ClusterProtocol, ClusterSystem};
use crate::remote::nfs::{Mount, RemoteStore, RemoteSystem};
use crate::remote::pvfs::{ClientKind, ParallelFiles, Protocol, PvfsSystem};
use crate::storage::{Location, Storage, StorageError, System};
use crate::write_back::Limits;

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
    check_writing(jobs, system.profile)?;
    let jobs = on_mount(jobs, system.profile)?;
    let jobs = &jobs[..];
    let files = Files::of(jobs);
    let storage = Storage::new(system, &files.stored(places), unit_bytes(jobs))?;
    let machines = Machines {
        each: vec![Machine::new(storage)],
        remote: None,
    };
    run(jobs, system, &files, machines, goes_on)
}

/// As [`simulate`], of files on a file server. `system` is a client: its profile says what the client's own processors and memory take.
/// Files are in the memory of both when the first job begins, as far as they fit. All clients run the jobs, each on files of its own; a job's
/// result is of all of them together.
///
/// A file that was written is synced when it is closed, which counts as fsync. With `sync` each write is synced before it is over.
///
/// # Errors
/// As there, and files that do not fit on the server's device.
pub fn simulate_remote(
    jobs: &[Job],
    system: &System<'_>,
    remote: &RemoteSystem<'_>,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<JobResult>, SimulationError> {
    jobs.iter()
        .try_for_each(|job| check_sending(job, system.profile))?;
    check_writing(jobs, remote.server.profile)?;
    let jobs = jobs.iter().map(|job| on_server(job, remote.mount));
    let jobs: Vec<Job> = jobs.collect();
    let (files, places) = (Files::of(&jobs), FilePlaces::default());
    let stored = files.stored(&places);
    let memory = Memory {
        parts: &[system.memory_bytes.unwrap_or(u64::MAX)],
        part_of: &[],
    };
    let location = Location::Remote {
        read_bytes: remote.mount.read_bytes,
        write_bytes: remote.mount.write_bytes,
    };
    let stores = [(system.profile, location)];
    let machine = |_| -> Result<Machine<u32>, StorageError> {
        let storage = Storage::at(&stores, memory, system.seed, &stored, unit_bytes(&jobs))?;
        Ok(Machine::new(storage))
    };
    let each = (0..remote.clients.max(1)).map(machine);
    let each = each.collect::<Result<Vec<_>, StorageError>>()?;
    let unit_bytes = server_unit_bytes(&jobs, remote.mount);
    let server = RemoteStore::new(remote, &stored, unit_bytes, system.seed)?;
    let machines = Machines {
        each,
        remote: Some(FileStore::Nfs(Box::new(server))),
    };
    run(&jobs, system, &files, machines, goes_on)
}

/// As [`simulate_remote`], of files on a parallel file system. Its clients have no page cache: all that jobs read and write goes to the servers. What
/// `fsync` asks of those is not followed: it ends at once.
///
/// # Errors
/// As there, and jobs that map files or send them.
pub fn simulate_parallel(
    jobs: &[Job],
    system: &System<'_>,
    parallel: &PvfsSystem<'_>,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<JobResult>, SimulationError> {
    let needs_cache = |job: &&Job| job.engine == Engine::Mapped || job.delivery != Delivery::Kept;
    if let Some(job) = jobs.iter().find(needs_cache) {
        return Err(SimulationError::NeedsCache {
            job: job.name.clone(),
        });
    }
    for server in &parallel.servers {
        check_writing(jobs, server.machine.profile)?;
    }
    let unit_bytes = parallel_unit_bytes(jobs, parallel);
    let past_cache = |job: &Job| Job {
        direct: true,
        ..job.clone()
    };
    let jobs: Vec<Job> = jobs.iter().map(past_cache).collect();
    let (files, places) = (Files::of(&jobs), FilePlaces::default());
    let stored = files.stored(&places);
    let memory = Memory {
        parts: &[system.memory_bytes.unwrap_or(u64::MAX)],
        part_of: &[],
    };
    // What is asked for past the page cache goes to the servers as it is.
    let location = Location::Remote {
        read_bytes: 1 << 20,
        write_bytes: 1 << 20,
    };
    let stores = [(system.profile, location)];
    let machine = |_| -> Result<Machine<u32>, StorageError> {
        let storage = Storage::at(&stores, memory, system.seed, &stored, 0)?;
        Ok(Machine::new(storage))
    };
    let each = (0..parallel.clients.max(1)).map(machine);
    let each = each.collect::<Result<Vec<_>, StorageError>>()?;
    let sizes: Vec<u64> = stored.iter().map(|file| file.bytes).collect();
    let store = ParallelFiles::new(parallel, &sizes, unit_bytes, system.seed)?;
    let machines = Machines {
        each,
        remote: Some(FileStore::Parallel(Box::new(store))),
    };
    run(&jobs, system, &files, machines, goes_on)
}

/// As [`simulate_remote`], of files on Lustre, GlusterFS or MooseFS. The client's storage has the page cache, and its read-ahead is that of Linux
/// with the most that the file system reads ahead. What is written is in that page cache first, as with Lustre. Daemons of FUSE have caches of their
/// own for it, and files are synced when they are closed, which counts as fsync. A sync has the servers' page caches get what was written, and
/// no disk.
///
/// # Errors
/// As there.
pub fn simulate_cluster(
    jobs: &[Job],
    system: &System<'_>,
    cluster: &ClusterSystem<'_>,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<JobResult>, SimulationError> {
    jobs.iter()
        .try_for_each(|job| check_sending(job, system.profile))?;
    for server in &cluster.servers {
        check_writing(jobs, server.machine.profile)?;
    }
    let jobs = jobs.iter().map(|job| on_cluster(job, &cluster.protocol));
    let jobs: Vec<Job> = jobs.collect();
    let (files, places) = (Files::of(&jobs), FilePlaces::default());
    let stored = files.stored(&places);
    let memory = Memory {
        parts: &[system.memory_bytes.unwrap_or(u64::MAX)],
        part_of: &[],
    };
    let profile = profile_on_cluster(system.profile, &cluster.protocol);
    let most_bytes = cluster.protocol.most_bytes();
    let location = Location::Remote {
        read_bytes: most_bytes,
        write_bytes: most_bytes,
    };
    let stores = [(&profile, location)];
    let machine = |_| -> Result<Machine<u32>, StorageError> {
        let storage = Storage::at(&stores, memory, system.seed, &stored, unit_bytes(&jobs))?;
        Ok(Machine::new(storage))
    };
    let each = (0..cluster.clients.max(1)).map(machine);
    let each = each.collect::<Result<Vec<_>, StorageError>>()?;
    let sizes: Vec<u64> = stored.iter().map(|file| file.bytes).collect();
    let store = ClusterFiles::new(cluster, &sizes, system.seed)?;
    let machines = Machines {
        each,
        remote: Some(FileStore::Cluster(Box::new(store))),
    };
    run(&jobs, system, &files, machines, goes_on)
}

/// What a client makes of a job: a daemon of FUSE has all that was written on servers when a file is closed.
fn on_cluster(job: &Job, protocol: &ClusterProtocol) -> Job {
    let mut job = job.clone();
    let is_fuse = !matches!(protocol, ClusterProtocol::Lustre(_));
    job.syncs_on_close |= is_fuse && job.mode.writes();
    job
}

/// A client's profile with the most that is read ahead there.
fn profile_on_cluster(profile: &Profile, protocol: &ClusterProtocol) -> Profile {
    let mut profile = profile.clone();
    if let ClusterProtocol::Lustre(options) = protocol {
        profile.reading = Some(Reading {
            read_ahead_bytes: options.read_ahead_bytes,
            ..profile.reading.unwrap_or_default()
        });
    }
    profile
}

/// The largest number of bytes that every place where a server of a parallel file system begins or ends something is a multiple of.
fn parallel_unit_bytes(jobs: &[Job], parallel: &PvfsSystem<'_>) -> u64 {
    let units = jobs.iter().map(Job::unit_bytes);
    let units = units.chain([parallel.striping.strip_bytes]);
    let mut units: Vec<u64> = units.collect();
    if let Protocol::OrangeFs(options) = parallel.protocol {
        units.push(options.flow_buffer_bytes);
        if let ClientKind::Fuse { request_bytes, .. } = options.client {
            units.push(request_bytes);
        }
    }
    units.into_iter().fold(0, common_divisor)
}

/// What a mount makes of a job: what is written is on the server when a file is closed (`nfs_file_flush`).
fn on_server(job: &Job, mount: Mount) -> Job {
    let mut job = job.clone();
    if job.mode.writes() {
        job.syncs_on_close = true;
        if mount.sync && job.write_sync == WriteSync::None {
            job.write_sync = WriteSync::All;
        }
    }
    job
}

/// The largest number of bytes that every place where a call of the server begins or ends is a multiple of.
fn server_unit_bytes(jobs: &[Job], mount: Mount) -> u64 {
    let units = jobs.iter().map(Job::unit_bytes);
    let units = units.chain([mount.read_bytes, mount.write_bytes]);
    units.fold(0, common_divisor)
}

/// The settings of a result.
fn all_settings(jobs: &[Job], system: &System<'_>, machines: &Machines) -> Vec<(String, String)> {
    let mut all = Vec::new();
    if let Some(first) = machines.each.first() {
        all.extend(settings(system, first.storage.costs()));
        all.extend(writing_settings(jobs, system, first.storage.limits()));
    }
    all.extend(machines.remote.iter().flat_map(FileStore::settings));
    all
}

/// Has files where they are before the first job begins: fio makes those that it does not find.
fn lay_out(jobs: &[Job], files: &Files, machines: &mut Machines) {
    let Machines { each, remote } = machines;
    let mut known = files.found_by(jobs);
    for &file in &known {
        each.iter_mut().for_each(|it| it.storage.fill(file));
        if let Some(remote) = remote {
            remote.fill(file);
        }
    }
    for job in jobs {
        let own = files.numbers_of(job);
        let made: BTreeSet<u32> = own.difference(&known).copied().collect();
        for &file in &made {
            each.iter_mut()
                .for_each(|it| make(&mut it.storage, file, job));
            if let Some(remote) = remote {
                remote.empty(file);
            }
        }
        known.extend(made);
    }
}

/// Runs the jobs of `files` on machines.
fn run(
    jobs: &[Job],
    system: &System<'_>,
    files: &Files,
    mut machines: Machines,
    goes_on: &dyn Fn() -> bool,
) -> Result<Vec<JobResult>, SimulationError> {
    let settings = all_settings(jobs, system, &machines);
    lay_out(jobs, files, &mut machines);
    let (mut results, mut now_ns, mut events) = (Vec::new(), 0, EventQueue::default());
    for stage in stages(jobs) {
        let mut stage = Stage::new(stage, files, &mut machines, (now_ns, events), system.seed)?;
        machines.count_anew(now_ns);
        now_ns = stage.run(&mut machines, goes_on)?;
        let (of_stage, left) = stage.results(&machines, &settings, system.seed, now_ns);
        results.extend(of_stage);
        events = left;
    }
    Ok(results)
}

/// Jobs as the mount that a profile is of has them done. Opening a file there may drop it, as a job's `invalidate` does. Where the page cache
/// keeps nothing, all goes past it; so do writes that wait until they are sent, unless the job reads as well.
fn on_mount<'j>(jobs: &'j [Job], profile: &Profile) -> Result<Cow<'j, [Job]>, SimulationError> {
    let Some(mount) = profile.mount else {
        return Ok(Cow::Borrowed(jobs));
    };
    let never = mount.keeps == PageKeeping::Never;
    let needs_cache = |job: &&Job| job.engine == Engine::Mapped || job.delivery != Delivery::Kept;
    if let Some(job) = jobs.iter().find(|job| never && needs_cache(job)) {
        return Err(SimulationError::NeedsCacheOfMount {
            job: job.name.clone(),
        });
    }
    let done = |job: &Job| Job {
        invalidate: job.invalidate || mount.keeps != PageKeeping::Kept,
        direct: job.direct || never || mount.writes_through && job.mode == Mode::Writes,
        ..job.clone()
    };
    Ok(jobs.iter().map(done).collect())
}

/// Makes a file for `job` as fio does before jobs begin (`extend_file`, `fallocate_file`, `filesetup.c`).
fn make(storage: &mut Storage<u32>, file: u32, job: &Job) {
    let (allocation, can_allocate) = (job.made_by(), storage.preallocates(file));
    if allocation == Allocation::Posix && !can_allocate {
        // The C library writes to each block (`internal_fallocate64`).
        return storage.fill(file);
    }
    let is_asked = !matches!(allocation, Allocation::None | Allocation::Truncate);
    storage.empty(file, is_asked && can_allocate);
    let has_size = allocation == Allocation::Truncate || can_allocate && allocation.gives_size();
    if !has_size {
        storage.set_size(file, 0);
    }
}

/// Refuses to write to a file system that cannot be.
fn check_writing(jobs: &[Job], profile: &Profile) -> Result<(), SimulationError> {
    let writes = jobs.iter().any(|it| it.mode.writes());
    match journal_that_xfs_has_not(profile).filter(|_| writes) {
        Some(journal) => Err(SimulationError::NoSuchJournal {
            file_system: "xfs",
            journal: journal.name(),
        }),
        None => Ok(()),
    }
}

/// The journal that a profile gives xfs, where xfs is never mounted so.
fn journal_that_xfs_has_not(profile: &Profile) -> Option<Journal> {
    let spec = profile.file_system.as_ref()?;
    let is_xfs = FileSystemKind::named(&spec.kind) == Some(FileSystemKind::Xfs);
    spec.journal.filter(|&it| is_xfs && it != Journal::Ordered)
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

fn settings(system: &System<'_>, costs: &Costs) -> Vec<(String, String)> {
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

/// What jobs that write are slowed down by, where that is known.
fn writing_settings(
    jobs: &[Job],
    system: &System<'_>,
    limits: Limits,
) -> impl Iterator<Item = (String, String)> {
    let writing = system.profile.writing.unwrap_or_default();
    let is_known = system.memory_bytes.is_some() || writing.dirty_limit_bytes.is_some();
    let is_told = is_known && jobs.iter().any(|job| job.mode.writes());
    let bytes = [
        ("dirty_background_bytes", limits.background),
        ("dirty_limit_bytes", limits.limit),
    ];
    let bytes = bytes.map(|(name, pages)| (name.to_owned(), (pages * PAGE_BYTES).to_string()));
    bytes.into_iter().filter(move |_| is_told)
}

/// Jobs that run at the same time.
fn stages(jobs: &[Job]) -> impl Iterator<Item = &[Job]> {
    jobs.chunk_by(|_, next| !next.stonewall)
}
