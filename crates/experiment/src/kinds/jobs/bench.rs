//! A store on its node, and fio on it.

use std::cell::{Cell, OnceCell};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use hotset_lab::disk::Disk;
use hotset_lab::{Lab, LabError, NodeStore};
use hotset_machine::process::Launch;
use hotset_machine::{MachineError, OnFile};
use hotset_models::file_system::{Extent, FilePlaces};
use hotset_models::fio::{Iolog, Job};
use hotset_probe::{Copying, Probe};
use hotset_scenario::Profile;
use rustix::fs::{Advice, fadvise};

use super::kept_profile;
use super::store_profile;
use super::stores::JobStores;
use crate::fio::{
    MEASURED_OPTIONS, OUTPUT_FORMAT, Round, WriteMeter, begin_anew, extents, figures, inside,
    limit_us, places,
};
use crate::session::Session;
use crate::{ExperimentError, Point};

/// A job file, with all its jobs.
const PATIENCE: Duration = Duration::from_secs(3600);

/// One store, up.
pub(crate) struct Bench {
    store: NodeStore,
    lab: Lab,
    node: String,
    /// Runs of fio so far.
    runs: Cell<usize>,
    /// Made for the first jobs that write; nothing where the kernel does not trace.
    writes: OnceCell<Option<WriteMeter>>,
    /// What is known of the store.
    pub(crate) profile: Profile,
}

impl Bench {
    /// Brings up the node and the store of a point, and measures what the model has to know. Where `profiles` is a folder of profiles, that of
    /// such a store is taken from there, or kept there.
    ///
    /// # Errors
    /// What the lab refuses.
    pub(crate) fn build(
        stores: &JobStores,
        profiles: Option<&Path>,
        point: &Point,
        session: &Session,
    ) -> Result<Self, ExperimentError> {
        let (node, store) = (&stores.node, stores.at(point)?);
        let lab = session.build(&stores.scenario(point)?)?;
        let made = lab.store(&store.spec.name, &node.spec.name)?.clone();
        fs::create_dir_all(made.path.join("files")).on("make", made.path.join("files"))?;
        let measure = || store_profile::measure(store, &made.path, &lab, session);
        let profile = match profiles {
            Some(folder) => kept_profile::kept_or(folder, &store.costs(), session.date, measure)?,
            None => measure()?,
        };
        let profile = store_profile::of_store(profile, store, node, &made.path, &lab);
        Ok(Self {
            store: made,
            lab,
            node: node.spec.name.clone(),
            runs: Cell::new(0),
            writes: OnceCell::new(),
            profile,
        })
    }

    /// A file in the store, to measure copying with.
    pub(crate) fn copying(&self, session: &Session) -> Result<Copying, ExperimentError> {
        let goes_on = |_| !session.control.interrupted();
        Ok(Copying::prepare(
            &Probe::default(),
            &self.store.path,
            &goes_on,
        )?)
    }

    /// Switches the disk's delays.
    pub(crate) fn set_delays(&self, on: bool) -> Result<(), LabError> {
        self.lab.set_delays(on)
    }

    /// Drops all files of jobs from the page cache. Those that earlier jobs read twice would keep half of the memory.
    pub(crate) fn forget(&self) -> Result<(), MachineError> {
        let folder = self.folder();
        for entry in fs::read_dir(&folder).on("read", &folder)? {
            let path = entry.on("read", &folder)?.path();
            let file = File::open(&path).on("open", &path)?;
            fadvise(&file, 0, None, Advice::DontNeed).on("evict", &path)?;
        }
        Ok(())
    }

    /// Where the files of `jobs` are, by the names that jobs have for them.
    pub(crate) fn places(&self, jobs: &[Job]) -> Result<FilePlaces, MachineError> {
        places(jobs, &self.folder(), &|file| self.extents(file))
    }

