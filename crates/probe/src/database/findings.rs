//! What was found of a server's tables.

use std::path::PathBuf;

use hotset_scenario::{ProbedDatabase, ProbedTable, UnknownTable};
use serde::Serialize;

/// A table of a database of a server.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableName {
    /// The database.
    pub database: String,
    /// The table.
    pub table: String,
}

impl TableName {
    /// As it is shown: `database.table`.
    pub fn shown(&self) -> String {
        format!("{}.{}", self.database, self.table)
    }
}

/// What was found of a server's tables.
#[derive(Clone, Debug, PartialEq)]
pub struct DatabaseFindings {
    /// The socket that it listens on.
    pub socket: PathBuf,
    /// Its version, as it says it.
    pub version: String,
    /// Its buffer pool, bytes.
    pub pool_bytes: u64,
    /// A page of InnoDB, bytes.
    pub page_bytes: u64,
    /// How InnoDB reads and writes files (`innodb_flush_method`).
    pub flush_method: String,
    /// How long it was looked at, seconds.
    pub observed_seconds: f64,
    /// Its tables, the most read one first.
    pub tables: Vec<TableFindings>,
    /// Tables of which nothing can be said.
    pub left_out: Vec<LeftOutTable>,
    /// Whether it was started with `performance_schema`, and so counts reads of files.
    pub counts_file_reads: bool,
}

/// What was found of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TableFindings {
    /// Its database and its name, with a point between.
    pub name: String,
    /// Its database.
    pub database: String,
    /// Its engine.
    pub engine: String,
    /// Its rows and indexes, bytes.
    pub bytes: u64,
    /// Of these in the buffer pool for InnoDB, in the page cache for other engines; null where this user may not look.
    pub resident_bytes: Option<u64>,
    /// Bytes of its files in the page cache; null where this user may not look.
    pub page_cache_bytes: Option<u64>,
    /// Reads of its files in an hour, of which InnoDB makes one a page; null where the server does not count them.
    pub page_reads_per_hour: Option<f64>,
    /// Rows that were read in an hour.
    pub rows_read_per_hour: f64,
}

/// A table of which nothing can be said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct LeftOutTable {
    /// Its database and its name, with a point between.
    pub name: String,
    /// Why not.
    pub reason: String,
}

impl DatabaseFindings {
    /// Whether pages of InnoDB that are read come from the page cache where they are in it.
    pub fn reads_through_page_cache(&self) -> bool {
        reads_through_page_cache(&self.flush_method)
    }
}

/// The findings as scenarios take them, which otherwise read them from a file.
impl From<DatabaseFindings> for ProbedDatabase {
    fn from(findings: DatabaseFindings) -> Self {
        let reads_through_page_cache = findings.reads_through_page_cache();
        Self {
            socket: findings.socket,
            version: findings.version,
            pool_bytes: findings.pool_bytes,
            page_bytes: findings.page_bytes,
            flush_method: findings.flush_method,
            reads_through_page_cache,
            observed_seconds: findings.observed_seconds,
            tables: findings.tables.into_iter().map(ProbedTable::from).collect(),
            left_out: findings
                .left_out
                .into_iter()
                .map(UnknownTable::from)
                .collect(),
        }
    }
}

impl From<TableFindings> for ProbedTable {
    fn from(table: TableFindings) -> Self {
        Self {
            name: table.name,
            database: Some(table.database),
            engine: table.engine,
            bytes: table.bytes,
            resident_bytes: table.resident_bytes,
            page_cache_bytes: table.page_cache_bytes,
            page_reads_per_hour: table.page_reads_per_hour,
            rows_read_per_hour: table.rows_read_per_hour,
        }
    }
}

impl From<LeftOutTable> for UnknownTable {
    fn from(table: LeftOutTable) -> Self {
        Self {
            name: table.name,
            reason: table.reason,
        }
    }
}

/// Whether a server with this `innodb_flush_method` reads its files through the page cache.
pub(super) fn reads_through_page_cache(flush_method: &str) -> bool {
    !flush_method.to_ascii_uppercase().starts_with("O_DIRECT")
}
