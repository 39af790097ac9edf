//! The traces of an experiment: a twin of a documents' workload, or a log.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use hotset_replay::Schedule;
use hotset_replay::schedule::{DEFAULT_SORT_WINDOW, Pace, ScheduleOptions, schedule};
use hotset_trace::Trace;
use hotset_trace::read::{CountingRule, ReadOptions, read};
use hotset_trace::sessions::sessions;
use hotset_workload::file_tree::{FileTree, FileTreeError};
use hotset_workload::{GenerateError, Generator as _, Twin, implied_by};

use super::section::{DAY_MINUTES, Section};
use crate::ExperimentError;

const SECOND_US: f64 = 1e6;

/// The trace of this name that is sent at a scale; `folder`: where logs are looked for.
///
/// # Errors
/// A log that cannot be read, a twin that cannot be so short.
pub(super) fn trace(
    name: &str,
    scale: f64,
    section: &Section,
    folder: &Path,
    seed: u64,
) -> Result<Trace, ExperimentError> {
    let unusable = |problem: String| ExperimentError::Unusable(problem);
    if let Some(log) = section.logs.get(name) {
        let path = folder.join(&log.file);
        let options = ReadOptions {
            counting: log.rule,
            ..ReadOptions::default()
        };
        let (trace, _) = read(&[path], &options, &mut |_| ControlFlow::Continue(()))
            .map_err(|error| unusable(error.to_string()))?;
        return Ok(trace);
    }
    let minutes = section.minutes(scale);
    let twin = Twin {
        workload: name.parse().map_err(unusable)?,
        scale: minutes / f64::from(DAY_MINUTES),
    };
    let short = |error: GenerateError| {
        unusable(format!(
            "{name} at scale {scale} is a twin of {minutes} minutes; {error}"
        ))
    };
    twin.generate(seed).map_err(short)
}

/// The files that a server needs to answer the requests of a trace.
///
/// # Errors
/// Paths that no files can have.
pub(super) fn files(trace: &Trace) -> Result<FileTree, FileTreeError> {
    // By neither rule does a path have a query.
    let implied = implied_by(trace, false)?;
    Ok(implied.tree)
}

/// What is wrong with the files of the trace `name`, and which key of a log mends it.
pub(super) fn unusable_files(name: &str, error: &FileTreeError) -> ExperimentError {
    let key = match error {
        FileTreeError::Unservable { .. } | FileTreeError::Collision { .. } => {
            " (`rule = \"c1\"` of a log)"
        }
        _ => "",
    };
    ExperimentError::Unusable(format!("the files of {name}: {error}{key}"))
}

/// What is sent of a trace, and when.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sending {
    /// Connections start this many times as often.
    pub scale: f64,
    /// The rule by which the trace was counted.
    pub counting: CountingRule,
    /// All of it is due within so many seconds, where its length is given.
    pub lasting_s: Option<f64>,
    /// Decides on arrivals within a second.
    pub seed: u64,
}

impl Sending {
    /// As `hotset replay` has it by itself: a rule that takes every request has all of them sorted.
    fn options(&self) -> ScheduleOptions {
        ScheduleOptions {
            pace: Pace::Trace(self.scale),
            counting: self.counting,
            sort_window: match self.counting {
                CountingRule::Default => DEFAULT_SORT_WINDOW,
                CountingRule::C1 => Duration::MAX,
            },
            ..ScheduleOptions::default()
        }
    }
}

/// The requests of a trace as they are sent. Requests a second that the scale asks for, where clearly fewer are due.
///
/// # Errors
/// A trace of which nothing can be sent.
pub(super) fn scheduled(
    trace: &Trace,
    sending: &Sending,
) -> Result<(Schedule, Option<f64>), ExperimentError> {
    let sessions = sessions(&trace.requests, sending.seed);
    let scheduled = schedule(trace, &sessions, &sending.options());
    let (schedule, summary) =
        scheduled.map_err(|error| ExperimentError::Unusable(error.to_string()))?;
    if let Some(lasting_s) = sending.lasting_s {
        return Ok((schedule.folded((lasting_s * SECOND_US) as i64), None));
    }
    let short = summary.short_rates();
    Ok((schedule, short.map(|(asked, _)| asked)))
}
