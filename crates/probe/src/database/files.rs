//! Which table a file is of, by its name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::findings::TableName;

/// Extensions of files with rows or indexes: of InnoDB, MyISAM and Aria.
const EXTENSIONS: [&str; 5] = ["ibd", "MYD", "MYI", "MAD", "MAI"];
/// What the name of a partition comes behind.
const PARTITION: &str = "#P#";
/// Hexadecimal digits of a character that file names do not take as it is.
const DIGITS: usize = 4;

/// The table that a file with rows or indexes is of: `…/DATABASE/TABLE.ibd`. None for other files.
pub fn table_of(file: &Path) -> Option<TableName> {
    let extension = file.extension()?.to_str()?;
    if !EXTENSIONS.contains(&extension) {
        return None;
    }
    let database = file.parent()?.file_name()?.to_str()?;
    let table = file.file_stem()?.to_str()?;
    Some(named(database, table))
}

/// The table of these names as files have them; of a partition, the table that it is a part of.
pub(super) fn named(database: &str, table: &str) -> TableName {
    let whole = table
        .split_once(PARTITION)
        .map_or(table, |(table, _)| table);
    TableName {
        database: decoded(database),
        table: decoded(whole),
    }
}

/// A name as SQL has it: in file names, `@` comes before the four hexadecimal digits of a character.
fn decoded(name: &str) -> String {
    let mut parts = name.split('@');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let character = part.get(..DIGITS).and_then(|digits| {
            let code = u32::from_str_radix(digits, 16).ok()?;
            char::from_u32(code)
        });
        match character {
            Some(character) => {
                text.push(character);
                text.push_str(&part[DIGITS..]);
            }
            None => {
                text.push('@');
                text.push_str(part);
            }
        }
    }
    text
}

/// The files of all tables below a server's data folder. Empty where this user may not look.
pub(super) fn files_of(data_folder: &Path) -> BTreeMap<TableName, Vec<PathBuf>> {
    let mut files: BTreeMap<TableName, Vec<PathBuf>> = BTreeMap::new();
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
