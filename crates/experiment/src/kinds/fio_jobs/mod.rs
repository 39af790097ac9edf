//! The fio-jobs experiment: job files of fio on every store of a scenario, measured with fio itself on a node of the lab and
//! simulated on what is known of the same store.
//!
//! A job file may have places, `${block}`, for which values of the experiment stand in turn. All of them run in turn, round
//! after round; the first round lays files out and does not count.

mod ageing;
mod bench;
mod measure;
mod prediction;
mod result;
mod section;
mod store_profile;
mod stores;
pub(crate) mod tables;
pub(crate) mod template;

use std::path::{Path, PathBuf};

use hotset_machine::Need;
use hotset_scenario::Scenario;

pub(crate) use bench::Bench;
pub(crate) use measure::outcome;
pub(crate) use prediction::simulated;
pub(crate) use result::{FileRounds, JobRounds, Predicted};
pub(crate) use section::{Section, rounds, usual_rounds};
pub(crate) use stores::JobStores;

use crate::header::Header;
use crate::kept::Results;
use crate::quoted::Quoted;
use crate::session::{Session, Tools};
use crate::study::{KeptOf, PointResult, Prediction, ShownOf, Study};
use crate::table::Table;
use crate::{Axis, ExperimentError, Point};
use ageing::Grown;
use result::{Detail, Settings};
use template::{ExpandedFile, needed_bytes};

/// An experiment with jobs of fio.
pub(crate) struct FioJobs {
    section: Section,
    /// Where job files and logs are.
    folder: PathBuf,
    files: Vec<ExpandedFile>,
    stores: JobStores,
    seed: u64,
}

impl Study for FioJobs {
    type Settings = Settings;
    type Detail = Detail;
    type Predicted = Predicted;
    type Bench = Bench;
    type Section = Section;

    const KIND: &'static str = "fio-jobs";
    const AXES: &'static [Axis] = &[Axis::Store];

    fn new(
        section: Section,
        folder: &Path,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let files = template::expand(&section, folder)?;
        for grown in &section.grown {
            grown.check().map_err(ExperimentError::Unusable)?;
        }
        let grown = section.grown.iter().map(Grown::needed_bytes);
        let needed_bytes = grown.fold(needed_bytes(&files), u64::saturating_add);
        let stores = JobStores::of(scenario, header.scale, needed_bytes);
        Ok(Self {
            stores: stores.map_err(|problem| header.unusable(&problem))?,
            folder: folder.to_owned(),
            files,
            section,
            seed: header.seed,
        })
    }

    fn points(&self) -> Vec<Point> {
        self.stores.points()
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let node = &self.stores.node;
        Ok(Settings {
            store: self.stores.at(point)?.settings(),
            memory_bytes: node.memory_bytes,
            file_memory_bytes: node.file_memory_bytes(),
            cpus: node.spec.cpus,
            rounds: self.section.rounds,
            preparing: self.section.preparing.clone(),
            job_files: self.files.iter().map(|file| file.text.clone()).collect(),
            logs: template::log_hashes(&self.files),
            grown: self.section.grown.clone(),
        })
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let programs = vec![
            Need::program("fio", "fio"),
            Need::program("filefrag", "e2fsprogs"),
        ];
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
        measure::measure(bench, &self.files, &self.section, point, session)
    }

    fn predict(
        &self,
        kept: &[KeptOf<Self>],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<Predicted>>>, ExperimentError> {
        let predict = |kept| prediction::of(kept, &self.folder, self.seed).map(Some);
        kept.iter().map(predict).collect()
    }

    fn phases() -> Vec<&'static str> {
        vec!["jobs"]
    }

    fn tables(&self, points: &[ShownOf<Self>], _quoted: &Quoted) -> Vec<Table> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ShownOf<Self>]) -> Vec<String> {
        tables::remarks(points, &self.section.published)
    }
}
