//! A database's folder: tables as files that MariaDB loads, sessions, scripts and configurations.
//!
//! | file | what it is |
//! | --- | --- |
//! | `schema.sql`, `load.sql`, `indexes.sql` | how the tables are made, filled and indexed |
//! | `tables/NAME.tsv` | the rows of a table |
//! | `sessions/MIX.toml` | how visitors move |
//! | `database.toml` | what was made |
//! | `pages/`, `conf/` | scripts and configurations of servers |
//! | `prepare.sh`, `serve.sh` | how the server's data is made, and how its pages are served |

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use hotset_machine::temporary::TemporaryFolder;

use super::application::{Application, Table};
use super::engine::Engine;
use super::rows::{Rows, Texts, WrittenRows};
use super::servers;
use crate::sessions::to_toml;

/// Why a database was not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DatabaseError {
    /// The folder is there already.
    #[error("{}: is there already; name another folder, or replace it", .0.display())]
    Exists(PathBuf),
    /// What is there is not a database's folder.
    #[error("{}: is not a database's folder, so it is not replaced; name another", .0.display())]
    Other(PathBuf),
    /// The caller asked to stop.
    #[error("interrupted")]
    Interrupted,
    /// The operating system refused.
    #[error("{}: cannot write: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// What is written, and where.
pub struct Database<'a> {
    /// The application.
    pub application: &'a dyn Application,
    /// The engine of its tables.
    pub engine: Engine,
    /// Seed of every random choice.
    pub seed: u64,
    /// The folder, usually called NAME.database.
    pub folder: &'a Path,
    /// Whether it may take the place of such a folder that is there.
    pub replace: bool,
}

/// A table that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenTable {
    /// Its name.
    pub name: &'static str,
    /// Its rows.
    pub written: WrittenRows,
}

/// Seeds of tables and texts are this far apart.
const SEEDS_APART: u64 = 1 << 32;
/// The file by which a database's folder is known.
const MANIFEST: &str = "database.toml";

