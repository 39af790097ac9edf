//! What `hotset probe database --json` writes, read back.

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
    /// The name of its database.
    #[must_use]
    pub fn database(&self) -> &str {
        self.name
            .split_once('.')
            .map_or("", |(database, _)| database)
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
        let mut text = String::new();
        let file = File::open(path).map_err(|error| refused(error.to_string()))?;
        let read = file.take(MOST_BYTES).read_to_string(&mut text);
        read.map_err(|error| refused(error.to_string()))?;
        Self::from_json(&text).map_err(refused)
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
        if has_innodb && !PAGES.contains(&self.page_bytes) {
            return Err(format!("`page_bytes` is {}", self.page_bytes));
        }
        if !(self.observed_seconds.is_finite() && self.observed_seconds > 0.0) {
            return Err(format!("`observed_seconds` is {}", self.observed_seconds));
        }
        let is_count = |number: f64| number.is_finite() && number >= 0.0;
        let wrong = self.tables.iter().find(|it| {
            !is_count(it.page_reads_per_hour.unwrap_or(0.0)) || !is_count(it.rows_read_per_hour)
        });
        match wrong {
            Some(table) => Err(format!("the reads of `{}` are no count", table.name)),
            None => Ok(()),
        }
    }

    /// Whether it counted reads of files.
    #[must_use]
    pub fn counts_page_reads(&self) -> bool {
        let mut tables = self.tables.iter();
        tables.all(|it| it.page_reads_per_hour.is_some())
    }
}
