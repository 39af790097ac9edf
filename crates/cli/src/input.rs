//! What every command that reads traffic takes, and how it becomes a trace.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use hotset_describe::{ClientNames, DescribeOptions};
use hotset_trace::read::{
    self, CountingRule, NotFiles, NotFound, Progress, ReadError, ReadOptions, ReadSummary,
};
use hotset_trace::sessions::{Sessions, sessions};
use hotset_trace::{Period, Trace, Zone, folder};

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

/// A trace, and how reading its logs went.
pub struct Input {
    pub trace: Trace,
    pub summary: ReadSummary,
    /// The connection of each request, where a trace folder has them.
    connections: Option<Vec<u32>>,
    client_names: ClientNames,
}

impl Input {
    /// How to describe it, with hours on the clocks of `zone`.
    pub fn describe_options<'a>(&'a self, zone: &'a Zone) -> DescribeOptions<'a> {
        DescribeOptions {
            rejected_lines: self.summary.rejected_lines,
            connections: self.connections.as_deref(),
            client_names: self.client_names,
            not_found: Some(&self.summary.not_found),
            zone,
            ..DescribeOptions::default()
        }
    }

    /// Connections and arrivals: those of the trace folder, else rebuilt with `seed`.
    pub fn sessions(&self, seed: u64) -> Sessions {
        let Some(connection) = &self.connections else {
            return sessions(&self.trace.requests, seed);
        };
        Sessions {
            connection: connection.clone(),
            time_us: self.trace.requests.time_us.clone(),
            connections: connection.iter().max().map_or(0, |highest| highest + 1),
        }
    }

    /// Its requests in `period`. What is counted by line says how the folder was imported and stays.
    fn within(mut self, period: Period, folder: &Path) -> Result<Input> {
        if period.is_all() {
            return Ok(self);
        }
        let (first, last) = self.trace.span();
        let (kept, left_out) = self.trace.cut(period);
        if kept.is_empty() {
            let file = folder.display().to_string();
            bail!(ReadError::NothingInPeriod { file, first, last });
        }
        if let Some(connections) = &mut self.connections {
            *connections = kept.iter().map(|&row| connections[row]).collect();
        }
        let (first, last) = self.trace.span();
        let accesses = self.trace.requests.access.iter();
        self.summary = ReadSummary {
            requests: kept.len() as u64,
            accesses: accesses.filter(|access| **access).count() as u64,
            // Their reasons are known of the whole import only.
            not_files: NotFiles::default(),
            not_found: NotFound::default(),
            first,
            last,
            period: Some(left_out),
            ..self.summary
        };
        Ok(self)
    }

    /// How it was read; the trace is given up.
    pub fn into_summary(self) -> ReadSummary {
        self.summary
    }

    /// The files that were read.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let sources = self.summary.sources.iter();
        sources.map(|source| Path::new(&source.file))
    }
}

impl InputArgs {
    /// Reads the logs, or the trace folder.
    pub fn read(&self) -> Result<Input> {
        self.read_with(&self.reading.options()?)
    }

    /// Reads the logs by `options`, or the trace folder.
    pub fn read_with(&self, options: &ReadOptions) -> Result<Input> {
        if let Some(folder) = self.trace_folder()? {
            let trace = folder::read(folder)?;
            let summary = summary_of_folder(folder)?;
            let connections = folder::read_connections(folder)?;
            let input = Input {
                trace,
                summary,
                connections,
                client_names: ClientNames::OfTrace,
            };
            return input.within(options.period, folder);
        }
        let mut bar = Bar::bytes("reading");
        let (trace, summary) = read::read(&self.logs, options, &mut show(&mut bar))?;
        drop(bar);
        warn_of_unused_zone(options, &summary);
        Ok(Input {
            trace,
            summary,
            connections: None,
            client_names: match options.keep_clients {
                true => ClientNames::OfTrace,
                false => ClientNames::Numbered,
            },
        })
    }

