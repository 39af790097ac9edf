//! Where a lab keeps what it needs.

use std::path::PathBuf;

use hotset_actions::lab::WORK;

/// Where a lab keeps what it needs.
#[derive(clap::Args)]
pub struct WorkArgs {
    /// Folder for disk images
    #[arg(long = "work", value_name = "FOLDER", default_value = WORK)]
    pub folder: PathBuf,
}
