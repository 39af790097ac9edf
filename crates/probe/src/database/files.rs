//! Which table a file is of, by its name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Extensions of files with rows or indexes: of InnoDB, MyISAM and Aria.
const EXTENSIONS: [&str; 5] = ["ibd", "MYD", "MYI", "MAD", "MAI"];
/// What the name of a partition comes behind.
const PARTITION: &str = "#P#";

/// A table by the names that its files have. There `a-b` is `a@002db`, and `é` is `@0p`: which code a character has, the server says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileTable {
    /// The database: their folder.
    pub database: String,
    /// The table.
    pub table: String,
}

/// The table that a file with rows or indexes is of: `…/DATABASE/TABLE.ibd`. None for other files.
pub fn table_of(file: &Path) -> Option<FileTable> {
    let extension = file.extension()?.to_str()?;
    if !EXTENSIONS.contains(&extension) {
        return None;
    }
    let database = file.parent()?.file_name()?.to_str()?;
    let table = file.file_stem()?.to_str()?;
    Some(named(database, table))
}

/// The table of these names; of a partition, the table that it is a part of.
pub(super) fn named(database: &str, table: &str) -> FileTable {
    let whole = table
        .split_once(PARTITION)
        .map_or(table, |(table, _)| table);
    FileTable {
        database: database.to_owned(),
        table: whole.to_owned(),
    }
}

/// The files of all tables below a server's data folder. Empty where this user may not look.
pub(super) fn files_of(data_folder: &Path) -> BTreeMap<FileTable, Vec<PathBuf>> {
    let mut files: BTreeMap<FileTable, Vec<PathBuf>> = BTreeMap::new();
    let in_folder = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    for database in in_folder(data_folder) {
        for file in in_folder(&database) {
            if let Some(table) = table_of(&file) {
                files.entry(table).or_default().push(file);
            }
        }
    }
    files
}
