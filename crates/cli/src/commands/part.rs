//! `hotset part`: what the logs of one machine contribute to a description of logs of many.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::{ClientKey, client_key, part};
use hotset_machine::{Destination, STANDARD_OUTPUT};
use hotset_report::number;

use crate::input::InputArgs;
use crate::output;
use crate::progress::Terminal;

/// What `hotset part` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// The part to write, usually called NAME.part
    #[arg(short, long, value_name = "PART")]
    output: PathBuf,
    /// Name of the machine, put in front of the names of its logs
    ///
    /// Machines have logs of the same path.
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// Key of the pseudonyms that stand for clients, 32 hex digits
    ///
    /// It has to be the same for all parts.
    #[arg(long, value_name = "HEX", conflicts_with = "keep_clients", value_parser = client_key,
        required_unless_present = "keep_clients")]
    client_key: Option<ClientKey>,
    /// Store client addresses as logged instead of pseudonyms
    #[arg(long)]
    keep_clients: bool,
}

impl Args {
    fn options(&self) -> Result<part::Options> {
        let mut logs = self.input.logs()?;
        logs.reading.keep_clients = self.keep_clients;
        logs.reading.client_key = self.client_key.unwrap_or_default();
        Ok(part::Options {
            logs,
            node: self.node.clone(),
            output: self.output.clone(),
        })
    }
}

/// Runs the command, and says what was written, unless that went where this would go.
pub fn run(args: &Args) -> Result<()> {
    let part = part::run(&args.options()?, &Terminal::default())?;
    output::write_file(&args.output, &part.to_bytes()?)?;
    if Destination::of(&args.output).is_ok_and(|it| it == STANDARD_OUTPUT) {
        return Ok(());
    }
    let requests = number::counted(part.requests(), "request", "requests");
    let logs = number::counted(part.logs() as u64, "log", "logs");
    output::print(&format!("{}: {requests} of {logs}", args.output.display()))
}
