//! What commands that build a lab take and give it.

use std::ffi::OsString;
use std::path::PathBuf;

use anyhow::{Context, Result};
use hotset_lab::LEDGERS;
use hotset_machine::Directories;

/// Where a lab keeps what it needs.
#[derive(clap::Args)]
pub struct WorkArgs {
    /// Folder for disk images
    #[arg(long, value_name = "FOLDER", default_value = "/var/tmp/hotset-lab")]
    work: PathBuf,
}

impl WorkArgs {
    /// The lab's folders.
    pub fn directories(&self) -> Directories {
        Directories {
            ledgers: LEDGERS.into(),
            work: self.work.clone(),
        }
    }
}

/// This program's own file.
pub fn program() -> Result<OsString> {
    let program = std::env::current_exe().context("cannot find this program's own file")?;
    Ok(program.into())
}

/// The command line of `hotset lab JOB`, which the lab starts.
pub fn command(job: &str) -> Result<Vec<OsString>> {
    Ok(vec![program()?, "lab".into(), job.into()])
}
