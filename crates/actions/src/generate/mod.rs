//! Workloads that are made up: a trace folder and, on request, the files and an access log.

mod database;
mod memory;
mod tree;
mod workload;

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use hotset_machine::{Destination, file};
use hotset_report::WorkloadView;
use hotset_trace::Trace;
use hotset_trace::folder::{FolderError, Provenance, Tables, TraceWriter};
use hotset_workload::access_log::{LogStyle, check_sites, write_log};
use hotset_workload::file_tree::{Content, FileTree, StagedFiles};

use crate::error::{JobError, misuse, usage};
use crate::results::existing;
use crate::{Field, Part, Results, Watch, provenance};

pub use database::{Benchmark, CLASS, DatabaseOptions, ITEMS, database};
pub use memory::check_memory_for;
pub use tree::{TreeOptions, TreeResult, tree};
pub use workload::{
    ALPHA, AVERAGE_SIZE_OBJECTS, CONNECTIONS, OBJECTS, RATE, REQUESTS, SHIFT_EVERY, SIZE,
    WORKING_SET, Workload, Zipf,
};

/// What is generated, and where it goes.
#[derive(Clone, Debug)]
pub struct Options {
    /// The workload.
    pub workload: Workload,
    /// The trace folder to write.
    pub output: Option<PathBuf>,
    /// Whether it may take the place of one that is there.
    pub replace: bool,
    /// Folder for the files themselves.
    pub files: Option<PathBuf>,
    /// File for an access log.
    pub log: Option<PathBuf>,
    /// Format of the log.
    pub log_style: LogStyle,
    /// Seed of every random choice.
    pub seed: u64,
    /// Whether the report is printed as JSON.
    pub json: bool,
    /// What was asked for, as the trace folder is to say it.
    pub asked: String,
}

impl Options {
    /// Where results go that are files.
    pub fn results(&self) -> Results {
        Results {
            output: self.log.clone(),
            json: self.json,
            ..Results::default()
        }
    }
}

/// Generates a workload and writes it; what was generated, and where it is.
///
/// # Errors
/// Parameters that allow no workload, or results that cannot be written.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<WorkloadView, JobError> {
    if options.output.is_none() && options.files.is_none() && options.log.is_none() {
        misuse!(
            "nothing to write: give -o FOLDER, {} FOLDER or {} FILE",
            Field::Files,
            Field::Log
        );
    }
    watch.begin(Part::Uncounted("generating"));
    let trace = generate(options)?;
    // A log may be written again; folders are in the way of the next run, so they come last.
    if let Some(path) = &options.log {
        write_log_file(&trace, options.log_style, path, watch)?;
    }
    write_folders(&trace, options, watch)?;
    watch.end();
    Ok(view(&trace, options))
}

fn view(trace: &Trace, options: &Options) -> WorkloadView {
    let accesses = trace.requests.access.iter().filter(|access| **access);
    WorkloadView {
        requests: trace.requests.len() as u64,
        accesses: accesses.count() as u64,
        objects: trace.objects.len() as u64,
        object_bytes: trace.objects.size.iter().sum(),
        sites: trace.sites.clone(),
        seed: options.seed,
        trace: text_of(&options.output),
        files: text_of(&options.files),
        log: text_of(&options.log),
    }
}

fn generate(options: &Options) -> Result<Trace, JobError> {
    let folder = options.output.as_ref().filter(|folder| folder.exists());
    if let Some(folder) = folder.filter(|_| !options.replace) {
        return Err(FolderError::Exists(folder.clone()).into());
    }
    options.results().check()?;
    if let Some((requests, objects)) = options.workload.counts() {
        check_memory_for(requests, objects)?;
    }
    let generator = options.workload.generator()?;
    // Parameters that allow no trace are wrong options.
    let trace = generator.generate(options.seed);
    trace.map_err(|error| usage(error.to_string()))
}

fn text_of(path: &Option<PathBuf>) -> Option<String> {
    path.as_ref().map(|path| path.display().to_string())
}

/// Writes folders under temporary names before any is put into its place, so that an interrupted run is in no later
/// run's way.
fn write_folders(trace: &Trace, options: &Options, watch: &dyn Watch) -> Result<(), JobError> {
    let _held = watch.hold_interrupts();
    let folder = options.output.as_deref();
    let folder = folder.map(|folder| TraceWriter::create(folder, existing(options.replace), false));
    let folder = folder.transpose()?;
    let files = options.files.as_deref();
    let staged = |files: &Path| -> Result<StagedFiles, JobError> {
        let content = Content::Random(options.seed);
        let tree = FileTree::of_objects(trace)?;
        Ok(tree.stage(files, content, &|| !watch.stops())?)
    };
    let files = files.map(staged).transpose()?;
    if watch.stops() {
        return Err(JobError::Interrupted("interrupted"));
    }
    if let Some(mut folder) = folder {
        folder.push(&trace.requests, None)?;
        folder.finish(Tables::of(trace), provenance_of(options))?;
    }
    files.map_or(Ok(()), |files| Ok(files.place().map(drop)?))
}

/// How the trace came about.
fn provenance_of(options: &Options) -> Provenance {
    Provenance {
        tool: provenance::tool(),
        date: provenance::now(),
        seed: Some(options.seed),
        rules: vec!["generated: every GET answered 200 is an access".into()],
        summary: options.asked.clone().into(),
    }
}

/// Writes `trace` as a log to `path`, whole or not at all; what went into a pipe or a device cannot be taken back.
///
/// # Errors
/// A site that the style cannot name, or as the system says.
pub fn write_log_file(
    trace: &Trace,
    style: LogStyle,
    path: &Path,
    watch: &dyn Watch,
) -> Result<(), JobError> {
    check_sites(trace, style).map_err(|error| usage(error.to_string()))?;
    let is_file = matches!(Destination::of(path), Ok(Destination::File(_)));
    let _held = is_file.then(|| watch.hold_interrupts());
    let write = |file: &mut File| -> io::Result<()> {
        write_log(trace, style, None, &mut BufWriter::new(file))
    };
    file::write_with(path, write)
        .map_err(|error| JobError::at(format!("cannot write {}", path.display()), error))
}
