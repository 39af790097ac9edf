//! One file: opened, its format chosen, its records parsed one by one.

use super::decompress::content;
use super::error::ReadError;
use super::framing::{Frame, Frames};
use super::inputs::{Input, Meter};
use super::rows::Rows;
use super::summary::{Example, Reason, Rejects, SourceSummary};
use super::{FormatChoice, ReadOptions};
use crate::Requests;
use crate::formats::{Format, FormatKind, Framing, Record, Reject, detect};

/// A file whose records are read.
pub(super) struct Source {
    frames: Frames,
    format: Box<dyn Format>,
    /// The rule for logs that takes it ([`super::sites::Sites::log`]).
    log: usize,
    summary: SourceSummary,
    rejects: Rejects,
    last_us: Option<i64>,
    strict: bool,
    max_rejected_share: f64,
    /// Rejected lines at which their share is looked at next.
    next_check: u64,
}

/// Rejected lines before their share is looked at in the middle of a file, and at every doubling from
/// there: a large file of another format should not be read to its end, and a log may begin with some
/// noise.
const FIRST_CHECK: u64 = 10_000;

/// What is known of a file before its turn comes.
pub(super) struct Probed {
    pub(super) input: Input,
    pub(super) log: usize,
    /// Time of its first request; the smallest number where it has none.
    pub(super) first_us: i64,
    choice: FormatChoice,
    why: String,
    /// Whether nothing is in it.
    pub(super) is_empty: bool,
    /// The opened file, kept where it cannot be opened again.
    frames: Option<Frames>,
}

impl Probed {
    /// Opens `input`, chooses its format and finds its first time. Files that can be opened again are
    /// closed unless `keep_open`, so that any number of them can wait.
    pub(super) fn new(
        input: Input,
        log: usize,
        options: &ReadOptions,
        meter: &Meter,
        keep_open: bool,
    ) -> Result<Probed, ReadError> {
        let keep_open = keep_open || input.length().is_none();
        let unused = Meter::default();
        let mut opened = open(&input, if keep_open { meter } else { &unused })?;
        let chosen = choose(&input, &opened, options);
        let (choice, why) = chosen.map_err(|error| opened.damage(&input).unwrap_or(error))?;
        let mut frames = opened.frames;
        let is_empty = frames.block().is_empty();
        let mut format = choice.build();
        frames.cut_by(format.framing());
        let first_us = first_time(&frames, format.as_mut()).unwrap_or(i64::MIN);
        let frames = keep_open.then_some(frames);
        Ok(Probed {
            input,
            log,
            first_us,
            choice,
            why,
            is_empty,
            frames,
        })
    }

    /// Begins to read.
    pub(super) fn start(
        self,
        site: Option<String>,
        options: &ReadOptions,
        meter: &Meter,
    ) -> Result<Source, ReadError> {
        let format = self.choice.build();
        let mut frames = match self.frames {
            Some(frames) => frames,
            None => open(&self.input, meter)?.frames,
        };
        frames.cut_by(format.framing());
        let name = if self.is_empty { "" } else { format.name() };
        let summary = SourceSummary {
            format: name.into(),
            why: self.why,
            site,
            ..SourceSummary::new(self.input.name())
        };
        Ok(Source {
            frames,
            format,
            log: self.log,
            summary,
            rejects: Rejects::default(),
            last_us: None,
            strict: options.strict,
            max_rejected_share: options.max_rejected_share,
            next_check: FIRST_CHECK,
        })
    }
}

/// An opened file.
struct Opened {
    frames: Frames,
    /// Bytes after decompression, where known.
    length: Option<u64>,
}

impl Opened {
    /// Why no format reads the file, where its compressed data are damaged: bzip2 gives out the bytes of
    /// a block of 900 kB before it can check them.
    fn damage(&mut self, input: &Input) -> Option<ReadError> {
        const LOOK_AHEAD_BLOCKS: usize = 8;
        let error = (0..LOOK_AHEAD_BLOCKS).find_map(|_| self.frames.next_block_only().err())?;
        Some(ReadError::of_io(&input.name(), error))
    }
}

fn open(input: &Input, meter: &Meter) -> Result<Opened, ReadError> {
    let file = input
        .open(meter)
        .map_err(|source| ReadError::of_open(input.name(), source))?;
    let failed = |error| ReadError::of_io(&input.name(), error);
    let content = content(file).map_err(failed)?;
    let frames = Frames::new(content.bytes).map_err(failed)?;
    let is_plain = content.is_plain;
    let length = frames
        .whole_length()
        .or(input.length().filter(|_| is_plain));
    Ok(Opened { frames, length })
}

/// The format of a file, and why.
fn choose(
    input: &Input,
    opened: &Opened,
    options: &ReadOptions,
) -> Result<(FormatChoice, String), ReadError> {
    if let Some(named) = &options.format {
        return Ok((named.clone(), "as asked for".into()));
    }
    let block = opened.frames.block();
    if block.is_empty() {
        return Ok((
            FormatChoice::Known(FormatKind::Combined),
            "the file is empty".into(),
        ));
    }
    let detection = detect(block, &input.name(), opened.length)?;
    Ok((FormatChoice::Known(detection.kind), detection.why))
}

