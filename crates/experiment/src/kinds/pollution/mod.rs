//! The shared-node experiment: two sites on one node with too little memory, cell by cell and arm by arm.

mod applied;
mod arms;
mod bench;
mod closed_accuracy;
mod closed_loops;
mod closed_scores;
mod cost_lines;
mod daemon;
mod measure;
mod paced;
mod phases;
mod placing;
mod prediction;
mod result;
mod runs;
mod section;
mod single_requests;
mod stage;
mod subject;
mod tables;
mod throughput;
pub(crate) mod workload;

use std::collections::BTreeMap;
use std::slice;
use std::sync::OnceLock;

use hotset_document::Table;
use hotset_machine::Need;
use hotset_models::tiers::TiersResult;
use hotset_outcome::Outcome;
use hotset_scenario::Scenario;

pub use cost_lines::{MeasuredCosts, Sample};

use crate::clients::at_once;
use crate::header::Header;
use crate::kept::{Measurement, Results};
use crate::quoted::Quotations;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Prediction, Study};
use crate::{Axis, ExperimentError, Point};
use arms::{Arm, Choice, PAGE_CACHE, Room};
use bench::{Bench, Benches, Files, Node};
use closed_accuracy::{Assumed, ClosedPrediction, given_cpus};
use closed_loops::{ClosedLoops, is_followed};
use measure::PointRun;
use phases::{PACED, Phases};
use prediction::{CellPrediction, PacedPrediction};
use result::{CellResult, Detail, Settings};
use section::{Cell, Section};
use subject::Subject;
use workload::{CellWorkload, WorkloadSpec};

/// An experiment of two sites on one node.
pub(crate) struct Pollution {
    section: Section,
    node: Node,
    scale: u64,
    seed: u64,
    /// Processors that the servers had, once it is known.
    cpus: OnceLock<Option<f64>>,
}

/// Closed loops as they were simulated, and how far that is from what was measured.
type Simulated = (TiersResult, ClosedPrediction);

impl Pollution {
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
        let section = &self.section;
        Files::of(
            &cells,
            section.alpha,
            section.size_correlation,
            self.scale,
            self.seed,
        )
    }

    fn phases_of(&self, point: &Point) -> Phases {
        Phases::of(point, self.section.throughput_seconds)
    }

    /// Whether any of these points is compared with a second node.
    fn has_second_node(&self, points: &[Point]) -> Result<bool, ExperimentError> {
        let mut points = points.iter();
        points.try_fold(false, |any, point| {
            Ok(any || self.phases_of(point).beside(self.arm(point)?))
        })
    }
}

impl Study for Pollution {
    type Settings = Settings;
    type Detail = Detail;
    type PredictionDetail = CellPrediction;
    type Bench = Benches;
    type Section = Section;

