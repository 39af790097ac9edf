//! The folder in which is written down what is held.

use std::path::PathBuf;

use hotset_live::StateFolder;

/// Which state folder.
#[derive(clap::Args)]
pub struct StateArgs {
    /// Folder that says what is held
    ///
    /// One for each server.
    #[arg(
        long = "state",
        value_name = "DIR",
        default_value = StateFolder::DEFAULT
    )]
    pub path: PathBuf,
}
