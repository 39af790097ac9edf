//! What every command that reads traffic takes.

use std::path::PathBuf;

use anyhow::Result;
use hotset_actions::Logs;

use crate::reading::ReadingArgs;
use crate::times::PeriodArgs;

/// Logs and how to read them.
#[derive(clap::Args)]
pub struct InputArgs {
    /// Access logs, patterns, `-` for standard input, or a trace folder
    ///
    /// Logs may be plain, gzip, zstd, bzip2 or xz.
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

impl InputArgs {
    /// For a command that takes all sites.
    pub fn logs(&self) -> Result<Logs> {
        Ok(Logs {
            paths: self.logs.clone(),
            reading: self.reading.options()?,
            has_reading: !self.reading.is_default(),
        })
    }

    /// As [`Self::logs`], with the requests of a period only.
    pub fn logs_in(&self, period: &PeriodArgs) -> Result<Logs> {
        let mut logs = self.logs()?;
        logs.reading.period = period.period()?;
        Ok(logs)
    }

    /// As [`Self::logs`], for a command that takes only the sites of [`ReadingArgs::site_names`].
    pub fn logs_beside_names(&self) -> Result<Logs> {
        Ok(Logs {
            paths: self.logs.clone(),
            reading: self.reading.options_beside_names()?,
            has_reading: !self.reading.is_default(),
        })
    }
}
