//! What a kind of jobs has to say: which they are, and how they are run.

use std::path::Path;

use hotset_models::file_system::FilePlaces;
use hotset_models::fio::Job;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::bench::Bench;
use super::result::Detail;
use super::section::PublishedError;
use super::stores::JobStores;
use crate::fio::Round;
use crate::header::Header;
use crate::kept::PointResult;
use crate::study::Kind;
use crate::{ExperimentError, Point};

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

    /// Whether copying is measured before the group of this number. Once a round is enough for those that copy nothing out of the page cache.
    fn samples_before(&self, group: usize) -> bool {
        group == 0
    }

    /// Folder of profiles of stores that several experiments share; nothing where each store is probed for its own.
    fn profiles(&self) -> Option<&Path> {
        None
    }

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

    /// First jobs of groups that were set aside until the model was done: how far they are off is said apart.
    fn set_aside(&self) -> Vec<String> {
        Vec::new()
    }

    /// How far off published models of the same jobs were.
    fn published(&self) -> &[PublishedError] {
        &[]
    }
}
