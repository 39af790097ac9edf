//! `hotset lab`: programs that a data-centre on this machine is made of.

use anyhow::Result;
use hotset_lab::disk::seeking;
use hotset_probe::Job as ProbeJob;

/// What `hotset lab` does.
#[derive(clap::Subcommand)]
pub enum Job {
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
        Job::Read { options } => Ok(ProbeJob::parse(options)?.run()?),
        Job::Disk { options } => Ok(seeking::serve(&seeking::Options::parse(options)?)?),
    }
}