    /// The trace folder, where that is what was given.
    pub fn trace_folder(&self) -> Result<Option<&Path>> {
        let Some(folder) = self.logs.iter().find(|path| is_trace_folder(path)) else {
            return Ok(None);
        };
        if self.logs.len() > 1 {
            bail!(Usage(format!(
                "{} is a trace folder: give it alone, or give logs only",
                folder.display()
            )));
        }
        if !self.reading.is_default() {
            bail!(Usage(format!(
                "{} is a trace folder: give options about reading logs to the `hotset import` that \
                 makes it",
                folder.display()
            )));
        }
        Ok(Some(folder))
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
    let has_local_times = summary.sources.iter().any(|it| it.assumed_zone.is_some());
    if options.log_zone.is_some() && !has_local_times {
        output::warn(
            "--log-time-zone changes nothing: all times in the logs name their zone, or are UTC in their format",
        );
    }
}

fn is_trace_folder(path: &Path) -> bool {
    path.join("trace.json").is_file()
}

/// What is known of how the requests of a trace folder were read.
pub fn summary_of_folder(folder: &Path) -> Result<ReadSummary> {
    let manifest = folder::read_manifest(folder)?;
    let summary: Option<ReadSummary> = serde_json::from_value(manifest.provenance.summary).ok();
    let summary = summary.unwrap_or_else(|| ReadSummary {
        rules: manifest.provenance.rules,
        requests: manifest.requests,
        accesses: manifest.accesses,
        ..ReadSummary::default()
    });
    // Connections that were rebuilt move arrivals within their second; folders may be older than the keys.
    if summary.first.is_some() && summary.last.is_some() {
        return Ok(summary);
    }
    let (first, last) = folder::read_span(folder)?.unzip();
    Ok(ReadSummary {
        first,
        last,
        ..summary
    })
}

/// The accesses of a trace: object ids and times in log order.
pub struct AccessColumns {
    pub objects: Vec<u32>,
    pub times_us: Vec<i64>,
}

impl AccessColumns {
    /// Takes the rows that count as accesses out of `input`. Its requests are gone then: a long log's columns would take
    /// most of the memory.
    ///
    /// # Errors
    /// There are none: nothing could be held or cached.
    pub fn take(input: &mut Input, name: &str) -> Result<AccessColumns> {
        let requests = std::mem::take(&mut input.trace.requests);
        input.connections = None;
        let objects = picked(requests.object, &requests.access);
        let times_us = picked(requests.time_us, &requests.access);
        if objects.is_empty() {
            bail!(no_access(name, &input.summary));
        }
        Ok(AccessColumns { objects, times_us })
    }
}

/// The entries of `column` in the rows that are `wanted`.
fn picked<T>(mut column: Vec<T>, wanted: &[bool]) -> Vec<T> {
    let mut wanted = wanted.iter();
    column.retain(|_| wanted.next().is_some_and(|&wanted| wanted));
    column
}

/// What to call the input in messages: its first name.
pub fn name_of(logs: &[PathBuf]) -> Result<String> {
    let first = logs.first().context("no input")?;
    Ok(if first == Path::new("-") {
        "standard input".into()
    } else {
        first.display().to_string()
    })
}

/// Why nothing can be held or cached, and what to try.
fn no_access(name: &str, summary: &ReadSummary) -> String {
    let outside = summary.not_files.not_under_root;
    let why = match (summary.counting_rule, outside) {
        (_, 1..) => format!(
            "{outside} name no file under the root; does --root name the document root?"
        ),
        (CountingRule::Default, 0) => {
            "a file read is a GET answered 200 or 206, and its URL has no query unless --query allows it".into()
        }
        (CountingRule::C1, 0) => "--rule c1 drops every request with a query".into(),
    };
    format!(
        "{name}: none of {} requests is a file read: {why}",
        summary.requests
    )
}
