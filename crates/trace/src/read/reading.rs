//! A run of the reader, from the names of logs to rows in batches.

use super::error::{ReadError, Unusable};
use super::inputs::{self, Input, Meter};
use super::log_file::LogFile;
use super::merge::Merge;
use super::options::{Order, ReadOptions};
use super::roots::Roots;
use super::rows::Rows;
use super::rules_in_words;
use super::sites::Sites;
use super::summary::{ReadSummary, SourceSummary};
use super::twins::{self, DistinctFiles};
use crate::formats::FormatKind;
use crate::{Requests, Trace, size_limits};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Rows handed over at a time: enough to spread the cost of a call, few enough for the cache.
const BATCH_ROWS: usize = 1 << 16;

/// How far reading has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Bytes read, before decompression.
    pub bytes: u64,
    /// Bytes of all inputs; none where one is a pipe.
    pub total_bytes: Option<u64>,
    /// Requests read.
    pub requests: u64,
}

/// What is told of the progress; breaking stops with [`ReadError::Interrupted`].
pub type OnProgress<'a> = &'a mut dyn FnMut(Progress) -> ControlFlow<()>;

/// Reads `inputs` (paths, patterns, `-` for standard input) into a trace.
///
/// # Errors
/// [`ReadError`], always with the name of the input at fault.
pub fn read(
    inputs: &[PathBuf],
    options: &ReadOptions,
    progress: OnProgress<'_>,
) -> Result<(Trace, ReadSummary), ReadError> {
    let mut requests = Requests::default();
    let (mut trace, summary) = read_batches(inputs, options, progress, |batch| {
        requests.extend(batch);
        Ok::<(), ReadError>(())
    })?;
    trace.requests = requests;
    if !size_limits::files_fit(&trace.objects.size, &trace.requests.object)
        || !size_limits::responses_fit(&trace.requests)
    {
        return Err(ReadError::too_large(&summary));
    }
    Ok((trace, summary))
}

/// Like [`read`], but hands the rows to `sink` in batches, in order; the trace that is returned has
/// tables and no rows. With [`Order::Time`] all rows are kept until they can be sorted.
///
/// # Errors
/// [`ReadError`] turned into the sink's error, or what the sink returned. Batches handed over before an
/// error are to be forgotten.
pub fn read_batches<E: From<ReadError>>(
    inputs: &[PathBuf],
    options: &ReadOptions,
    progress: OnProgress<'_>,
    mut sink: impl FnMut(&Requests) -> Result<(), E>,
) -> Result<(Trace, ReadSummary), E> {
    let mut reading = Reading::begin(inputs, options)?;
    let mut batch = Requests::default();
    let whole = options.order == Order::Time;
    let most = if whole { usize::MAX } else { BATCH_ROWS };
    loop {
        let more = reading.fill(&mut batch, most)?;
        reading.tell(progress)?;
        if !whole && !batch.is_empty() {
            sink(&batch)?;
            batch.clear();
        }
        if !more {
            break;
        }
    }
    if whole {
        hand_over_by_time(&batch, sink)?;
    }
    Ok(reading.finish()?)
}

/// A run of the reader.
struct Reading<'a> {
    options: &'a ReadOptions,
    first: String,
    total_bytes: Option<u64>,
    meter: Meter,
    merge: Merge<'a>,
    /// Files that are not read, with their places among all.
    twins: Vec<(usize, SourceSummary)>,
    rows: Rows,
}

impl<'a> Reading<'a> {
    fn begin(names: &[PathBuf], options: &'a ReadOptions) -> Result<Reading<'a>, ReadError> {
        let inputs = inputs::expand(names)?;
        let sites = Sites::new(options.sites.clone())?;
        let roots = Roots::new(options.roots.clone())?;
        let meter = Meter::default();
        let first = inputs[0].name();
        let files = open(inputs, &sites, options, &meter)?;
        let DistinctFiles { files, twins } = twins::part(files);
        let total_bytes = files.iter().map(|file| file.input.length).sum();
        let rows = Rows::new(options, sites, roots);
        let merge = Merge::new(files, options, meter.clone());
        Ok(Reading {
            options,
            first,
            total_bytes,
            meter,
            merge,
            twins,
            rows,
        })
    }

    fn fill(&mut self, batch: &mut Requests, most: usize) -> Result<bool, ReadError> {
        self.merge.fill(&mut self.rows, batch, most)
    }

    fn tell(&self, progress: OnProgress<'_>) -> Result<(), ReadError> {
        let now = Progress {
            bytes: self.meter.bytes(),
            total_bytes: self.total_bytes,
            requests: self.rows.rows(),
        };
        match progress(now) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(ReadError::Interrupted),
        }
    }

    fn finish(self) -> Result<(Trace, ReadSummary), ReadError> {
        let mut summary = ReadSummary {
            logs: self.merge.logs(),
            ..self.rows.summary()
        };
        for source in self.merge.finish() {
            summary.add_source(source);
        }
        for (place, twin) in self.twins {
            summary.sources.insert(place, twin);
        }
        if summary.requests == 0 {
            if summary.period.is_some_and(|it| it.leaves_any_out()) {
                let (first, last) = self.rows.left_out();
                let file = self.first;
                return Err(ReadError::NothingInPeriod { file, first, last });
            }
            return Err(ReadError::NoRequests {
                file: self.first,
                lines: summary.lines,
                why: Unusable::of(&summary),
            });
        }
        summary.rules = rules(self.options, &summary, self.rows.has_no_sizes());
        let trace = self.rows.finish()?;
        if !size_limits::files_fit(&trace.objects.size, &[]) {
            return Err(ReadError::too_large(&summary));
        }
        Ok((trace, summary))
    }
}

/// The rules that were applied, in words.
fn rules(options: &ReadOptions, summary: &ReadSummary, has_no_sizes: bool) -> Vec<String> {
    if summary.sources.iter().all(is_key_only) {
        return rules_in_words::rules_of_keys();
    }
    let has_roots = !options.roots.is_empty();
    rules_in_words::rules(options.counting, options.query, has_roots, has_no_sizes)
}

pub(super) fn is_key_only(source: &SourceSummary) -> bool {
    let kind: Result<FormatKind, _> = source.format.parse();
    source.lines == 0 || kind.is_ok_and(FormatKind::is_key_only)
}

/// Looks into every file; an error when all are empty.
pub(super) fn open(
    inputs: Vec<Input>,
    sites: &Sites,
    options: &ReadOptions,
    meter: &Meter,
) -> Result<Vec<LogFile>, ReadError> {
    let alone = inputs.len() == 1;
    let files: Vec<LogFile> = inputs
        .into_iter()
        .map(|input| {
            let log_rule = sites.log_rule(&input.path);
            LogFile::open(input, log_rule, options, meter, alone)
        })
        .collect::<Result<_, _>>()?;
    if files.iter().all(|file| file.is_empty) {
        return Err(ReadError::Empty(files[0].input.name()));
    }
    Ok(files)
}

fn hand_over_by_time<E>(
    rows: &Requests,
    mut sink: impl FnMut(&Requests) -> Result<(), E>,
) -> Result<(), E> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|&row| rows.time_us[row]);
    let mut batch = Requests::default();
    for chunk in order.chunks(BATCH_ROWS) {
        batch.clear();
        chunk.iter().for_each(|&row| batch.push(rows.get(row)));
        sink(&batch)?;
    }
    Ok(())
}
