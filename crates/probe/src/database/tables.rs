//! The tables of a server, and their sizes.

use super::client::Client;
use super::error::DatabaseProbeError;
use super::findings::TableName;

const STATEMENT: &str = "SELECT TABLE_SCHEMA, TABLE_NAME, ENGINE, IFNULL(DATA_LENGTH, 0) + IFNULL(INDEX_LENGTH, 0), \
     IFNULL(CREATE_OPTIONS, '') LIKE '%DATA DIRECTORY%' FROM information_schema.TABLES \
     WHERE TABLE_TYPE = 'BASE TABLE' AND ENGINE IS NOT NULL \
     AND TABLE_SCHEMA NOT IN ('information_schema', 'performance_schema', 'mysql', 'sys')";

/// A table of a server.
pub(super) struct Table {
    /// Its name.
    pub name: TableName,
    /// Its engine.
    pub engine: String,
    /// Its rows and indexes, bytes.
    pub bytes: u64,
    /// Whether its files lie outside of the server's data folder.
    pub is_elsewhere: bool,
}

/// All tables but the server's own.
pub(super) fn tables(client: &Client<'_>) -> Result<Vec<Table>, DatabaseProbeError> {
    let rows = client.rows::<5>(STATEMENT)?;
    let table = |[database, table, engine, bytes, is_elsewhere]: [String; 5]| {
        let bytes: u64 = bytes
            .parse()
            .map_err(|_| client.unexpected(STATEMENT, &bytes))?;
        Ok(Table {
            name: TableName { database, table },
            engine,
            bytes,
            is_elsewhere: is_elsewhere == "1",
        })
    };
    rows.into_iter().map(table).collect()
}
