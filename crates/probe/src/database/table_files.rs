//! Files of a server's tables, and whether holding them in the page cache is of use.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::client::Client;
use super::error::DatabaseProbeError;
use super::files::files_of;
use super::findings::reads_through_page_cache;
use super::server::Server;
use super::tables::tables;

/// Files of the tables of a running server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFiles {
    /// Where they are.
    pub data_folder: PathBuf,
    /// How InnoDB reads and writes files.
    pub flush_method: String,
    /// By the names of their tables as they are shown.
    files: BTreeMap<String, Vec<PathBuf>>,
}

impl TableFiles {
    /// Of the server that listens on `socket`.
    ///
    /// # Errors
    /// [`DatabaseProbeError`].
    pub fn of(socket: &Path) -> Result<Self, DatabaseProbeError> {
        let client = Client::of(socket)?;
        let server = Server::of(&client)?;
        let mut found = files_of(&server.data_folder);
        let listed = tables(&client)?.into_iter();
        let files = listed.filter_map(|table| {
            let files = found.remove(&table.file)?;
            Some((table.name.shown(), files))
        });
        Ok(Self {
            files: files.collect(),
            data_folder: server.data_folder,
            flush_method: server.flush_method,
        })
    }

    /// Those of the table that is shown as `database.table`, with its partitions; none where there is no such table, or this user may
    /// not look.
    #[must_use]
    pub fn of_table(&self, shown: &str) -> &[PathBuf] {
        self.files.get(shown).map_or(&[], |files| files)
    }

    /// Whether InnoDB reads its files through the page cache.
    #[must_use]
    pub fn reads_through_page_cache(&self) -> bool {
        reads_through_page_cache(&self.flush_method)
    }
}
