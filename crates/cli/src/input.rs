//! What every command that reads traffic takes, and how it becomes a trace.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use hotset_actions::{Input, InputError, JobError, has_unused_zone, only_folder};
use hotset_trace::read::{Progress, ReadOptions, ReadSummary};

use crate::interrupt;
use crate::output::{self, Usage};
use crate::progress::Bar;
use crate::reading::ReadingArgs;

/// Logs and how to read them.
#[derive(clap::Args)]
pub struct InputArgs {
    /// Access logs (plain, gzip, zstd, bzip2 or xz), patterns, `-` for standard input, or one trace
    /// folder
    #[arg(required = true, value_name = "LOG")]
    pub logs: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: ReadingArgs,
}

impl InputArgs {
    /// Reads the logs, or the trace folder.
    pub fn read(&self) -> Result<Input> {
        self.read_with(&self.reading.options()?)
    }

    /// Reads the logs by `options`, or the trace folder.
    pub fn read_with(&self, options: &ReadOptions) -> Result<Input> {
        if let Some(folder) = self.trace_folder()? {
            return Input::of_folder(folder, options.period).map_err(cause);
        }
        let mut bar = Bar::bytes("reading");
        let input = Input::of_logs(&self.logs, options, &mut show(&mut bar))?;
        drop(bar);
        warn_of_unused_zone(options, &input.summary);
        Ok(input)
    }

    /// The trace folder, where that is what was given.
    pub fn trace_folder(&self) -> Result<Option<&Path>> {
        let folder = only_folder(&self.logs).map_err(cause)?;
        if let Some(folder) = folder.filter(|_| !self.reading.is_default()) {
            bail!(Usage(format!(
                "{} is a trace folder: give options about reading logs to the `hotset import` that \
                 makes it",
                folder.display()
            )));
        }
        Ok(folder)
    }
}

/// What is at fault, for the reader's hints and the exit code.
pub fn cause(error: InputError) -> anyhow::Error {
    match error {
        InputError::Read(error) => error.into(),
        InputError::Folder(error) => error.into(),
        error @ InputError::FolderAmongOthers(_) => Usage(error.to_string()).into(),
        error => error.into(),
    }
}

/// What is at fault, for the reader's hints and the exit code.
pub fn refusal(error: JobError) -> anyhow::Error {
    match error {
        JobError::Input(error) => cause(error),
        JobError::Read(error) => error.into(),
        JobError::Usage(why) => Usage(why).into(),
        error => error.into(),
    }
}

/// Moves `bar` as reading goes on, and stops it when the user does.
pub fn show(bar: &mut Bar) -> impl FnMut(Progress) -> ControlFlow<()> {
    |progress| {
        bar.set_of(progress.bytes, progress.total_bytes);
        match interrupt::pending() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}

/// Says so if a zone was named for times without one and there are none: the user expects other times.
pub fn warn_of_unused_zone(options: &ReadOptions, summary: &ReadSummary) {
    if has_unused_zone(options, summary) {
        output::warn(
            "--log-time-zone changes nothing: all times in the logs name their zone, or are UTC in their format",
        );
    }
}
