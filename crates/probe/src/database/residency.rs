//! What of tables is in memory: in the buffer pool, and in the page cache.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};

use hotset_machine::{Residency, memory};

use super::client::Client;
use super::error::DatabaseProbeError;
use super::files::{FileTable, files_of, named};

const SPACES: &str =
    "SELECT SPACE, NAME FROM information_schema.INNODB_SYS_TABLES WHERE NAME LIKE '%/%'";
const PAGES: &str =
    "SELECT SPACE, COUNT(*) FROM information_schema.INNODB_BUFFER_PAGE GROUP BY SPACE";
/// The tablespace that tables share.
const SHARED: &str = "0";

/// A tablespace with rows of a table. A table with partitions has several.
pub(super) struct Space {
    /// Its number.
    number: String,
    /// The table.
    pub table: FileTable,
}

/// The tablespaces of all tables of InnoDB.
pub(super) fn spaces(client: &Client<'_>) -> Result<Vec<Space>, DatabaseProbeError> {
    let rows = client.rows::<2>(SPACES)?.into_iter();
    let space = |[number, name]: [String; 2]| {
        let (database, table) = name.split_once('/')?;
        Some(Space {
            number,
            table: named(database, table),
        })
    };
    Ok(rows.filter_map(space).collect())
}

/// Pages of tables of InnoDB in the buffer pool.
pub(super) struct Pool {
    /// By table, all its partitions together; none for tables that share a tablespace.
    pages: HashMap<FileTable, Option<u64>>,
}

impl Pool {
    /// What is in the pool now.
    pub fn now(client: &Client<'_>) -> Result<Self, DatabaseProbeError> {
        let in_pool: HashMap<String, String> = client
            .rows::<2>(PAGES)?
            .into_iter()
            .map(|[space, pages]| (space, pages))
            .collect();
        let mut pages: HashMap<FileTable, Option<u64>> = HashMap::new();
        for Space { number, table } in spaces(client)? {
            let of_table = pages.entry(table).or_insert(Some(0));
            if number == SHARED {
                *of_table = None;
            } else if let (Some(sum), Some(more)) = (of_table, in_pool.get(&number)) {
                let more: u64 = more.parse().map_err(|_| client.unexpected(PAGES, more))?;
                *sum += more;
            }
        }
        Ok(Self { pages })
    }

    /// Pages of a table; none for tables that share a tablespace, and of no pages known.
    pub fn of(&self, table: &FileTable) -> Option<u64> {
        self.pages.get(table).copied().flatten()
    }
}

/// Pages of tables' files in the page cache.
pub(super) struct Cached {
    files: BTreeMap<FileTable, Vec<PathBuf>>,
}

impl Cached {
    /// Of the files below a server's data folder.
    pub fn below(data_folder: &Path) -> Self {
        Self {
            files: files_of(data_folder),
        }
    }

    /// Bytes of a table in the page cache; none where its files cannot be looked at.
    pub fn bytes_of(&self, table: &FileTable) -> Option<u64> {
        let files = self.files.get(table)?;
        let resident = |file: &PathBuf| {
            let residency = Residency::of(File::open(file).ok()?).ok()?;
            Some(residency.resident * memory::page_bytes())
        };
        files.iter().map(resident).sum()
    }
}
