//! `hotset part`: what the logs of one machine contribute to a description of logs of many.

use std::path::PathBuf;

use anyhow::{Result, bail};
use hotset_actions::{ClientKey, client_key};
use hotset_describe::{Part, PartError, PartOptions};
use hotset_machine::{Destination, STANDARD_OUTPUT};
use hotset_report::number;

use crate::input::{self, InputArgs};
use crate::output::{self, Usage};
use crate::progress::Bar;

/// What `hotset part` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    input: InputArgs,
    /// The part to write, usually called NAME.part
    #[arg(short, long, value_name = "PART")]
    output: PathBuf,
    /// Name of the machine, put in front of the names of its logs: machines have logs of the same path
    #[arg(long, value_name = "NAME")]
    node: Option<String>,
    /// Key of the pseudonyms that stand for clients, 32 hexadecimal digits, the same for all parts
    #[arg(long, value_name = "HEX", conflicts_with = "keep_clients", value_parser = client_key,
        required_unless_present = "keep_clients")]
    client_key: Option<ClientKey>,
    /// Store client addresses as logged instead of pseudonyms
    #[arg(long)]
    keep_clients: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    if let Some(folder) = args.input.trace_folder()? {
        bail!(Usage(format!(
            "{}: is a trace folder: name the logs that it was made of",
            folder.display()
        )));
    }
    let files = [Some(&args.output)];
    output::check_files(&files, false)?;
    output::refuse_inputs(&files, args.input.logs.iter().map(PathBuf::as_path))?;
    let part = read(args)?;
    output::write_file(&args.output, &part.to_bytes()?)?;
    tell(args, &part)
}

fn read(args: &Args) -> Result<Part> {
    let mut reading = args.input.reading.options()?;
    reading.keep_clients = args.keep_clients;
    reading.client_key = args.client_key.unwrap_or_default();
    let options = PartOptions {
        reading: &reading,
        node: args.node.as_deref(),
    };
    let mut bar = Bar::bytes("reading");
    Part::read(&args.input.logs, &options, &mut input::show(&mut bar)).map_err(cause)
}

/// What a log was refused for is the reader's to say, and has its hints.
pub(super) fn cause(error: PartError) -> anyhow::Error {
    match error {
        PartError::Read(error) => error.into(),
        error => error.into(),
    }
}

/// Says what was written, unless that went where this would go.
fn tell(args: &Args, part: &Part) -> Result<()> {
    if Destination::of(&args.output).is_ok_and(|it| it == STANDARD_OUTPUT) {
        return Ok(());
    }
    let requests = number::counted(part.requests(), "request", "requests");
    let logs = number::counted(part.logs() as u64, "log", "logs");
    output::print(&format!("{}: {requests} of {logs}", args.output.display()))
}
