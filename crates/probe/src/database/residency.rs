//! What of tables is in memory: in the buffer pool, and in the page cache.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::path::{Path, PathBuf};

use hotset_machine::{Residency, memory};

use super::client::Client;
use super::error::DatabaseProbeError;
use super::files::{files_of, named};
use super::findings::TableName;

const SPACES: &str =
    "SELECT SPACE, NAME FROM information_schema.INNODB_SYS_TABLES WHERE NAME LIKE '%/%'";
const PAGES: &str =
    "SELECT SPACE, COUNT(*) FROM information_schema.INNODB_BUFFER_PAGE GROUP BY SPACE";
/// The tablespace that tables share.
const SHARED: &str = "0";

/// Pages of tables of InnoDB in the buffer pool.
pub(super) struct Pool {
    /// By table, all its partitions together; none for tables that share a tablespace.
    pages: HashMap<TableName, Option<u64>>,
}

impl Pool {
    /// What is in the pool now.
    pub fn now(client: &Client<'_>) -> Result<Self, DatabaseProbeError> {
        let in_pool: HashMap<String, String> = client
            .rows::<2>(PAGES)?
            .into_iter()
            .map(|[space, pages]| (space, pages))
            .collect();
        let mut pages: HashMap<TableName, Option<u64>> = HashMap::new();
        for [space, name] in client.rows::<2>(SPACES)? {
            let Some((database, table)) = name.split_once('/') else {
                continue;
            };
            let of_table = pages.entry(named(database, table)).or_insert(Some(0));
            if space == SHARED {
                *of_table = None;
            } else if let (Some(sum), Some(more)) = (of_table, in_pool.get(&space)) {
                let more: u64 = more.parse().map_err(|_| client.unexpected(PAGES, more))?;
                *sum += more;
            }
        }
        Ok(Self { pages })
    }

    /// Pages of a table; none for tables that share a tablespace, and of no pages known.
    pub fn of(&self, table: &TableName) -> Option<u64> {
        self.pages.get(table).copied().flatten()
    }
}

/// Pages of tables' files in the page cache.
pub(super) struct Cached {
    files: BTreeMap<TableName, Vec<PathBuf>>,
}

impl Cached {
    /// Of the files below a server's data folder.
    pub fn below(data_folder: &Path) -> Self {
        Self {
            files: files_of(data_folder),
        }
    }

    /// Bytes of a table in the page cache; none where its files cannot be looked at.
    pub fn bytes_of(&self, table: &TableName) -> Option<u64> {
        let files = self.files.get(table)?;
        let resident = |file: &PathBuf| {
            let residency = Residency::of(File::open(file).ok()?).ok()?;
            Some(residency.resident * memory::page_bytes())
        };
        files.iter().map(resident).sum()
    }
}
