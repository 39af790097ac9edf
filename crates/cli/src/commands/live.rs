//! `hotset live`: the processes that hold files, which `hotset apply` starts.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;
use hotset_live::{StateFolder, worker};

/// What `hotset live` does.
#[derive(clap::Subcommand)]
pub enum Job {
    /// Keep what is placed; started by `hotset apply`
    #[command(hide = true)]
    Guard {
        /// The state folder
        folder: PathBuf,
    },
    /// Hold files; started by the guardian
    #[command(hide = true)]
    Work {
        /// Take the copies of this state folder away when the guardian is gone
        #[arg(long)]
        withdraw: Option<PathBuf>,
    },
}

/// Runs the command.
pub fn run(job: &Job) -> Result<()> {
    match job {
        Job::Guard { folder } => {
            let work = ["live", "work"].map(OsString::from);
            Ok(hotset_live::guard(&StateFolder::at(folder)?, &work)?)
        }
        Job::Work { withdraw } => {
            let folder = withdraw.as_deref().map(StateFolder::at).transpose()?;
            Ok(worker::serve(folder.as_ref())?)
        }
    }
}
