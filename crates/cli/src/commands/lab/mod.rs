//! `hotset lab`: experiments on a data-centre on this machine.

mod file_systems;
mod run;

use anyhow::Result;
use hotset_lab::disk::seeking;
use hotset_probe::Job as ProbeJob;

/// What `hotset lab` does.
#[derive(clap::Subcommand)]
pub enum Job {
    /// Run an experiment on nodes, disks and networks made for it; needs root
    Run(run::Args),
    /// Play a disk with head, seeks and rotation; started by `hotset lab run`
    #[command(hide = true)]
    Disk {
        /// What `hotset lab run` passes
        options: String,
    },
    /// Write or read files on a node; started by `hotset lab run`
    #[command(hide = true)]
    Read {
        /// What `hotset lab run` passes
        options: String,
    },
}

/// Runs the command.
pub fn run(job: &Job) -> Result<()> {
    match job {
        Job::Run(args) => run::run(args),
        Job::Read { options } => Ok(ProbeJob::parse(options)?.run()?),
        Job::Disk { options } => Ok(seeking::serve(&seeking::Options::parse(options)?)?),
    }
}
