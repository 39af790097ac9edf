//! The records of one file: rejected or handed over as rows, one by one.

use super::batch::Batch;
use super::entry::Fields;
use super::error::ReadError;
use super::options::ReadOptions;
use super::rejects::{self, Rejects};
use super::rows::Rows;
use super::summary::{Example, SourceSummary};
use super::workers::Batches;
use crate::formats::Format;
use crate::{Request, Requests};

/// Records whose rows are put into columns together: few enough for a processor's nearest cache.
const RUN_RECORDS: usize = 128;

/// A file whose records are read.
pub(super) struct Records {
    batches: Batches,
    batch: Batch,
    /// Records and rejected records of the batch that were dealt with.
    taken: usize,
    rejected: usize,
    /// Parses the blocks that cannot be parsed apart from those before them.
    in_order: Box<dyn Format>,
    log_rule: usize,
    summary: SourceSummary,
    rejects: Rejects,
    last_us: Option<i64>,
    strict: bool,
    /// Whether not all of the file is read.
    pub(super) is_range: bool,
    /// Rows on their way into columns.
    rows: Vec<Request>,
}

/// What a step through a file came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// So many records, or a rejected one.
    Records(u64),
    /// So many lines without a request.
    Batch(u64),
    /// The end of the file.
    End,
}

impl Records {
    /// Begins with the records of a file, which come in `batches`.
    pub(super) fn of(
        summary: SourceSummary,
        log_rule: usize,
        in_order: Box<dyn Format>,
        batches: Batches,
        options: &ReadOptions,
    ) -> Records {
        Records {
            batches,
            batch: Batch::default(),
            taken: 0,
            rejected: 0,
            in_order,
            log_rule,
            summary,
            rejects: Rejects::new(options.max_rejected_share),
            last_us: None,
            strict: options.strict,
            is_range: false,
            rows: Vec::with_capacity(RUN_RECORDS),
        }
    }

    /// Exchanges the batch, all of which was dealt with, for the next one; false at the end of the file.
    fn next_batch(&mut self, rows: &mut Rows) -> Result<bool, ReadError> {
        rows.publish()?;
        self.summary.lines += self.batch.lines;
        let next = self.batches.next(std::mem::take(&mut self.batch));
        let next = next.map_err(|error| ReadError::of_io(&self.summary.file, error))?;
        let has_more = next.is_some();
        self.batch = next.unwrap_or_default();
        if self.batch.depends_on_order && self.is_range {
            return Err(ReadError::NotInRanges(self.summary.file.clone()));
        }
        if self.batch.depends_on_order {
            let names = rows.names();
            let names = names.look_up(self.log_rule);
            self.batch.parse(self.in_order.as_mut(), &names);
        }
        self.summary.without_request += self.batch.without_request;
        (self.taken, self.rejected) = (0, 0);
        Ok(has_more)
    }

    /// Deals with the next rejected record of the batch if no other record comes before it; whether there was one.
    #[inline]
    fn step_over_rejected(&mut self) -> Result<bool, ReadError> {
        match self.batch.rejected.get(self.rejected) {
            Some(rejected) if rejected.behind <= self.taken => self.reject().map(|()| true),
            _ => Ok(false),
        }
    }

    #[cold]
    fn reject(&mut self) -> Result<(), ReadError> {
        let rejected = self.batch.rejected[self.rejected];
        self.rejected += 1;
        let bytes = self.batch.rejected_bytes(&rejected);
        let (reason, line) = (rejected.reason, self.summary.lines + rejected.line);
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
        let rejected = std::mem::replace(&mut self.rejects, Rejects::new(None)).finish();
        let (reason, example) = rejects::first(&rejected).map_or_else(
            || (String::new(), Example::new(0, b"")),
            |(reason, example)| (reason.to_owned(), example.clone()),
        );
        ReadError::MixedFormats {
            reason,
            example: Box::new(example),
            file: self.summary.file.clone(),
            format: self.summary.format.clone(),
            rejected: count,
            lines,
            whole,
        }
    }

    /// Hands the next records, at most `most`, to `rows`, whose rows go to `to`.
    #[inline]
    pub(super) fn step(
        &mut self,
        rows: &mut Rows,
        to: &mut Requests,
        most: usize,
    ) -> Result<Step, ReadError> {
        if self.step_over_rejected()? {
            return Ok(Step::Records(1));
        }
        let run = self.run(most);
        if run > 0 {
            self.take_run(run, rows, to)?;
            return Ok(Step::Records(run as u64));
        }
        Ok(match self.next_batch(rows)? {
            true => Step::Batch(self.batch.without_request),
            false => Step::End,
        })
    }

    /// Records before the next rejected one and the end of the batch, at most `most` and [`RUN_RECORDS`].
    fn run(&self, most: usize) -> usize {
        let rejected = self.batch.rejected.get(self.rejected);
        let end = rejected.map_or(self.batch.fields.len(), |rejected| rejected.behind);
        (end - self.taken).min(most).min(RUN_RECORDS)
    }

    fn take_run(
        &mut self,
        run: usize,
        rows: &mut Rows,
        to: &mut Requests,
    ) -> Result<(), ReadError> {
        let mut run_rows = std::mem::take(&mut self.rows);
        run_rows.clear();
        rows.look_ahead(&self.batch.fields[self.taken..self.taken + run]);
        for _ in 0..run {
            self.hand_over(rows, |row| run_rows.push(row))?;
        }
        to.push_all(&run_rows);
        self.rows = run_rows;
        Ok(())
    }

    /// Hands the current record to `rows`.
    #[inline]
    pub(super) fn take(&mut self, rows: &mut Rows, to: &mut Requests) -> Result<(), ReadError> {
        self.hand_over(rows, |row| to.push(row))
    }

    /// Hands the current record to `rows`, and the row that it makes, if any, to `put`.
    #[inline]
    fn hand_over(&mut self, rows: &mut Rows, put: impl FnOnce(Request)) -> Result<(), ReadError> {
        let entry = self.batch.entry(self.taken);
        self.taken += 1;
        let last_us = self.last_us;
        note_time(&mut self.last_us, &mut self.summary, entry.fields);
        self.summary.requests += 1;
        rows.row(self.log_rule, &entry, last_us, put)
    }

    /// Moves to the next record with a request and tells its time, leaving it to [`Records::take`].
    /// Outer none: the end of the file.
    pub(super) fn peek(&mut self, rows: &mut Rows) -> Result<Option<Option<i64>>, ReadError> {
        loop {
            while self.step_over_rejected()? {}
            if let Some(record) = self.batch.fields.get(self.taken) {
                return Ok(Some(record.time_us()));
            }
            if !self.next_batch(rows)? {
                return Ok(None);
            }
        }
    }

    /// What was read; an error where too large a share of it was rejected.
    pub(super) fn finish(mut self) -> Result<SourceSummary, ReadError> {
        let lines = self.summary.lines;
        if self.rejects.refuse(lines, self.summary.requests) {
            return Err(self.too_many_rejects(lines, true));
        }
        self.summary.rejected_lines = self.rejects.count();
        self.summary.rejected = self.rejects.finish();
        Ok(self.summary)
    }
}

/// Keeps the time of a record, and counts it where it steps back.
#[inline]
fn note_time(last_us: &mut Option<i64>, summary: &mut SourceSummary, fields: &Fields) {
    if let Some(now) = fields.time_us() {
        if let Some(before) = *last_us {
            summary.steps_back.note(before, now);
        }
        *last_us = Some(now);
    }
}
