//! How far simulated jobs of fio are from fio itself, on the same directory.
//!
//! Unlike the other experiments it has no file and keeps nothing: its points are jobs, its figures a table.

mod memory;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hotset_machine::command;
use hotset_machine::file_system::FileSystem;
use hotset_machine::temporary::TemporaryFolder;
use hotset_machine::{Deployment, Directories};
use hotset_models::file_system::FilePlaces;
use hotset_models::fio::{
    Job, JobFile, JobResult, Mode, Operation, SimulationError, System, TrimmingJob, simulate_placed,
};
use hotset_probe::{Copying, Probe};
use hotset_scenario::Profile;
use rustix::fs::OFlags;

use crate::Deviation;
use crate::fio::{self, FioError, Round, WriteMeter, extents, inside, places};

/// Repeats that count. The least and the greatest of six are an interval of the median of 96.9 % (H. A. David,
/// H. N. Nagaraja, "Order Statistics", 2003, section 7.1).
pub const REPEATS: usize = 6;
/// What the folder of the files is called, with a dot before and random characters behind.
const NAME: &str = "validate";
/// Left free for the file system's own records, bytes.
const SPARE_BYTES: u64 = 32 << 20;

/// What is validated, and where.
#[derive(Clone, Copy, Debug)]
pub struct Validation<'v> {
    /// Job files, and their names in messages.
    pub files: &'v [(PathBuf, JobFile)],
    /// The folder in which jobs have their files for a while.
    pub directory: &'v Path,
    /// Costs of its store.
    pub profile: &'v Profile,
    /// Where a trace of what the device is given is noted until it is undone. Without it, and without root, that is not measured.
    pub traces: Option<&'v Directories>,
    /// Seed of the places that the simulation reads at random.
    pub seed: u64,
}

/// How far simulated jobs are from measured ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Accuracy {
    /// fio's version.
    pub fio: String,
    /// Throughput and times of reads and of writes of jobs, and times of their syncs, measured and simulated.
    pub cells: Vec<Deviation>,
    /// What the jobs of each file had read from the device; nothing on a network mount, or where jobs have a `ramp_time`.
    pub device: Vec<Deviation>,
    /// What the jobs of each file had the device write, in all and by what it is of. Nothing where that was not measured, or where jobs have a
    /// `ramp_time`.
    pub written: Vec<Deviation>,
    /// Reads that found all in memory, of jobs whose times tell.
    pub hits: Vec<Deviation>,
    /// What the simulation took costs from: the profile, with what copying took between the jobs.
    pub profile: Profile,
    /// Why it is not known where the jobs' files lay; nothing where it is.
    pub unplaced: Option<String>,
    /// Jobs that trim.
    pub skipped: Vec<TrimmingJob>,
    /// The kind of the network mount that the folder is on; nothing on a file system of this machine.
    pub mount: Option<String>,
}

