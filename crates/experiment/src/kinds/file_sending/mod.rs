//! The file-sending experiment: a file of every store is handed to a local socket block by block, in several ways, from memory and
//! from the device. Each is measured by a loop of this program, and simulated on what is known of the same store.
//!
//! What the socket costs is known from probing the store: from memory that is of no file, and by `sendfile` of the probe's file. What
//! reading costs is known from reads that are sent nowhere. Nothing is fitted to what is compared.

mod cell;
mod section;
mod sending;
mod way;

use hotset_machine::OnFile as _;
use hotset_models::file_system::FilePlaces;
use hotset_models::fio::Job;
use serde::{Deserialize, Serialize};

use crate::fio::Round;
use crate::header::Header;
use crate::kept::PointResult;
use crate::kinds::jobs::{Bench, Detail, JobKind, JobStores};
use crate::study::Kind;
use crate::{ExperimentError, Point};
use cell::{Cell, FILE};
use section::Section;

/// Ways of sending a file.
pub(crate) struct FileSending {
    section: Section,
    cells: Vec<Cell>,
}

/// Everything that decides what is measured. A result with the same settings is not measured again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct Settings {
    /// File system and disk, in words.
    pub store: String,
    /// Size of the file, bytes.
    pub file_bytes: u64,
    /// Sizes of blocks, bytes.
    pub block_bytes: Vec<u64>,
    /// Rounds that count.
    pub rounds: usize,
}

impl JobKind for FileSending {
    type Section = Section;
    type Settings = Settings;

    const KIND: Kind = Kind::FileSending;
    const PHASES: &'static [&'static str] = &["sending"];
    const PROGRAMS: &'static [(&'static str, &'static str)] = &[("filefrag", "e2fsprogs")];
    const PREPARATION: &'static str = "writing the file";
    const FIRST_COUNTS: bool = false;

    fn new(section: Section, _header: &Header) -> Result<(Self, u64), ExperimentError> {
        let (cells, bytes) = (Cell::all(&section.blocks), section.file);
        Ok((Self { section, cells }, bytes))
    }

    fn settings(&self, stores: &JobStores, point: &Point) -> Result<Settings, ExperimentError> {
        Ok(Settings {
            store: stores.at(point)?.settings(),
            file_bytes: self.section.file,
            block_bytes: self.section.blocks.clone(),
            rounds: self.section.rounds,
        })
    }

    fn rounds(&self) -> usize {
        self.section.rounds
    }

    fn names(&self) -> Vec<Vec<String>> {
        self.cells.iter().map(|cell| vec![cell.name()]).collect()
    }

    fn lay_out(&self, bench: &Bench) -> Result<FilePlaces, ExperimentError> {
        let path = bench.folder().join(FILE);
        sending::write(&path, self.section.file).on("write", &path)?;
        let mut places = FilePlaces::default();
        places.0.insert(FILE.to_owned(), bench.extents(&path)?);
        Ok(places)
    }

    fn run(&self, bench: &Bench, group: usize) -> Result<Round, ExperimentError> {
        sending::run(bench, &self.cells[group], &bench.folder().join(FILE))
    }

    fn kept_jobs(
        &self,
        kept: &PointResult<Settings, Detail>,
    ) -> Result<Vec<Vec<Job>>, ExperimentError> {
        let cells = Cell::all(&kept.settings.block_bytes);
        let job = |cell: &Cell| Ok(vec![cell.job(kept.settings.file_bytes)?]);
        cells.iter().map(job).collect()
    }
}
