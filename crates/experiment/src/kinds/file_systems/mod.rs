//! The file-systems experiment: what each file system of a scenario costs, read by plain calls on its node, and
//! through a proxy and a web server.
//!
//! Every phase has files of its own, so that one drop of all caches, proven, stands before all uncached accesses:
//! each file is asked for once, then all of them again.

mod bench;
mod measure;
mod requests;
mod result;
mod section;
mod size;
mod tables;

use std::path::Path;

use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::Scenario;

pub(crate) use section::Section;

use crate::header::Header;
use crate::quoted::Quoted;
use crate::session::{Session, Tools};
use crate::study::{KeptOf, PointResult, ShownOf, Study};
use crate::table::Table;
use crate::{Axis, ExperimentError, Point};
use bench::{Bench, Nodes, RealStore};
use measure::Measurement;
use result::{Detail, Settings};

/// An experiment on what every store of a scenario costs.
pub(crate) struct FileSystems {
    section: Section,
    nodes: Nodes,
    stores: Vec<RealStore>,
}

impl FileSystems {
    fn store(&self, point: &Point) -> Result<&RealStore, ExperimentError> {
        let name = point.on(Axis::Store);
        let store = self.stores.iter().find(|store| store.spec.name == name);
        store.ok_or_else(|| ExperimentError::Unusable(format!("there is no store `{name}`")))
    }
}

impl Study for FileSystems {
    type Settings = Settings;
    type Detail = Detail;
    type Predicted = ();
    type Bench = Bench;
    type Section = Section;

    const KIND: &'static str = "file-systems";
    const AXES: &'static [Axis] = &[Axis::Store];

    fn new(
        section: Section,
        _folder: &Path,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let unusable = |problem: String| header.unusable(&problem);
        Ok(Self {
            section,
            stores: bench::stores(scenario).map_err(unusable)?,
            nodes: Nodes::of(scenario, header.scale).map_err(unusable)?,
        })
    }

    fn points(&self) -> Vec<Point> {
        let point = |store: &RealStore| Point::default().with(Axis::Store, &store.spec.name);
        self.stores.iter().map(point).collect()
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let RealStore { spec, kind } = self.store(point)?;
        Ok(Settings {
            store: format!("{} on {:?}", kind.name(), spec.disk),
            memory_bytes: self.nodes.memory_bytes,
            cpus: self.nodes.web.cpus,
            link_bits_per_s: self.nodes.link_bits_per_s,
            bare_bytes: self.section.bare_bytes.clone(),
            served_bytes: self.section.served_bytes.clone(),
            files: self.section.files as usize,
            clients: self.section.clients as usize,
            throughput_seconds: self.section.throughput_seconds,
        })
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let mut needs = Vec::new();
        for point in points {
            let scenario = self.nodes.scenario(&self.section, self.store(point)?);
            needs.extend(hotset_lab::needs(&scenario, &tools.directories)?);
        }
        Ok(needs)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Bench, ExperimentError> {
        let [point] = points else {
            let message = "file systems are built one at a time".to_owned();
            return Err(ExperimentError::Unusable(message));
        };
        session.begin(point.to_string());
        session.step("building it")?;
        Bench::create(&self.nodes, &self.section, self.store(point)?, session)
    }

    fn measure(
        &self,
        bench: &mut Bench,
        point: &Point,
        session: &Session,
    ) -> Result<PointResult<Detail>, ExperimentError> {
        let measurement = Measurement {
            section: &self.section,
            store: self.store(point)?,
            point,
            session,
        };
        measurement.measure(bench)
    }

    fn outcome<'k>(&self, kept: &'k KeptOf<Self>, phase: &str) -> Option<&'k Outcome> {
        tables::outcome(kept, phase)
    }

    fn phases() -> Vec<&'static str> {
        tables::PHASES.map(|phase| phase.name).to_vec()
    }

    fn tables(&self, points: &[ShownOf<Self>], quoted: &Quoted) -> Vec<Table> {
        tables::of(&self.section, points, quoted)
    }
}
