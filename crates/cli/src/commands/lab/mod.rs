//! `hotset lab`: a data-centre on this machine.

mod down;
mod up;

use anyhow::Result;
use hotset_lab::disk::seeking;
use hotset_probe::Job as ProbeJob;

/// What `hotset lab` does.
#[derive(clap::Subcommand)]
pub enum Job {
    /// Build a scenario's data-centre, serve its sites and leave it up; needs root
    #[command(after_help = "Examples:\n  hotset lab up scenario.toml")]
    Up(up::Args),
    /// Take down what `hotset lab up` has left up; needs root
    #[command(after_help = "Examples:\n  hotset lab down")]
    Down(down::Args),
    /// Play a disk with head, seeks and rotation; started by the lab
    #[command(hide = true)]
    Disk {
        /// What the lab passes
        options: String,
    },
    /// Write or read files on a node; started by the lab
    #[command(hide = true)]
    Read {
        /// What the lab passes
        options: String,
    },
}

/// Runs the command.
pub fn run(job: &Job) -> Result<()> {
    match job {
        Job::Up(args) => up::run(args),
        Job::Down(args) => down::run(args),
        Job::Read { options } => Ok(ProbeJob::parse(options)?.run()?),
        Job::Disk { options } => Ok(seeking::serve(&seeking::Options::parse(options)?)?),
    }
}
