//! What a server is, and how it was set up.

use std::collections::HashMap;
use std::path::PathBuf;

use super::client::Client;
use super::error::DatabaseProbeError;

const STATEMENT: &str = "SHOW GLOBAL VARIABLES WHERE Variable_name IN ('version', 'datadir', 'innodb_buffer_pool_size', \
     'innodb_page_size', 'innodb_flush_method', 'innodb_data_file_buffering', 'performance_schema', 'userstat')";

/// The settings of a server that matter here.
pub(super) struct Server {
    /// Its version.
    pub version: String,
    /// Where its files are.
    pub data_folder: PathBuf,
    /// Its buffer pool, bytes.
    pub pool_bytes: u64,
    /// A page of InnoDB, bytes.
    pub page_bytes: u64,
    /// How InnoDB reads and writes files.
    pub flush_method: String,
    /// Whether it counts reads of files.
    pub counts_file_reads: bool,
    /// Whether it counts rows.
    pub counts_rows: bool,
}

impl Server {
    /// The server behind `client`.
    pub fn of(client: &Client<'_>) -> Result<Self, DatabaseProbeError> {
        let rows = client.rows::<2>(STATEMENT)?;
        let settings: HashMap<String, String> = rows
            .into_iter()
            .map(|[name, value]| (name, value))
            .collect();
        let text = |name: &str| settings.get(name).cloned().unwrap_or_default();
        let bytes = |name: &str| text(name).parse().unwrap_or(0);
        let version = text("version");
        if !version.contains("MariaDB") {
            return Err(DatabaseProbeError::OtherServer {
                socket: client.socket().to_owned(),
                version,
            });
        }
        // From version 11 on a setting of its own decides.
        let flush_method = match settings
            .get("innodb_data_file_buffering")
            .map(String::as_str)
        {
            Some("ON") => "fsync".to_owned(),
            Some(_) => "O_DIRECT".to_owned(),
            None => text("innodb_flush_method"),
        };
        Ok(Self {
            version,
            data_folder: text("datadir").into(),
            // Both are missing where InnoDB is switched off.
            pool_bytes: bytes("innodb_buffer_pool_size"),
            page_bytes: bytes("innodb_page_size"),
            flush_method,
            counts_file_reads: text("performance_schema") == "ON",
            counts_rows: text("userstat") == "ON",
        })
    }
}
