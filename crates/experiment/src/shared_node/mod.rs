//! The shared-node experiment: two sites on one node with too little memory, cell by cell and arm by arm.

pub(crate) mod arms;
mod bench;
mod cost_lines;
mod costs;
mod paced;
mod prediction;
mod readings;
mod result;
mod section;
mod stage;
mod tables;
mod throughput;
mod workload;

use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::Scenario;

pub use cost_lines::{MeasuredCosts, Sample};
pub(crate) use section::Section;

use crate::experiment::Header;
use crate::kept::{KeptOf, Results};
use crate::quoted::Quoted;
use crate::session::{Quiet, Session, Tools};
use crate::show::Shown;
use crate::study::{Measured, Prediction, Study};
use crate::table::Table;
use crate::{Axis, ExperimentError, Point};
use arms::{Arm, PAGE_CACHE, Situation};
use bench::{Bench, Node};
use prediction::Predicted;
use result::{Detail, HeldFiles, Settings, Throughput};
use section::Cell;
use stage::{Scene, Stage};
use workload::{CellWorkload, WorkloadSpec};

/// An experiment of two sites on one node.
pub(crate) struct SharedNode {
    section: Section,
    node: Node,
    scale: u64,
    seed: u64,
}

/// The node, and where anything is compared a second one of the same kind with the same files, for the page cache alone.
pub(crate) struct Benches {
    bench: Bench,
    beside: Option<Bench>,
}

impl SharedNode {
    /// The experiment that `section` describes.
    ///
    /// # Errors
    /// A scenario without a node, a server and a store that can be used.
    pub fn new(
        section: Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let node = Node::of(scenario, header.scale);
        let node = node.map_err(|problem| {
            ExperimentError::Unusable(format!(
                "experiment {}: its scenario {problem}",
                header.name
            ))
        })?;
        Ok(Self {
            section,
            node,
            scale: header.scale,
            seed: header.seed,
        })
    }

    fn cell(&self, point: &Point) -> Result<Cell, ExperimentError> {
        let parsed = point.on(Axis::Cell).parse();
        parsed.map_err(ExperimentError::Unusable)
    }

    fn arm(&self, point: &Point) -> Result<&'static Arm, ExperimentError> {
        Arm::named(point.on(Axis::Arm)).map_err(ExperimentError::Unusable)
    }

    /// Cells of these points, each once.
    fn cells(&self, points: &[Point]) -> Result<Vec<Cell>, ExperimentError> {
        let mut cells = Vec::new();
        for point in points {
            let cell = self.cell(point)?;
            if !cells.contains(&cell) {
                cells.push(cell);
            }
        }
        Ok(cells)
    }

    /// Whether any of these points is compared with a second node.
    fn has_second_node(&self, points: &[Point]) -> Result<bool, ExperimentError> {
        let compared = points
            .iter()
            .map(|point| Ok(self.arm(point)?.is_compared()));
        Ok(compared
            .collect::<Result<Vec<bool>, ExperimentError>>()?
            .contains(&true))
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
        let files = bench::Files::of(self, &self.cells(points)?)?;
        let nodes = 1 + u64::from(self.has_second_node(points)?);
        Ok(bench::needs(&self.node, &files, nodes, tools)?)
    }

    fn build(&self, points: &[Point], session: &Session) -> Result<Benches, ExperimentError> {
        let files = bench::Files::of(self, &self.cells(points)?)?;
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
            session,
            point,
            arm: self.arm(point)?,
            settings: &settings,
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
        kept: &[KeptOf<Self>],
        results: &Results,
    ) -> Result<Vec<Option<Prediction<Predicted>>>, ExperimentError> {
        let Some(first) = kept.first() else {
            return Ok(Vec::new());
        };
        let workload = CellWorkload::generate(&first.settings.workload)
            .map_err(|error| ExperimentError::Unusable(error.to_string()))?;
        let costs = costs::kept(results, &first.point, &first.settings)?;
        let predict = |kept: &KeptOf<Self>| {
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

    fn outcome<'k>(&self, kept: &'k KeptOf<Self>, phase: &str) -> Option<&'k Outcome> {
        let name = format!("{}, {phase}", kept.point);
        kept.outcomes.iter().find(|outcome| outcome.name == name)
    }

    fn tables(&self, points: &[Shown<Self>], _quoted: &Quoted) -> Vec<Table> {
        tables::of(points)
    }

    fn remarks(&self, points: &[Shown<Self>]) -> Vec<String> {
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
        match results.under::<Self>(&base, &self.settings(point)?)? {
            Some(kept) => Ok(Some(kept.detail.usable_bytes)),
            None => Err(ExperimentError::Unusable(format!(
                "{point}: needs the memory that arm {} measures; run that first",
                PAGE_CACHE.name
            ))),
        }
    }
}

