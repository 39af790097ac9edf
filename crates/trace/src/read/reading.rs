//! From log files to columns.
//!
//! The way of a line: [`inputs`](self) finds the files, which are decompressed by their first bytes,
//! cut into records, parsed by their [`crate::formats::Format`], merged with the lines of other logs,
//! and become rows: site by rule, client and object by interning. Memory goes by distinct objects and
//! clients, not by lines, as long as rows are taken in batches ([`read_batches`]).

mod decompress;
mod error;
mod framing;
mod inputs;
mod intern;
mod merge;
mod objects;
mod options;
mod queue;
mod roots;
mod rows;
mod rules;
mod sites;
mod source;
mod summary;

pub use error::ReadError;
pub use options::{DEFAULT_MAX_REJECTED_SHARE, FormatChoice, Order, ReadOptions};
pub use roots::{RootFile, RootRule, Roots};
pub use rules::{CountingRule, QueryRule, STATIC_TYPES};
pub use sites::SiteRule;
pub use summary::{Example, NotFiles, ReadSummary, Rejected, SourceSummary, StepsBack};

use crate::formats::FormatKind;
use crate::{Requests, Trace, totals};
use inputs::{Input, Meter};
use merge::Merge;
use rows::Rows;
use sites::Sites;
use source::Probed;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Fewest rejected lines of a file that can make it an error: short logs have odd lines too.
pub const MIN_REJECTS_FOR_ERROR: u64 = 20;

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
    if !totals::files_fit(&trace.objects.size, &trace.requests.object)
        || !totals::responses_fit(&trace.requests)
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
    rows: Rows,
}

impl<'a> Reading<'a> {
    fn begin(names: &[PathBuf], options: &'a ReadOptions) -> Result<Reading<'a>, ReadError> {
        let inputs = inputs::expand(names)?;
        let sites = Sites::new(options.sites.clone())?;
        let roots = Roots::new(options.roots.clone())?;
        let meter = Meter::default();
        let first = inputs[0].name();
        let total_bytes = inputs.iter().map(Input::length).sum();
        let files = probe(inputs, &sites, options, &meter)?;
        let key = (!options.keep_clients).then_some(options.client_key);
        let rows = Rows::new((options.counting, options.query), sites, roots, key);
        let merge = Merge::new(files, options, meter.clone());
        Ok(Reading {
            options,
            first,
            total_bytes,
            meter,
            merge,
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
        let (counting, query) = (self.options.counting, self.options.query);
        let mut summary = ReadSummary {
            rules: rules::in_words(counting, query, !self.options.roots.is_empty()),
            counting_rule: counting,
            query_rule: query,
            logs: self.merge.logs(),
            requests: self.rows.rows(),
            accesses: self.rows.accesses,
            dropped_with_parameters: self.rows.dropped_with_parameters,
            not_files: self.rows.not_files,
            ..ReadSummary::default()
        };
        for source in self.merge.finish() {
            summary.add_source(source);
        }
        if summary.requests == 0 {
            return Err(ReadError::NoRequests {
                file: self.first,
                lines: summary.lines,
            });
        }
        if summary.sources.iter().all(is_key_only) {
            summary.rules = rules::of_keys_in_words();
        } else if self.rows.tells_no_sizes()
            && let Some(size) = summary.rules.last_mut()
        {
            *size = rules::UNKNOWN_SIZES.into();
        }
        let trace = self.rows.finish()?;
        if !totals::files_fit(&trace.objects.size, &[]) {
            return Err(ReadError::too_large(&summary));
        }
        Ok((trace, summary))
    }
}

fn is_key_only(source: &SourceSummary) -> bool {
    let kind: Result<FormatKind, _> = source.format.parse();
    source.lines == 0 || kind.is_ok_and(FormatKind::is_key_only)
}

/// Looks into every file; an error when all are empty.
fn probe(
    inputs: Vec<Input>,
    sites: &Sites,
    options: &ReadOptions,
    meter: &Meter,
) -> Result<Vec<Probed>, ReadError> {
    let alone = inputs.len() == 1;
    let files: Vec<Probed> = inputs
        .into_iter()
        .map(|input| {
            let log = sites.log(input.path());
            Probed::new(input, log, options, meter, alone)
        })
        .collect::<Result<_, _>>()?;
    if files.iter().all(|file| file.is_empty) {
        return Err(ReadError::Empty {
            file: files[0].input.name(),
        });
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
