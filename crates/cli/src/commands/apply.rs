//! `hotset apply`: hold the files of a plan under a running server.

use std::path::{Path, PathBuf};

use anyhow::Result;
use hotset_actions::apply;

use crate::holding::HoldingArgs;
use crate::progress::Terminal;
use crate::sites::SitesArgs;
use crate::{interrupt, output, program};

/// Exit code where a file of the plan is not held.
const LEFT_OUT: u8 = 4;

/// What `hotset apply` takes.
#[derive(clap::Args)]
pub struct Args {
    /// Plan file, or a scenario file (.toml) with logs and roots
    ///
    /// The plan file is what `hotset plan -o` writes. For a scenario file with `log` at its top and the `root` of
    /// each site, a plan is made first.
    #[arg(value_name = "PLAN|SCENARIO")]
    plan: PathBuf,
    #[command(flatten)]
    sites: SitesArgs,
    #[command(flatten)]
    holding: HoldingArgs,
    /// The node of the plan that this machine is
    ///
    /// Not needed where the plan is for one node.
    #[arg(long, value_name = "NODE")]
    node: Option<String>,
    /// Print what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Args {
    fn options(&self) -> Result<apply::Options> {
        Ok(apply::Options {
            plan: self.plan.clone(),
            sites: self.sites.sites(),
            holding: self.holding.holding(),
            node: self.node.clone(),
            guardian: program::guardian()?,
        })
    }
}

/// Runs the command; the exit code says whether all files of the plan are held.
pub fn run(args: &Args) -> Result<u8> {
    let (options, watch) = (args.options()?, Terminal::default());
    let leaves_out = if args.dry_run {
        let previewed = apply::preview(&options, &watch)?;
        output::print_view(&previewed.view(), args.json)?;
        previewed.leaves_out()
    } else {
        let applied = apply::run(&options, &watch, tell_what_is_left)?;
        output::print_view(&applied.view(), args.json)?;
        applied.leaves_out()
    };
    Ok(if leaves_out { LEFT_OUT } else { 0 })
}

/// Has whoever ends this process know what goes on without it.
fn tell_what_is_left(state: &Path) {
    let path = state.display();
    interrupt::leaves(format!(
        "placing goes on where it has begun: `hotset status --state {path}` tells when that is done, `hotset release --state \
         {path}` takes them back"
    ));
}
