//! What `hotset probe database --json` writes, read back.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

/// What was measured of a database server.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ProbedDatabase {
    /// The socket that it listens on.
    pub socket: PathBuf,
    /// Its version.
    pub version: String,
    /// Its buffer pool, bytes.
    pub pool_bytes: u64,
    /// A page of InnoDB, bytes.
    pub page_bytes: u64,
    /// How InnoDB reads and writes files.
    pub flush_method: String,
    /// Whether pages that InnoDB reads pass the page cache.
    pub reads_through_page_cache: bool,
    /// How long reads were counted, seconds.
    pub observed_seconds: f64,
    /// Its tables.
    pub tables: Vec<ProbedTable>,
    /// Tables of which nothing can be said.
    #[serde(default)]
    pub left_out: Vec<UnknownTable>,
}

/// What was measured of a table.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ProbedTable {
    /// Its database and its name, with a point between.
    pub name: String,
    /// Its database; none in files of older versions.
    pub database: Option<String>,
    /// Its engine, as the server calls it.
    pub engine: String,
    /// Its rows and indexes, bytes.
    pub bytes: u64,
    /// Of these in the buffer pool for InnoDB, in the page cache for other engines.
    pub resident_bytes: Option<u64>,
    /// Bytes of its files in the page cache.
    pub page_cache_bytes: Option<u64>,
    /// Reads of its files in an hour.
    pub page_reads_per_hour: Option<f64>,
    /// Rows that were read in an hour.
    pub rows_read_per_hour: f64,
}

/// A table of which nothing can be said.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct UnknownTable {
    /// Its database and its name, with a point between.
    pub name: String,
    /// Why not.
    pub reason: String,
}

impl ProbedTable {
    /// The name of its database; up to the first point of its name where the file does not say it.
    #[must_use]
    pub fn database(&self) -> &str {
        let before_point = || self.name.split_once('.').map_or("", |(it, _)| it);
        self.database.as_deref().unwrap_or_else(before_point)
    }

    /// Whether it is of InnoDB.
    #[must_use]
    pub fn is_innodb(&self) -> bool {
        self.engine.eq_ignore_ascii_case("InnoDB")
    }
}

/// Why what was measured cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: {message}; name a file that `hotset probe database --json` has written", .path.display())]
pub struct ProbedDatabaseError {
    path: PathBuf,
    message: String,
}

/// Room for half a million tables of about 250 bytes each.
const MOST_BYTES: u64 = 128 << 20;
/// The smallest and the largest page that InnoDB has (`innodb_page_size`), bytes.
const PAGES: std::ops::RangeInclusive<u64> = 4096..=65536;
/// What MariaDB has as `innodb_flush_method`.
const FLUSH_METHODS: [&str; 6] = [
    "fsync",
    "O_DSYNC",
    "littlesync",
    "nosync",
    "O_DIRECT",
    "O_DIRECT_NO_FSYNC",
];
/// No server reads more in an hour.
const MOST_READS: f64 = 1e12;
/// A server estimates how large a table is. More than so many times of that, and room for a new table, are never in memory.
const MOST_TIMES: u64 = 4;
const NEW_TABLE_BYTES: u64 = 1 << 20;

impl ProbedDatabase {
    /// What the file at `path` says.
    ///
    /// # Errors
    /// A file that cannot be read, that is none of `hotset probe database`, or whose figures cannot be.
    pub fn load(path: &Path) -> Result<Self, ProbedDatabaseError> {
        let refused = |message: String| ProbedDatabaseError {
            path: path.to_owned(),
            message,
        };
        let mut bytes = Vec::new();
        let file = File::open(path).map_err(|error| refused(error.to_string()))?;
        let read = file.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        read.map_err(|error| refused(error.to_string()))?;
        if bytes.len() as u64 > MOST_BYTES {
            return Err(refused(format!("is larger than {} MiB", MOST_BYTES >> 20)));
        }
        let text = std::str::from_utf8(&bytes).map_err(|error| refused(error.to_string()))?;
        Self::from_json(text).map_err(refused)
    }

    /// What this text says.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(text: &str) -> Result<Self, String> {
        let probed: Self = serde_json::from_str(text).map_err(|error| error.to_string())?;
        probed.check()?;
        Ok(probed)
    }

    fn check(&self) -> Result<(), String> {
        let has_innodb = self.tables.iter().any(ProbedTable::is_innodb);
        if has_innodb {
            self.check_innodb()?;
        }
        if !(self.observed_seconds.is_finite() && self.observed_seconds > 0.0) {
            return Err(format!("`observed_seconds` is {}", self.observed_seconds));
        }
        let mut names = BTreeSet::new();
        for table in &self.tables {
            if !names.insert((table.database(), table.name.as_str())) {
                return Err(format!("`{}` is there twice", table.name));
            }
            self.check_table(table)?;
        }
        Ok(())
    }

    /// What InnoDB has, where there are tables of it.
    fn check_innodb(&self) -> Result<(), String> {
        if !PAGES.contains(&self.page_bytes) {
            return Err(format!("`page_bytes` is {}", self.page_bytes));
        }
        if self.pool_bytes < self.page_bytes {
            return Err(format!("`pool_bytes` is {}", self.pool_bytes));
        }
        let method = self.flush_method.as_str();
        if !FLUSH_METHODS
            .iter()
            .any(|it| it.eq_ignore_ascii_case(method))
        {
            return Err(format!(
                "`flush_method` is `{method}`, which is none of {}",
                FLUSH_METHODS.join(", ")
            ));
        }
        let is_direct = method.to_ascii_uppercase().starts_with("O_DIRECT");
        match is_direct == self.reads_through_page_cache {
            true => Err(format!(
                "`reads_through_page_cache` is {}, which `flush_method` `{method}` denies",
                self.reads_through_page_cache
            )),
            false => Ok(()),
        }
    }

    fn check_table(&self, table: &ProbedTable) -> Result<(), String> {
        let name = &table.name;
        let is_count = |number: f64| (0.0..=MOST_READS).contains(&number);
        if !is_count(table.page_reads_per_hour.unwrap_or(0.0))
            || !is_count(table.rows_read_per_hour)
        {
            return Err(format!(
                "the reads of `{name}` are no count, or more than {MOST_READS} in an hour"
            ));
        }
        let resident = table.resident_bytes.unwrap_or(0);
        if table.is_innodb() && resident > self.pool_bytes {
            return Err(format!(
                "`resident_bytes` of `{name}` is {resident}, and the buffer pool has {} bytes",
                self.pool_bytes
            ));
        }
        let most = table.bytes.saturating_mul(MOST_TIMES);
        match resident > most.saturating_add(NEW_TABLE_BYTES) {
            true => Err(format!(
                "`resident_bytes` of `{name}` is {resident}, and the table has {} bytes",
                table.bytes
            )),
            false => Ok(()),
        }
    }

    /// Whether it counted reads of files.
    #[must_use]
    pub fn counts_page_reads(&self) -> bool {
        let mut tables = self.tables.iter();
        tables.all(|it| it.page_reads_per_hour.is_some())
    }
}
