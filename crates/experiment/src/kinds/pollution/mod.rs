//! The shared-node experiment: two sites on one node with too little memory, cell by cell and arm by arm.

mod applied;
mod arms;
mod bench;
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

use hotset_document::Table;
use hotset_machine::Need;
use hotset_outcome::Outcome;
use hotset_scenario::Scenario;

pub use cost_lines::{MeasuredCosts, Sample};

use crate::header::Header;
use crate::kept::{Measurement, Results};
use crate::quoted::Quotations;
use crate::session::{Session, Tools};
use crate::study::{ComparisonOf, Kind, Prediction, Study};
use crate::{Axis, ExperimentError, Point};
use arms::{Arm, Choice, PAGE_CACHE, Room};
use bench::{Bench, Benches, Files, Node};
use measure::PointRun;
use phases::{PACED, Phases};
use prediction::CellPrediction;
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
}

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
        let predict = |kept: &CellResult| {
            let modelled = self.arm(&kept.point)?.is_modelled() && kept.settings == first.settings;
            let Some(costs) = costs.as_ref().filter(|_| modelled) else {
                return Ok(None);
            };
            prediction::of(kept, &workload, costs)
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

/// The room that a run of the page cache found. A second server's processes take as much as those of the first.
fn found_room(kept: &CellResult) -> Option<Room> {
    let memory = kept.measured.detail.paced.as_ref()?.memory;
    let shared_bytes = kept.measured.detail.usable_bytes;
    Some(Room {
        shared_bytes,
        grouped_bytes: shared_bytes.saturating_sub(memory.anonymous_bytes),
    })
}
