//! `hotset import`: logs to a trace folder, in batches.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::{ClientKey, client_key, import};

use crate::input::InputArgs;
use crate::option_values::seed;
use crate::output;
use crate::progress::Terminal;
use crate::times::ZoneArgs;

/// What `hotset import` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    #[command(flatten)]
    zone: ZoneArgs,
    /// The trace folder to write, usually called NAME.trace
    #[arg(short, long, value_name = "FOLDER")]
    output: PathBuf,
    /// Replace the trace folder if there is one
    #[arg(long)]
    replace: bool,
    /// Rebuild connections, and spread arrivals within each second
    ///
    /// Requests of a client within 15 seconds share a connection. This needs memory for all requests.
    #[arg(long)]
    connections: bool,
    /// Seed for the arrivals within a second
    #[arg(long, default_value_t = 0, value_parser = seed, allow_negative_numbers = true,
        requires = "connections")]
    seed: u64,
    /// Store client addresses as logged instead of pseudonyms
    #[arg(long)]
    keep_clients: bool,
    /// Key of the pseudonyms that stand for clients, 32 hex digits
    ///
    /// Imports with the same key give a client the same pseudonym. By default the key is random and forgotten.
    #[arg(long, value_name = "HEX", conflicts_with = "keep_clients", value_parser = client_key)]
    client_key: Option<ClientKey>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Show how long each part took
    #[arg(long)]
    timings: bool,
}

impl Args {
    fn options(&self) -> Result<import::Options> {
        let mut logs = self.input.logs()?;
        logs.reading.keep_clients = self.keep_clients;
        Ok(import::Options {
            logs,
            time_zone: self.zone.time_zone.clone(),
            output: self.output.clone(),
            replace: self.replace,
            connections: self.connections,
            seed: self.seed,
            client_key: self.client_key,
            timings: self.timings,
        })
    }
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let imported = import::run(&args.options()?, &Terminal::default())?;
    output::print_view(&imported.view(), args.json)
}
