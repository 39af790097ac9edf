//! Jobs on stores of a scenario, of fio or of this program: measured on a node of the lab round after round, and simulated on
//! what is known of the same store. A kind of them says which jobs, and how they are run.
//!
//! | deed | place |
//! | --- | --- |
//! | stores that jobs run on, and their benches | `stores`, `bench` |
//! | what the model is told of a store of the lab | `store_profile` |
//! | rounds are measured, and simulated | `measure`, `prediction` |
//! | what is kept of them, and shown | `result`, `tables` |

mod bench;
mod measure;
mod prediction;
mod result;
mod section;
mod store_profile;
mod stores;
mod tables;

use hotset_document::Table;
use hotset_machine::Need;
use hotset_models::file_system::FilePlaces;
use hotset_models::fio::Job;
use hotset_scenario::Scenario;
use serde::Serialize;
use serde::de::DeserializeOwned;

pub(crate) use bench::Bench;
pub(crate) use result::Detail;
pub(crate) use section::{Published, rounds, usual_rounds, whole_pages};
pub(crate) use stores::JobStores;

use crate::fio::Round;
use crate::header::Header;
use crate::kept::{Measurement, PointResult, Results};
use crate::quoted::Quoted;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Prediction, ResultOf, Study};
use crate::{ExperimentError, Point};
use result::JobPredictions;

/// A kind of jobs. They are in groups, each simulated by itself: the jobs of a file of fio, or one alone.
pub(crate) trait JobKind: Sized {
    /// See [`Study::Section`].
    type Section: DeserializeOwned;
    /// See [`Study::Settings`].
    type Settings: Clone + PartialEq + Serialize + DeserializeOwned;

    /// See [`Study::KIND`].
    const KIND: Kind;
    /// See [`Study::PHASES`].
    const PHASES: &'static [&'static str];
    /// Programs that are needed, and their packages.
    const PROGRAMS: &'static [(&'static str, &'static str)];
    /// What is done before the first round, as steps are called.
    const PREPARATION: &'static str;
    /// Whether the first round counts; else one is measured before it.
    const FIRST_COUNTS: bool;
    /// Whether copying is measured before each group; else once a round.
    const SAMPLES_EACH: bool;

    /// The jobs that `section` describes, and how many bytes their files take.
    ///
    /// # Errors
    /// What cannot be used of the section, or of files that it names.
    fn new(section: Self::Section, header: &Header) -> Result<(Self, u64), ExperimentError>;

    /// What decides the measurement on the store of a point.
    ///
    /// # Errors
    /// A point that is not of this experiment.
    fn settings(
        &self,
        stores: &JobStores,
        point: &Point,
    ) -> Result<Self::Settings, ExperimentError>;

    /// Rounds that count.
    fn rounds(&self) -> usize;

    /// Names of the jobs, group by group.
    fn names(&self) -> Vec<Vec<String>>;

    /// Makes all files: where they are.
    ///
    /// # Errors
    /// What fails on the way.
    fn lay_out(&self, bench: &Bench) -> Result<FilePlaces, ExperimentError>;

    /// Runs the group of this number once.
    ///
    /// # Errors
    /// What fails on the way.
    fn run(&self, bench: &Bench, group: usize) -> Result<Round, ExperimentError>;

    /// Version of the program that runs them, where that is another one.
    ///
    /// # Errors
    /// When there is none.
    fn version() -> Result<Option<String>, ExperimentError> {
        Ok(None)
    }

    /// The jobs of a kept result for the model, group by group.
    ///
    /// # Errors
    /// Jobs that the model no longer takes; a log that has changed since.
    fn kept_jobs(
        &self,
        kept: &PointResult<Self::Settings, Detail>,
    ) -> Result<Vec<Vec<Job>>, ExperimentError>;

    /// Memory for files that a result was measured with, bytes; nothing where there is more than all files take.
    fn file_memory_bytes(_settings: &Self::Settings) -> Option<u64> {
        None
    }

    /// Jobs that only prepare for others.
    fn preparing(_settings: &Self::Settings) -> &[String] {
        &[]
    }

    /// How far off published models of the same jobs were.
    fn published(&self) -> &[Published] {
        &[]
    }
}

/// An experiment with jobs on stores.
pub(crate) struct StoreJobs<K> {
    jobs: K,
    stores: JobStores,
    seed: u64,
}

impl<K: JobKind> Study for StoreJobs<K> {
    type Settings = K::Settings;
    type Detail = Detail;
    type PredictionDetail = JobPredictions;
    type Bench = Bench;
    type Section = K::Section;

    const KIND: Kind = K::KIND;
    const PHASES: &'static [&'static str] = K::PHASES;

    fn new(
        section: K::Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let (jobs, files_bytes) = K::new(section, header)?;
        let stores = JobStores::of(scenario, header.scale, files_bytes);
        Ok(Self {
            jobs,
            stores: stores.map_err(|problem| header.unusable(&problem))?,
            seed: header.seed,
        })
    }

    fn points(&self) -> Vec<Point> {
        self.stores.points()
    }

    fn settings(&self, point: &Point) -> Result<K::Settings, ExperimentError> {
        self.jobs.settings(&self.stores, point)
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let programs = K::PROGRAMS.iter();
        let programs = programs.map(|(program, package)| Need::program(program, package));
        let mut needs: Vec<Need> = programs.collect();
        for point in points {
            let scenario = self.stores.scenario(point)?;
            needs.extend(hotset_lab::needs(&scenario, &tools.directories)?);
        }
        Ok(needs)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Bench, ExperimentError> {
        Bench::build(&self.stores, session.only(points)?, session)
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measurement<Detail>, ExperimentError> {
        measure::measure(&self.jobs, bench, point, session)
    }

    fn predict(
        &self,
        kept: &[ResultOf<Self>],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<JobPredictions>>>, ExperimentError> {
        let predict = |kept| prediction::of(&self.jobs, kept, self.seed).map(Some);
        kept.iter().map(predict).collect()
    }

    fn tables(&self, points: &[ComparisonOf<Self>], _quoted: &Quoted) -> Vec<(String, Table)> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ComparisonOf<Self>]) -> Vec<String> {
        tables::remarks(points, self.jobs.published())
    }
}
