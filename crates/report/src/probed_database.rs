//! `hotset probe database`: what the tables of a server hold in memory, and what they read.

use hotset_probe::{DatabaseFindings, LeftOutTable, TableFindings};
use serde::Serialize;

use crate::{Document, Json, Table, Tone, View, number};

/// What was found of a server's tables.
pub struct ProbedDatabaseView {
    /// The figures.
    pub findings: DatabaseFindings,
}

/// What `hotset probe database --json` prints.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Value<'a> {
    /// The socket that the server listens on.
    socket: String,
    /// Its version, as it says it.
    version: &'a str,
    /// Its buffer pool.
    pool_bytes: u64,
    /// A page of InnoDB.
    page_bytes: u64,
    /// How InnoDB reads and writes files, as its setting innodb_flush_method has it.
    flush_method: &'a str,
    /// Whether holding files of InnoDB in the page cache saves reads; not with O_DIRECT.
    reads_through_page_cache: bool,
    /// How long reads were counted.
    observed_seconds: f64,
    /// Its tables, the most read one first.
    tables: &'a [TableFindings],
    /// Tables of which nothing can be said.
    left_out: &'a [LeftOutTable],
}

/// What is said where the server does not count reads of files. Memory was measured with 10.11.
const WITHOUT_FILE_READS: &str = "Reads of files were not counted: the server runs without performance_schema. \
    Set performance_schema=ON in its configuration and restart it. It takes about 105 MB of memory.";
/// What is said where the page cache is of no use to InnoDB.
const PAST_PAGE_CACHE: &str = "InnoDB reads past the page cache, so holding its files there saves no reads; its buffer pool does. \
    It reads through the page cache with innodb_flush_method=fsync, from version 11 on with innodb_data_file_buffering=ON.";

impl View for ProbedDatabaseView {
    /// The server, its tables, and what could not be seen.
    fn document(&self) -> Document<'_> {
        let findings = &self.findings;
        let mut to = Document::new(self.headline(), Tone::Strong);
        to.table(move |_| self.tables()).heading("Tables");
        let without = (!findings.counts_file_reads).then(|| WITHOUT_FILE_READS.to_owned());
        to.paragraph(without);
        let past = (!findings.reads_through_page_cache()).then(|| PAST_PAGE_CACHE.to_owned());
        to.paragraph(past);
        to.table(move |_| self.left_out()).heading("Left out");
        to
    }

    fn value(&self) -> impl Json {
        let findings = &self.findings;
        Value {
            socket: findings.socket.display().to_string(),
            version: &findings.version,
            pool_bytes: findings.pool_bytes,
            page_bytes: findings.page_bytes,
            flush_method: &findings.flush_method,
            reads_through_page_cache: findings.reads_through_page_cache(),
            observed_seconds: findings.observed_seconds,
            tables: &findings.tables,
            left_out: &findings.left_out,
        }
    }
}

impl ProbedDatabaseView {
    fn headline(&self) -> String {
        let findings = &self.findings;
        format!(
            "{}: {}, buffer pool {}, {}; {} in {}.",
            findings.socket.display(),
            findings.version,
            number::bytes(findings.pool_bytes),
            findings.flush_method,
            number::counted(findings.tables.len() as u64, "table", "tables"),
            number::duration(findings.observed_seconds * 1e6),
        )
    }

    fn tables(&self) -> impl Into<Table> {
        Table::of(&self.findings.tables)
            .text("table", |it| &it.name)
            .text("engine", |it| &it.engine)
            .bytes("size", |it| it.bytes)
            .bytes("in memory", |it| it.resident_bytes)
            .bytes("in the page cache", |it| it.page_cache_bytes)
            .plain("page reads/h", |it| it.page_reads_per_hour)
            .plain("rows read/h", |it| it.rows_read_per_hour)
            .without_unknown_columns()
    }

    fn left_out(&self) -> impl Into<Table> {
        Table::of(&self.findings.left_out)
            .text("table", |it| &it.name)
            .flexible("why", |it| &it.reason)
    }
}
