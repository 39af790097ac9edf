//! Logs to a trace folder, in batches.

use std::fs::File;
use std::io::Read as _;
use std::path::PathBuf;

use hotset_report::{ImportView, ResourceUsage};
use hotset_trace::Zone;
use hotset_trace::folder::{self, Manifest, Provenance, Tables, TraceWriter};
use hotset_trace::read::{self, ReadSummary};
use hotset_trace::sessions::sessions;

use crate::results::existing;
use crate::{ClientKey, JobError, Logs, Part, Timings, Watch, provenance, watch};

/// What is imported, and how.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// The logs.
    pub logs: Logs,
    /// On whose clocks times are shown.
    pub time_zone: Zone,
    /// The trace folder to write.
    pub output: PathBuf,
    /// Whether it may take the place of one that is there.
    pub replace: bool,
    /// Whether connections are rebuilt, and arrivals spread within the second that was logged.
    pub connections: bool,
    /// Seed of the arrivals within a second.
    pub seed: u64,
    /// Key of the pseudonyms; a random one, which is forgotten, where none is given.
    pub client_key: Option<ClientKey>,
    /// Whether it is told how long each part took.
    pub timings: bool,
}

/// A trace folder that was written.
#[derive(Debug)]
pub struct ImportResult {
    folder: String,
    seed: Option<u64>,
    time_zone: Zone,
    summary: ReadSummary,
    manifest: Manifest,
    usage: ResourceUsage,
}

impl ImportResult {
    /// What reports show.
    pub fn view(&self) -> ImportView<'_> {
        ImportView {
            folder: &self.folder,
            manifest: &self.manifest,
            reading: &self.summary,
            seed: self.seed,
            zone: &self.time_zone,
            usage: self.usage.clone(),
        }
    }
}

/// Imports logs.
///
/// # Errors
/// What cannot be read, or a folder that cannot be written.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<ImportResult, JobError> {
    let mut logs = options.logs.clone();
    logs.refuse_folder(" is a trace folder already")?;
    let mut timings = Timings::start();
    logs.reading.client_key = options.client_key.map_or_else(random_key, Ok)?;
    let held = watch.hold_interrupts();
    let (summary, manifest) = match options.connections {
        true => import_whole(&logs, options, watch)?,
        false => import_batches(&logs, options, watch)?,
    };
    drop(held);
    watch.end();
    timings.part("import");
    logs.warn_of_unused_zone(&summary, watch);
    Ok(ImportResult {
        folder: options.output.display().to_string(),
        seed: options.connections.then_some(options.seed),
        time_zone: options.time_zone.clone(),
        summary,
        manifest,
        usage: timings.usage(options.timings),
    })
}

/// A key nobody knows afterwards: addresses are few enough that a known key would give them away.
fn random_key() -> Result<ClientKey, JobError> {
    let mut key = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut key)?;
    Ok(key)
}

/// Logs to folder without ever holding more than a batch of requests.
fn import_batches(
    logs: &Logs,
    options: &Options,
    watch: &dyn Watch,
) -> Result<(ReadSummary, Manifest), JobError> {
    let mut writer = TraceWriter::create(&options.output, existing(options.replace), false)?;
    watch.begin(Part::Bytes("importing"));
    let (tables, summary) = read::read_batches(
        &logs.paths,
        &logs.reading,
        &mut watch::reading(watch),
        |batch| -> Result<(), JobError> { Ok(writer.push(batch, None)?) },
    )?;
    let manifest = writer.finish(Tables::of(&tables), provenance_of(&summary, None)?)?;
    Ok((summary, manifest))
}

/// Logs to folder with rebuilt connections, which need all of a client's requests at once.
fn import_whole(
    logs: &Logs,
    options: &Options,
    watch: &dyn Watch,
) -> Result<(ReadSummary, Manifest), JobError> {
    watch.begin(Part::Bytes("reading"));
    let (mut trace, summary) = read::read(&logs.paths, &logs.reading, &mut watch::reading(watch))?;
    let sessions = sessions(&trace.requests, options.seed);
    trace.requests.time_us = sessions.time_us;
    let manifest = folder::write(
        &trace,
        Some(sessions.connection.as_slice()),
        &options.output,
        existing(options.replace),
        provenance_of(&summary, Some(options.seed))?,
    )?;
    Ok((summary, manifest))
}

fn provenance_of(summary: &ReadSummary, seed: Option<u64>) -> Result<Provenance, JobError> {
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
