//! `hotset status`: whether what was placed is in memory.

use std::io::IsTerminal as _;
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use hotset_live::{RunStatus, StateFolder};
use hotset_report::{StatusView, View as _};

use crate::commands::state::StateArgs;
use crate::output;

/// Exit code where not everything is held as it should be, or nothing is held.
const NOT_HELD: u8 = 3;

/// How often `--watch` looks.
const WATCH_PAUSE: Duration = Duration::from_secs(1);

/// Puts a terminal's cursor at the top and clears what is below it (ECMA-48, CUP and ED).
const CLEAR: &str = "\x1b[H\x1b[J";

/// What `hotset status` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    state: StateArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Look again every second until Ctrl-C
    #[arg(long)]
    watch: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<ExitCode> {
    let folder = args.state.folder()?;
    if args.watch {
        loop {
            watch(&folder, args.json)?;
            thread::sleep(WATCH_PAUSE);
        }
    }
    let (is_sound, text) = look(&folder, args.json)?;
    output::print(&text)?;
    Ok(match is_sound {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(NOT_HELD),
    })
}

/// Prints what there is now, on a terminal in the place of what was there before.
fn watch(folder: &StateFolder, json: bool) -> Result<()> {
    let (_, text) = look(folder, json)?;
    match std::io::stdout().is_terminal() && !json {
        true => output::print(&format!("{CLEAR}{text}")),
        false => output::print(&text),
    }
}

/// Whether all is held as it should be, and what to print about it.
pub fn look(folder: &StateFolder, json: bool) -> Result<(bool, String)> {
    let status = hotset_live::status(folder)?;
    let daemon = RunStatus::load(folder)?;
    let view = StatusView {
        status: &status,
        daemon: daemon.as_ref(),
    };
    let text = match json {
        true => view.json()?,
        false => view.terminal(output::style()),
    };
    Ok((status.is_sound(), text))
}
