//! The records of one file: cut, parsed one by one, rejected or handed over as rows.

use super::error::ReadError;
use super::framing::{Frame, Frames};
use super::inputs::Meter;
use super::log_file::LogFile;
use super::options::ReadOptions;
use super::plausibility::implausible;
use super::rejects::{Reason, Rejects};
use super::rows::Rows;
use super::summary::{Example, SourceSummary};
use crate::Requests;
use crate::formats::{Format, Record, Reject};

/// A file whose records are read.
pub(super) struct Records {
    frames: Frames,
    format: Box<dyn Format>,
    log_rule: usize,
    summary: SourceSummary,
    rejects: Rejects,
    last_us: Option<i64>,
    strict: bool,
}

impl Records {
    /// Begins to read `file`, whose requests belong to `site` where a rule for logs says so.
    pub(super) fn of(
        mut file: LogFile,
        site: Option<String>,
        options: &ReadOptions,
        meter: &Meter,
    ) -> Result<Records, ReadError> {
        let format = file.parser();
        let mut frames = file.frames(meter)?;
        frames.cut_by(format.framing());
        let name = if file.is_empty {
            ""
        } else {
            file.choice.name()
        };
        let summary = SourceSummary {
            format: name.into(),
            why: file.why,
            doubt: file.doubt,
            site,
            ..SourceSummary::new(file.input.name())
        };
        Ok(Records {
            frames,
            format,
            log_rule: file.log_rule,
            summary,
            rejects: Rejects::new(options.max_rejected_share),
            last_us: None,
            strict: options.strict,
        })
    }

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
        match self.rejects.add(reason, line, bytes) {
            true => Err(self.too_many_rejects(line, false)),
            false => Ok(()),
        }
    }

    /// The error that `lines` lines, among them too many rejected ones, are.
    fn too_many_rejects(&mut self, lines: u64, whole: bool) -> ReadError {
        let count = self.rejects.count();
        let rejected = std::mem::replace(&mut self.rejects, Rejects::new(0.0)).finish();
        let first = rejected
            .iter()
            .min_by_key(|rejected| rejected.examples[0].line);
        let example = first.map(|first| first.examples[0].clone());
        ReadError::MixedFormats {
            reason: first.map(|first| first.reason.clone()).unwrap_or_default(),
            example: Box::new(example.unwrap_or_else(|| Example::new(0, b""))),
            file: self.summary.file.clone(),
            format: self.summary.format.clone(),
            rejected: count,
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
    /// After [`Records::peek`] it is parsed again: a record borrows from the buffer, and ids are to be
    /// given in the order of the merged rows.
    #[inline]
    pub(super) fn take(&mut self, rows: &mut Rows, to: &mut Requests) -> Result<(), ReadError> {
        let reject = match self.format.parse(self.frames.bytes()) {
            Ok(Some(record)) => match implausible(&record) {
                Some(reject) => reject,
                None => {
                    let last_us = self.last_us;
                    note_time(&mut self.last_us, &mut self.summary, &record);
                    self.summary.requests += 1;
                    return rows.add(self.log_rule, &record, last_us, to);
                }
            },
            Ok(None) => {
                self.summary.without_request += 1;
                return Ok(());
            }
            Err(reject) => reject,
        };
        self.reject(Reason::Format(reject))
    }

    /// Moves to the next record with a request and tells its time, leaving it to [`Records::take`].
    /// Outer none: the end of the file.
    pub(super) fn peek(&mut self) -> Result<Option<Option<i64>>, ReadError> {
        while self.advance()? {
            let reject = match self.format.parse(self.frames.bytes()) {
                Ok(Some(record)) => match implausible(&record) {
                    Some(reject) => reject,
                    None => return Ok(Some(record.time_us)),
                },
                Ok(None) => {
                    self.summary.without_request += 1;
                    continue;
                }
                Err(reject) => reject,
            };
            self.reject(Reason::Format(reject))?;
        }
        Ok(None)
    }

    /// What was read; an error where too large a share of it was rejected.
    pub(super) fn finish(mut self) -> Result<SourceSummary, ReadError> {
        let lines = self.frames.number();
        if self.rejects.are_too_many(lines) {
            return Err(self.too_many_rejects(lines, true));
        }
        self.summary.lines = lines;
        self.summary.rejected_lines = self.rejects.count();
        self.summary.rejected = self.rejects.finish();
        Ok(self.summary)
    }
}

/// Keeps the time of a record, and counts it where it steps back.
#[inline]
fn note_time(last_us: &mut Option<i64>, summary: &mut SourceSummary, record: &Record<'_>) {
    if let Some(now) = record.time_us {
        if let Some(before) = *last_us {
            summary.steps_back.note(before, now);
        }
        *last_us = Some(now);
    }
}
