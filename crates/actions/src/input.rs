//! Logs or a trace folder as a trace, with how it was read.

use std::path::{Path, PathBuf};

use crate::error::{refused, usage};
use crate::{Field, JobError};
use hotset_describe::{ClientNames, DescribeOptions, MergedTrace};
use hotset_trace::folder::{self, FolderError};
use hotset_trace::read::{
    self, CountingRule, NotFiles, NotFound, OnProgress, ReadError, ReadOptions, ReadSummary,
};
use hotset_trace::sessions::{Sessions, sessions};
use hotset_trace::{Period, Trace, Zone};

/// A trace, and how reading its logs went.
#[derive(Clone, Debug)]
pub struct Input {
    /// The requests and what they name.
    pub trace: Trace,
    /// How they were read.
    pub summary: ReadSummary,
    /// The connection of each request, where a trace folder has them.
    connections: Option<Vec<u32>>,
    client_names: ClientNames,
}

impl Input {
    /// Reads logs.
    ///
    /// # Errors
    /// As [`read::read`].
    pub fn of_logs(
        logs: &[PathBuf],
        options: &ReadOptions,
        progress: OnProgress<'_>,
    ) -> Result<Input, ReadError> {
        let (trace, summary) = read::read(logs, options, progress)?;
        Ok(Input {
            trace,
            summary,
            connections: None,
            client_names: ClientNames::of_logs(options.keep_clients),
        })
    }

    /// Reads the requests of a trace folder in `period`.
    ///
    /// # Errors
    /// A folder that is damaged, or a period that none of its requests is in.
    pub fn of_folder(folder: &Path, period: Period) -> Result<Input, JobError> {
        let input = Input {
            trace: folder::read(folder)?,
            summary: summary_of_folder(folder)?,
            connections: folder::read_connections(folder)?,
            client_names: ClientNames::OfTrace,
        };
        Ok(input.within(period, folder)?)
    }

    /// A trace that was made and not read.
    pub fn of_trace(trace: Trace) -> Input {
        let (first, last) = trace.span();
        let accesses = trace.requests.access.iter().filter(|access| **access);
        let summary = ReadSummary {
            requests: trace.requests.len() as u64,
            accesses: accesses.count() as u64,
            first,
            last,
            ..ReadSummary::default()
        };
        Input {
            trace,
            summary,
            connections: None,
            client_names: ClientNames::OfTrace,
        }
    }

    /// The requests of logs that were read elsewhere.
    pub fn of_merged(merged: MergedTrace) -> Input {
        Input {
            trace: merged.trace,
            summary: merged.summary,
            connections: None,
            client_names: ClientNames::of_logs(merged.keeps_clients),
        }
    }

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
    fn within(mut self, period: Period, folder: &Path) -> Result<Input, ReadError> {
        if period.is_all() {
            return Ok(self);
        }
        let (first, last) = self.trace.span();
        let (kept, left_out) = self.trace.cut(period);
        if kept.is_empty() {
            let file = folder.display().to_string();
            return Err(ReadError::NothingInPeriod { file, first, last });
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

/// The trace folder among `inputs`, where there is one: then it is the only one.
///
/// # Errors
/// It stands beside others.
pub fn only_folder(inputs: &[PathBuf]) -> Result<Option<&Path>, JobError> {
    match inputs.iter().find(|path| is_trace_folder(path)) {
        Some(folder) if inputs.len() > 1 => Err(usage(format!(
            "{} is a trace folder: give it alone, or give logs only",
            folder.display()
        ))),
        folder => Ok(folder.map(PathBuf::as_path)),
    }
}

/// Whether `path` is a trace folder.
pub fn is_trace_folder(path: &Path) -> bool {
    path.join("trace.json").is_file()
}

/// What is known of how the requests of a trace folder were read.
///
/// # Errors
/// A damaged folder.
pub fn summary_of_folder(folder: &Path) -> Result<ReadSummary, FolderError> {
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
#[derive(Clone, Debug)]
pub struct AccessColumns {
    /// Dense object ids.
    pub objects: Vec<u32>,
    /// Microseconds since 1970-01-01 UTC.
    pub times_us: Vec<i64>,
}

impl AccessColumns {
    /// Takes the rows that count as accesses out of `input`, called `name` in messages. Its requests are gone then: a long
    /// log's columns would take most of the memory.
    ///
    /// # Errors
    /// There are none: nothing could be held or cached.
    pub fn take(input: &mut Input, name: &str) -> Result<AccessColumns, JobError> {
        let requests = std::mem::take(&mut input.trace.requests);
        input.connections = None;
        let objects = picked(requests.object, &requests.access);
        let times_us = picked(requests.time_us, &requests.access);
        if objects.is_empty() {
            return Err(refused(no_access(name, &input.summary)));
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

/// What to call inputs in messages: the name of the first.
pub fn name_of(logs: &[PathBuf]) -> String {
    match logs.first() {
        Some(first) if first != Path::new("-") => first.display().to_string(),
        Some(_) => "standard input".into(),
        None => "no input".into(),
    }
}

/// Why nothing can be done with traffic that reads no file.
pub(crate) fn no_access(name: &str, summary: &ReadSummary) -> String {
    let outside = summary.not_files.not_under_root;
    let why = match (summary.counting_rule, outside) {
        (_, 1..) => format!(
            "{outside} name no file under the root; does {} name the document root?",
            Field::Root
        ),
        (CountingRule::Default, 0) => format!(
            "a file read is a GET answered 200 or 206, and its URL has no query unless {} allows \
             it",
            Field::Query
        ),
        (CountingRule::C1, 0) => format!("{} c1 drops every request with a query", Field::Rule),
    };
    let requests = summary.requests;
    format!("{name}: none of {requests} requests is a file read: {why}")
}
