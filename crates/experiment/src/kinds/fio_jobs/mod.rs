//! The fio-jobs experiment: job files of fio on every store of a scenario, measured with fio itself on a node of the lab and
//! simulated on what is known of the same store.
//!
//! A job file may have places, `${block}`, for which values of the experiment stand in turn. All of them run in turn, round
//! after round; the first round lays files out and does not count.

mod ageing;
mod section;
pub(crate) mod template;

use std::path::{Path, PathBuf};

use hotset_machine::OnFile as _;
use hotset_models::file_system::FilePlaces;
use hotset_models::fio::Job;
use serde::{Deserialize, Serialize};

use crate::fio::{Round, lay_out, version};
use crate::header::Header;
use crate::kept::PointResult;
use crate::kinds::jobs::{Bench, Detail, JobKind, JobStores, PublishedError};
use crate::study::Kind;
use crate::{Axis, ExperimentError, Point};
use ageing::GrownFile;
use section::Section;
use template::{ExpandedFile, log_hashes, needed_bytes};

/// Job files of fio.
pub(crate) struct FioJobs {
    section: Section,
    /// Where job files and logs are.
    folder: PathBuf,
    /// Folder of profiles of stores that several experiments share.
    profiles: Option<PathBuf>,
    files: Vec<ExpandedFile>,
}

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// File system and disk, in words.
    pub store: String,
    /// Memory of the node, bytes.
    pub memory_bytes: u64,
    /// What fio and the kernel leave of it for files, bytes.
    pub file_memory_bytes: u64,
    /// Its processors; null where it has all.
    pub cpus: Option<u64>,
    /// Rounds that count.
    pub rounds: usize,
    /// Jobs that only prepare for others.
    pub preparing: Vec<String>,
    /// The job files, with values in their places.
    pub job_files: Vec<String>,
    /// SHA-256 of the logs that jobs replay, in their order; missing where none do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<String>,
    /// Files that are made before, in pieces; missing where there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub grown: Vec<GrownFile>,
}

impl JobKind for FioJobs {
    type Section = Section;
    type Settings = Settings;

    const KIND: Kind = Kind::FioJobs;
    const PHASES: &'static [&'static str] = &["jobs"];
    const PROGRAMS: &'static [(&'static str, &'static str)] =
        &[("fio", "fio"), ("filefrag", "e2fsprogs")];
    const PREPARATION: &'static str = "laying files out";
    const FIRST_COUNTS: bool = true;

    fn new(section: Section, header: &Header) -> Result<(Self, u64), ExperimentError> {
        let files = template::expand(&section, &header.folder)?;
        for grown in &section.grown {
            grown.check().map_err(ExperimentError::Unusable)?;
        }
        let grown = section.grown.iter().map(GrownFile::needed_bytes);
        let needed_bytes = grown.fold(needed_bytes(&files), u64::saturating_add);
        let profiles = section.profiles.as_ref();
        let jobs = Self {
            folder: header.folder.clone(),
            profiles: profiles.map(|name| header.folder.join(name)),
            files,
            section,
        };
        Ok((jobs, needed_bytes))
    }

    fn settings(&self, stores: &JobStores, point: &Point) -> Result<Settings, ExperimentError> {
        let node = &stores.node;
        Ok(Settings {
            store: stores.at(point)?.settings(),
            memory_bytes: node.memory_bytes,
            file_memory_bytes: node.file_memory_bytes(),
            cpus: node.spec.whole_cpus(),
            rounds: self.section.rounds,
            preparing: self.section.preparing.clone(),
            job_files: self.files.iter().map(|file| file.text.clone()).collect(),
            logs: log_hashes(&self.files),
            grown: self.section.grown.clone(),
        })
    }

    fn rounds(&self) -> usize {
        self.section.rounds
    }

    /// What reads take from memory drifts with what other machines on the same processor do. Writes have costs of their own.
    fn samples_before(&self, group: usize) -> bool {
        group == 0
            || self.files[group]
                .file
                .jobs
                .iter()
                .any(|job| job.mode.reads())
    }

    fn profiles(&self) -> Option<&Path> {
        self.profiles.as_deref()
    }

    fn names(&self) -> Vec<Vec<String>> {
        let names = |jobs: &[Job]| jobs.iter().map(|job| job.name.clone()).collect();
        self.files.iter().map(|it| names(&it.file.jobs)).collect()
    }

    /// Makes them by running the jobs once, without pauses.
    fn lay_out(&self, bench: &Bench) -> Result<FilePlaces, ExperimentError> {
        let folder = bench.folder();
        for grown in &self.section.grown {
            grown.grow(&folder).on("grow a file in", &folder)?;
        }
        for file in &self.files {
            lay_out(&file.file.jobs, &folder)?;
            bench.run(&once(&file.file.jobs))?;
        }
        let jobs = self.files.iter().flat_map(|it| it.file.jobs.clone());
        Ok(bench.places(&jobs.collect::<Vec<_>>())?)
    }

    fn run(&self, bench: &Bench, group: usize) -> Result<Round, ExperimentError> {
        bench.run(&self.files[group].file.jobs)
    }

    fn version() -> Result<Option<String>, ExperimentError> {
        Ok(Some(version()?))
    }

    fn kept_jobs(
        &self,
        kept: &PointResult<Settings, Detail>,
    ) -> Result<Vec<Vec<Job>>, ExperimentError> {
        let texts = kept.settings.job_files.iter();
        let files = texts.map(|text| ExpandedFile::parse(text, &self.folder.join("kept jobs")));
        let files = files.collect::<Result<Vec<_>, _>>()?;
        match log_hashes(&files) == kept.settings.logs {
            true => Ok(files.into_iter().map(|file| file.file.jobs).collect()),
            false => Err(ExperimentError::Unusable(format!(
                "{} was measured with other logs than those in {}; measure it again, or bring them back",
                kept.point.on(Axis::Store),
                self.folder.display()
            ))),
        }
    }

    fn file_memory_bytes(settings: &Settings) -> Option<u64> {
        Some(settings.file_memory_bytes)
    }

    fn preparing(settings: &Settings) -> &[String] {
        &settings.preparing
    }

    fn set_aside(&self) -> Vec<String> {
        let files = self.files.iter().filter(|file| file.is_set_aside);
        let first = files.filter_map(|file| file.file.jobs.first());
        first.map(|job| job.name.clone()).collect()
    }

    fn published(&self) -> &[PublishedError] {
        &self.section.published
    }
}

/// The jobs without their pauses, and those that begin anew until a time is over as one pass.
fn once(jobs: &[Job]) -> Vec<Job> {
    let once = |job: &Job| {
        let mut job = job.clone();
        (job.bytes_per_s, job.reads_per_s, job.think_us) = (None, None, 0.0);
        job.time_based = false;
        job
    };
    jobs.iter().map(once).collect()
}
