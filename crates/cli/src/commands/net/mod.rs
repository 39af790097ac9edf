//! `hotset net`: Petri nets of the library. A file for each of its subcommands.

mod check;
mod named;
mod run;
mod show;

use anyhow::Result;
use hotset_actions::net::entries;
use hotset_report::NetsView;

use crate::output;

/// What `hotset net` does.
#[derive(clap::Subcommand)]
pub enum Job {
    /// List the nets and what may be set of them
    #[command(after_help = "Examples:\n  hotset net list")]
    List {
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Run a net until its monitors are known well enough
    #[command(
        after_help = "Examples:\n  hotset net run mm1 --set rho=0.5\n  hotset net run philosophers --set n=20 --until 1s --replications 10 --json\n  hotset net run token-bucket --trace=40"
    )]
    Run(run::Args),
    /// Explore every marking of a net: bounds of places, dead markings
    #[command(
        after_help = "Examples:\n  hotset net check philosophers\n  hotset net check closed-network --set n=20 --max-markings 100000 --memory 64MiB --json"
    )]
    Check(check::Args),
    /// Show a net as text, draw it, or write it for another tool
    #[command(
        after_help = "Examples:\n  hotset net show mm1\n  hotset net show philosophers --set n=3 --svg -o philosophers.svg\n  hotset net show ext4-read --svg -o ext4-read.svg\n  hotset net show philosophers --pnml -o philosophers.pnml\n  hotset net show tiers.toml --svg -o tiers.svg"
    )]
    Show(show::Args),
}

/// Runs the command.
pub fn run(job: &Job) -> Result<()> {
    match job {
        Job::List { json } => {
            let nets: Vec<_> = entries().collect();
            output::print_view(&NetsView { nets: &nets }, *json)
        }
        Job::Run(args) => run::run(args),
        Job::Check(args) => check::run(args),
        Job::Show(args) => show::run(args),
    }
}
