//! Several logs as one: each log is its files one after the other, and logs are merged line by line.

use super::error::ReadError;
use super::inputs::Meter;
use super::log_file::LogFile;
use super::options::ReadOptions;
use super::records::{Records, Step};
use super::rotation::{self, Parts};
use super::rows::Rows;
use super::summary::SourceSummary;
use super::workers::{Batches, Workers};
use crate::Requests;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Files of one log in time order.
struct Log {
    waiting: VecDeque<(usize, LogFile)>,
    open: Option<(usize, Records)>,
    /// Whether the open file's next request was looked at and not yet taken.
    peeked: bool,
    /// Running maximum of the times so far, with that of the request that is next: what the log is
    /// merged by. Lines of one log keep their order, though their times step back now and then.
    high_us: i64,
}

/// All logs, and what is needed to read them.
pub(super) struct Merge<'a> {
    options: &'a ReadOptions,
    meter: Meter,
    workers: Workers,
    block_bytes: usize,
    logs: Vec<Log>,
    /// Logs that have more, the next one first; equal times go by the order of the logs.
    next: BinaryHeap<Reverse<(i64, usize)>>,
    done: Vec<(usize, SourceSummary)>,
}

/// Where records go, until there are enough of them.
struct Sink<'a> {
    rows: &'a mut Rows,
    batch: &'a mut Requests,
    /// Rows that the batch is to hold.
    most: usize,
    records_left: u64,
}

impl Sink<'_> {
    #[inline]
    fn is_full(&self) -> bool {
        self.batch.len() >= self.most || self.records_left == 0
    }

    /// Records that it takes, at least one.
    #[inline]
    fn room(&self) -> usize {
        let rows = self.most.saturating_sub(self.batch.len());
        rows.min(self.records_left as usize).max(1)
    }

    /// Counts records looked at.
    #[inline]
    fn used(&mut self, records: u64) {
        self.records_left = self.records_left.saturating_sub(records);
    }
}

/// Records looked at before [`Merge::fill`] returns, rows or not, so that progress is shown and a stop
/// is noticed in a file full of rejected lines.
const MAX_RECORDS: u64 = 1 << 17;

/// Blocks of each log that are read ahead of the merge: enough of all of them to keep the threads busy.
fn blocks_ahead(threads: usize, logs: usize) -> u64 {
    match threads {
        1 => 1,
        _ => 1 + (2 * threads).div_ceil(logs.max(1)) as u64,
    }
}

/// Bytes of a block such that the blocks of all logs take 64 MiB at most, but for hundreds of logs.
fn block_bytes(wanted: usize, ahead: u64, logs: usize) -> usize {
    const MOST_IN_FLIGHT: usize = 64 << 20;
    const LEAST: usize = 16 << 10;
    let blocks = logs.max(1) * (ahead as usize + 1);
    wanted.min((MOST_IN_FLIGHT / blocks).max(LEAST))
}

