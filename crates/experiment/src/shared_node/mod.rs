//! The shared-node experiment: two sites on one node, cell by cell and arm by arm.

mod bench;
mod costs;
mod paced;
mod readings;
mod stage;
mod throughput;

pub use bench::{Bench, Surroundings};

use bench::{Node, pause};
use hotset_outcome::{Provenance, ProvenanceKind};
use stage::{Scene, Stage};

use crate::arms::{ArmKind, Means, PAGE_BYTES, Situation, pages};
use crate::experiment::{Cell, Experiment, SharedNode};
use crate::profile::MeasuredCosts;
use crate::result::{self, ArmResult, CostsResult, HeldFiles, Results, Settings};
use crate::workload::{CellWorkload, WorkloadSpec};
use hotset_lab::LabError;
use hotset_lab::{Control, go_on};
use hotset_machine::{Watch, file};

/// What of an experiment is to be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Selection {
    /// Only these cells; all where there are none.
    pub cells: Vec<Cell>,
    /// Only these arms; all where there are none.
    pub arms: Vec<ArmKind>,
}

/// One measurement of an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    /// The cell.
    pub cell: Cell,
    /// The arm.
    pub arm: ArmKind,
    /// Whether it has been measured already, under the same settings.
    pub done: bool,
}

/// The measurements of an experiment in the order in which they are run: arm by arm, so that what is most
/// telling is there first.
///
/// # Errors
/// A result that cannot be read; a scenario without a node.
pub fn items(
    experiment: &Experiment,
    plan: &SharedNode,
    selection: &Selection,
) -> Result<Vec<Item>, LabError> {
    let results = Results(experiment.results.clone());
    let mut items = Vec::new();
    for &arm in &plan.arms {
        for &cell in &plan.cells {
            let wanted = (selection.cells.is_empty() || selection.cells.contains(&cell))
                && (selection.arms.is_empty() || selection.arms.contains(&arm));
            if wanted {
                let settings = settings(experiment, plan, cell)?;
                let found: Option<ArmResult> =
                    file::read_json(&results.arm(&cell.to_string(), arm))?;
                let done = found.is_some_and(|found| found.settings == settings);
                items.push(Item { cell, arm, done });
            }
        }
    }
    Ok(items)
}

fn settings(experiment: &Experiment, plan: &SharedNode, cell: Cell) -> Result<Settings, LabError> {
    let node = Node::of(experiment)?;
    Ok(Settings {
        workload: WorkloadSpec {
            classes: [cell.foreground, cell.background],
            alpha: plan.alpha,
            requests: plan.requests[cell.background],
            scale: experiment.scale,
            seed: experiment.seed,
        },
        memory_bytes: node.memory_bytes,
        cpus: node.cpus,
        store: node.store(),
        server: node.server(),
        clients: plan.clients,
        throughput_seconds: plan.throughput_seconds,
    })
}

/// Runs what is selected and not measured yet; every result is written as soon as it is there. Returns how many were
/// measured.
///
/// # Errors
/// What the machine lacks, what fails on the way, [`LabError::Interrupted`]. Nothing is left behind then but results.
pub fn run(
    experiment: &Experiment,
    plan: &SharedNode,
    selection: &Selection,
    surroundings: &Surroundings,
    date: &str,
    control: &dyn Control,
) -> Result<usize, LabError> {
    let mut items = items(experiment, plan, selection)?;
    items.retain(|item| !item.done);
    if items.is_empty() {
        return Ok(0);
    }
    let cells: Vec<Cell> = plan
        .cells
        .iter()
        .copied()
        .filter(|cell| items.iter().any(|item| item.cell == *cell))
        .collect();
    let files = SharedNode {
        cells,
        ..plan.clone()
    };
    let bench = Bench::create(experiment, &files, surroundings, control)?;
    let compares = items.iter().any(|item| item.arm.arm().has_base());
    let beside = compares
        .then(|| Bench::create(experiment, &files, surroundings, control))
        .transpose()?;
    let run = Run {
        experiment,
        plan,
        bench: &bench,
        beside: beside.as_ref(),
        results: Results(experiment.results.clone()),
        date,
        control,
    };
    let outcome = items
        .iter()
        .enumerate()
        .try_for_each(|(index, item)| run.item(*item, index + 1, items.len()))
        .map_err(|error| bench::explain(bench.lab(), error));
    let torn_down = beside.map_or(Ok(()), tear_down);
    tear_down(bench).and(torn_down).and(outcome)?;
    Ok(items.len())
}

