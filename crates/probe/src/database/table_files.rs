//! Files of a server's tables, and whether holding them in the page cache is of use.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::client::Client;
use super::error::DatabaseProbeError;
use super::files::files_of;
use super::findings::{TableName, reads_through_page_cache};
use super::server::Server;

/// Files of the tables of a running server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableFiles {
    /// Where they are.
    pub data_folder: PathBuf,
    /// How InnoDB reads and writes files.
    pub flush_method: String,
    files: BTreeMap<TableName, Vec<PathBuf>>,
}

impl TableFiles {
    /// Of the server that listens on `socket`.
    ///
    /// # Errors
    /// [`DatabaseProbeError`].
    pub fn of(socket: &Path) -> Result<Self, DatabaseProbeError> {
        let client = Client::of(socket)?;
        let server = Server::of(&client)?;
        Ok(Self {
            files: files_of(&server.data_folder),
            data_folder: server.data_folder,
            flush_method: server.flush_method,
        })
    }

    /// Those of the table that is shown as `database.table`, with its partitions; none where there is no such table, or this user may
    /// not look.
    #[must_use]
    pub fn of_table(&self, shown: &str) -> &[PathBuf] {
        let mut tables = self.files.iter();
        let found = tables.find(|(name, _)| name.shown() == shown);
        found.map_or(&[], |(_, files)| files)
    }

    /// Whether InnoDB reads its files through the page cache.
    #[must_use]
    pub fn reads_through_page_cache(&self) -> bool {
        reads_through_page_cache(&self.flush_method)
    }
}
