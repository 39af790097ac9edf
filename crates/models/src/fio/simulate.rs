//! Jobs simulated, stage by stage: a stage is the jobs up to the next `stonewall`.

use std::collections::BTreeSet;

use hotset_cache::PAGE_BYTES;
use hotset_scenario::{Journal, Profile};

use super::files::{Files, unit_bytes};
use super::stage::{Machine, Stage};
use super::{Allocation, Delivery, Job, JobResult, SimulationError};
use crate::calendar::EventQueue;
use crate::costs::Costs;
use crate::file_system::{FilePlaces, FileSystemKind};
use crate::station::Station;
use crate::storage::{Storage, System};
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
    let files = Files::of(jobs);
    let mut storage = Storage::new(system, &files.stored(places), unit_bytes(jobs))?;
    let mut settings = settings(system, storage.costs());
    settings.extend(writing_settings(jobs, system, storage.limits()));
    let mut known = files.found_by(jobs);
    known.iter().for_each(|&file| storage.fill(file));
    for job in jobs {
        let own = files.numbers_of(job);
        let made: BTreeSet<u32> = own.difference(&known).copied().collect();
        made.iter().for_each(|&file| make(&mut storage, file, job));
        known.extend(made);
    }
    let mut machine = Machine {
        processors: Station::new(storage.costs().reading.processors),
        storage,
    };
    let (mut results, mut now_ns, mut events) = (Vec::new(), 0, EventQueue::default());
    for stage in stages(jobs) {
        let mut stage = Stage::new(stage, &files, &mut machine, (now_ns, events), system.seed)?;
        machine.count_anew();
        now_ns = stage.run(&mut machine, goes_on)?;
        let (of_stage, left) = stage.results(&machine, &files, &settings, system.seed, now_ns);
        results.extend(of_stage);
        events = left;
    }
    Ok(results)
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
