//! The requests of some logs, to be carried elsewhere and merged into the trace that one process would have read.
//!
//! A [`TracePart`] holds each log as it was read alone: the columns of its trace, how it was read, and what its requests may
//! be in the presence of other logs. Merging counts them as a [`Part`], which knows the tables of the whole and what was read
//! where first. Rows are then merged by (running maximum of times, log, row), as reading merges logs.

mod merge;
mod stored;

use std::path::PathBuf;

use hotset_trace::read::{LogAlone, OnProgress, Order, read_one_by_one};

use super::of_log::{named_twins, refuse_unmergeable, refuse_unordered};
use super::{Part, PartError, PartOptions, Rules};

pub use merge::MergedTrace;

/// The requests of some logs, read by the same rules.
#[derive(Debug)]
pub struct TracePart {
    rules: Rules,
    node: Option<String>,
    /// Whether rows are wanted by time.
    by_time: bool,
    logs: Vec<LogAlone>,
    /// Files that were not read, as JSON of `SourceSummary`.
    twins: Vec<String>,
}

impl TracePart {
    /// Reads the requests of logs.
    ///
    /// # Errors
    /// As [`Part::read`].
    pub fn read(
        logs: &[PathBuf],
        options: &PartOptions<'_>,
        progress: OnProgress<'_>,
    ) -> Result<TracePart, PartError> {
        refuse_unmergeable(options.reading)?;
        let mut alone = Vec::new();
        let twins = read_one_by_one(logs, options.reading, progress, |log| {
            refuse_unordered(&log)?;
            alone.push(log);
            Ok::<(), PartError>(())
        })?;
        Ok(TracePart {
            rules: Rules::of(options.reading),
            node: options.node.map(str::to_owned),
            by_time: options.reading.order == Order::Time,
            logs: alone,
            twins: named_twins(twins, options.node),
        })
    }

    /// What its logs contribute to a description.
    fn counted(&self) -> Result<Part, PartError> {
        let of_log = |log| Part::by_rules(log, self.rules.clone(), self.node.as_deref());
        let mut part = Part::joined(self.logs.iter().map(of_log).collect(), None)?
            .ok_or(PartError::Nothing)?;
        part.twins = self.twins.clone();
        Ok(part)
    }
}