    const KIND: Kind = Kind::SharedNode;
    const AXES: &'static [Axis] = &[Axis::Cell, Axis::Arm, Axis::Run];
    const PHASES: &'static [&'static str] = &["paced", "throughput"];
    // A command writes its files once, and all points and runs that it measures read them there.
    const SHARES_BENCH: bool = true;

    fn check(section: &Section) -> Result<(), String> {
        section.check()
    }

    fn new(
        section: Section,
        header: &Header,
        scenario: &Scenario,
    ) -> Result<Self, ExperimentError> {
        let node = Node::of(scenario, header.scale);
        Ok(Self {
            section,
            node: node.map_err(|problem| header.unusable(&problem))?,
            scale: header.scale,
            seed: header.seed,
            cpus: OnceLock::new(),
        })
    }

    /// Arm by arm, so that what is most telling is there first.
    fn points(&self) -> Vec<Point> {
        let cells: Vec<String> = self.section.cells.iter().map(Cell::to_string).collect();
        if let Some(runs) = self.section.runs {
            return phases::in_runs(&cells, &self.section.arms, runs);
        }
        let of_arm = |arm: &&'static Arm| {
            let point = Point::default().with(Axis::Arm, arm.name);
            cells
                .iter()
                .map(move |cell| point.clone().with(Axis::Cell, cell))
        };
        self.section.arms.iter().flat_map(of_arm).collect()
    }

    fn settings(&self, point: &Point) -> Result<Settings, ExperimentError> {
        let cell = self.cell(point)?;
        let by_class = |requests: &Option<Vec<u64>>| Some(requests.as_ref()?[cell.background]);
        let target = self.section.priority(cell).target;
        Ok(Settings {
            workload: WorkloadSpec {
                classes: [cell.foreground, cell.background],
                alpha: self.section.alpha,
                size_correlation: self.section.size_correlation,
                requests: self.section.requests[cell.background],
                training: by_class(&self.section.training),
                segment: by_class(&self.section.segment),
                scale: self.scale,
                seed: self.seed,
            },
            memory_bytes: self.node.memory_bytes,
            cpus: self.node.cpus(),
            store: self.node.store(),
            server: self.node.server(),
            clients: self.section.clients as usize,
            throughput_seconds: self.section.throughput_seconds,
            interval: self.section.interval,
            weight: self.section.weight,
            daemon_interval: self.section.daemon_interval,
            target: target.map(|target| target.to_string()),
        })
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
    ) -> Result<Measurement<Detail>, ExperimentError> {
        let settings = self.settings(point)?;
        let workload = CellWorkload::generate(&settings.workload)?;
        let costs = single_requests::of_cell(&benches.bench, &workload, &settings, point, session)?;
        let run = PointRun {
            benches,
            subject: Subject {
                session,
                point,
                settings: &settings,
            },
            arm: self.arm(point)?,
            phases: self.phases_of(point),
            priority: &self.section.priority(self.cell(point)?),
            workload: &workload,
            costs: &costs,
            chosen: self.chosen(point, session.results())?,
        };
        run.measure(self.room(point, session.results())?)
    }

    /// The page cache alone, which serves the same requests. Closed loops serve as many as they manage.
    fn base(&self, point: &Point) -> Option<Point> {
        let arm = self.arm(point).ok()?;
        let same = arm.traffic == PAGE_CACHE.traffic && self.phases_of(point).paced;
        same.then(|| point.clone().with(Axis::Arm, PAGE_CACHE.name))
    }

    fn predict(
        &self,
        kept: &[CellResult],
        results: &Results,
    ) -> Result<Vec<Option<Prediction<CellPrediction>>>, ExperimentError> {
        let Some(first) = kept.first() else {
            return Ok(Vec::new());
        };
        let workload = CellWorkload::generate(&first.settings.workload)?;
        let costs = single_requests::kept(results, &first.point, &first.settings)?;
        let same = kept.iter().filter(|kept| kept.settings == first.settings);
        let closed = self.closed_loops(same, &workload, results)?;
        let predict = |kept: &CellResult| {
            let modelled = self.arm(&kept.point)?.is_modelled() && kept.settings == first.settings;
            let paced = match costs.as_ref().filter(|_| modelled) {
                Some(costs) => prediction::of(kept, &workload, costs)?,
                None => None,
            };
            let closed = match self.has_simulation(kept)? {
                true => closed.get(kept.point.on(Axis::Arm)),
                false => None,
            };
            Ok(self.joined(paced, closed, kept))
        };
        kept.iter().map(predict).collect()
    }

    fn outcome<'k>(&self, kept: &'k CellResult, phase: &str) -> Option<&'k Outcome> {
        let name = format!("{}, {phase}", kept.point);
        kept.measured
            .outcomes
            .iter()
            .find(|outcome| outcome.name == name)
    }

    fn tables(&self, points: &[ComparisonOf<Self>], _quoted: &Quotations) -> Vec<(String, Table)> {
        tables::of(points)
    }

    fn remarks(&self, points: &[ComparisonOf<Self>]) -> Vec<String> {
        tables::sizes(points)
            .into_iter()
            .chain(tables::agreement(points))
            .chain(tables::asked_before(points))
            .chain(runs::starved(points))
            .chain(runs::slowed(points))
            .chain(closed_scores::remarks(points))
            .collect()
    }
}

impl Pollution {
    /// Memory for file data as the scenario gives it, or for arms that choose what they hold as the page cache's run of the
    /// cell found it.
    fn room(&self, point: &Point, results: &Results) -> Result<Option<Room>, ExperimentError> {
        if let Some(server_bytes) = self.node.server_memory_bytes() {
            let shared_bytes = self.node.memory_bytes.saturating_sub(server_bytes);
            return Ok(Some(Room {
                shared_bytes,
                grouped_bytes: shared_bytes.saturating_sub(server_bytes),
            }));
        }
        if !self.arm(point)?.means.chooses() {
            return Ok(None);
        }
        let base = point.clone().with(Axis::Arm, PAGE_CACHE.name);
        let base = match point.on(Axis::Run) {
            "" => base,
            _ => base.with(Axis::Run, PACED),
        };
        let kept: Option<CellResult> = results.under(&base, &self.settings(point)?)?;
        let room = kept.as_ref().and_then(found_room);
        room.map(Some).ok_or_else(|| {
            ExperimentError::Unusable(format!(
                "{point}: needs the memory that {base} measures; run that first"
            ))
        })
    }

    /// What a point's arm chose in the paced phase, which its runs repeat.
    fn chosen(&self, point: &Point, results: &Results) -> Result<Option<Choice>, ExperimentError> {
        if self.phases_of(point).paced {
            return Ok(None);
        }
        let paced = point.clone().with(Axis::Run, PACED);
        let kept: Option<CellResult> = results.under(&paced, &self.settings(point)?)?;
        Ok(kept.map(|kept| Choice {
            held: kept.measured.detail.held.objects,
            group_bytes: kept.measured.detail.held.group_bytes,
        }))
    }
}

