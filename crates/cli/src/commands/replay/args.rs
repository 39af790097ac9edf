//! What `hotset replay` takes.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, bail};
use hotset_actions::replay::sessions;
use hotset_actions::{Results, replay};
use hotset_replay::{Condition, WarmUp};

use super::how::HowArgs;
use super::what::WhatArgs;
use crate::input::InputArgs;
use crate::output::{self, Usage};
use crate::times::ZoneArgs;

/// What `hotset replay` takes. Each group of options is applied where it is declared.
#[derive(clap::Args)]
#[command(allow_missing_positional = true)]
#[command(mut_arg("logs", |arg| arg.index(1).required(false).required_unless_present("sessions")))]
#[command(mut_arg("sites", |arg| {
    arg.value_name("NAME[=GLOB]")
        .help("NAME: send the requests of this site only; may be repeated")
        .long_help(
            "NAME: send the requests of this site only; may be repeated\n\nNAME=GLOB, NAME=host:GLOB, NAME=log:GLOB: a site by \
             URL path, virtual host or log file. The first match counts.",
        )
}))]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    zone: ZoneArgs,
    /// The server: http://HOST[:PORT][/PREFIX] or https://…
    ///
    /// PREFIX is put before every path.
    #[arg(value_name = "URL", help_heading = None::<&str>, index = 2)]
    url: String,
    #[command(flatten)]
    what: WhatArgs,
    #[command(flatten)]
    how: HowArgs,
    #[command(flatten)]
    results: ResultArgs,
}

impl Args {
    /// Them as options of a replay that was `asked` for.
    pub fn options(&self, asked: &[String]) -> Result<replay::Options> {
        let (what, how, results) = (&self.what, &self.how, &self.results);
        let sites = self.input.reading.site_names().map(str::to_owned);
        Ok(replay::Options {
            logs: self.input.logs_beside_names()?,
            time_zone: self.zone.time_zone.clone(),
            sites: sites.collect(),
            url: self.url.clone(),
            scale: what.scale,
            from: what.from,
            to: what.to,
            sort_window: what.sort_window,
            gap_max: what.gap_max,
            ramp: what.ramp,
            clients: what.clients,
            think: what.think.unwrap_or_default(),
            specweb99: what.specweb99,
            duration: what.duration,
            seed: what.seed,
            host: how.host.clone(),
            headers: how.headers.clone(),
            connections_max: how.connections_max,
            warm_up: how.warm_up,
            connect_timeout: how.connect_timeout,
            response_timeout: how.response_timeout,
            insecure: how.insecure,
            threads: how.threads,
            fail_if: results.fail_if.clone(),
            results: results.results(),
            is_report_beside: !results.json && output::shares_terminal(),
            asked: asked.to_vec(),
        })
    }

    /// Them as options of a replay of sessions, where one was `asked` for.
    pub fn sessions(&self, asked: &[String]) -> Result<Option<sessions::Options>> {
        let (what, how, results) = (&self.what, &self.how, &self.results);
        let (Some(file), Some(clients), Some(duration)) =
            (&what.sessions, what.clients, what.duration)
        else {
            return Ok(None);
        };
        let warm_up = match how.warm_up {
            None | Some(WarmUp::None) => Duration::ZERO,
            Some(WarmUp::Duration(time)) => time,
            Some(WarmUp::Requests(_)) => bail!(Usage(
                "--warm-up: sessions warm up for a time; write a duration such as 30s".to_owned()
            )),
        };
        Ok(Some(sessions::Options {
            sessions: file.clone(),
            url: self.url.clone(),
            clients,
            duration,
            think: what.think,
            ramp: what.ramp,
            warm_up,
            seed: what.seed,
            host: how.host.clone(),
            headers: how.headers.clone(),
            connect_timeout: how.connect_timeout,
            response_timeout: how.response_timeout,
            threads: how.threads,
            fail_if: results.fail_if.clone(),
            results: results.results(),
            asked: asked.to_vec(),
        }))
    }
}

/// Where the result goes.
#[derive(clap::Args)]
#[command(next_help_heading = "Results")]
struct ResultArgs {
    /// Exit with code 3 if this holds, as in p99>200ms or errors>1%
    ///
    /// p50, p90, p95, p99, p999, mean or max (times from when a request was due to its last byte), errors or rate;
    /// then >, >=, < or <=; then a value, as in p99>200ms, errors>1%, errors>10, rate<100/s. May be repeated.
    #[arg(long = "fail-if", value_name = "CONDITION")]
    fail_if: Vec<Condition>,
    /// Also write the result as JSON, for `hotset compare`
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Also write the report as one HTML page
    ///
    /// `-` prints it in place of the report.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also write every table as a CSV file into this folder
    #[arg(long, value_name = "FOLDER")]
    csv: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ResultArgs {
    fn results(&self) -> Results {
        Results {
            output: self.output.clone(),
            html: self.html.clone(),
            csv: self.csv.clone(),
            json: self.json,
        }
    }
}
