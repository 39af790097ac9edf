//! `hotset live`: the processes that hold files, which `hotset apply` starts, and that of `hotset demo`.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::{demo, live};
use hotset_report::DemonstrationView;

use crate::progress::Terminal;
use crate::{output, program};

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
        Job::Guard { folder } => Ok(live::guard(folder, &["live".into(), "work".into()])?),
        Job::Work { folder, withdraw } => Ok(live::work(folder, *withdraw)?),
        Job::Demo {
            folder,
            place,
            requests,
        } => {
            let guardian = program::guardian()?;
            let watch = Terminal::default();
            let shown = demo::apply(folder, place, *requests, &guardian, &watch)?;
            output::print(
                &DemonstrationView(&shown)
                    .document()
                    .terminal(output::style()),
            )
        }
    }
}
