//! The shared-node experiment: two sites on one node with too little memory, cell by cell and arm by arm.

mod arms;
mod bench;
mod cost_lines;
mod costs;
mod measure;
mod paced;
mod prediction;
mod readings;
mod result;
mod section;
mod stage;
mod subject;
mod tables;
mod throughput;
mod workload;

use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::Scenario;

pub use cost_lines::{MeasuredCosts, Sample};
pub(crate) use section::Section;

use crate::header::Header;
use crate::kept::Results;
use crate::quoted::Quoted;
use crate::session::{Session, Tools};
use crate::study::{Measured, Prediction, ShownOf, Study};
use crate::table::Table;
use crate::{Axis, ExperimentError, Point};
use arms::{Arm, PAGE_CACHE};
use bench::{Bench, Benches, Files, Node};
use measure::Measurement;
use prediction::Predicted;
use result::{Detail, KeptPoint, Settings};
use section::Cell;
use subject::Subject;
use workload::{CellWorkload, WorkloadSpec};

/// An experiment of two sites on one node.
pub(crate) struct SharedNode {
    section: Section,
    node: Node,
    scale: u64,
    seed: u64,
}

impl SharedNode {
    /// The experiment that `section` describes.
    ///
    /// # Errors
    /// A scenario without a node, a server and a store that can be used.
    pub fn new(section: Section, header: &Header, scenario: &Scenario) -> Result<Self, String> {
        Ok(Self {
            section,
            node: Node::of(scenario, header.scale)?,
            scale: header.scale,
            seed: header.seed,
        })
    }

    fn cell(&self, point: &Point) -> Result<Cell, ExperimentError> {
        let parsed = point.on(Axis::Cell).parse();
        parsed.map_err(ExperimentError::Unusable)
    }

    fn arm(&self, point: &Point) -> Result<&'static Arm, ExperimentError> {
        arms::named(point.on(Axis::Arm)).map_err(ExperimentError::Unusable)
    }

    /// The files that these points need.
    fn files(&self, points: &[Point]) -> Result<Files, ExperimentError> {
        let cells = points.iter().map(|point| self.cell(point));
        let cells: Vec<Cell> = cells.collect::<Result<_, _>>()?;
        Files::of(&cells, self.section.alpha, self.scale, self.seed)
    }

    /// Whether any of these points is compared with a second node.
    fn has_second_node(&self, points: &[Point]) -> Result<bool, ExperimentError> {
        let mut arms = points.iter().map(|point| self.arm(point));
        arms.try_fold(false, |any, arm| Ok(any || arm?.is_compared()))
    }
}

impl Study for SharedNode {
    type Settings = Settings;
    type Detail = Detail;
    type Predicted = Predicted;
    type Bench = Benches;

    const KIND: &'static str = "shared-node";
    const AXES: &'static [Axis] = &[Axis::Cell, Axis::Arm];

