//! Memory of database servers that a plan divides: pools to be resized, and files of tables to be pinned.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use hotset_live::{SiteFolder, WantedFile, WantedPool};
use hotset_probe::TableFiles;
use hotset_scenario::{FilePath, PlacedDatabase, Placement};

use crate::JobError;
use crate::error::refuse;

/// What is asked for database servers.
#[derive(Default)]
pub(crate) struct AppliedDatabases {
    /// Their buffer pools.
    pub pools: Vec<WantedPool>,
    /// Data folders with tables that are pinned.
    pub folders: Vec<SiteFolder>,
    /// Files of these tables.
    pub files: Vec<WantedFile>,
    /// What they take, bytes.
    pub bytes: u64,
}

impl AppliedDatabases {
    /// What `plan` gives the servers on `node`. Those whose pools it leaves have what an earlier plan has set, which is in `held`.
    ///
    /// # Errors
    /// Tables to be pinned that are not there, or that it would be useless to pin.
    pub fn of(plan: &Placement, node: &str, held: &[WantedPool]) -> Result<Self, JobError> {
        let mut all = Self::default();
        for database in plan.databases.iter().filter(|it| it.node == node) {
            all.pools.extend(pool(database, held));
            if !database.pinned.is_empty() {
                all.pin(database)?;
            }
        }
        Ok(all)
    }

    /// Whether some of a server's tables are to be pinned.
    pub fn has_pins(&self) -> bool {
        !self.files.is_empty()
    }

    fn pin(&mut self, database: &PlacedDatabase) -> Result<(), JobError> {
        let name = &database.database;
        let server = TableFiles::of(&path(&database.socket))
            .map_err(|error| JobError::at(format!("database `{name}`"), error))?;
        // Sites have names of their own, which have no equals sign.
        let site = format!("database={name}");
        for table in &database.pinned {
            let files = server.of_table(table);
            if files.is_empty() {
                refuse!(
                    "database `{name}`: no file of the table {table} is in {}; run as a user who may look there, or plan anew",
                    server.data_folder.display()
                );
            }
            if files.iter().any(|it| is_innodb(it)) && !server.reads_through_page_cache() {
                refuse!(
                    "database `{name}`: pinning {table} would save nothing: with innodb_flush_method={} InnoDB reads past the page \
                     cache; set innodb_flush_method=fsync (from version 11 on innodb_data_file_buffering=ON) and restart the server, \
                     or measure it as it is and plan anew",
                    server.flush_method
                );
            }
            for file in files {
                self.add(&site, &server.data_folder, file);
            }
        }
        self.folders.push(SiteFolder {
            site,
            prefix: "/".to_owned(),
            folder: server.data_folder,
        });
        Ok(())
    }

    fn add(&mut self, site: &str, folder: &Path, file: &Path) {
        let Ok(inside) = file.strip_prefix(folder) else {
            return;
        };
        let inside = inside.as_os_str().as_bytes();
        self.files.push(WantedFile {
            site: site.to_owned(),
            path: FilePath([&b"/"[..], inside].concat()),
        });
        let size = file.metadata().map_or(0, |it| it.len());
        let page = hotset_machine::memory::page_bytes();
        self.bytes = self
            .bytes
            .saturating_add(size.div_ceil(page).saturating_mul(page));
    }
}

/// The pool that a server is to have. None where it was never given one.
fn pool(database: &PlacedDatabase, held: &[WantedPool]) -> Option<WantedPool> {
    let socket = path(&database.socket);
    match database.pool_bytes {
        Some(bytes) => Some(WantedPool {
            socket,
            bytes,
            configuration: database.configuration.as_ref().map(path),
        }),
        None => held.iter().find(|it| it.socket == socket).cloned(),
    }
}

fn is_innodb(file: &Path) -> bool {
    file.extension() == Some(OsStr::new("ibd"))
}

fn path(path: &FilePath) -> PathBuf {
    OsStr::from_bytes(&path.0).into()
}
