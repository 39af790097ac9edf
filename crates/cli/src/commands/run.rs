//! `hotset run`: follow the logs of sites and hold what is worth holding.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use hotset_actions::run::{self, Event, LOOK_PAUSE};
use hotset_scenario::parse_duration;
use jiff::Timestamp;

use crate::holding::HoldingArgs;
use crate::option_values::size;
use crate::progress::Terminal;
use crate::reading::FormatArgs;
use crate::{interrupt, output, program};

/// What `hotset run` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Scenario file (TOML) with `log`, and the `root` of each site
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,
    #[command(flatten)]
    holding: HoldingArgs,
    #[command(flatten)]
    format: FormatArgs,
    /// The node of the scenario that this machine is
    ///
    /// Not needed where it has one.
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// How long a choice of files stays
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = interval)]
    interval: Duration,
    /// Bytes that may be read in a minute to hold more files
    ///
    /// Of files that were not held before. [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    churn: Option<u64>,
    /// Also show the page and the metrics on this port
    ///
    /// It is a port of this machine alone, for whoever knows the token.
    #[arg(long, value_name = "ADDRESS:PORT", requires = "token_file", value_parser = loopback)]
    listen: Option<SocketAddr>,
    /// File whose first line is the token for --listen
    #[arg(long, value_name = "FILE", requires = "listen")]
    token_file: Option<PathBuf>,
}

impl Args {
    fn options(&self) -> Result<run::Options> {
        Ok(run::Options {
            scenario: self.scenario.clone(),
            holding: self.holding.holding(),
            reading: self.format.options()?,
            node: self.node.clone(),
            interval: self.interval,
            churn: self.churn,
            listen: self.listen,
            token_file: self.token_file.clone(),
            guardian: program::guardian()?,
        })
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let options = args.options()?;
    interrupt::take_hang_ups();
    let watch = Terminal::default();
    Ok(run::run(&options, &watch, &interrupt::hung_up, &tell)?)
}

/// Prints a line of `key=value` pairs, as log collectors read them.
fn tell(event: &Event) {
    let mut line = format!("time={:.3} event={}", Timestamp::now(), quoted(event.name));
    for (key, value) in &event.pairs {
        line.push_str(&format!(" {key}={}", quoted(&value.spelt(output::flag))));
    }
    line.push('\n');
    // Whoever reads the lines may have gone.
    let _printed = output::print(&line);
}

/// A value, between quotes where it has to be.
fn quoted(value: &str) -> String {
    let is_plain =
        |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '"' | '=' | '\\');
    match !value.is_empty() && value.chars().all(is_plain) {
        true => value.to_owned(),
        false => format!("{value:?}"),
    }
}

/// How long a choice stays.
pub(in crate::commands) fn interval(text: &str) -> Result<Duration, String> {
    match parse_duration(text)? {
        interval if interval < LOOK_PAUSE => Err("the shortest interval is 200 ms".into()),
        interval => Ok(interval),
    }
}

fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr = text
        .parse()
        .map_err(|_| "write an address and a port, as in 127.0.0.1:9700".to_owned())?;
    match address.ip().is_loopback() {
        true => Ok(address),
        false => Err("only addresses of this machine alone are allowed, as 127.0.0.1".into()),
    }
}
