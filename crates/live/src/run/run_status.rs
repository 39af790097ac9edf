//! What a runner tells of itself beside its state, so that another process can show it.

use super::figures::{Figures, now_ms};
use crate::{LiveError, StateFolder};
use hotset_machine::{ProcessIdentity, file};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// Version of how it is written.
const VERSION: u32 = 1;

/// What a runner has told last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunStatus {
    version: u32,
    /// Who tells it. What a dead process has told is of no use.
    #[serde(rename = "daemon")]
    pub process: ProcessIdentity,
    /// When. Milliseconds since 1970-01-01 UTC.
    #[serde(rename = "told_ms")]
    pub time_ms: u64,
    /// How long a choice stays.
    pub interval: Duration,
    /// What the logs say.
    pub figures: Figures,
}

impl RunStatus {
    /// What the calling process tells now.
    ///
    /// # Errors
    /// When the kernel does not tell who it is.
    pub fn now(interval: Duration, figures: Figures) -> Result<Self, LiveError> {
        Ok(Self {
            version: VERSION,
            process: ProcessIdentity::current()?,
            time_ms: now_ms(),
            interval,
            figures,
        })
    }

    /// What was told last beside a state folder, by a runner that runs or has died; none where no runner keeps the state.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn load(folder: &StateFolder) -> Result<Option<Self>, LiveError> {
        let status: Option<Self> = file::read_json(&path(folder))?;
        Ok(status.filter(|status| status.version == VERSION))
    }

    /// Writes it as a whole, for the user of the runner alone: it names files of all sites.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, folder: &StateFolder) -> Result<(), LiveError> {
        Ok(file::write_private_json(&path(folder), self)?)
    }

    /// Whether the runner that has told it still runs.
    #[must_use]
    pub fn is_alive(&self) -> bool {
        self.process.is_alive()
    }

    /// Removes what was told: the runner ends.
    pub fn remove(folder: &StateFolder) {
        // What is left names a process that has ended, which is noticed.
        let _removed = std::fs::remove_file(path(folder));
    }
}

fn path(folder: &StateFolder) -> PathBuf {
    folder.beside("figures")
}
