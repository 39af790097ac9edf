//! `hotset generate`.

mod workload;

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use hotset_actions::{check_memory_for, provenance};
use hotset_report::WorkloadView;
use hotset_trace::Trace;
use hotset_trace::folder::{FolderError, Provenance, Tables, TraceWriter};
use hotset_workload::GenerateError;
use hotset_workload::access_log::{LogStyle, write_log};
use hotset_workload::file_tree::stage_files;

use crate::option_values::seed;
use crate::output::{self, Interrupted, Usage};
use crate::progress::Spinner;
use crate::{input, interrupt};
use workload::WorkloadArgs;

/// What `hotset generate` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(subcommand)]
    workload: WorkloadArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// Where a generated workload goes.
#[derive(clap::Args)]
struct OutputArgs {
    /// The trace folder to write, usually called NAME.trace
    #[arg(short, long, value_name = "FOLDER", global = true)]
    output: Option<PathBuf>,
    /// Replace the trace folder if there is one
    #[arg(long, global = true)]
    replace: bool,
    /// Also write the files, as FOLDER/SITE/PATH
    #[arg(long, value_name = "FOLDER", global = true)]
    files: Option<PathBuf>,
    /// Also write an access log; `-` prints it in place of the report
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,
    /// Format of the log: common, combined or vhost-combined
    #[arg(long, value_name = "NAME", default_value = "combined", global = true)]
    log_style: LogStyle,
    /// Seed for every random choice
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true,
        global = true)]
    seed: u64,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let output = &args.output;
    if output.output.is_none() && output.files.is_none() && output.log.is_none() {
        bail!(Usage(
            "nothing to write: give -o FOLDER, --files FOLDER or --log FILE".into()
        ));
    }
    let spinner = Spinner::new("generating");
    let trace = generate(&args.workload, output)?;
    // A log may be written again; folders are in the way of the next run, so they come last.
    if let Some(path) = &output.log {
        write_log_file(&trace, output, path)?;
    }
    write_folders(&trace, output)?;
    drop(spinner);
    output::print_beside(&[output.log.as_ref()], &view(&trace, output), output.json)
}

/// What was generated, and where it is.
fn view(trace: &Trace, output: &OutputArgs) -> WorkloadView {
    let accesses = trace.requests.access.iter().filter(|access| **access);
    WorkloadView {
        requests: trace.requests.len() as u64,
        accesses: accesses.count() as u64,
        objects: trace.objects.len() as u64,
        object_bytes: trace.objects.size.iter().sum(),
        sites: trace.sites.clone(),
        seed: output.seed,
        trace: text_of(&output.output),
        files: text_of(&output.files),
        log: text_of(&output.log),
    }
}

/// Generates the trace; parameters that allow none are wrong arguments.
fn generate(workload: &WorkloadArgs, output: &OutputArgs) -> Result<Trace> {
    let folder = output.output.as_ref().filter(|folder| folder.exists());
    if let Some(folder) = folder.filter(|_| !output.replace) {
        bail!(FolderError::Exists(folder.clone()));
    }
    output::check_files(&[output.log.as_ref()], output.json)?;
    if let Some((requests, objects)) = workload.counts() {
        check_memory_for(requests, objects).map_err(input::refusal)?;
    }
    let trace = workload
        .generator()
        .and_then(|generator| Ok(generator.generate(output.seed)?));
    trace.map_err(|error| match error.downcast::<GenerateError>() {
        Ok(error) => Usage(error.to_string()).into(),
        Err(error) => error,
    })
}

fn text_of(path: &Option<PathBuf>) -> Option<String> {
    path.as_ref().map(|path| path.display().to_string())
}

/// Writes folders under temporary names before any is put into its place, so that an interrupted run is in no later
/// run's way.
fn write_folders(trace: &Trace, args: &OutputArgs) -> Result<()> {
    let _guard = interrupt::Guard::new();
    let existing = output::existing(args.replace);
    let folder = args.output.as_deref();
    let folder = folder.map(|folder| TraceWriter::create(folder, existing, false));
    let folder = folder.transpose()?;
    let files = args.files.as_deref();
    let files = files.map(|files| stage_files(trace, files, args.seed, &|| !interrupt::pending()));
    let files = files.transpose()?;
    if interrupt::pending() {
        bail!(Interrupted("interrupted"));
    }
    if let Some(mut folder) = folder {
        folder.push(&trace.requests, None)?;
        folder.finish(Tables::of(trace), provenance_of(args))?;
    }
    files.map_or(Ok(()), |files| Ok(files.place().map(drop)?))
}

/// How the trace came about.
fn provenance_of(args: &OutputArgs) -> Provenance {
    Provenance {
        tool: provenance::tool(),
        date: provenance::now(),
        seed: Some(args.seed),
        rules: vec!["generated: every GET answered 200 is an access".into()],
        summary: std::env::args()
            .skip(1)
            .collect::<Vec<_>>()
            .join(" ")
            .into(),
    }
}

fn write_log_file(trace: &Trace, args: &OutputArgs, path: &Path) -> Result<()> {
    output::write_with(path, |file| {
        write_log(trace, args.log_style, None, &mut BufWriter::new(file))
    })
}
