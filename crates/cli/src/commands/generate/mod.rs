//! `hotset generate`.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hotset_machine::memory;
use hotset_report::terminal;
use hotset_scenario::parse_bytes;
use hotset_trace::Trace;
use hotset_trace::store::{self, Existing, Provenance};
use hotset_workload::access_log::{LogStyle, write_log};
use hotset_workload::{
    AverageSize, GenerateError, Generator, Load, Mix, Shifting, SingleFile, SpecWeb99, Twin,
    Workload, Zipf, file_tree,
};

use crate::output::{self, Usage};
use crate::progress::Spinner;
use crate::{interrupt, provenance};

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
    /// The trace folder to write, by convention NAME.trace
    #[arg(short, long, value_name = "FOLDER", global = true)]
    output: Option<PathBuf>,
    /// Replace the trace folder if it exists
    #[arg(long, global = true)]
    replace: bool,
    /// Also write the files themselves, as FOLDER/SITE/PATH
    #[arg(long, value_name = "FOLDER", global = true)]
    files: Option<PathBuf>,
    /// Also write an access log
    #[arg(long, value_name = "FILE", global = true)]
    log: Option<PathBuf>,
    /// Format of that log: common, combined or vhost-combined
    #[arg(long, value_name = "NAME", default_value = "combined", global = true)]
    log_style: LogStyle,
    /// Seed of every random choice
    #[arg(long, default_value_t = 0, global = true)]
    seed: u64,
    /// Print JSON
    #[arg(long, global = true)]
    json: bool,
}

/// How many requests arrive how fast.
#[derive(clap::Args)]
struct LoadArgs {
    /// Number of requests
    #[arg(long, default_value_t = 100_000)]
    requests: u64,
    /// Mean requests a second
    #[arg(long, default_value_t = 100.0)]
    rate: f64,
}

impl LoadArgs {
    fn load(&self) -> Load {
        Load::new(self.requests, self.rate)
    }
}

/// A size in bytes, as people write it.
fn size(text: &str) -> Result<u64, String> {
    parse_bytes(text).map_err(|error| error.to_string())
}

/// The workloads.
#[derive(clap::Subcommand)]
enum WorkloadArgs {
    /// One file, again and again
    SingleFile {
        /// Size of the file
        #[arg(long, value_name = "SIZE", default_value = "64KiB", value_parser = size)]
        size: u64,
        #[command(flatten)]
        load: LoadArgs,
    },
    /// Files of one average size, all equally popular
    AverageSize {
        /// Average size
        #[arg(long, value_name = "SIZE", default_value = "64KiB", value_parser = size)]
        size: u64,
        /// Number of files
        #[arg(long, default_value_t = 1000)]
        objects: u32,
        #[command(flatten)]
        load: LoadArgs,
    },
    /// Zipf-like popularity: a class of the 2004 study, or any exponent and working set
    Zipf {
        #[command(flatten)]
        zipf: ZipfArgs,
    },
    /// Zipf-like popularity whose popular files change
    Shifting {
        #[command(flatten)]
        zipf: ZipfArgs,
        /// Requests between changes
        #[arg(long, default_value_t = 20_000)]
        shift_every: u64,
        /// Share of the files that change places, 0 to 1
        #[arg(long, default_value_t = 1.0)]
        share: f64,
    },
    /// SPECweb99's file set and operations for a number of connections
    Specweb99 {
        /// Simultaneous connections
        #[arg(long, default_value_t = 100)]
        connections: u32,
        /// Number of operations
        #[arg(long, default_value_t = 100_000)]
        requests: u64,
    },
    /// A statistical twin of a published day of traffic: olympics98, nyse or proxy
    Twin {
        /// The workload
        #[arg(value_name = "NAME")]
        workload: Workload,
        /// Part of the day, above 0 and at most 1; a smaller twin keeps rates, requests per
        /// connection and mean sizes, the rest shrinks in proportion
        #[arg(long, default_value_t = 1.0)]
        scale: f64,
    },
    /// Several trace folders as sites that run at the same time
    Mix {
        /// A site's name and its trace folder
        #[arg(value_name = "NAME=FOLDER", required = true, num_args = 2..)]
        sites: Vec<String>,
    },
}

/// Zipf-like popularity.
#[derive(clap::Args)]
struct ZipfArgs {
    /// Class 0 to 4: working sets of 25 MiB to 6 GiB, exponent 0.9
    #[arg(long, conflicts_with_all = ["alpha", "objects", "working_set"])]
    class: Option<usize>,
    /// Exponent
    #[arg(long, default_value_t = 0.9)]
    alpha: f64,
    /// Number of files
    #[arg(long, default_value_t = 10_000)]
    objects: u32,
    /// All files together
    #[arg(long, value_name = "SIZE", default_value = "256MiB", value_parser = size)]
    working_set: u64,
    #[command(flatten)]
    load: LoadArgs,
}

impl ZipfArgs {
    fn generator(&self) -> Result<Zipf> {
        match self.class {
            Some(class) => Ok(Zipf::class(class, self.load.load())?),
            None => Ok(Zipf::new(
                self.alpha,
                self.objects,
                self.working_set,
                self.load.load(),
            )),
        }
    }
}

