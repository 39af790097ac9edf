//! The folder in which is written down what is held.

use std::path::PathBuf;

use hotset_live::StateFolder;

/// Which state folder.
#[derive(clap::Args)]
pub struct StateArgs {
    /// Folder in which is written down what is held; one for each server
    #[arg(
        long = "state",
        value_name = "DIR",
        default_value = StateFolder::DEFAULT
    )]
    pub path: PathBuf,
}