/// The measuring of one point.
struct Measurement<'m> {
    benches: &'m Benches,
    session: &'m Session<'m>,
    point: &'m Point,
    arm: &'static Arm,
    settings: &'m Settings,
    workload: &'m CellWorkload,
    costs: &'m MeasuredCosts,
}

impl Measurement<'_> {
    fn measure(&self, usable_bytes: Option<u64>) -> Result<Measured<Detail>, ExperimentError> {
        self.session.step("placing files")?;
        let memory_bytes = usable_bytes.unwrap_or(self.settings.memory_bytes);
        let held = (self.arm.held)(&Situation {
            workload: self.workload,
            memory_bytes,
            costs: self.costs,
        })?;
        let name = self.point.to_string().replace(' ', "-");
        let scene = Scene {
            workload: self.workload,
            classes: self.settings.workload.classes,
            arm: self.arm,
            held: &held,
            server_bytes: self.settings.memory_bytes - memory_bytes,
            name: &name,
        };
        let stage = Stage::set(&self.benches.bench, scene)?;
        stage.warm_up(self.session)?;
        let beside = self.beside(scene)?;
        let usable_bytes = usable_bytes.unwrap_or(stage.memory()?.usable_bytes());
        let stages: Vec<&Stage> = [&stage].into_iter().chain(&beside).collect();
        let measured = self.ask(&stages, usable_bytes, self.held(&held))?;
        stage.take_down()?;
        beside.map_or(Ok(()), Stage::take_down)?;
        Ok(measured)
    }

    /// The page cache alone on the second node, warm, where the arm is to be compared with it.
    fn beside<'s>(&'s self, scene: Scene<'s>) -> Result<Option<Stage<'s>>, ExperimentError> {
        let bench = self.benches.beside.as_ref();
        let Some(bench) = bench.filter(|_| self.arm.is_compared()) else {
            return Ok(None);
        };
        let alone = Scene {
            arm: &PAGE_CACHE,
            held: &[],
            ..scene
        };
        let stage = Stage::set(bench, alone)?;
        stage.warm_up(self.session)?;
        Ok(Some(stage))
    }

    /// Asks the stages in turn, one client; then the first one, several clients.
    fn ask(
        &self,
        stages: &[&Stage],
        usable_bytes: u64,
        held: HeldFiles,
    ) -> Result<Measured<Detail>, ExperimentError> {
        let quiet = Quiet::begin(server_cpu_us(stages)?)?;
        self.session.step("one client")?;
        let mut asked = paced::measure(stages, self)?.into_iter();
        let (Some((paced, outcome)), base) = (asked.next(), asked.next()) else {
            let message = format!("{}: nothing was measured", self.point);
            return Err(ExperimentError::Unusable(message));
        };
        let mut outcomes = vec![outcome];
        let throughput = self.throughput(stages, &mut outcomes)?;
        Ok(Measured {
            detail: Detail {
                held,
                usable_bytes,
                paced,
                throughput,
            },
            quietness: quiet.end(server_cpu_us(stages)?)?,
            base: base.map(|(_paced, outcome)| outcome),
            outcomes,
        })
    }

    fn throughput(
        &self,
        stages: &[&Stage],
        outcomes: &mut Vec<Outcome>,
    ) -> Result<Option<Throughput>, ExperimentError> {
        let (clients, seconds) = (self.settings.clients, self.settings.throughput_seconds);
        let Some(stage) = stages.first().filter(|_| seconds > 0) else {
            return Ok(None);
        };
        self.session.step(&format!("{clients} clients a site"))?;
        let (throughput, outcome) = throughput::measure(stage, self)?;
        outcomes.push(outcome);
        Ok(Some(throughput))
    }

    fn held(&self, objects: &[u32]) -> HeldFiles {
        let size = |object: &u32| self.workload.size(*object);
        HeldFiles {
            means: self.arm.means,
            files: objects.len() as u64,
            bytes: objects.iter().map(size).sum(),
            page_bytes: objects
                .iter()
                .map(|object| arms::pages(size(object)) * arms::PAGE_BYTES)
                .sum(),
            objects: objects.to_vec(),
        }
    }

    /// An outcome of the point's, without its sites.
    fn outcome(&self, phase: &str, total: hotset_outcome::Score) -> Outcome {
        let text = |value: &dyn std::fmt::Display| value.to_string();
        let settings = [
            ("memory_bytes", text(&self.settings.memory_bytes)),
            ("scale", text(&self.settings.workload.scale)),
            ("requests", text(&self.settings.workload.requests)),
            ("store", self.settings.store.clone()),
        ];
        let provenance = self.session.provenance(self.point, &settings);
        Outcome::new(format!("{}, {phase}", self.point), provenance, total)
    }
}

fn server_cpu_us(stages: &[&Stage]) -> Result<u64, ExperimentError> {
    let used = stages.iter().map(|stage| stage.server_cpu_us());
    used.sum::<Result<u64, _>>()
}
