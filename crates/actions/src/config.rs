//! The lines that make a server look into a hot root first.

use std::path::PathBuf;

use hotset_live::{ServerKind, StateFolder, configuration};

use crate::JobError;
use crate::sites::Sites;

/// For which server, and where its files are.
#[derive(Clone, Debug)]
pub struct Options {
    /// The server.
    pub server: ServerKind,
    /// Where the files of the sites are.
    pub sites: Sites,
    /// The folder in which is written down what is held.
    pub state: PathBuf,
}

/// The lines.
///
/// # Errors
/// Sites without folders, or folders for which no such lines can be written.
pub fn run(options: &Options) -> Result<String, JobError> {
    let folders = options.sites.folders(None, None)?;
    let state = StateFolder::at(&options.state)?;
    Ok(configuration(options.server, &folders, &state)?)
}
