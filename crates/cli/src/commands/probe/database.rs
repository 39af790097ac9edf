//! `hotset probe database`: look at the tables of a running MariaDB.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use hotset_actions::probe::database::{self, DURATION, Options};
use hotset_scenario::parse_duration;

use crate::output;
use crate::progress::Terminal;

/// What `hotset probe database` takes.
#[derive(clap::Args)]
pub struct DatabaseArgs {
    /// Socket that the server listens on
    #[arg(long, value_name = "SOCKET")]
    socket: PathBuf,
    /// How long its reads are counted [default: 1m]
    #[arg(long, value_name = "DURATION", value_parser = parse_duration)]
    duration: Option<Duration>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &DatabaseArgs) -> Result<()> {
    let options = Options {
        socket: args.socket.clone(),
        duration: args.duration.unwrap_or(DURATION),
    };
    let view = database::run(&options, &Terminal::default())?;
    output::print_view(&view, args.json)
}
