//! What a study is given while it measures.

use std::cell::RefCell;
use std::ffi::OsString;
use std::sync::Arc;

use hotset_lab::{Control, Lab, LabError, go_on};
use hotset_machine::{Deployment, Directories, MachineError, Quietness, Watch};
use hotset_outcome::{Provenance, ProvenanceKind};
use hotset_scenario::Scenario;
use rustix::time::{ClockId, clock_gettime};

use crate::header::Header;
use crate::kept::Results;
use crate::{ExperimentError, Point};

/// Where a run keeps its things, and the programs that it starts.
#[derive(Clone, Debug)]
pub struct Tools {
    /// Ledgers and disk images.
    pub directories: Directories,
    /// The program itself, as users run it.
    pub program: OsString,
    /// Program and first arguments that play a disk, see [`hotset_lab::disk::Seeking::create`].
    pub drive_command: Vec<OsString>,
    /// Program and first arguments that read files, see [`hotset_probe::Job`].
    pub reader_command: Vec<OsString>,
}

/// The measuring of one bench's points: its runs, its results, and whom it tells of its steps.
pub(crate) struct Session<'s> {
    pub header: &'s Header,
    pub tools: &'s Tools,
    pub date: &'s str,
    pub control: &'s dyn Control,
    /// What is being measured, for the steps.
    subject: RefCell<String>,
    deployments: RefCell<Vec<Arc<Deployment>>>,
}

impl<'s> Session<'s> {
    pub fn new(
        header: &'s Header,
        tools: &'s Tools,
        date: &'s str,
        control: &'s dyn Control,
    ) -> Self {
        Self {
            header,
            tools,
            date,
            control,
            subject: RefCell::default(),
            deployments: RefCell::default(),
        }
    }

    /// Where results are kept.
    pub fn results(&self) -> &Results {
        &self.header.results
    }

    /// What the next steps are of.
    pub fn begin(&self, subject: String) {
        self.subject.replace(subject);
    }

    /// The only one of `points`, whose bench is being built.
    ///
    /// # Errors
    /// Several points; when the run is to end.
    pub fn only<'p>(&self, points: &'p [Point]) -> Result<&'p Point, ExperimentError> {
        let [point] = points else {
            let message = "stores are built one at a time".to_owned();
            return Err(ExperimentError::Unusable(message));
        };
        self.begin(point.to_string());
        self.step("building it")?;
        Ok(point)
    }

    /// Something begins that takes a while.
    ///
    /// # Errors
    /// When the run is to end.
    pub fn step(&self, what: &str) -> Result<(), LabError> {
        go_on(self.control)?;
        let subject = self.subject.borrow();
        self.control.step(&format!("{subject}: {what}"));
        Ok(())
    }

    /// The lab of a scenario, in a run of its own, which goes away with the session.
    ///
    /// # Errors
    /// What fails on the way.
    pub fn build(&self, scenario: &Scenario) -> Result<Lab, ExperimentError> {
        let deployment = Deployment::open(&self.tools.directories)?;
        self.deployments.borrow_mut().push(Arc::clone(&deployment));
        let drive = &self.tools.drive_command;
        let lab = Lab::build(&deployment, scenario, drive, self.control);
        lab.map_err(|error| self.explain(error.into()))
    }

    /// Processor time of all that runs in the session's labs: servers, file servers, drives. Microseconds.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn labs_cpu_us(&self) -> Result<u64, MachineError> {
        let deployments = self.deployments.borrow();
        deployments.iter().map(|it| it.cpu_us()).sum()
    }

    /// Takes down what was made in the runs.
    ///
    /// # Errors
    /// When something is left.
    pub fn tear_down(&self) -> Result<(), ExperimentError> {
        let deployments = self.deployments.take();
        let left: Vec<String> = deployments
            .iter()
            .flat_map(|it| it.teardown().left)
            .collect();
        if left.is_empty() {
            return Ok(());
        }
        let left = left.join("; ");
        Err(ExperimentError::Unusable(format!(
            "could not clean up: {left}"
        )))
    }

    /// The reason behind an error, while what failed still stands: a disk whose image finds no room any more fails in many
    /// ways.
    pub fn explain(&self, error: ExperimentError) -> ExperimentError {
        let deployments = self.deployments.borrow();
        let full = deployments.iter().map(|it| it.work()).find(|work| {
            rustix::fs::statvfs(*work).is_ok_and(|file_system| file_system.f_bavail == 0)
        });
        match full {
            None => error,
            Some(work) => ExperimentError::Unusable(format!(
                "no space is left for disk images at {}; free some or choose another folder ({error})",
                work.display()
            )),
        }
    }

    /// How a measured outcome of a point came about, with the study's own settings behind the session's.
    pub fn provenance(&self, point: &Point, settings: &[(&str, String)]) -> Provenance {
        let own = [("experiment", self.header.name.as_str())];
        let own = own.into_iter().chain(point.values());
        let own = own.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let others = settings.iter();
        let others = others.map(|(name, value)| ((*name).to_owned(), value.clone()));
        Provenance {
            seed: Some(self.header.seed),
            settings: own.chain(others).collect(),
            date: Some(self.date.to_owned()),
            ..Provenance::new(ProvenanceKind::Measured)
        }
    }
}

/// Watches whether the machine is left alone while something is measured.
pub(crate) struct QuietWatch {
    watch: Watch,
    own_us: u64,
    labs_us: u64,
}

impl QuietWatch {
    /// Begins. `labs_us`: processor time that what runs in the labs has used so far, microseconds.
    ///
    /// # Errors
    /// When the machine does not tell.
    pub fn begin(labs_us: u64) -> Result<Self, MachineError> {
        Ok(Self {
            watch: Watch::start()?,
            own_us: own_cpu_us(),
            labs_us,
        })
    }

    /// What was seen. `labs_us`: as at the beginning, now.
    ///
    /// # Errors
    /// When the machine does not tell.
    pub fn end(self, labs_us: u64) -> Result<Quietness, MachineError> {
        let own_us = own_cpu_us().saturating_sub(self.own_us);
        let labs_us = labs_us.saturating_sub(self.labs_us);
        self.watch.finish(own_us + labs_us)
    }
}

/// Processor time of this process, which sends the requests.
fn own_cpu_us() -> u64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1000
}