/// The time of the first request in the first block.
fn first_time(frames: &Frames, format: &mut dyn Format) -> Option<i64> {
    let block = frames.block();
    let time = |record: &[u8], format: &mut dyn Format| {
        format
            .parse(record)
            .ok()
            .flatten()
            .and_then(|record| record.time_us)
    };
    match format.framing() {
        Framing::Fixed(length) => block.get(..length).and_then(|record| time(record, format)),
        Framing::Lines => block
            .split(|&byte| byte == b'\n')
            .find_map(|line| time(line, format)),
    }
}

impl Source {
    /// Moves to the next record; false at the end of the file.
    #[inline]
    fn advance(&mut self) -> Result<bool, ReadError> {
        loop {
            let frame = self.frames.advance();
            match frame.map_err(|error| ReadError::of_io(&self.summary.file, error))? {
                Frame::Record => return Ok(true),
                Frame::End => return Ok(false),
                Frame::TooLong => self.reject(Reason::TooLong)?,
                Frame::Partial => self.reject(Reason::Format(Reject::Truncated))?,
            }
        }
    }

    #[cold]
    fn reject(&mut self, reason: Reason) -> Result<(), ReadError> {
        let (line, bytes) = (self.frames.number(), self.frames.bytes());
        if self.strict {
            return Err(ReadError::Strict {
                file: self.summary.file.clone(),
                reason: reason.in_words(),
                example: Example::new(line, bytes),
            });
        }
        self.summary.rejected_lines += 1;
        self.rejects.add(reason, line, bytes);
        if self.summary.rejected_lines < self.next_check {
            return Ok(());
        }
        self.next_check *= 2;
        match self.is_mixed(line) {
            true => Err(self.mixed(line, false)),
            false => Ok(()),
        }
    }

    fn is_mixed(&self, lines: u64) -> bool {
        let rejected = self.summary.rejected_lines;
        rejected >= super::MIN_REJECTS_FOR_ERROR
            && rejected as f64 / lines.max(1) as f64 > self.max_rejected_share
    }

    /// The error that `lines` lines, among them too many rejected ones, are.
    fn mixed(&mut self, lines: u64, whole: bool) -> ReadError {
        let rejected = std::mem::take(&mut self.rejects).finish();
        let first = rejected
            .iter()
            .min_by_key(|rejected| rejected.examples[0].line);
        let example = first.map(|first| first.examples[0].clone());
        ReadError::MixedFormats {
            reason: first.map(|first| first.reason.clone()).unwrap_or_default(),
            example: Box::new(example.unwrap_or_else(|| Example::new(0, b""))),
            file: self.summary.file.clone(),
            format: self.summary.format.clone(),
            rejected: self.summary.rejected_lines,
            lines,
            whole,
        }
    }

    /// Hands the next record to `rows`, whose rows go to `to`; false at the end of the file.
    #[inline]
    pub(super) fn step(&mut self, rows: &mut Rows, to: &mut Requests) -> Result<bool, ReadError> {
        if !self.advance()? {
            return Ok(false);
        }
        self.take(rows, to)?;
        Ok(true)
    }

    /// Hands the current record to `rows`.
    ///
    /// After [`Source::peek`] it is parsed again: a record borrows from the buffer, and ids are to be
    /// given in the order of the merged rows.
    #[inline]
    pub(super) fn take(&mut self, rows: &mut Rows, to: &mut Requests) -> Result<(), ReadError> {
        let reject = match self.format.parse(self.frames.bytes()) {
            Ok(Some(record)) if !is_plausible(&record) => Reject::BadSize,
            Ok(Some(record)) => {
                let last_us = self.last_us;
                see_time(&mut self.last_us, &mut self.summary, &record);
                self.summary.requests += 1;
                return rows.add(self.log, &record, last_us, to);
            }
            Ok(None) => {
                self.summary.without_request += 1;
                return Ok(());
            }
            Err(reject) => reject,
        };
        self.reject(Reason::Format(reject))
    }

    /// Moves to the next record with a request and tells its time, leaving it to [`Source::take`].
    /// Outer none: the end of the file.
    pub(super) fn peek(&mut self) -> Result<Option<Option<i64>>, ReadError> {
        while self.advance()? {
            match self.format.parse(self.frames.bytes()) {
                Ok(Some(record)) if !is_plausible(&record) => {
                    self.reject(Reason::Format(Reject::BadSize))?;
                }
                Ok(Some(record)) => return Ok(Some(record.time_us)),
                Ok(None) => self.summary.without_request += 1,
                Err(reject) => self.reject(Reason::Format(reject))?,
            }
        }
        Ok(None)
    }

    /// What was read; an error where too large a share of it was rejected.
    pub(super) fn finish(mut self) -> Result<SourceSummary, ReadError> {
        let lines = self.frames.number();
        if self.is_mixed(lines) {
            return Err(self.mixed(lines, true));
        }
        self.summary.lines = lines;
        self.summary.rejected = self.rejects.finish();
        Ok(self.summary)
    }
}

/// Whether a file can be as large as the record says.
#[inline]
fn is_plausible(record: &Record<'_>) -> bool {
    record
        .bytes
        .max(record.size)
        .is_none_or(|bytes| bytes <= crate::MAX_OBJECT_BYTES)
}

#[inline]
fn see_time(last_us: &mut Option<i64>, summary: &mut SourceSummary, record: &Record<'_>) {
    if let Some(now) = record.time_us {
        if let Some(before) = *last_us {
            summary.steps_back.see(before, now);
        }
        *last_us = Some(now);
    }
}