/// Simulated closed loops of a cell.
impl Pollution {
    /// Those of each way of using the memory that was measured, by its name. Runs of it are simulated once. Nothing of results under other
    /// settings, where what was held is not told, and on disks whose speed is not known.
    fn closed_loops<'k>(
        &self,
        kept: impl Iterator<Item = &'k CellResult>,
        workload: &CellWorkload,
        results: &Results,
    ) -> Result<BTreeMap<String, Simulated>, ExperimentError> {
        let mut ways: BTreeMap<String, Vec<&'k CellResult>> = BTreeMap::new();
        for kept in kept {
            if self.has_simulation(kept)? {
                let runs = ways.entry(kept.point.on(Axis::Arm).to_owned());
                runs.or_default().push(kept);
            }
        }
        if ways.is_empty() {
            return Ok(BTreeMap::new());
        }
        let Some(cpus) = self.cpus(results)? else {
            return Ok(BTreeMap::new());
        };
        let ways: Vec<(String, Vec<&CellResult>)> = ways.into_iter().collect();
        at_once(&ways, "a simulation of closed loops broke off", |way| {
            let (name, runs) = way;
            Ok((name.clone(), self.simulated(runs, workload, cpus)?))
        })
        .map(|simulated| simulated.into_iter().collect())
    }

    /// Whether the closed loops of a kept result are simulated.
    fn has_simulation(&self, kept: &CellResult) -> Result<bool, ExperimentError> {
        let detail = &kept.measured.detail;
        let is_known = detail.held.tells_all() || is_followed(kept);
        let is_told = detail.throughput.is_some() && is_known;
        let is_own = kept.settings == self.settings(&kept.point)?;
        Ok(self.node.has_model() && is_told && is_own)
    }

    /// A way of using the memory, as its first run was set up.
    fn simulated(
        &self,
        runs: &[&CellResult],
        workload: &CellWorkload,
        cpus: f64,
    ) -> Result<Simulated, ExperimentError> {
        let kept = runs[0];
        let files = self.files(slice::from_ref(&kept.point))?;
        let usable_bytes = kept.measured.detail.usable_bytes;
        let scenario = self.node.modelled(&files, cpus, usable_bytes);
        let loops = ClosedLoops {
            kept,
            workload,
            scenario: &scenario,
            has_own_cpus: self.node.exact_cpus().is_some(),
        };
        let result = loops.simulate()?;
        let assumed = Assumed {
            cpus,
            has_measured_costs: self.node.has_measured_costs(),
        };
        let prediction = ClosedPrediction::of(runs, &result, assumed);
        Ok((result, prediction))
    }

    /// Processors of the node. Where it has all, its servers share them with the clients, and what is left to them is not known beforehand.
    /// It is taken to be the most that servers had in any closed loops of the experiment.
    fn cpus(&self, results: &Results) -> Result<Option<f64>, ExperimentError> {
        if let Some(cpus) = self.node.exact_cpus() {
            return Ok(Some(cpus));
        }
        if let Some(known) = self.cpus.get() {
            return Ok(*known);
        }
        let mut most: Option<f64> = None;
        for point in self.points() {
            let kept: Option<CellResult> = results.of(&point)?;
            let throughput = kept.and_then(|kept| kept.measured.detail.throughput);
            let given = throughput.as_ref().map(given_cpus);
            most = most.into_iter().chain(given).reduce(f64::max);
        }
        let most = most.filter(|&cpus| cpus > 0.0);
        Ok(*self.cpus.get_or_init(|| most))
    }

    /// What both models say of a kept result.
    fn joined(
        &self,
        paced: Option<Prediction<PacedPrediction>>,
        closed: Option<&Simulated>,
        kept: &CellResult,
    ) -> Option<Prediction<CellPrediction>> {
        let outcome = match (&paced, closed) {
            (Some(paced), _) => paced.outcome.clone(),
            (None, Some((result, _))) => {
                closed_loops::outcome(kept, self.node.name(), result.clone())
            }
            (None, None) => return None,
        };
        let (ratio, paced) = paced.map_or((None, None), |paced| (paced.ratio, Some(paced.detail)));
        Some(Prediction {
            outcome,
            ratio,
            detail: CellPrediction {
                paced,
                closed: closed.map(|(_, prediction)| prediction.clone()),
            },
        })
    }
}

/// The room that a run of the page cache found. A second server's processes take as much as those of the first.
fn found_room(kept: &CellResult) -> Option<Room> {
    let memory = kept.measured.detail.paced.as_ref()?.memory;
    let shared_bytes = kept.measured.detail.usable_bytes;
    Some(Room {
        shared_bytes,
        grouped_bytes: shared_bytes.saturating_sub(memory.anonymous_bytes),
    })
}
