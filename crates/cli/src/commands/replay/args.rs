//! What `hotset replay` takes.

use std::path::PathBuf;
use std::time::Duration;

use hotset_replay::schedule::{
    Moment, Pace, SCALES, ScheduleError, ScheduleOptions, parse_duration,
};
use hotset_trace::read::QueryRule;

use crate::input::{Input, InputArgs};

/// What `hotset replay` takes.
#[derive(clap::Args)]
#[command(mut_arg("sites", |arg| arg.value_name("NAME[=GLOB]").help(
    "NAME: send the requests of this site only; may be repeated. NAME=GLOB, NAME=host:GLOB, \
     NAME=log:GLOB: a site by URL path, virtual host or log file, the first match counts"
)))]
pub struct Args {
    #[command(flatten)]
    pub input: InputArgs,
    /// The server: http://HOST[:PORT][/PREFIX] or https://…; a prefix goes before every path
    #[arg(value_name = "URL", help_heading = None::<&str>)]
    pub url: String,
    #[command(flatten)]
    pub what: WhatArgs,
    #[command(flatten)]
    pub how: HowArgs,
    #[command(flatten)]
    pub results: ResultArgs,
}

/// What is sent when.
#[derive(clap::Args)]
#[command(next_help_heading = "What to send, and when")]
pub struct WhatArgs {
    /// Start connections this many times as often as in the trace; think times inside connections
    /// stay
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = scale,
        allow_negative_numbers = true, conflicts_with = "clients")]
    pub scale: f64,
    /// Skip what comes before: a time (2015-05-17T10:05:00Z) or a duration from the first request
    /// (1h30m)
    #[arg(long, value_name = "TIME")]
    pub from: Option<Moment>,
    /// Skip what comes at this time or later, or this long after the first request
    #[arg(long, value_name = "TIME")]
    pub to: Option<Moment>,
    /// Sort times that step back by at most this; skip requests that are further behind
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_duration)]
    pub sort_window: Duration,
    /// Cut the time between two connections to at most this, before --scale
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, conflicts_with = "clients")]
    pub gap_max: Option<Duration>,
    /// Closed loop: this many clients, each of which sends its next request when the one before is
    /// answered; times of the trace are not kept
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub clients: Option<u32>,
    /// How long each client of the closed loop waits between answer and next request
    #[arg(long, value_name = "DURATION", default_value = "0s", value_parser = parse_duration,
        requires = "clients")]
    pub think: Duration,
    /// Closed loop: send over and over for this long; the trace is sent once where not given
    #[arg(long, value_name = "DURATION", value_parser = length, requires = "clients")]
    pub duration: Option<Duration>,
    /// Seed of the arrivals within a logged second
    #[arg(long, default_value_t = 0)]
    pub seed: u64,
}

/// How it is sent.
#[derive(clap::Args)]
#[command(next_help_heading = "How to send it")]
pub struct HowArgs {
    /// Host header: a name, or `site` for the name of each request's site; the URL's where not given
    #[arg(long, value_name = "NAME")]
    pub host: Option<String>,
    /// Most connections open at a time; those that are due wait
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub connections_max: Option<u32>,
    /// Send the first requests without recording them: for a duration (30s) or a number (1000)
    #[arg(long, value_name = "DURATION|N")]
    pub warm_up: Option<WarmUpArg>,
    /// Give up a connection that is not open after this
    #[arg(long, value_name = "DURATION", default_value = "10s", value_parser = timeout)]
    pub connect_timeout: Duration,
    /// Give up a request that is not answered in full after this
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = timeout)]
    pub response_timeout: Duration,
    /// Take any TLS certificate
    #[arg(long)]
    pub insecure: bool,
    /// Threads that send; one does for tens of thousands of requests a second
    #[arg(long, value_name = "N", default_value_t = 1,
        value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
}

/// Where the result goes.
#[derive(clap::Args)]
#[command(next_help_heading = "Results")]
pub struct ResultArgs {
    /// Also write the result as JSON, for `hotset compare`
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Also write the report as one HTML page
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// What is sent without being recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WarmUpArg {
    /// Everything due before.
    For(Duration),
    /// So many requests.
    Requests(u64),
}

impl std::str::FromStr for WarmUpArg {
    type Err = String;

    fn from_str(text: &str) -> Result<WarmUpArg, String> {
        match text.parse() {
            Ok(requests) => Ok(WarmUpArg::Requests(requests)),
            Err(_) => parse_duration(text)
                .map(WarmUpArg::For)
                .map_err(|error| format!("{error}, or a number of requests")),
        }
    }
}

/// A scale that a schedule can be made with.
fn scale(text: &str) -> Result<f64, String> {
    let scale = text
        .parse()
        .map_err(|_| "write a number, such as 2 or 0.5")?;
    if SCALES.contains(&scale) {
        return Ok(scale);
    }
    Err(ScheduleError::Scale(scale).to_string())
}

/// A time to send for.
fn length(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("nothing is sent in no time".into()),
        length => Ok(length),
    }
}

/// A time to wait.
fn timeout(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("a timeout of nothing leaves no time for an answer".into()),
        timeout => Ok(timeout),
    }
}

impl Args {
    /// What of the trace is sent.
    pub fn schedule_options(&self, input: &Input) -> ScheduleOptions {
        ScheduleOptions {
            pace: match self.what.clients {
                Some(_) => Pace::AsAnswered,
                None => Pace::Trace(self.what.scale),
            },
            from: self.what.from,
            to: self.what.to,
            sites: self.input.reading.site_names().map(str::to_owned).collect(),
            sort_window: self.what.sort_window,
            gap_max: self.what.gap_max,
            queries: input.summary.query_rule == QueryRule::Keep,
        }
    }
}
