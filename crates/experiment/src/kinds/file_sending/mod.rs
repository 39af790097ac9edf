//! The file-sending experiment: a file of every store is handed to a local socket block by block, in several ways, from memory and
//! from the device. Each is measured by a loop of this program, and simulated on what is known of the same store.
//!
//! What the socket costs is known from probing the store: from memory that is of no file, and by `sendfile` of the probe's file. What
//! reading costs is known from reads that are sent nowhere. Nothing is fitted to what is compared.

mod cell;
mod measure;
mod prediction;
mod result;
mod section;
mod way;

use std::path::Path;

use hotset_machine::Need;
use hotset_scenario::Scenario;

pub(crate) use section::Section;

use crate::header::Header;
use crate::kept::Results;
use crate::kinds::fio_jobs::{Bench, JobStores, Predicted, tables};
use crate::quoted::Quoted;
use crate::session::{Session, Tools};
use crate::study::{KeptOf, PointResult, Prediction, ShownOf, Study};
use crate::table::Table;
use crate::{Axis, ExperimentError, Point};
use result::{Detail, Settings};

/// An experiment that sends files.
pub(crate) struct FileSending {
    section: Section,
    stores: JobStores,
    seed: u64,
}

impl Study for FileSending {
    type Settings = Settings;
    type Detail = Detail;
    type Predicted = Predicted;
    type Bench = Bench;
    type Section = Section;

    const KIND: &'static str = "file-sending";
    const AXES: &'static [Axis] = &[Axis::Store];

    fn new(
        section: Section,
        _folder: &Path,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let stores = JobStores::of(scenario, header.scale, section.file);
        Ok(Self {
            stores: stores.map_err(|problem| header.unusable(&problem))?,
            section,
            seed: header.seed,
        })
    }

    fn points(&self) -> Vec<Point> {
        self.stores.points()
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        Ok(Settings {
            store: self.stores.at(point)?.settings(),
            file_bytes: self.section.file,
            block_bytes: self.section.blocks.clone(),
            rounds: self.section.rounds,
        })
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let programs = vec![Need::program("filefrag", "e2fsprogs")];
        self.stores.needs(points, tools, programs)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Bench, ExperimentError> {
        Bench::build(&self.stores, points, session)
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<PointResult<Detail>, ExperimentError> {
        measure::measure(bench, &self.section, point, session)
    }

    fn predict(
        &self,
        kept: &[KeptOf<Self>],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<Predicted>>>, ExperimentError> {
        let predict = |kept| prediction::of(kept, self.seed).map(Some);
        kept.iter().map(predict).collect()
    }

    fn phases() -> Vec<&'static str> {
        vec!["sending"]
    }

    fn tables(&self, points: &[ShownOf<Self>], _quoted: &Quoted) -> Vec<Table> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ShownOf<Self>]) -> Vec<String> {
        tables::remarks(points, &[])
    }
}
