//! `hotset status`: whether what was placed is in memory.

use std::io::IsTerminal as _;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use hotset_actions::status;
use hotset_report::View as _;

use crate::output;
use crate::state::StateArgs;

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

/// Runs the command; the exit code says whether all is held as it should be.
pub fn run(args: &Args) -> Result<u8> {
    if args.watch {
        loop {
            watch(args)?;
            thread::sleep(WATCH_PAUSE);
        }
    }
    let found = status::run(&args.state.path)?;
    output::print_view(&found.view(), args.json)?;
    Ok(if found.is_sound() { 0 } else { NOT_HELD })
}

/// Prints what there is now, on a terminal in the place of what was there before.
fn watch(args: &Args) -> Result<()> {
    let found = status::run(&args.state.path)?;
    match std::io::stdout().is_terminal() && !args.json {
        true => output::print(&format!(
            "{CLEAR}{}",
            found.view().terminal(output::style())
        )),
        false => output::print(&output::shown(&found.view(), args.json)?),
    }
}