    /// Runs jobs on the node, with their files in the store and none of them in the page cache. Files that are only written are not there.
    pub(crate) fn run(&self, jobs: &[Job]) -> Result<Round, ExperimentError> {
        begin_anew(jobs, &self.folder())?;
        self.forget()?;
        let deployment = self.lab.deployment();
        let number = self.runs.replace(self.runs.get() + 1);
        let place = |name: &str| deployment.directory().join(format!("fio-{number}.{name}"));
        let (file, result) = (place("fio"), place("json"));
        let in_store = jobs.iter().map(|job| self.in_store(job, &place));
        let (asked, jobs): (_, Vec<Job>) = (jobs, in_store.collect());
        let text: String = jobs.iter().map(Job::to_fio).collect();
        fs::write(&file, MEASURED_OPTIONS.to_owned() + &text).on("write", &file)?;
        let logs: Vec<&Iolog> = jobs.iter().filter_map(|job| job.log.as_deref()).collect();
        for log in &logs {
            fs::write(&log.path, log.to_fio()).on("write", &log.path)?;
        }
        let disk = self.disk()?;
        let meter = self.meter(asked);
        meter.map(WriteMeter::begin).transpose()?;
        let before = disk.counters()?.read_bytes;
        let output = format!("--output={}", result.display());
        Launch::new(format!("fio-{number}"), "fio")
            .arguments([OUTPUT_FORMAT, &output])
            .arguments([file.clone()])
            .in_group(&self.lab.node(&self.node)?.group)
            .run(deployment, PATIENCE)?;
        let device_bytes = disk.counters()?.read_bytes - before;
        let written = meter.map(WriteMeter::end).transpose()?.flatten();
        let limit_us = |job: &Job| limit_us(job, &self.profile);
        let figures = figures(&jobs, &result, &limit_us)?;
        for path in logs.iter().map(|log| &log.path).chain([&file, &result]) {
            fs::remove_file(path).on("remove", path)?;
        }
        // Where files are is asked last, which has them written back.
        let written = match (meter, written) {
            (Some(meter), Some(requests)) => meter.divide(&requests, &self.places(asked)?),
            _ => None,
        };
        Ok(Round {
            figures,
            device_bytes,
            written,
        })
    }

    /// What tells the bytes apart that `jobs` have the disk write; nothing where they write none.
    fn meter(&self, jobs: &[Job]) -> Option<&WriteMeter> {
        let made = || WriteMeter::of(&self.lab).ok();
        let is_asked = jobs.iter().any(|job| job.mode.writes());
        is_asked.then(|| self.writes.get_or_init(made).as_ref())?
    }

    /// Where files are.
    pub(crate) fn folder(&self) -> PathBuf {
        self.store.path.join("files")
    }

    /// Where a file of the store lies.
    pub(crate) fn extents(&self, file: &Path) -> Result<Vec<Extent>, MachineError> {
        let deployment = self.lab.deployment();
        extents(
            &|program, arguments| deployment.tool(program, arguments),
            file,
        )
    }

    /// The disk underneath.
    pub(crate) fn disk(&self) -> Result<&dyn Disk, MachineError> {
        let disk = self.lab.disks().next();
        disk.ok_or_else(|| MachineError::Unusable("the store has no disk".to_owned()))
    }

    /// `job` for fio, its files in the store and its log at a place of the run: writing it must not keep the disk busy.
    fn in_store(&self, job: &Job, place: &dyn Fn(&str) -> PathBuf) -> Job {
        let mut job = inside(job);
        let folder = self.folder();
        match &job.log {
            None => job.directory = Some(folder.display().to_string()),
            // With a directory as well, fio 3.33 is killed by a signal when it opens the files of a log.
            Some(log) => {
                let path = place(&log.path.display().to_string());
                let name = |name: &str| folder.join(name).display().to_string();
                job.log = Some(Arc::new(log.renamed(&path, &name)));
            }
        }
        job
    }
}
