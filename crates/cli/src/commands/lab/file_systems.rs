//! `hotset lab run` of an experiment on file systems.

use anyhow::{Context, Result, bail};
use hotset_experiment::experiment::{Experiment, FileSystems};
use hotset_experiment::file_systems::{self, Helpers, NOT_BROUGHT_UP, StoreResult, size_name};
use hotset_experiment::shared_node::Surroundings;
use hotset_lab::LabError;
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
        return output::print(&hotset_report::json::text(&document(
            experiment, &results,
        )?)?);
    }
    let tables = tables(plan, &results)?;
    let remarks = remarks(&results);
    output::print(&terminal::file_systems(&tables, &remarks, output::style()))
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

fn remarks(results: &[StoreResult]) -> Vec<String> {
    let busy = results.iter().filter_map(|result| {
        let warning = result.quietness.as_ref()?.warning()?;
        Some(format!("{}: {warning}", result.store))
    });
    let missing = NOT_BROUGHT_UP
        .iter()
        .map(|(name, reason)| format!("no {name}: {reason}"));
    busy.chain(missing).collect()
}

/// The outcomes of a document.
fn outcomes(text: &str) -> serde_json::Result<Vec<Outcome>> {
    let mut document: serde_json::Value = serde_json::from_str(text)?;
    serde_json::from_value(document["outcomes"].take())
}

/// What of a score a table shows.
#[derive(Clone, Copy)]
enum Shown {
    /// Of single accesses: of a hundred, one that waited for something else makes the mean.
    Median,
    /// As the published tables have it.
    Mean,
    Rate,
}

/// One table: its title, its sites, the end of its outcomes' names, and what it shows.
type Shape<'s> = (String, &'s [String], String, Shown);

fn tables(plan: &FileSystems, results: &[StoreResult]) -> Result<Vec<FileSystemTable>> {
    let names = |sizes: &[u64]| {
        sizes
            .iter()
            .map(|&bytes| size_name(bytes))
            .collect::<Vec<_>>()
    };
    let sizes = names(&plan.served_bytes);
    let kinds = ["open and close", "read cached", "read uncached"];
    let bare: Vec<String> = names(&plan.bare_bytes)
        .iter()
        .flat_map(|size| kinds.map(|what| format!("{what} {size}")))
        .collect();
    let served = "through proxy and web server, mean";
    let several = format!("Transactions/s, {} clients", plan.clients);
    let clients = format!("-{}-clients", plan.clients);
    let shapes: [Shape; 5] = [
        (
            "Opening and reading on the node, median".to_owned(),
            &bare,
            "-bare".to_owned(),
            Shown::Median,
        ),
        (
            format!("Response {served}, cached"),
            &sizes,
            "-cached".to_owned(),
            Shown::Mean,
        ),
        (
            format!("Response {served}, uncached"),
            &sizes,
            "-uncached".to_owned(),
            Shown::Mean,
        ),
        (
            format!("{several}, cached"),
            &sizes,
            format!("-cached{clients}"),
            Shown::Rate,
        ),
        (
            format!("{several}, uncached"),
            &sizes,
            format!("-uncached{clients}"),
            Shown::Rate,
        ),
    ];
    let shapes = shapes.into_iter().zip(PUBLISHED);
    shapes
        .filter(|_| !results.is_empty())
        .map(|(shape, text)| table(shape, text, results))
        .collect()
}

/// What is there, then what is published.
fn table(shape: Shape, published: &str, results: &[StoreResult]) -> Result<FileSystemTable> {
    let (title, sites, suffix, shown) = shape;
    let mut rows = Vec::new();
    for result in results {
        let name = format!("{}{suffix}", result.store);
        let found = result.outcomes.iter().find(|outcome| outcome.name == name);
        rows.extend(found.map(|outcome| row(&result.store, "here", outcome, sites, shown)));
    }
    for outcome in outcomes(published).context("the published tables")? {
        rows.push(row(&outcome.name, "published", &outcome, sites, shown));
    }
    Ok(FileSystemTable {
        title,
        columns: sites.iter().map(|site| short(site)).collect(),
        rows,
    })
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
    shown: Shown,
) -> FileSystemRow {
    let figures = sites.iter().map(|site| {
        let found = outcome
            .groups
            .iter()
            .find(|found| found.key.to_string() == *site)?;
        figure(&found.score, shown)
    });
    FileSystemRow {
        name: name.to_owned(),
        source: source.to_owned(),
        figures: figures.collect(),
    }
}

fn figure(score: &Score, shown: Shown) -> Option<Figure> {
    let median_us = || score.response()?.1.p50_us;
    match shown {
        Shown::Rate => score.throughput_per_s.map(Figure::Rate),
        Shown::Mean => score.mean_us().map(Figure::Time),
        Shown::Median => median_us().or(score.mean_us()).map(Figure::Time),
    }
}
