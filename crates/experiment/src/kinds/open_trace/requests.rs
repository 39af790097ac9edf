//! The traces of an experiment: a twin of a documents' workload, or a log.

use std::ops::ControlFlow;
use std::path::Path;

use hotset_replay::Schedule;
use hotset_replay::schedule::{Pace, ScheduleOptions, schedule};
use hotset_trace::Trace;
use hotset_trace::read::{ReadOptions, read};
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
        let (trace, _) = read(&[path], &ReadOptions::default(), &mut |_| {
            ControlFlow::Continue(())
        })
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
    // By the usual rule no path has a query.
    let implied = implied_by(trace, false)?;
    Ok(implied.tree)
}

/// What is sent of a trace, and when, with connections `scale` times as often; `seed` decides on arrivals within a second. Where it
/// has a length, `lasting_s` seconds, all of it is due within those. Requests a second that the scale asks for, where clearly fewer are due.
///
/// # Errors
/// A trace of which nothing can be sent.
pub(super) fn scheduled(
    trace: &Trace,
    scale: f64,
    lasting_s: Option<f64>,
    seed: u64,
) -> Result<(Schedule, Option<f64>), ExperimentError> {
    let options = ScheduleOptions {
        pace: Pace::Trace(scale),
        ..ScheduleOptions::default()
    };
    let scheduled = schedule(trace, &sessions(&trace.requests, seed), &options);
    let (schedule, summary) =
        scheduled.map_err(|error| ExperimentError::Unusable(error.to_string()))?;
    if let Some(lasting_s) = lasting_s {
        return Ok((schedule.folded((lasting_s * SECOND_US) as i64), None));
    }
    let short = summary.short_rates();
    Ok((schedule, short.map(|(asked, _)| asked)))
}
