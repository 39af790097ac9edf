//! `hotset live`: the processes that hold files, which `hotset apply` starts, and that of `hotset demo`.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::Result;
use hotset_live::{StateFolder, worker};

use super::demo;

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
        /// The state folder
        folder: PathBuf,
        /// Take the copies away when the guardian is gone
        #[arg(long)]
        withdraw: bool,
    },
    /// Apply the plan of a demo; started by `hotset demo`
    #[command(hide = true)]
    Demo {
        /// The demo's folder
        folder: PathBuf,
        /// A temporary folder
        place: PathBuf,
        /// Most requests
        #[arg(long)]
        requests: Option<usize>,
    },
}

/// Runs the command.
pub fn run(job: &Job) -> Result<()> {
    match job {
        Job::Guard { folder } => {
            let folder = StateFolder::at(folder)?;
            let work = ["live".into(), "work".into(), OsString::from(folder.path())];
            Ok(hotset_live::guard(&folder, &work)?)
        }
        Job::Demo {
            folder,
            place,
            requests,
        } => demo::inside(folder, place, *requests),
        Job::Work { folder, withdraw } => Ok(worker::serve(&StateFolder::at(folder)?, *withdraw)?),
    }
}