impl WorkloadArgs {
    /// Requests and files, where the arguments name them.
    fn counts(&self) -> Option<(u64, u64)> {
        match self {
            Self::SingleFile { load, .. } => Some((load.requests, 1)),
            Self::AverageSize { load, objects, .. } => Some((load.requests, (*objects).into())),
            Self::Zipf { zipf } | Self::Shifting { zipf, .. } if zipf.class.is_none() => {
                Some((zipf.load.requests, zipf.objects.into()))
            }
            Self::Zipf { zipf } | Self::Shifting { zipf, .. } => Some((zipf.load.requests, 0)),
            Self::Specweb99 { requests, .. } => Some((*requests, 0)),
            Self::Twin { .. } | Self::Mix { .. } => None,
        }
    }

    fn generator(&self) -> Result<Box<dyn Generator>> {
        Ok(match self {
            Self::SingleFile { size, load } => Box::new(SingleFile {
                size_bytes: *size,
                load: load.load(),
            }),
            Self::AverageSize {
                size,
                objects,
                load,
            } => Box::new(AverageSize {
                mean_bytes: *size,
                objects: *objects,
                load: load.load(),
            }),
            Self::Zipf { zipf } => Box::new(zipf.generator()?),
            Self::Shifting {
                zipf,
                shift_every,
                share,
            } => Box::new(Shifting {
                zipf: zipf.generator()?,
                shift_every: *shift_every,
                share: *share,
            }),
            Self::Specweb99 {
                connections,
                requests,
            } => Box::new(SpecWeb99 {
                connections: *connections,
                requests: *requests,
            }),
            Self::Twin { workload, scale } => Box::new(Twin {
                workload: *workload,
                scale: *scale,
            }),
            Self::Mix { sites } => Box::new(mix(sites)?),
        })
    }
}

fn mix(sites: &[String]) -> Result<Mix> {
    let site = |text: &String| -> Result<(String, Box<dyn Generator>)> {
        let Some((name, folder)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            bail!(Usage(format!("{text}: write NAME=FOLDER")));
        };
        Ok((name.to_owned(), Box::new(store::read(Path::new(folder))?)))
    };
    Ok(Mix {
        sites: sites.iter().map(site).collect::<Result<_>>()?,
    })
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
    write(&trace, output)?;
    drop(spinner);
    let generated = terminal::Generated {
        requests: trace.requests.len() as u64,
        accesses: trace
            .requests
            .access
            .iter()
            .filter(|access| **access)
            .count() as u64,
        objects: trace.objects.len() as u64,
        object_bytes: trace.objects.size.iter().sum(),
        sites: trace.sites.clone(),
        seed: output.seed,
        trace: text_of(&output.output),
        files: text_of(&output.files),
        log: text_of(&output.log),
    };
    if output.json {
        return output::print_json(&serde_json::to_value(&generated)?);
    }
    output::print(&terminal::generate(&generated, output::style()))
}

/// What cannot be generated is a matter of the arguments.
fn generate(workload: &WorkloadArgs, output: &OutputArgs) -> Result<Trace> {
    output::check_files(&[output.log.as_ref()])?;
    if let Some((requests, objects)) = workload.counts() {
        check_memory(requests, objects)?;
    }
    let made = || -> Result<Trace> { Ok(workload.generator()?.generate(output.seed)?) };
    made().map_err(|error| match error.downcast::<GenerateError>() {
        Ok(error) => Usage(error.to_string()).into(),
        Err(error) => error,
    })
}

/// Memory that making and writing a trace takes, per request and per file: runs took 400 MB for 10 million
/// requests (of 10 000 files) and 278 MB for 5 million files (with 1000 requests).
const REQUEST_BYTES: u64 = 40;
const OBJECT_BYTES: u64 = 56;

/// Refuses a trace that does not fit into the machine's memory, rather than being killed for it.
fn check_memory(requests: u64, objects: u64) -> Result<()> {
    let needed = requests
        .saturating_mul(REQUEST_BYTES)
        .saturating_add(objects.saturating_mul(OBJECT_BYTES));
    match memory::available_bytes() {
        Ok(available) if needed > available => bail!(
            "{requests} requests for {objects} files take about {} MB of memory to generate, {} MB are \
             available; generate fewer",
            needed / 1_000_000,
            available / 1_000_000
        ),
        _ => Ok(()),
    }
}

fn text_of(path: &Option<PathBuf>) -> Option<String> {
    path.as_ref().map(|path| path.display().to_string())
}

fn write(trace: &Trace, args: &OutputArgs) -> Result<()> {
    let _guard = interrupt::Guard::new();
    if let Some(folder) = &args.output {
        let existing = if args.replace {
            Existing::Replace
        } else {
            Existing::Refuse
        };
        let provenance = Provenance {
            tool: provenance::tool(),
            date: provenance::now(),
            seed: Some(args.seed),
            rules: vec!["generated: every GET answered 200 is an access".into()],
            summary: std::env::args()
                .skip(1)
                .collect::<Vec<_>>()
                .join(" ")
                .into(),
        };
        store::write(trace, None, folder, existing, provenance)?;
    }
    if let Some(folder) = &args.files {
        file_tree::write_files_while(trace, folder, args.seed, &|| !interrupt::pending())?;
    }
    if let Some(path) = &args.log {
        write_log_file(trace, args, path)?;
    }
    Ok(())
}

fn write_log_file(trace: &Trace, args: &OutputArgs, path: &Path) -> Result<()> {
    output::write_with(path, |file: &mut File| {
        write_log(trace, args.log_style, None, &mut BufWriter::new(file))
    })
    .with_context(|| format!("cannot write {}", path.display()))
}
