//! What is sent, and when.

use std::path::PathBuf;
use std::time::Duration;

use hotset_actions::replay::WrittenMoment;
use hotset_replay::schedule::{SCALES, ScheduleError};
use hotset_scenario::parse_duration;

use crate::option_values::seed;

/// What is sent when.
#[derive(clap::Args)]
#[command(next_help_heading = "What to send, and when")]
pub struct WhatArgs {
    /// Start connections this many times as often
    ///
    /// As often as in the trace, that is; pauses within a connection stay as they are.
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = scale,
        allow_negative_numbers = true, conflicts_with = "clients")]
    pub scale: f64,
    /// Skip requests before this time, or this long after the first
    ///
    /// 2015-05-17 10:05 in --time-zone, or 2015-05-17T10:05:00Z; or 1h30m after the first request.
    #[arg(long, value_name = "TIME")]
    pub from: Option<WrittenMoment>,
    /// Skip requests from this time on
    ///
    /// Or from this long after the first request on.
    #[arg(long, value_name = "TIME")]
    pub to: Option<WrittenMoment>,
    /// Sort requests whose times step back by at most this
    ///
    /// Those further behind are skipped. [default: 60s; with --rule c1 all are sorted]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    pub sort_window: Option<Duration>,
    /// Shorten pauses between connections to at most this, before --scale
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, conflicts_with = "clients")]
    pub gap_max: Option<Duration>,
    /// Let the load grow at the start for this long
    ///
    /// The rate grows, or with --clients their number, from 0 in proportion to the time. What is due in this time is
    /// sent and left out of all figures.
    #[arg(long, value_name = "DURATION", default_value = "0s", hide_default_value = true,
        value_parser = parse_duration)]
    pub ramp: Duration,
    /// Closed loop: this many clients, each waiting for its answer
    ///
    /// Each sends its next request when the last is answered; the trace's times do not matter.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub clients: Option<u32>,
    /// Closed loop: pause of each client after an answer [default: 0s]
    ///
    /// It waits so long between an answer and its next request. With --sessions it is the mean in place of that of FILE, and 0s
    /// sends at full speed.
    #[arg(long, value_name = "DURATION", value_parser = parse_duration, requires = "clients")]
    pub think: Option<Duration>,
    /// Closed loop: send SPECweb99's operations, see who conforms
    ///
    /// POSTs are sent too, and dynamic GETs by URLs with `?dynamic`. Each client is a connection: it pauses so that it
    /// receives at most 50,000 bytes a second, and conforms if it receives 40,000.
    #[arg(long, requires = "clients", conflicts_with = "think")]
    pub specweb99: bool,
    /// Closed loop: browsers that follow the sessions of a mix, not logs
    ///
    /// `hotset generate tpcw` and the like write such files. Each browser follows links and forms of the pages that it
    /// receives, thinks, and begins a new session when one has ended.
    #[arg(long, value_name = "FILE", requires = "duration", conflicts_with_all = ["logs", "scale",
        "from", "to", "sort_window", "gap_max", "specweb99", "connections_max", "insecure"])]
    pub sessions: Option<PathBuf>,
    /// Closed loop: send the trace over and over for this long
    #[arg(long, value_name = "DURATION", value_parser = length, requires = "clients")]
    pub duration: Option<Duration>,
    /// Seed of arrivals within a second, and of sessions
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true)]
    pub seed: u64,
}

/// A scale that a schedule can be made with.
fn scale(text: &str) -> Result<f64, String> {
    let scale = text
        .parse()
        .map_err(|_| "write a number, such as 2 or 0.5")?;
    if SCALES.contains(&scale) {
        return Ok(scale);
    }
    Err(format!("{} (--clients N)", ScheduleError::Scale(scale)))
}

/// A time to send for.
fn length(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        Duration::ZERO => Err("nothing is sent in no time".into()),
        length => Ok(length),
    }
}
