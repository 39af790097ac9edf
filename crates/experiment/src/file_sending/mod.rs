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
mod ways;

use hotset_lab::data_centre;
use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::Scenario;

pub(crate) use section::Section;

use crate::fio_jobs::{Bench, JobNode, JobStore, Predicted, stores, tables};
use crate::header::Header;
use crate::kept::Results;
use crate::quoted::Quoted;
use crate::session::{Session, Tools};
use crate::study::{KeptOf, Measured, Prediction, ShownOf, Study};
use crate::table::Table;
use crate::{Axis, ExperimentError, Point};
use result::{Detail, Settings};

/// What is measured, for `[quoted]`.
const PHASE: &str = "sending";

/// An experiment that sends files.
pub(crate) struct FileSending {
    section: Section,
    node: JobNode,
    stores: Vec<JobStore>,
    seed: u64,
}

impl FileSending {
    /// The experiment that `section` describes.
    ///
    /// # Errors
    /// A scenario that cannot be used.
    pub fn new(section: Section, header: &Header, scenario: &Scenario) -> Result<Self, String> {
        Ok(Self {
            node: JobNode::of(scenario, header.scale)?,
            stores: stores(scenario, section.file)?,
            section,
            seed: header.seed,
        })
    }

    fn store(&self, point: &Point) -> Result<&JobStore, ExperimentError> {
        let name = point.on(Axis::Store);
        let store = self.stores.iter().find(|store| store.spec.name == name);
        store.ok_or_else(|| ExperimentError::Unusable(format!("there is no store `{name}`")))
    }
}

impl Study for FileSending {
    type Settings = Settings;
    type Detail = Detail;
    type Predicted = Predicted;
    type Bench = Bench;

    const KIND: &'static str = "file-sending";
    const AXES: &'static [Axis] = &[Axis::Store];

    fn points(&self) -> Vec<Point> {
        let point = |store: &JobStore| Point::default().with(Axis::Store, &store.spec.name);
        self.stores.iter().map(point).collect()
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let store = self.store(point)?;
        Ok(Settings {
            store: format!("{} on {:?}", store.kind.name(), store.spec.disk),
            file_bytes: self.section.file,
            block_bytes: self.section.blocks.clone(),
            rounds: self.section.rounds,
        })
    }

    /// Each store has a lab of its own.
    fn benches(&self, points: Vec<Point>) -> Vec<Vec<Point>> {
        points.into_iter().map(|point| vec![point]).collect()
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let mut needs = vec![Need::program("filefrag", "e2fsprogs")];
        for point in points {
            let scenario = self.node.scenario(self.store(point)?);
            needs.extend(data_centre::needs(&scenario, &tools.directories)?);
        }
        Ok(needs)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Bench, ExperimentError> {
        let [point] = points else {
            let message = "stores are built one at a time".to_owned();
            return Err(ExperimentError::Unusable(message));
        };
        session.begin(point.to_string());
        session.step("building it")?;
        Bench::create(&self.node, self.store(point)?, session)
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<Measured<Detail>, ExperimentError> {
        measure::measure(bench, &self.section, point, session)
    }

    fn predict(
        &self,
        kept: &[KeptOf<Self>],
        _results: &Results,
    ) -> Result<Vec<Option<Prediction<Predicted>>>, ExperimentError> {
        let predicted = kept.iter().map(|kept| prediction::of(kept, self.seed));
        predicted.map(|it| it.map(Some)).collect()
    }

    fn phases(&self) -> Vec<&'static str> {
        vec![PHASE]
    }

    fn outcome<'k>(&self, kept: &'k KeptOf<Self>, phase: &str) -> Option<&'k Outcome> {
        kept.compared().filter(|_| phase == PHASE)
    }

    fn tables(&self, points: &[ShownOf<Self>], _quoted: &Quoted) -> Vec<Table> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ShownOf<Self>]) -> Vec<String> {
        tables::remarks(points, &[])
    }
}
