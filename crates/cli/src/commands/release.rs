//! `hotset release`: take back what was placed.

use anyhow::{Result, bail};
use hotset_live::RunStatus;
use hotset_report::ReleasedView;

use crate::commands::state::StateArgs;
use crate::{interrupt, output};

/// What `hotset release` takes.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    state: StateArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub fn run(args: &Args) -> Result<()> {
    let _guard = interrupt::Guard::new();
    let folder = args.state.folder()?;
    folder.refuse_misspelt()?;
    if let Some(daemon) = RunStatus::load(&folder)?.filter(RunStatus::is_alive) {
        bail!(
            "{}: `hotset run` (process {}) would hold the files again: stop it, and it releases everything",
            folder.path().display(),
            daemon.process.pid
        );
    }
    let had_state = folder.path().exists();
    let teardown = hotset_live::release(&folder)?;
    let view = ReleasedView {
        folder: folder.path(),
        had_state,
        teardown: &teardown,
    };
    output::print_view(&view, args.json)?;
    if !teardown.left.is_empty() {
        bail!("part of what was placed is still there; release it again");
    }
    Ok(())
}
