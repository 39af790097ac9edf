//! `hotset generate`.

mod workload;

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::generate;
use hotset_workload::access_log::LogStyle;

use crate::option_values::seed;
use crate::output;
use crate::progress::Terminal;
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
    /// Log as common, combined or vhost-combined
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

impl Args {
    fn options(&self, asked: &[String]) -> Result<generate::Options> {
        let output = &self.output;
        Ok(generate::Options {
            workload: self.workload.workload()?,
            output: output.output.clone(),
            replace: output.replace,
            files: output.files.clone(),
            log: output.log.clone(),
            log_style: output.log_style,
            seed: output.seed,
            json: output.json,
            asked: asked.join(" "),
        })
    }
}

/// Runs the command; the trace folder says what was `asked`.
pub fn run(args: &Args, asked: &[String]) -> Result<()> {
    let options = args.options(asked)?;
    let view = generate::run(&options, &Terminal::default())?;
    output::print_beside(&options.results(), &view)
}
