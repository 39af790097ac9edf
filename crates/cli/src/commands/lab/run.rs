//! `hotset lab run`.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use hotset_experiment::arms::ArmKind;
use hotset_experiment::experiment::{Cell, Experiment, Kind, SharedNode};
use hotset_experiment::report::{self, CellReport};
use hotset_experiment::shared_node::{self, Selection, Surroundings};
use hotset_lab::{Control, LEDGERS, LabError};
use hotset_machine::Directories;
use hotset_report::terminal;
use serde_json::json;

use super::file_systems;
use crate::output;
use crate::progress::Steps;
use crate::{interrupt, provenance};

/// What `hotset lab run` takes.
#[derive(clap::Args)]
pub struct Args {
    /// The experiment file
    #[arg(value_name = "EXPERIMENT.toml")]
    experiment: PathBuf,
    /// Run only this cell, FOREGROUNDxBACKGROUND by workload class; may be repeated
    #[arg(long = "cell", value_name = "CELL")]
    pub(super) cells: Vec<Cell>,
    /// Run only this way of using the memory; may be repeated
    #[arg(long = "arm", value_name = "ARM")]
    pub(super) arms: Vec<ArmKind>,
    /// Run only this store of an experiment on file systems; may be repeated
    #[arg(long = "store", value_name = "STORE")]
    pub(super) stores: Vec<String>,
    /// Say what there is to run and what has been run, and run nothing
    #[arg(long)]
    pub(super) list: bool,
    /// Measure nothing: lay the results that are there beside what the planner's model says of them now
    #[arg(long, conflicts_with = "list")]
    pub(super) predict: bool,
    /// Folder for disk images
    #[arg(long, value_name = "FOLDER", default_value = "/var/tmp/hotset-lab")]
    work: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let experiment = Experiment::load(&args.experiment)?;
    match &experiment.kind {
        Kind::SharedNode(plan) => shared_node(args, &experiment, plan),
        Kind::FileSystems(plan) => file_systems::run(args, &experiment, plan, surroundings(args)?),
    }
}

fn shared_node(args: &Args, experiment: &Experiment, plan: &SharedNode) -> Result<()> {
    if !args.stores.is_empty() {
        bail!("--store is for experiments of kind file-systems; choose by --cell and --arm");
    }
    let selection = Selection {
        cells: args.cells.clone(),
        arms: args.arms.clone(),
    };
    if args.list {
        return list(experiment, plan, &selection);
    }
    if !args.predict {
        measure(args, experiment, plan, &selection)?;
    }
    let cells = report::cells(experiment, plan)?;
    if args.json {
        return output::print(&hotset_report::json::text(&document(experiment, &cells)?)?);
    }
    output::print(&terminal::lab(&rows(&cells), output::style()))
}

fn measure(
    args: &Args,
    experiment: &Experiment,
    plan: &SharedNode,
    selection: &Selection,
) -> Result<()> {
    let surroundings = surroundings(args)?;
    let _guard = interrupt::Guard::new();
    let steps = Steps::new();
    let follower = Follower(&steps);
    let date = provenance::now();
    match shared_node::run(experiment, plan, selection, &surroundings, &date, &follower) {
        Ok(_measured) => Ok(()),
        Err(LabError::Interrupted) => bail!("interrupted"),
        Err(error) => Err(error.into()),
    }
}

fn surroundings(args: &Args) -> Result<Surroundings> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    Ok(Surroundings {
        places: Directories {
            ledgers: LEDGERS.into(),
            work: args.work.clone(),
        },
        disk_command: vec![program.into(), "lab".into(), "disk".into()],
    })
}

/// Shows the steps of a run.
pub(super) struct Follower<'s>(pub(super) &'s Steps);

impl Control for Follower<'_> {
    fn step(&self, what: &str) {
        self.0.set(what);
    }

    fn interrupted(&self) -> bool {
        interrupt::pending()
    }
}

fn list(experiment: &Experiment, plan: &SharedNode, selection: &Selection) -> Result<()> {
    let items = shared_node::items(experiment, plan, selection)?;
    let line = |item: &shared_node::Item| {
        let state = if item.done { "measured" } else { "to do" };
        format!(
            "{:<5} {:<11} {state}\n",
            item.cell.to_string(),
            item.arm.name()
        )
    };
    output::print(&items.iter().map(line).collect::<String>())
}

fn document(experiment: &Experiment, cells: &[CellReport]) -> Result<serde_json::Value> {
    let outcomes: Vec<_> = cells
        .iter()
        .flat_map(|cell| cell.arms.iter().flat_map(|arm| &arm.result.outcomes))
        .collect();
    Ok(json!({
        "experiment": experiment.name,
        "tool": provenance::tool(),
        "kind": "shared-node",
        "scale": experiment.scale,
        "seed": experiment.seed,
        "cells": cells,
        "outcomes": outcomes,
    }))
}

fn rows(cells: &[CellReport]) -> Vec<terminal::LabRow> {
    let row = |cell: &CellReport, arm: &report::ArmReport| terminal::LabRow {
        cell: cell.cell.clone(),
        arm: arm.result.arm.name().to_owned(),
        mean_us: arm.mean_us,
        ratio: arm.ratio,
        ratio_interval: arm
            .ratio_interval
            .map(|interval| (interval.low, interval.high)),
        predicted_ratio: arm.predicted_ratio,
        agrees: arm.agrees,
        predicted_uncached: arm.prediction.as_ref().map(|of| of.misses),
        uncached: arm.result.paced.counts.uncached,
        disk_bytes: arm.result.paced.counts.disk_read_bytes,
        predicted_disk_bytes: arm.prediction.as_ref().map(|of| of.read_bytes),
        foreground_per_s: arm.result.throughput.as_ref().map(|of| of.foreground_per_s),
    };
    cells
        .iter()
        .flat_map(|cell| cell.arms.iter().map(|arm| row(cell, arm)))
        .collect()
}