fn tear_down(bench: Bench) -> Result<(), LabError> {
    let lab = std::sync::Arc::clone(bench.lab());
    drop(bench);
    let left = lab.teardown().left;
    if left.is_empty() {
        Ok(())
    } else {
        let left = left.join("; ");
        Err(LabError::Unusable(format!("could not clean up: {left}")))
    }
}

struct Run<'r> {
    experiment: &'r Experiment,
    plan: &'r SharedNode,
    bench: &'r Bench,
    /// A second node of the same kind with the same files, for the page cache alone.
    beside: Option<&'r Bench>,
    results: Results,
    date: &'r str,
    control: &'r dyn Control,
}

impl Run<'_> {
    fn item(&self, item: Item, number: usize, of: usize) -> Result<(), LabError> {
        go_on(self.control)?;
        let settings = settings(self.experiment, self.plan, item.cell)?;
        let workload = CellWorkload::generate(&settings.workload)
            .map_err(|error| LabError::Unusable(error.to_string()))?;
        let costs = self.costs(item.cell, &settings, &workload)?;
        let name = format!("{} {}", item.cell, item.arm);
        pause(
            self.control,
            &format!("{name} ({number} of {of}): placing files"),
        )?;
        let arm = Measurement {
            run: self,
            settings,
            workload: &workload,
            costs: &costs,
            cell: item.cell,
            arm: item.arm,
        };
        let found = arm.measure(&name)?;
        let path = self.results.arm(&item.cell.to_string(), item.arm);
        Ok(file::write_json(&path, &found)?)
    }

    /// The cell's costs, measured once.
    fn costs(
        &self,
        cell: Cell,
        settings: &Settings,
        workload: &CellWorkload,
    ) -> Result<MeasuredCosts, LabError> {
        let path = self.results.costs(&cell.to_string());
        let found: Option<CostsResult> = file::read_json(&path)?;
        if let Some(found) = found.filter(|found| found.settings == *settings) {
            return Ok(found.costs);
        }
        let costs = costs::measure(
            self.bench,
            workload,
            &settings.workload,
            &cell.to_string(),
            self.control,
        )?;
        let document = CostsResult {
            settings: settings.clone(),
            costs,
        };
        file::write_json(&path, &document)?;
        Ok(document.costs)
    }
}

struct Measurement<'m> {
    run: &'m Run<'m>,
    settings: Settings,
    workload: &'m CellWorkload,
    costs: &'m MeasuredCosts,
    cell: Cell,
    arm: ArmKind,
}

