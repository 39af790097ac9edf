//! `hotset run`: follow the logs of sites and hold what is worth holding.

mod answers;
mod service;
mod spec;
mod tell;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use hotset_machine::memory;
use hotset_replay::schedule::parse_duration;

use crate::commands::holding::HoldingArgs;
use crate::interrupt;
use crate::option_values::size;
use crate::reading::FormatArgs;
use service::Service;

/// How often logs are looked at.
const LOOK_PAUSE: Duration = Duration::from_millis(200);

/// What `hotset run` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Scenario file (TOML) with `log` at its top, and the `root` of each site
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,
    #[command(flatten)]
    holding: HoldingArgs,
    #[command(flatten)]
    format: FormatArgs,
    /// The node of the scenario that this machine is; not needed where it has one
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// How long a choice of files stays
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = interval)]
    interval: Duration,
    /// Bytes that may be read in a minute to hold files that were not held before [default: no limit]
    #[arg(long, value_name = "SIZE", value_parser = size)]
    churn: Option<u64>,
    /// Also show the page and the metrics on this port of this machine, to whoever knows the token
    #[arg(long, value_name = "ADDRESS:PORT", requires = "token_file", value_parser = loopback)]
    listen: Option<SocketAddr>,
    /// File whose first line is the token for --listen
    #[arg(long, value_name = "FILE", requires = "listen")]
    token_file: Option<PathBuf>,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    memory::give_back_at_once();
    let _until_stopped = interrupt::Guard::new();
    interrupt::take_hang_ups();
    let mut service = Service::start(args)?;
    while !interrupt::pending() {
        if interrupt::hung_up() {
            service.reload();
        }
        service.step();
        thread::sleep(LOOK_PAUSE);
    }
    interrupt::forget();
    service.end()
}

fn interval(text: &str) -> Result<Duration, String> {
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