impl Database<'_> {
    /// Writes the folder, whole or not at all; what its tables have. `go_on` is asked every 64 KiB.
    ///
    /// # Errors
    /// [`DatabaseError`]; then nothing of it remains, and what was there is there still.
    pub fn write(&self, go_on: &dyn Fn() -> bool) -> Result<Vec<WrittenTable>, DatabaseError> {
        self.check()?;
        let staging = TemporaryFolder::beside(self.folder, |_| {}).map_err(at(self.folder))?;
        let new = staging.path().join("new");
        let tables = self.write_into(&new, go_on)?;
        self.place(&staging, &new)?;
        Ok(tables)
    }

    /// Whether the folder can be written, before any work is done.
    ///
    /// # Errors
    /// [`DatabaseError::Exists`], [`DatabaseError::Other`].
    pub fn check(&self) -> Result<(), DatabaseError> {
        let folder = self.folder;
        match fs::symlink_metadata(folder) {
            Err(_) => Ok(()),
            Ok(_) if !self.replace => Err(DatabaseError::Exists(folder.to_owned())),
            Ok(_) if !folder.join(MANIFEST).is_file() => {
                Err(DatabaseError::Other(folder.to_owned()))
            }
            Ok(_) => Ok(()),
        }
    }

    fn write_into(
        &self,
        folder: &Path,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Vec<WrittenTable>, DatabaseError> {
        let (application, tables) = (self.application, self.application.tables());
        let written = self.write_tables(&folder.join("tables"), go_on)?;
        write(folder, "schema.sql", &schema(tables, self.engine))?;
        write(folder, "load.sql", &load(tables))?;
        write(folder, "indexes.sql", &indexes(tables))?;
        for mix in application.mixes() {
            let about = format!(
                "Visitors of {} ({}), for the tables of this folder: hotset replay --sessions",
                application.name(),
                mix.name
            );
            let text = to_toml(&mix, &[&about]);
            write(folder, &format!("sessions/{}.toml", mix.name), &text)?;
        }
        for (path, text) in application.files().iter().chain(&servers::FILES) {
            write(folder, path, text)?;
        }
        write(folder, MANIFEST, &self.manifest(&written))?;
        Ok(written)
    }

    fn write_tables(
        &self,
        folder: &Path,
        go_on: &dyn Fn() -> bool,
    ) -> Result<Vec<WrittenTable>, DatabaseError> {
        fs::create_dir_all(folder).map_err(at(folder))?;
        let texts = Texts::new(self.seed);
        let tables = self.application.tables().iter().zip(1_u64..);
        let write = |(table, number): (&Table, u64)| {
            let path = folder.join(table.name).with_extension("tsv");
            let seed = self.seed.wrapping_add(number.wrapping_mul(SEEDS_APART));
            let fill = || {
                let mut file = File::create_new(&path)?;
                let mut rows = Rows::new(seed, &texts, &mut file, go_on);
                self.application.fill(number as usize - 1, &mut rows)?;
                rows.finish()
            };
            let written = fill().map_err(|source| match source.kind() {
                io::ErrorKind::Interrupted => DatabaseError::Interrupted,
                _ => at(&path)(source),
            })?;
            Ok(WrittenTable {
                name: table.name,
                written,
            })
        };
        tables.map(write).collect()
    }

    /// Puts what was written into its place, and what was there aside, to go with the staging.
    fn place(&self, staging: &TemporaryFolder, new: &Path) -> Result<(), DatabaseError> {
        self.check()?;
        let old = staging.path().join("old");
        let is_there = fs::symlink_metadata(self.folder).is_ok();
        if is_there {
            fs::rename(self.folder, &old).map_err(at(self.folder))?;
        }
        fs::rename(new, self.folder).map_err(|source| {
            // Best effort: the error that led here is the one to report.
            let _ = is_there.then(|| fs::rename(&old, self.folder));
            at(self.folder)(source)
        })
    }

    /// What was made.
    fn manifest(&self, tables: &[WrittenTable]) -> String {
        let mut text = format!(
            "application = \"{}\"\nengine = \"{}\"\nseed = \"{}\"\n",
            self.application.name(),
            self.engine.name(),
            self.seed
        );
        for table in tables {
            let of = &table.written;
            // Writing to a text does not fail.
            let _ = write!(
                text,
                "\n[[table]]\nname = \"{}\"\nrows = {}\nbytes = {}\nchecksum = \"{}\"\n",
                table.name, of.rows, of.bytes, of.checksum
            );
        }
        text
    }
}

fn schema(tables: &[Table], engine: Engine) -> String {
    let engine = engine.in_sql();
    let table = |table: &Table| {
        let (name, columns) = (table.name, table.columns);
        format!("CREATE TABLE {name} (\n{columns}\n) ENGINE={engine} DEFAULT CHARSET=latin1;\n")
    };
    tables.iter().map(table).collect()
}

/// Rows come in the order of their keys, so that nothing is to be sorted.
fn load(tables: &[Table]) -> String {
    let table = |table: &Table| {
        let name = table.name;
        format!("LOAD DATA LOCAL INFILE 'tables/{name}.tsv' INTO TABLE {name};\n")
    };
    let checks = "SET unique_checks = 0, foreign_key_checks = 0;\n".to_owned();
    checks + &tables.iter().map(table).collect::<String>()
}

fn indexes(tables: &[Table]) -> String {
    let table = |table: &Table| {
        let add = |index: &&str| format!("ADD INDEX ({index})");
        let added: Vec<String> = table.indexes.iter().map(add).collect();
        match added.as_slice() {
            [] => String::new(),
            added => format!("ALTER TABLE {} {};\n", table.name, added.join(", ")),
        }
    };
    let analysed: Vec<&str> = tables.iter().map(|table| table.name).collect();
    let analyse = format!("ANALYZE TABLE {};\n", analysed.join(", "));
    tables.iter().map(table).collect::<String>() + &analyse
}

/// Writes a file below `folder`.
fn write(folder: &Path, path: &str, text: &str) -> Result<(), DatabaseError> {
    let path = folder.join(path);
    let parent = path.parent().unwrap_or(folder);
    fs::create_dir_all(parent).map_err(at(parent))?;
    fs::write(&path, text).map_err(at(&path))
}

fn at(path: &Path) -> impl Fn(io::Error) -> DatabaseError {
    move |source| DatabaseError::Io {
        path: path.to_owned(),
        source,
    }
}
