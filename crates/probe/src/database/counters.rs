//! Rows and pages that tables have read.

use std::collections::HashMap;
use std::hash::Hash;
use std::path::Path;
use std::time::Duration;

use super::client::Client;
use super::error::DatabaseProbeError;
use super::files::{FileTable, table_of};
use super::findings::TableName;

const ROWS: &str =
    "SELECT TABLE_SCHEMA, TABLE_NAME, ROWS_READ FROM information_schema.TABLE_STATISTICS";
const READS: &str = "SELECT FILE_NAME, COUNT_READ FROM performance_schema.file_summary_by_instance WHERE COUNT_READ > 0";
const UPTIME: &str = "SHOW GLOBAL STATUS LIKE 'Uptime'";

/// A count for each of some things.
type Counts<T> = HashMap<T, u64>;

/// What a server has counted until now.
pub(super) struct Counters {
    rows: Counts<TableName>,
    /// Of files; none where the server does not count them.
    reads: Option<Counts<String>>,
    /// For how long the server has run, seconds.
    uptime_seconds: u64,
}

/// What tables have read from one look to another.
pub(super) struct Reads {
    rows: Counts<TableName>,
    /// Of their files; none where the server does not count them.
    pages: Option<Counts<FileTable>>,
}

impl Counters {
    /// What it has counted. It counts reads of files only where it `counts_file_reads`.
    pub fn now(client: &Client<'_>, counts_file_reads: bool) -> Result<Self, DatabaseProbeError> {
        let mut rows = Counts::new();
        for [database, table, count] in client.rows::<3>(ROWS)? {
            let count = number(client, ROWS, &count)?;
            rows.insert(TableName { database, table }, count);
        }
        let reads = match counts_file_reads {
            true => Some(file_reads(client)?),
            false => None,
        };
        Ok(Self {
            rows,
            reads,
            uptime_seconds: uptime_seconds(client)?,
        })
    }

    /// Whether the server was started anew since `before`. Then it has run for less time than has passed since, or than it had then.
    pub fn are_of_another_start(&self, before: &Counters, passed: Duration) -> bool {
        self.uptime_seconds < before.uptime_seconds.max(passed.as_secs())
    }

    /// What was read since `before`.
    pub fn since(self, before: &Counters) -> Reads {
        let pages = self.reads.zip(before.reads.as_ref());
        Reads {
            rows: since(self.rows, &before.rows),
            pages: pages.map(|(now, before)| of_tables(since(now, before))),
        }
    }
}

impl Reads {
    /// Rows of a table.
    pub fn rows(&self, table: &TableName) -> u64 {
        self.rows.get(table).copied().unwrap_or(0)
    }

    /// Reads of its files, where the server counts them.
    pub fn pages(&self, table: &FileTable) -> Option<u64> {
        let pages = self.pages.as_ref()?;
        Some(pages.get(table).copied().unwrap_or(0))
    }
}

fn file_reads(client: &Client<'_>) -> Result<Counts<String>, DatabaseProbeError> {
    let mut reads = Counts::new();
    for [file, count] in client.rows::<2>(READS)? {
        let count = number(client, READS, &count)?;
        reads.insert(file, count);
    }
    Ok(reads)
}

fn uptime_seconds(client: &Client<'_>) -> Result<u64, DatabaseProbeError> {
    match client.rows::<2>(UPTIME)?.first() {
        Some([_, seconds]) => number(client, UPTIME, seconds),
        None => Err(client.unexpected(UPTIME, "")),
    }
}

/// What each count has grown by. What counts less than before was made anew meanwhile, and has counted from nothing.
fn since<T: Eq + Hash>(now: Counts<T>, before: &Counts<T>) -> Counts<T> {
    let grown = now.into_iter().map(|(of, count)| {
        let before = before.get(&of).copied().unwrap_or(0);
        (of, count.checked_sub(before).unwrap_or(count))
    });
    grown.collect()
}

/// All partitions and files of a table together.
fn of_tables(files: Counts<String>) -> Counts<FileTable> {
    let mut tables = Counts::new();
    for (file, count) in files {
        if let Some(table) = table_of(Path::new(&file)) {
            *tables.entry(table).or_default() += count;
        }
    }
    tables
}

fn number(client: &Client<'_>, statement: &str, text: &str) -> Result<u64, DatabaseProbeError> {
    text.parse().map_err(|_| client.unexpected(statement, text))
}

/// Has a server count rows until it is dropped, where it did not.
pub(super) struct RowCounting<'a> {
    client: &'a Client<'a>,
    /// Whether it is to be switched off again.
    was_off: bool,
}

impl<'a> RowCounting<'a> {
    /// Switches it on; `is_on` where it is.
    pub fn begin(client: &'a Client<'a>, is_on: bool) -> Result<Self, DatabaseProbeError> {
        if !is_on {
            client.execute("SET GLOBAL userstat = 1")?;
        }
        Ok(Self {
            client,
            was_off: !is_on,
        })
    }
}

impl Drop for RowCounting<'_> {
    fn drop(&mut self) {
        if self.was_off {
            // Best effort: a server that is gone counts nothing.
            let _ = self.client.execute("SET GLOBAL userstat = 0");
        }
    }
}