impl<'a> Merge<'a> {
    /// Groups files into logs and looks for the one that begins first.
    pub(super) fn new(files: Vec<LogFile>, options: &'a ReadOptions, meter: Meter) -> Merge<'a> {
        let logs: Vec<Log> = rotation::logs(files).into_iter().map(Log::new).collect();
        let next = logs
            .iter()
            .enumerate()
            .map(|(index, log)| Reverse((log.high_us, index)))
            .collect();
        let threads = options.threads.get();
        let ahead = blocks_ahead(threads, logs.len());
        Merge {
            options,
            meter,
            workers: Workers::new(threads, ahead),
            block_bytes: block_bytes(options.block_bytes, ahead, logs.len()),
            logs,
            next,
            done: Vec::new(),
        }
    }

    /// Number of logs.
    pub(super) fn logs(&self) -> u64 {
        self.logs.len() as u64
    }

    /// Appends rows until `batch` holds `most`, or enough records were seen; false at the end.
    pub(super) fn fill(
        &mut self,
        rows: &mut Rows,
        batch: &mut Requests,
        most: usize,
    ) -> Result<bool, ReadError> {
        let mut sink = Sink {
            rows,
            batch,
            most,
            records_left: MAX_RECORDS,
        };
        while let Some(Reverse((_, index))) = self.next.pop() {
            let more = match self.next.peek() {
                None => self.fill_alone(index, &mut sink)?,
                Some(&Reverse(until)) => self.fill_until(index, until, &mut sink)?,
            };
            if more {
                self.next.push(Reverse((self.logs[index].high_us, index)));
            }
            if sink.is_full() {
                break;
            }
        }
        Ok(!self.next.is_empty())
    }

    /// Reads the only log that is left: no times to compare.
    fn fill_alone(&mut self, index: usize, sink: &mut Sink<'_>) -> Result<bool, ReadError> {
        // A request that the merge has looked at already goes first.
        if self.logs[index].peeked {
            self.logs[index].take(sink)?;
        }
        while self.open_next(index, sink.rows)? {
            let Some((_, records)) = &mut self.logs[index].open else {
                return Ok(false);
            };
            while !sink.is_full() {
                let most = sink.room();
                match records.step(sink.rows, sink.batch, most)? {
                    Step::Records(records) => sink.used(records),
                    Step::Batch(lines) => sink.used(lines),
                    Step::End => {
                        self.close(index)?;
                        break;
                    }
                }
            }
            if sink.is_full() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Reads a log as long as it comes before `until`, the next of the others.
    fn fill_until(
        &mut self,
        index: usize,
        until: (i64, usize),
        sink: &mut Sink<'_>,
    ) -> Result<bool, ReadError> {
        loop {
            if !self.peek(index, sink.rows)? {
                return Ok(false);
            }
            let log = &mut self.logs[index];
            if (log.high_us, index) > until || sink.is_full() {
                return Ok(true);
            }
            sink.used(1);
            log.take(sink)?;
        }
    }

    /// Makes the log's next request known; false at its end.
    fn peek(&mut self, index: usize, rows: &mut Rows) -> Result<bool, ReadError> {
        while !self.logs[index].peeked {
            if !self.open_next(index, rows)? {
                return Ok(false);
            }
            if !self.logs[index].peek(rows)? {
                self.close(index)?;
            }
        }
        Ok(true)
    }

    /// Opens the log's next file where none is open; false where none is left.
    fn open_next(&mut self, index: usize, rows: &mut Rows) -> Result<bool, ReadError> {
        if self.logs[index].open.is_some() {
            return Ok(true);
        }
        let Some((number, file)) = self.logs[index].waiting.pop_front() else {
            return Ok(false);
        };
        let site = rows.site_of_log(file.log_rule).map(str::to_owned);
        let (summary, log_rule, is_range) =
            (file.summary(site), file.log_rule, file.range.is_some());
        let in_order = file.parsers.parser();
        let batches = self.batches(file, rows)?;
        let mut records = Records::of(summary, log_rule, in_order, batches, self.options);
        records.is_range = is_range;
        self.logs[index].open = Some((number, records));
        Ok(true)
    }

    fn batches(&self, file: LogFile, rows: &Rows) -> Result<Batches, ReadError> {
        let (parsers, is_in_order, log_rule) =
            (file.parsers.clone(), file.is_in_order, file.log_rule);
        let blocks = file.blocks(&self.meter, self.block_bytes)?;
        Ok(self
            .workers
            .read(blocks, parsers, is_in_order, log_rule, rows.names()))
    }

    fn close(&mut self, index: usize) -> Result<(), ReadError> {
        if let Some((number, records)) = self.logs[index].open.take() {
            self.done.push((number, records.finish()?));
        }
        Ok(())
    }

    /// What was read of each file, in the order given.
    pub(super) fn finish(mut self) -> Vec<SourceSummary> {
        self.done.sort_by_key(|(number, _)| *number);
        self.done.into_iter().map(|(_, summary)| summary).collect()
    }
}

impl Log {
    fn new(parts: Parts) -> Log {
        let high_us = parts.first().map_or(i64::MIN, |(_, file)| file.first_us);
        Log {
            waiting: parts.into(),
            open: None,
            peeked: false,
            high_us,
        }
    }

    /// Looks at the next request of the open file; false at its end.
    fn peek(&mut self, rows: &mut Rows) -> Result<bool, ReadError> {
        let Some((_, records)) = &mut self.open else {
            return Ok(false);
        };
        let Some(time) = records.peek(rows)? else {
            return Ok(false);
        };
        self.high_us = self.high_us.max(time.unwrap_or(i64::MIN));
        self.peeked = true;
        Ok(true)
    }

    /// Hands over the request looked at.
    fn take(&mut self, sink: &mut Sink<'_>) -> Result<(), ReadError> {
        self.peeked = false;
        match &mut self.open {
            Some((_, records)) => records.take(sink.rows, sink.batch),
            None => Ok(()),
        }
    }
}