    /// Arm by arm, so that what is most telling is there first.
    fn points(&self) -> Vec<Point> {
        let (cells, arms) = (&self.section.cells, &self.section.arms);
        let of_arm = |arm: &&'static Arm| {
            let arm = arm.name;
            cells.iter().map(move |cell| {
                let point = Point::default().with(Axis::Cell, cell.to_string());
                point.with(Axis::Arm, arm)
            })
        };
        arms.iter().flat_map(of_arm).collect()
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let cell = self.cell(point)?;
        Ok(Settings {
            workload: WorkloadSpec {
                classes: [cell.foreground, cell.background],
                alpha: self.section.alpha,
                requests: self.section.requests[cell.background],
                scale: self.scale,
                seed: self.seed,
            },
            memory_bytes: self.node.memory_bytes,
            cpus: self.node.cpus(),
            store: self.node.store(),
            server: self.node.server(),
            clients: self.section.clients as usize,
            throughput_seconds: self.section.throughput_seconds,
        })
    }

    /// Files are written once and serve all points.
    fn benches(&self, points: Vec<Point>) -> Vec<Vec<Point>> {
        Some(points)
            .filter(|points| !points.is_empty())
            .into_iter()
            .collect()
    }

    fn needs(&self, points: &[Point], tools: &Tools) -> Result<Vec<Need>, ExperimentError> {
        let files = self.files(points)?;
        let nodes = 1 + u64::from(self.has_second_node(points)?);
        Ok(bench::needs(&self.node, &files, nodes, tools)?)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Benches, ExperimentError> {
        let files = self.files(points)?;
        let bench = Bench::create(&self.node, &files, session)?;
        let beside = self.has_second_node(points)?;
        let beside = beside.then(|| Bench::create(&self.node, &files, session));
        Ok(Benches {
            bench,
            beside: beside.transpose()?,
        })
    }

    fn measure(
        &self,
        benches: &mut Benches,
        point: &Point,
        session: &Session,
    ) -> Result<Measured<Detail>, ExperimentError> {
        let settings = self.settings(point)?;
        let workload = CellWorkload::generate(&settings.workload)
            .map_err(|error| ExperimentError::Unusable(error.to_string()))?;
        let costs = costs::of_cell(&benches.bench, &workload, &settings, point, session)?;
        let measurement = Measurement {
            benches,
            subject: Subject {
                session,
                point,
                settings: &settings,
            },
            arm: self.arm(point)?,
            workload: &workload,
            costs: &costs,
        };
        measurement.measure(self.usable_bytes(point, session.results())?)
    }

    /// The page cache alone, which serves the same requests.
    fn base(&self, point: &Point) -> Option<Point> {
        let arm = self.arm(point).ok()?;
        let same = arm.traffic == PAGE_CACHE.traffic;
        same.then(|| point.clone().with(Axis::Arm, PAGE_CACHE.name))
    }

    fn predict(
        &self,
        kept: &[KeptPoint],
        results: &Results,
    ) -> Result<Vec<Option<Prediction<Predicted>>>, ExperimentError> {
        let Some(first) = kept.first() else {
            return Ok(Vec::new());
        };
        let workload = CellWorkload::generate(&first.settings.workload)
            .map_err(|error| ExperimentError::Unusable(error.to_string()))?;
        let costs = costs::kept(results, &first.point, &first.settings)?;
        let predict = |kept: &KeptPoint| {
            let modelled = self.arm(&kept.point)?.is_modelled() && kept.settings == first.settings;
            let Some(costs) = costs.as_ref().filter(|_| modelled) else {
                return Ok(None);
            };
            prediction::of(kept, &workload, costs).map(Some)
        };
        kept.iter().map(predict).collect()
    }

    fn phases(&self) -> Vec<&'static str> {
        vec!["paced", "throughput"]
    }

    fn outcome<'k>(&self, kept: &'k KeptPoint, phase: &str) -> Option<&'k Outcome> {
        let name = format!("{}, {phase}", kept.point);
        kept.outcomes.iter().find(|outcome| outcome.name == name)
    }

    fn tables(&self, points: &[ShownOf<Self>], _quoted: &Quoted) -> Vec<Table> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ShownOf<Self>]) -> Vec<String> {
        tables::agreement(points).into_iter().collect()
    }
}

impl SharedNode {
    /// Memory for file data as the scenario gives it, or for arms that choose what they hold as the page cache's run of the
    /// cell found it.
    fn usable_bytes(
        &self,
        point: &Point,
        results: &Results,
    ) -> Result<Option<u64>, ExperimentError> {
        if let Some(server_bytes) = self.node.server_memory_bytes() {
            return Ok(Some(self.node.memory_bytes.saturating_sub(server_bytes)));
        }
        if !self.arm(point)?.means.chooses() {
            return Ok(None);
        }
        let base = point.clone().with(Axis::Arm, PAGE_CACHE.name);
        let kept: Option<KeptPoint> = results.under(&base, &self.settings(point)?)?;
        match kept {
            Some(kept) => Ok(Some(kept.detail.usable_bytes)),
            None => Err(ExperimentError::Unusable(format!(
                "{point}: needs the memory that arm {} measures; run that first",
                PAGE_CACHE.name
            ))),
        }
    }
}
