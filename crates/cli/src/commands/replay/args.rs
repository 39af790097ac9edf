//! What `hotset replay` takes.

use std::path::PathBuf;

use hotset_replay::{Condition, Endpoint, Options};

use super::how::HowArgs;
use super::what::WhatArgs;
use crate::input::InputArgs;
use crate::times::ZoneArgs;

/// What `hotset replay` takes. Each group of options is applied where it is declared.
#[derive(clap::Args)]
#[command(mut_arg("sites", |arg| arg.value_name("NAME[=GLOB]").help(
    "NAME: send the requests of this site only; may be repeated. NAME=GLOB, NAME=host:GLOB, \
     NAME=log:GLOB: a site by URL path, virtual host or log file; the first match counts"
)))]
pub struct Args {
    #[command(flatten)]
    pub input: InputArgs,
    #[command(flatten)]
    pub zone: ZoneArgs,
    /// The server: http://HOST[:PORT][/PREFIX] or https://…; PREFIX is put before every path
    #[arg(value_name = "URL", help_heading = None::<&str>)]
    pub url: String,
    #[command(flatten)]
    pub what: WhatArgs,
    #[command(flatten)]
    pub how: HowArgs,
    #[command(flatten)]
    pub results: ResultArgs,
}

impl Args {
    /// How requests are sent to `endpoint`.
    pub fn options(&self, endpoint: Endpoint) -> Options {
        Options {
            ramp: self.what.ramp,
            ..self.how.options(endpoint, self.what.load())
        }
    }
}

/// Where the result goes.
#[derive(clap::Args)]
#[command(next_help_heading = "Results")]
pub struct ResultArgs {
    /// Exit with code 3 if this holds: p50, p90, p95, p99, p999, mean or max (times from when a request was due to its
    /// last byte), errors or rate; then >, >=, < or <=; then a value, as in p99>200ms, errors>1%, errors>10,
    /// rate<100/s. May be repeated
    #[arg(long = "fail-if", value_name = "CONDITION")]
    pub fail_if: Vec<Condition>,
    /// Also write the result as JSON, for `hotset compare`
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also write the report as one HTML page; `-` prints it in place of the report
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also write every table as a CSV file into this folder
    #[arg(long, value_name = "FOLDER")]
    pub csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

impl ResultArgs {
    /// The files that results are written to.
    pub fn files(&self) -> [Option<&PathBuf>; 2] {
        [self.output.as_ref(), self.html.as_ref()]
    }
}
