//! Where what `hotset generate` makes goes.

use std::path::PathBuf;

use hotset_workload::access_log::LogStyle;

use crate::option_values::seed;

/// Where what is made goes.
#[derive(clap::Args)]
pub struct OutputArgs {
    /// The folder to write, usually called NAME.trace or NAME.database
    #[arg(short, long, value_name = "FOLDER", global = true)]
    pub output: Option<PathBuf>,
    /// Replace the folder if there is one
    #[arg(long, global = true)]
    pub replace: bool,
    /// Also write the files, as FOLDER/SITE/PATH
    #[arg(long, value_name = "FOLDER", global = true)]
    pub files: Option<PathBuf>,
    /// Also write an access log; `-` prints it in place of the report
    #[arg(long, value_name = "FILE", global = true)]
    pub log: Option<PathBuf>,
    /// Log as common, combined or vhost-combined
    #[arg(long, value_name = "NAME", default_value = "combined", global = true)]
    pub log_style: LogStyle,
    /// Seed for every random choice
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true,
        global = true)]
    pub seed: u64,
    /// Print JSON
    #[arg(long, global = true)]
    pub json: bool,
}
