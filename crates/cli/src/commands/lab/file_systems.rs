//! `hotset lab run` of an experiment on file systems.

use anyhow::{Context, Result, bail};
use hotset_lab::LabError;
use hotset_lab::experiment::{Experiment, FileSystems};
use hotset_lab::file_systems::{self, Helpers, NOT_BROUGHT_UP, StoreResult, size_name};
use hotset_lab::shared_node::Surroundings;
use hotset_outcome::{Outcome, Score};
use hotset_report::terminal::{self, Figure, FileSystemRow, FileSystemTable};
use serde_json::json;

use super::run::{Args, Follower};
use crate::progress::Steps;
use crate::{interrupt, output, provenance};

/// The documents' tables: of opening and reading, of responses cached and uncached, of transactions in a second cached
/// and uncached.
const PUBLISHED: [&str; 5] = [
    include_str!("../../../../../experiments/reference/characterization-table-2.json"),
    include_str!("../../../../../experiments/reference/characterization-table-4.json"),
    include_str!("../../../../../experiments/reference/characterization-table-5.json"),
    include_str!("../../../../../experiments/reference/characterization-table-6-cached.json"),
    include_str!("../../../../../experiments/reference/characterization-table-6-uncached.json"),
];

/// Runs, lists or lays out.
pub fn run(
    args: &Args,
    experiment: &Experiment,
    plan: &FileSystems,
    surroundings: Surroundings,
) -> Result<()> {
    if !args.cells.is_empty() || !args.arms.is_empty() {
        bail!(
            "--cell and --arm are for experiments of kind shared-node; choose file systems by --store"
        );
    }
    if args.list {
        return list(args, experiment, plan);
    }
    if !args.predict {
        measure(args, experiment, plan, surroundings)?;
    }
    let mut results = file_systems::results(experiment)?;
    results.retain(|result| args.stores.is_empty() || args.stores.contains(&result.store));
    if args.json {
        return output::print_json(&document(experiment, &results)?);
    }
    let tables = tables(plan, &results)?;
    output::print(&terminal::file_systems(&tables, output::style()))?;
    output::print(&remarks(&results))
}

fn list(args: &Args, experiment: &Experiment, plan: &FileSystems) -> Result<()> {
    let items = file_systems::items(experiment, plan, &args.stores)?;
    let line = |item: &file_systems::Item| {
        let state = if item.done { "measured" } else { "to do" };
        format!("{:<12} {state}\n", item.store)
    };
    output::print(&items.iter().map(line).collect::<String>())
}

fn measure(
    args: &Args,
    experiment: &Experiment,
    plan: &FileSystems,
    surroundings: Surroundings,
) -> Result<()> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    let helpers = Helpers {
        surroundings,
        reader: vec![program.into(), "lab".into(), "read".into()],
    };
    let _guard = interrupt::Guard::new();
    let steps = Steps::new();
    let follower = Follower(&steps);
    let date = provenance::now();
    match file_systems::run(experiment, plan, &args.stores, &helpers, &date, &follower) {
        Ok(_measured) => Ok(()),
        Err(LabError::Interrupted) => bail!("interrupted"),
        Err(error) => Err(error.into()),
    }
}

fn document(experiment: &Experiment, results: &[StoreResult]) -> Result<serde_json::Value> {
    let outcomes: Vec<_> = results.iter().flat_map(|result| &result.outcomes).collect();
    let bare = |result: &StoreResult| StoreResult {
        outcomes: Vec::new(),
        ..result.clone()
    };
    let missing =
        NOT_BROUGHT_UP.map(|(name, reason)| json!({"file_system": name, "reason": reason}));
    Ok(json!({
        "experiment": experiment.name,
        "tool": provenance::tool(),
        "kind": "file-systems",
        "scale": experiment.scale,
        "seed": experiment.seed,
        "stores": results.iter().map(bare).collect::<Vec<_>>(),
        "not_brought_up": missing,
        "outcomes": outcomes,
    }))
}

fn remarks(results: &[StoreResult]) -> String {
    let busy = results.iter().filter_map(|result| {
        let warning = result.quietness.as_ref()?.warning()?;
        Some(format!("{}: {warning}\n", result.store))
    });
    let missing = NOT_BROUGHT_UP
        .iter()
        .map(|(name, reason)| format!("no {name}: {reason}\n"));
    let lines: String = busy.chain(missing).collect();
    format!("\n{lines}")
}

/// The outcomes of a document.
fn outcomes(text: &str) -> serde_json::Result<Vec<Outcome>> {
    let mut document: serde_json::Value = serde_json::from_str(text)?;
    serde_json::from_value(document["outcomes"].take())
}

fn tables(plan: &FileSystems, results: &[StoreResult]) -> Result<Vec<FileSystemTable>> {
    let sizes: Vec<String> = plan
        .served_bytes
        .iter()
        .map(|&bytes| size_name(bytes))
        .collect();
    let bare_sizes = plan.bare_bytes.iter().map(|&bytes| size_name(bytes));
    let bare: Vec<String> = bare_sizes
        .flat_map(|size| {
            ["open and close", "read cached", "read uncached"].map(|what| format!("{what} {size}"))
        })
        .collect();
    let several = format!("{} clients", plan.clients);
    let clients = format!("-{}-clients", plan.clients);
    let shapes: [(String, &[String], String, bool); 5] = [
        (
            "Opening and reading on the node".into(),
            &bare,
            "-bare".into(),
            false,
        ),
        (
            "Response through proxy and web server, cached".into(),
            &sizes,
            "-cached".into(),
            false,
        ),
        (
            "Response through proxy and web server, uncached".into(),
            &sizes,
            "-uncached".into(),
            false,
        ),
        (
            format!("Transactions/s, {several}, cached"),
            &sizes,
            format!("-cached{clients}"),
            true,
        ),
        (
            format!("Transactions/s, {several}, uncached"),
            &sizes,
            format!("-uncached{clients}"),
            true,
        ),
    ];
    let table =
        |((title, sites, suffix, rates), text): ((String, &[String], String, bool), &str)| {
            let published = outcomes(text).context("the published tables")?;
            let here = results.iter().filter_map(|result| {
                let name = format!("{}{suffix}", result.store);
                let outcome = result
                    .outcomes
                    .iter()
                    .find(|outcome| outcome.name == name)?;
                Some(row(&result.store, "here", outcome, sites, rates))
            });
            let there = published.iter();
            let there = there.map(|outcome| row(&outcome.name, "published", outcome, sites, rates));
            Ok(FileSystemTable {
                rows: if results.is_empty() {
                    Vec::new()
                } else {
                    here.chain(there).collect()
                },
                title,
                columns: sites.iter().map(|site| short(site)).collect(),
            })
        };
    shapes.into_iter().zip(PUBLISHED).map(table).collect()
}

/// Short enough for a terminal.
fn short(site: &str) -> String {
    site.replace("open and close", "open").replace("read ", "")
}

fn row(
    name: &str,
    source: &str,
    outcome: &Outcome,
    sites: &[String],
    rates: bool,
) -> FileSystemRow {
    let figure = |score: &Score| match rates {
        true => score.throughput_per_s.map(Figure::Rate),
        false => score.mean_us().map(Figure::Time),
    };
    let figures = sites.iter().map(|site| {
        let found = outcome.sites.iter().find(|found| found.site == *site)?;
        figure(&found.score)
    });
    FileSystemRow {
        name: name.to_owned(),
        source: source.to_owned(),
        figures: figures.collect(),
    }
}
