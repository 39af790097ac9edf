//! Rows and pages that tables have read.

use std::collections::HashMap;
use std::path::Path;

use super::client::Client;
use super::error::DatabaseProbeError;
use super::files::table_of;
use super::findings::TableName;

const ROWS: &str =
    "SELECT TABLE_SCHEMA, TABLE_NAME, ROWS_READ FROM information_schema.TABLE_STATISTICS";
const READS: &str = "SELECT FILE_NAME, COUNT_READ FROM performance_schema.file_summary_by_instance WHERE COUNT_READ > 0";

/// A count for each table.
type Counts = HashMap<TableName, u64>;

/// What a server has counted until now.
pub(super) struct Counters {
    rows: Counts,
    /// Of files; none where the server does not count them.
    reads: Option<Counts>,
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
        Ok(Self { rows, reads })
    }

    /// Rows of a table that were read since `before`.
    pub fn rows_since(&self, before: &Counters, table: &TableName) -> u64 {
        since(&self.rows, &before.rows, table)
    }

    /// Reads of its files since then, where the server counts them.
    pub fn reads_since(&self, before: &Counters, table: &TableName) -> Option<u64> {
        let (now, before) = (self.reads.as_ref()?, before.reads.as_ref()?);
        Some(since(now, before, table))
    }
}

/// All partitions and files of a table together.
fn file_reads(client: &Client<'_>) -> Result<Counts, DatabaseProbeError> {
    let mut reads = Counts::new();
    for [file, count] in client.rows::<2>(READS)? {
        if let Some(table) = table_of(Path::new(&file)) {
            *reads.entry(table).or_default() += number(client, READS, &count)?;
        }
    }
    Ok(reads)
}

/// A table that was made anew meanwhile counts from nothing.
fn since(now: &Counts, before: &Counts, table: &TableName) -> u64 {
    let of = |counts: &Counts| counts.get(table).copied().unwrap_or(0);
    of(now).saturating_sub(of(before))
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
