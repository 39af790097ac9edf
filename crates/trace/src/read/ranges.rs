//! Ranges of one large log, read apart and put together as if one had read all of it.
//!
//! A range begins and ends between lines. Every reader of a range looks at the beginning of the log first, so that all read the
//! same format. What cannot be told from a range alone is refused with [`ReadError::NotInRanges`]; the log is read whole then.

use super::decompress::Compression;
use super::error::ReadError;
use super::inputs::{self, Input, Meter};
use super::log_file::LogFile;
use super::one_by_one::{LogAlone, read_alone};
use super::options::ReadOptions;
use super::reading::{OnProgress, Progress};
use super::rejects::{self, EXAMPLES};
use super::sites::Sites;
use super::summary::{Rejected, SourceSummary};
use crate::formats::Framing;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;

/// Bytes looked through at a time for the end of a line.
const LOOKED_THROUGH: usize = 64 * 1024;

/// Ranges of about `bytes` bytes, which together are all of `log`; one where it cannot be read in ranges: where it is compressed or a
/// pipe, has records without lines, or lines whose meaning depends on those before them.
///
/// # Errors
/// [`ReadError`]: the log cannot be read, or is in no known format.
pub fn ranges(log: &Path, options: &ReadOptions, bytes: u64) -> Result<Vec<Range<u64>>, ReadError> {
    let file = opened(log, options, &Meter::default())?;
    let length = file.input.length.unwrap_or(0);
    let one = |length| Ok(std::iter::once(0..length).collect());
    let is_plain = file.compression == Compression::None;
    let has_lines = file.parsers.parser().framing() == Framing::Lines;
    if !is_plain || !has_lines || file.is_in_order || length <= bytes {
        return one(length);
    }
    let name = file.input.name();
    cut(&file.input.path, length, bytes.max(1)).map_err(|error| ReadError::of_io(&name, error))
}

fn cut(path: &Path, length: u64, bytes: u64) -> io::Result<Vec<Range<u64>>> {
    let mut file = File::open(path)?;
    let (mut ranges, mut start) = (Vec::new(), 0);
    while start < length {
        let wanted = start.saturating_add(bytes).min(length);
        let end = line_begin(&mut file, wanted, length)?;
        ranges.push(start..end);
        start = end;
    }
    Ok(ranges)
}

/// Where the first line begins that does not begin before `at`; `length` where there is none.
fn line_begin(file: &mut File, at: u64, length: u64) -> io::Result<u64> {
    let mut from = at - 1;
    file.seek(SeekFrom::Start(from))?;
    let mut buffer = vec![0; LOOKED_THROUGH];
    while from < length {
        let read = file.read(&mut buffer)?;
        if let Some(end) = memchr::memchr(b'\n', &buffer[..read]) {
            return Ok((from + end as u64 + 1).min(length));
        }
        if read == 0 {
            break;
        }
        from += read as u64;
    }
    Ok(length)
}

fn opened(log: &Path, options: &ReadOptions, meter: &Meter) -> Result<LogFile, ReadError> {
    let mut inputs = inputs::expand(&[log.to_owned()])?;
    let input: Input = match (inputs.pop(), inputs.is_empty()) {
        (Some(input), true) => input,
        _ => return Err(ReadError::NotInRanges(name(log))),
    };
    let sites = Sites::new(options.sites.clone())?;
    let log_rule = sites.log_rule(&input.path);
    LogFile::open(input, log_rule, options, meter, false)
}

fn name(log: &Path) -> String {
    log.display().to_string()
}

/// Reads a range of `log` as [`super::read_one_by_one`] reads all of it. Too many rejected lines are for whoever knows all ranges:
/// [`joined_source`].
///
/// # Errors
/// [`ReadError`]; [`ReadError::NotInRanges`] where lines depend on others, or the log is shorter than the range says.
pub fn read_range(
    log: &Path,
    range: Range<u64>,
    options: &ReadOptions,
    progress: OnProgress<'_>,
) -> Result<LogAlone, ReadError> {
    let meter = Meter::default();
    let mut file = opened(log, options, &meter)?;
    if file.input.length.is_none_or(|length| length < range.end) || range.start > range.end {
        return Err(ReadError::NotInRanges(name(log)));
    }
    let total_bytes = Some(range.end - range.start);
    file.range = Some(range);
    let options = ReadOptions {
        // No share is larger.
        max_rejected_share: Some(1.0),
        ..options.clone()
    };
    read_alone(vec![file], &options, &meter, &mut |requests| {
        progress(Progress {
            bytes: meter.bytes(),
            total_bytes,
            requests,
        })
    })
}

/// How a range was read, and the times of its first and last request, microseconds since 1970-01-01 UTC.
#[derive(Clone, Debug)]
pub struct RangeSource {
    /// How it was read.
    pub source: SourceSummary,
    /// The times; none where it has no request.
    pub times_us: Option<(i64, i64)>,
}

/// How a log was read whose ranges were read like this, in their order.
///
/// # Errors
/// [`ReadError::NotInRanges`]: so many lines were rejected that it depends on their order whether the log is refused.
pub fn joined_source(
    ranges: impl IntoIterator<Item = RangeSource>,
    options: &ReadOptions,
) -> Result<SourceSummary, ReadError> {
    let joined = ranges.into_iter().reduce(followed_by);
    let source = joined.map(|it| it.source).unwrap_or_default();
    let share = options.max_rejected_share;
    match rejects::are_refused(share, source.rejected_lines, source.lines, source.requests) {
        true => Err(ReadError::NotInRanges(source.file)),
        false => Ok(source),
    }
}

fn followed_by(mut first: RangeSource, next: RangeSource) -> RangeSource {
    if let (Some((_, before)), Some((now, _))) = (first.times_us, next.times_us) {
        first.source.steps_back.note(before, now);
    }
    let lines = first.source.lines;
    for rejected in next.source.rejected {
        add_rejected(&mut first.source.rejected, rejected, lines);
    }
    let (source, more) = (&mut first.source, &next.source.steps_back);
    source.steps_back.add(*more);
    source.lines = source.lines.saturating_add(next.source.lines);
    source.requests = source.requests.saturating_add(next.source.requests);
    source.without_request = source
        .without_request
        .saturating_add(next.source.without_request);
    source.rejected_lines = source
        .rejected_lines
        .saturating_add(next.source.rejected_lines);
    first.times_us = match (first.times_us, next.times_us) {
        (Some((begin, _)), Some((_, end))) => Some((begin, end)),
        (one, other) => one.or(other),
    };
    first
}

/// Adds lines that were rejected for one reason behind so many lines.
fn add_rejected(all: &mut Vec<Rejected>, mut more: Rejected, lines: u64) {
    for example in &mut more.examples {
        example.line = example.line.saturating_add(lines);
    }
    match all.iter_mut().find(|known| known.reason == more.reason) {
        Some(known) => {
            known.count = known.count.saturating_add(more.count);
            known.examples.append(&mut more.examples);
            known.examples.truncate(EXAMPLES);
        }
        None => all.push(more),
    }
}
