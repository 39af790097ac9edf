//! What a daemon that follows the traffic shows of itself while it runs: a page for people, metrics for programs.

mod metrics;
mod page;
mod tables;

use crate::{Provenance, StatusView};
use hotset_live::RunStatus;

/// A daemon that runs.
pub struct RunView<'a> {
    /// What it holds, and what it told.
    pub status: StatusView<'a>,
    /// What it has told last.
    pub daemon: &'a RunStatus,
    /// Memory of the machine that programs can have without swapping, and all of it. Bytes.
    pub available_bytes: u64,
    /// See above.
    pub total_bytes: u64,
}

impl RunView<'_> {
    /// One page that opens offline and loads itself anew every few seconds.
    #[must_use]
    pub fn page(&self, provenance: &Provenance) -> String {
        page::page(self, provenance)
    }

    /// The text format of OpenMetrics 1.0, which Prometheus reads.
    ///
    /// # Errors
    /// When memory for the text runs out.
    pub fn metrics(&self) -> Result<String, std::fmt::Error> {
        metrics::metrics(self)
    }
}