impl Validation<'_> {
    /// Checks everything that can be before fio is started: its version, which is given.
    ///
    /// # Errors
    /// All jobs trim; fio is not there; jobs do not fit, name files elsewhere, or cannot be simulated; the folder takes no files.
    pub fn check(&self) -> Result<String, FioError> {
        self.check_jobs()?;
        let version = fio::version()?;
        if !self.directory.is_dir() {
            return Err(FioError::NotAFolder(self.directory.to_owned()));
        }
        for (path, file) in self.files {
            file.jobs.iter().try_for_each(|job| check_name(path, job))?;
        }
        let folder = self.folder()?;
        for (path, file) in self.files {
            check_direct(path, file, folder.path())?;
        }
        self.files
            .iter()
            .try_for_each(|(_, file)| self.check_model(file))?;
        Ok(version)
    }

    /// Refuses jobs of which none is left without those that trim.
    fn check_jobs(&self) -> Result<(), FioError> {
        if self.files.iter().any(|(_, file)| !file.jobs.is_empty()) {
            return Ok(());
        }
        let mut trimming = self
            .files
            .iter()
            .flat_map(|(path, file)| file.trimming.iter().map(move |job| (path, job)));
        match trimming.next() {
            Some((path, job)) => Err(FioError::OnlyTrims {
                path: path.clone(),
                line: job.line,
                job: job.name.clone(),
            }),
            None => Ok(()),
        }
    }

    /// A folder for the jobs' files, where they fit. What a killed process left goes before: it takes as much room.
    fn folder(&self) -> Result<TemporaryFolder, FioError> {
        hotset_probe::sweep(self.directory);
        let folder = TemporaryFolder::beside(&self.directory.join(NAME), |_| {});
        let folder = folder.map_err(|source| FioError::Unwritable {
            folder: self.directory.to_owned(),
            // Without the temporary name that it is about.
            source: source.kind().into(),
        })?;
        fio::check_room(
            self.directory,
            self.needed_bytes().saturating_add(SPARE_BYTES),
        )?;
        Ok(folder)
    }

    /// Runs fio and the simulation; `goes_on` is asked now and then and told the share that is done.
    ///
    /// # Errors
    /// As [`Validation::check`]; fio fails, or an interrupt.
    pub fn run(&self, goes_on: &dyn Fn(f64) -> bool) -> Result<Accuracy, FioError> {
        let fio = self.check()?;
        let folder = self.folder()?;
        let mut copying = self.copying(goes_on)?;
        let tracing = self.tracing();
        let meter = tracing.as_ref().map(|tracing| &tracing.meter);
        let rounds = self.rounds(folder.path(), (copying.as_mut(), meter), goes_on)?;
        drop(tracing);
        let profile = Profile {
            copy: copying.as_ref().map_or_else(Vec::new, Copying::costs),
            ..self.profile.clone()
        };
        let (places, unplaced) = self.places(folder.path());
        let simulated = self.simulated(&profile, &places, &|| goes_on(1.0))?;
        let mount = FileSystem::of(self.directory).filter(FileSystem::is_remote);
        let (mut cells, mut hits) = (Vec::new(), Vec::new());
        let (mut device, mut written) = (Vec::new(), Vec::new());
        for (number, results) in simulated.iter().enumerate() {
            let rounds: Vec<&Round> = rounds.iter().map(|round| &round[number]).collect();
            for (job, result) in results.iter().enumerate() {
                let measured = rounds.iter().map(|it| it.figures[job]);
                let reads: Vec<_> = measured.clone().filter_map(|it| it.reads).collect();
                let writes: Vec<_> = measured.clone().filter_map(|it| it.writes).collect();
                let syncs: Vec<_> = measured.filter_map(|it| it.syncs).collect();
                cells.extend(Deviation::of_times(Operation::Read, &reads, result));
                cells.extend(Deviation::of_times(Operation::Write, &writes, result));
                cells.extend(Deviation::of_times(Operation::Fsync, &syncs, result));
                hits.extend(Deviation::of_hits(&reads, result));
            }
            let (path, job_file) = &self.files[number];
            // What the device does in a ramp is measured and not simulated.
            if job_file.jobs.iter().any(|job| job.ramp_us > 0.0) {
                continue;
            }
            let bytes: Vec<u64> = rounds.iter().map(|it| it.device_bytes).collect();
            let file = path.display().to_string();
            // What servers read is not counted here.
            if mount.is_none() {
                device.extend(Deviation::of_device(&file, &bytes, results));
            }
            let writes: Vec<_> = rounds.iter().filter_map(|it| it.written).collect();
            written.extend(Deviation::of_written(&file, &writes, results));
        }
        Ok(Accuracy {
            fio,
            cells,
            device,
            written,
            hits,
            profile,
            unplaced,
            skipped: self
                .files
                .iter()
                .flat_map(|(_, file)| file.trimming.clone())
                .collect(),
            mount: mount.map(|system| system.kind),
        })
    }

    /// A file to measure copying with; nothing where the profile does not say what copying takes.
    fn copying(&self, goes_on: &dyn Fn(f64) -> bool) -> Result<Option<Copying>, FioError> {
        if self.profile.copy.is_empty() {
            return Ok(None);
        }
        let probe = Probe::suited(self.directory);
        let copying = Copying::prepare(&probe, self.directory, &|_| goes_on(0.0))?;
        Ok(Some(copying))
    }

    /// A trace of what the device is given, where jobs write and this user may trace.
    fn tracing(&self) -> Option<Tracing> {
        let mut jobs = self.files.iter().flat_map(|(_, file)| &file.jobs);
        let directories = self.traces?;
        if !jobs.any(|job| job.mode.writes()) {
            return None;
        }
        let deployment = Deployment::open(directories).ok()?;
        let meter = WriteMeter::of_folder(&deployment, self.directory).ok()?;
        Some(Tracing {
            meter,
            _deployment: deployment,
        })
    }

    /// Where the files of each job file lie in `folder`; else nowhere, and why.
    fn places(&self, folder: &Path) -> (Vec<FilePlaces>, Option<String>) {
        let tool = |program: &str, arguments: &[&OsStr]| command::run(program, arguments);
        let extents = |file: &Path| extents(&tool, file);
        let numbered = self.files.iter().enumerate();
        let places = numbered.map(|(number, (_, file))| {
            places(&file.jobs, &folder.join(number.to_string()), &extents)
        });
        match places.collect() {
            Ok(places) => (places, None),
            Err(error) => {
                let nowhere = vec![FilePlaces::default(); self.files.len()];
                (nowhere, Some(error.to_string()))
            }
        }
    }

    /// All files once, then again and again: what drifts on the machine drifts for all of them, and for copying, which is measured
    /// before each. The first round lays the files out and does not count.
    fn rounds(
        &self,
        folder: &Path,
        (mut copying, meter): (Option<&mut Copying>, Option<&WriteMeter>),
        goes_on: &dyn Fn(f64) -> bool,
    ) -> Result<Vec<Vec<Round>>, FioError> {
        let mut rounds = Vec::new();
        for round in 0..=REPEATS {
            let mut ran = Vec::new();
            for (number, (_, file)) in self.files.iter().enumerate() {
                let done = round * self.files.len() + number;
                let share = done as f64 / ((REPEATS + 1) * self.files.len()) as f64;
                let place = folder.join(number.to_string());
                if let Some(copying) = copying.as_mut().filter(|_| round > 0) {
                    copying.sample()?;
                }
                // The first round has written them.
                memory::load(&file.jobs, &place, round == 1)?;
                let known = (self.profile, meter);
                let goes_on = || goes_on(share);
                ran.push(fio::run(&file.jobs, &place, known, &goes_on)?);
            }
            if round > 0 {
                rounds.push(ran);
            }
        }
        Ok(rounds)
    }

    /// The results of each file's jobs.
    fn simulated(
        &self,
        profile: &Profile,
        places: &[FilePlaces],
        goes_on: &dyn Fn() -> bool,
    ) -> Result<Vec<Vec<JobResult>>, FioError> {
        let system = self.system(profile)?;
        let files = self.files.iter().zip(places);
        let results = files
            .map(|((_, file), places)| Ok(simulate_placed(&file.jobs, &system, places, goes_on)?));
        results.collect()
    }

    fn system<'p>(&self, profile: &'p Profile) -> Result<System<'p>, FioError> {
        Ok(System {
            profile,
            memory_bytes: Some(hotset_machine::memory::available_bytes()?),
            seed: self.seed,
        })
    }

    /// Refuses jobs that the model refuses when it begins, such as files larger than the profile's device.
    fn check_model(&self, file: &JobFile) -> Result<(), FioError> {
        let system = self.system(self.profile)?;
        match simulate_placed(&file.jobs, &system, &FilePlaces::default(), &|| false) {
            Ok(_) | Err(SimulationError::Interrupted) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Bytes of all files together, and of that to measure copying with.
    fn needed_bytes(&self) -> u64 {
        let bytes = self.files.iter().map(|(_, file)| files_bytes(&file.jobs));
        let copied = match self.profile.copy.is_empty() {
            true => 0,
            false => Probe::suited(self.directory).large_bytes,
        };
        bytes.fold(copied, u64::saturating_add)
    }
}

/// Bytes of the files of jobs in their folder. One that several processes or jobs have counts once, with its largest size.
fn files_bytes(jobs: &[Job]) -> u64 {
    let mut bytes_of: BTreeMap<String, u64> = BTreeMap::new();
    for job in jobs.iter().map(inside) {
        for (name, bytes) in (0..job.threads).flat_map(|thread| job.files(thread)) {
            let known = bytes_of.entry(name).or_default();
            *known = bytes.max(*known);
        }
    }
    bytes_of.into_values().fold(0, u64::saturating_add)
}

/// A trace, and what undoes it when it is dropped.
struct Tracing {
    meter: WriteMeter,
    _deployment: Arc<Deployment>,
}

/// Refuses jobs past the page cache on a file system that has no such files, as some programs behind a mount have none.
fn check_direct(path: &Path, file: &JobFile, folder: &Path) -> Result<(), FioError> {
    let Some(job) = file.jobs.iter().find(|job| job.direct) else {
        return Ok(());
    };
    let direct = OFlags::DIRECT.bits().cast_signed();
    let opened = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .custom_flags(direct)
        .open(folder.join("direct"));
    match opened {
        Err(error) if error.kind() == io::ErrorKind::InvalidInput => Err(FioError::NoDirect {
            path: path.to_owned(),
            line: job.line,
            job: job.name.clone(),
        }),
        _ => Ok(()),
    }
}

/// Refuses a file outside the folder.
fn check_name(path: &Path, job: &Job) -> Result<(), FioError> {
    let job_inside = inside(job);
    let mut names = job_inside.files(0).into_iter().map(|(name, _)| name);
    match names.find(|name| name.contains('/')) {
        Some(name) => Err(FioError::Elsewhere {
            path: path.to_owned(),
            line: job.line,
            job: job.name.clone(),
            deed: match job.mode {
                Mode::Reads => "reads",
                Mode::Writes | Mode::Both => "writes",
            },
            name,
        }),
        None => Ok(()),
    }
}
