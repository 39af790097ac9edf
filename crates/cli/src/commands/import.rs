//! `hotset import`: logs to a trace folder, in batches.

use std::path::PathBuf;

use anyhow::{Result, bail};
use hotset_actions::{ClientKey, client_key};
use hotset_report::ImportView;
use hotset_trace::folder::{self, Provenance, Tables, TraceWriter};
use hotset_trace::read::{self, ReadOptions, ReadSummary};
use hotset_trace::sessions::sessions;

use crate::input::{self, InputArgs};
use crate::interrupt;
use crate::option_values::seed;
use crate::output::{self, Usage};
use crate::progress::Bar;
use crate::times::ZoneArgs;
use hotset_actions::Timings;
use hotset_actions::provenance;

/// What `hotset import` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    zone: ZoneArgs,
    /// The trace folder to write, usually called NAME.trace
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Replace the trace folder if there is one
    #[arg(long)]
    replace: bool,
    /// Rebuild connections (15-second rule) and spread arrivals within the second that was logged;
    /// needs memory for all requests
    #[arg(long)]
    connections: bool,
    /// Seed for the arrivals within a second
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true,
        requires = "connections")]
    seed: u64,
    /// Store client addresses as logged instead of pseudonyms
    #[arg(long)]
    keep_clients: bool,
    /// Key of the pseudonyms, 32 hexadecimal digits: imports with the same key give a client the same
    /// pseudonym. By default the key is random and forgotten
    #[arg(long, value_name = "HEX", conflicts_with = "keep_clients", value_parser = client_key)]
    client_key: Option<ClientKey>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show how long each part took
    #[arg(long)]
    timings: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    if let Some(folder) = args.input.trace_folder()? {
        bail!(Usage(format!(
            "{} is a trace folder already",
            folder.display()
        )));
    }
    let mut timings = Timings::start();
    let options = reading(args)?;
    let _guard = interrupt::Guard::new();
    let imported = if args.connections {
        import_whole(args, &options)?
    } else {
        import_batches(args, &options)?
    };
    timings.part("import");
    input::warn_of_unused_zone(&options, &imported.summary);
    report(args, &imported, timings)
}

/// What an import has to tell.
struct Imported {
    summary: ReadSummary,
    manifest: folder::Manifest,
}

fn reading(args: &Args) -> Result<ReadOptions> {
    let mut options = args.input.reading.options()?;
    options.keep_clients = args.keep_clients;
    options.client_key = match args.client_key {
        Some(key) => key,
        None => random_key()?,
    };
    Ok(options)
}

/// A key nobody knows afterwards: addresses are few enough that a known key would give them away.
fn random_key() -> Result<ClientKey> {
    use std::io::Read;
    let mut key = [0; 16];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut key)?;
    Ok(key)
}

/// Logs to folder without ever holding more than a batch of requests.
fn import_batches(args: &Args, options: &ReadOptions) -> Result<Imported> {
    let mut writer = TraceWriter::create(&args.output, output::existing(args.replace), false)?;
    let mut bar = Bar::bytes("importing");
    let (tables, summary) = read::read_batches(
        &args.input.logs,
        options,
        &mut input::show(&mut bar),
        |batch| -> Result<()> { Ok(writer.push(batch, None)?) },
    )?;
    let manifest = writer.finish(Tables::of(&tables), provenance_of(&summary, None)?)?;
    Ok(Imported { summary, manifest })
}

/// Logs to folder with rebuilt connections, which need all of a client's requests at once.
fn import_whole(args: &Args, options: &ReadOptions) -> Result<Imported> {
    let mut bar = Bar::bytes("reading");
    let (mut trace, summary) = read::read(&args.input.logs, options, &mut input::show(&mut bar))?;
    let sessions = sessions(&trace.requests, args.seed);
    trace.requests.time_us = sessions.time_us;
    let provenance = provenance_of(&summary, Some(args.seed))?;
    let connections = Some(sessions.connection.as_slice());
    let manifest = folder::write(
        &trace,
        connections,
        &args.output,
        output::existing(args.replace),
        provenance,
    )?;
    Ok(Imported { summary, manifest })
}

fn provenance_of(summary: &ReadSummary, seed: Option<u64>) -> Result<Provenance> {
    let mut kept = serde_json::to_value(summary)?;
    kept["not_found"] = serde_json::to_value(&summary.not_found)?;
    Ok(Provenance {
        tool: provenance::tool(),
        date: provenance::now(),
        seed,
        rules: summary.rules.clone(),
        summary: kept,
    })
}

fn report(args: &Args, imported: &Imported, timings: Timings) -> Result<()> {
    let view = ImportView {
        folder: &args.output.display().to_string(),
        manifest: &imported.manifest,
        reading: &imported.summary,
        seed: args.connections.then_some(args.seed),
        zone: &args.zone.time_zone,
        usage: timings.usage(args.timings),
    };
    output::print_view(&view, args.json)
}
