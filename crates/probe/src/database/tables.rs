//! The tables of a server, and their sizes.

use super::client::Client;
use super::error::DatabaseProbeError;
use super::files::FileTable;
use super::findings::TableName;

/// The server itself says how files are named: "Identifier to File Name Mapping" in MariaDB's documentation.
const STATEMENT: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, CAST(CONVERT(TABLE_SCHEMA USING filename) AS BINARY), \
     CAST(CONVERT(TABLE_NAME USING filename) AS BINARY), ENGINE, IFNULL(DATA_LENGTH, 0) + IFNULL(INDEX_LENGTH, 0), \
     IFNULL(CREATE_OPTIONS, '') LIKE '%DATA DIRECTORY%' FROM information_schema.TABLES \
     WHERE TABLE_TYPE IN ('BASE TABLE', 'SYSTEM VERSIONED') AND ENGINE IS NOT NULL \
     AND TABLE_SCHEMA NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')";

/// Databases of the server's own that have files.
pub(super) const OWN_DATABASES: [&str; 2] = ["mysql", "sys"];

/// A table of a server.
pub(super) struct Table {
    /// Its name.
    pub name: TableName,
    /// As its files are named.
    pub file: FileTable,
    /// Its engine.
    pub engine: String,
    /// Its rows and indexes, bytes.
    pub bytes: u64,
    /// Whether its files lie outside of the server's data folder.
    pub is_elsewhere: bool,
}

/// All tables but the server's own.
pub(super) fn tables(client: &Client<'_>) -> Result<Vec<Table>, DatabaseProbeError> {
    let rows = client.rows::<7>(STATEMENT)?;
    let table = |row: [String; 7]| {
        let [database, table, folder, file, engine, bytes, is_elsewhere] = row;
        let bytes: u64 = bytes
            .parse()
            .map_err(|_| client.unexpected(STATEMENT, &bytes))?;
        Ok(Table {
            name: TableName { database, table },
            file: FileTable {
                database: folder,
                table: file,
            },
            engine,
            bytes,
            is_elsewhere: is_elsewhere == "1",
        })
    };
    rows.into_iter().map(table).collect()
}
