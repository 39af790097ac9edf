//! Logs, or a trace folder, and how they are read.

use std::path::{Path, PathBuf};

use hotset_trace::read::{CountingRule, QueryRule, ReadOptions, ReadSummary};

use crate::error::{misuse, usage};
use crate::watch::{self, Part, Watch};
use crate::{Field, Input, JobError, only_folder};

/// Refuses what the rule c1 takes no notice of: it looks no file up, and drops requests with a query.
///
/// # Errors
/// That rule beside document roots, or beside another rule for queries than the default one.
pub fn check_rule(reading: &ReadOptions) -> Result<(), JobError> {
    let options = [
        (Field::Root, !reading.roots.is_empty()),
        (Field::Query, reading.query != QueryRule::default()),
    ];
    let given = options.into_iter().find(|(_, is_given)| *is_given);
    match (reading.counting, given) {
        (CountingRule::C1, Some((option, _))) => Err(usage(format!(
            "{} c1 looks no file up and keeps no query; leave it out, or {option}",
            Field::Rule
        ))),
        _ => Ok(()),
    }
}

/// Logs, or a trace folder, and how they are read.
#[derive(Clone, Debug, Default)]
pub struct Logs {
    /// Logs, patterns, `-` for standard input; or one trace folder.
    pub paths: Vec<PathBuf>,
    /// What the reader is told.
    pub reading: ReadOptions,
    /// Whether anything was said of how logs are read: a trace folder takes nothing of that.
    pub has_reading: bool,
}

impl Logs {
    /// The trace folder, where that is what was given.
    ///
    /// # Errors
    /// A trace folder beside other inputs, or with options for reading logs.
    pub fn folder(&self) -> Result<Option<&Path>, JobError> {
        let folder = only_folder(&self.paths)?;
        if let Some(folder) = folder.filter(|_| self.has_reading) {
            misuse!(
                "{} is a trace folder: give options about reading logs to the `hotset import` that makes it",
                folder.display()
            );
        }
        Ok(folder)
    }

    /// Reads them.
    ///
    /// # Errors
    /// As [`Self::folder`], or what cannot be read.
    pub fn read(&self, watch: &dyn Watch) -> Result<Input, JobError> {
        if let Some(folder) = self.folder()? {
            return Input::of_folder(folder, self.reading.period);
        }
        watch.begin(Part::Bytes("reading"));
        let input = Input::of_logs(&self.paths, &self.reading, &mut watch::reading(watch))?;
        watch.end();
        self.warn_of_unused_zone(&input.summary, watch);
        Ok(input)
    }

    /// Refuses a trace folder where logs are needed, and says `why` after its name.
    pub(crate) fn refuse_folder(&self, why: &str) -> Result<(), JobError> {
        match self.folder()? {
            Some(folder) => Err(usage(format!("{}{why}", folder.display()))),
            None => Ok(()),
        }
    }

    /// Says so if a zone was named for times without one and there are none: the user expects other times.
    pub(crate) fn warn_of_unused_zone(&self, summary: &ReadSummary, watch: &dyn Watch) {
        let has_local_times = summary.sources.iter().any(|it| it.assumed_zone.is_some());
        if self.reading.log_zone.is_some() && !has_local_times {
            watch.warn(format!(
                "{} changes nothing: all times in the logs name their zone, or are UTC in their \
                 format", Field::LogTimeZone).into());
        }
    }
}
