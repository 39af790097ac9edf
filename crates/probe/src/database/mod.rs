//! What the tables of a running MariaDB server hold in memory, and what they read.
//!
//! | deed | place |
//! | --- | --- |
//! | all that is asked, in order | `measure.rs` |
//! | a statement is sent by the server's own client program | `client.rs` |
//! | the server's version and settings | `server.rs` |
//! | tables and their sizes; pages in memory | `tables.rs`; `residency.rs` |
//! | rows and pages read meanwhile | `counters.rs` |
//! | which table a file is of | `files.rs` |
//! | files of tables, for whoever pins them | `table_files.rs` |

mod client;
mod counters;
mod error;
mod files;
mod findings;
mod measure;
mod residency;
mod server;
mod table_files;
mod tables;

pub use error::DatabaseProbeError;
pub use files::{FileTable, table_of};
pub use findings::{DatabaseFindings, LeftOutTable, TableFindings, TableName};
pub use measure::DatabaseProbe;
pub use table_files::TableFiles;