impl Measurement<'_> {
    fn measure(&self, name: &str) -> Result<ArmResult, LabError> {
        let (control, bench) = (self.run.control, self.run.bench);
        let known = self.known_usable_bytes()?;
        let arm = self.arm.arm();
        let memory_bytes = known.unwrap_or(self.settings.memory_bytes);
        let held = arm.held(&Situation {
            workload: self.workload,
            memory_bytes,
            costs: self.costs,
        })?;
        let short = name.replace(' ', "-");
        let scene = Scene {
            workload: self.workload,
            classes: self.settings.workload.classes,
            arm: self.arm,
            held: &held,
            server_bytes: self.settings.memory_bytes - memory_bytes,
            name: &short,
        };
        let stage = Stage::set(bench, scene)?;
        stage.warm_up(name, control)?;
        let beside = self.beside(scene, name)?;
        let usable = known.unwrap_or(stage.memory()?.usable_bytes());
        let watch = Watch::start()?;
        pause(control, &format!("{name}: one client"))?;
        let stages: Vec<&Stage> = [&stage].into_iter().chain(&beside).collect();
        let mut paced = paced::measure(&stages, name, &self.provenance(), control)?.into_iter();
        let (Some((paced, outcome)), base) = (paced.next(), paced.next()) else {
            return Err(LabError::Unusable(format!("{name}: nothing was measured")));
        };
        let mut outcomes = vec![outcome];
        let throughput = self.throughput(&stage, name, &mut outcomes)?;
        let own_cpu_us = stages
            .iter()
            .map(|stage| stage.server_cpu_us())
            .sum::<Result<u64, _>>()?;
        stage.strike()?;
        beside.map_or(Ok(()), Stage::strike)?;
        Ok(ArmResult {
            experiment: self.run.experiment.name.clone(),
            cell: self.cell.to_string(),
            arm: self.arm,
            settings: self.settings.clone(),
            date: self.run.date.to_owned(),
            held: self.held(&held, arm.means()),
            usable_bytes: usable,
            paced,
            throughput,
            quietness: Some(watch.finish(own_cpu_us)?),
            base: base.map(|(_paced, outcome)| outcome),
            outcomes,
        })
    }

    /// The page cache alone on the second node, warm, where the arm is to be compared with it.
    fn beside<'s>(&'s self, scene: Scene<'s>, name: &str) -> Result<Option<Stage<'s>>, LabError> {
        let bench = self.run.beside.filter(|_| self.arm.arm().has_base());
        let Some(bench) = bench else { return Ok(None) };
        let alone = Scene {
            arm: ArmKind::PageCache,
            held: &[],
            ..scene
        };
        let stage = Stage::set(bench, alone)?;
        stage.warm_up(
            &format!("{name}, the page cache beside it"),
            self.run.control,
        )?;
        Ok(Some(stage))
    }

    fn throughput(
        &self,
        stage: &Stage,
        name: &str,
        outcomes: &mut Vec<hotset_outcome::Outcome>,
    ) -> Result<Option<result::Throughput>, LabError> {
        let (clients, seconds) = (self.settings.clients, self.settings.throughput_seconds);
        if seconds == 0 {
            return Ok(None);
        }
        let control = self.run.control;
        pause(control, &format!("{name}: {clients} clients a site"))?;
        let provenance = self.provenance();
        let (throughput, outcome) =
            throughput::measure(stage, clients, seconds, name, provenance, control)?;
        outcomes.push(outcome);
        Ok(Some(throughput))
    }

    /// Memory for file data as the scenario gives it, or as the page cache's run of the cell found it; nothing before that.
    fn known_usable_bytes(&self) -> Result<Option<u64>, LabError> {
        if let Some(server) = Node::of(self.run.experiment)?.server_memory_bytes {
            return Ok(Some(self.settings.memory_bytes.saturating_sub(server)));
        }
        if matches!(self.arm, ArmKind::PageCache | ArmKind::Alone) {
            return Ok(None);
        }
        let path = self
            .run
            .results
            .arm(&self.cell.to_string(), ArmKind::PageCache);
        let found: Option<ArmResult> = file::read_json(&path)?;
        match found.filter(|found| found.settings == self.settings) {
            Some(found) => Ok(Some(found.usable_bytes)),
            None => Err(LabError::Unusable(format!(
                "{}: arm {} needs the memory that arm page-cache measures; run that first",
                self.cell, self.arm
            ))),
        }
    }

    fn held(&self, objects: &[u32], means: Means) -> HeldFiles {
        let size = |object: &u32| self.workload.size(*object);
        HeldFiles {
            means,
            files: objects.len() as u64,
            bytes: objects.iter().map(size).sum(),
            page_bytes: objects
                .iter()
                .map(|object| pages(size(object)) * PAGE_BYTES)
                .sum(),
            objects: objects.to_vec(),
        }
    }

    fn provenance(&self) -> Provenance {
        let text = |value: &dyn std::fmt::Display| value.to_string();
        let settings = [
            ("experiment", self.run.experiment.name.clone()),
            ("cell", text(&self.cell)),
            ("arm", text(&self.arm)),
            ("memory_bytes", text(&self.settings.memory_bytes)),
            ("scale", text(&self.settings.workload.scale)),
            ("requests", text(&self.settings.workload.requests)),
            ("store", self.settings.store.clone()),
        ];
        Provenance {
            seed: Some(self.settings.workload.seed),
            settings: settings
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect(),
            date: Some(self.run.date.to_owned()),
            ..Provenance::new(ProvenanceKind::Measured)
        }
    }
}
