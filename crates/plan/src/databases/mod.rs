//! How the memory of a node is divided between files and database servers.
//!
//! A table is an object: so many bytes, of which some pages are asked for, and so many reads in an hour. A buffer pool is a store that
//! the tables of one server fill by themselves; what is in it is not for the plan to say. A pin holds the files of one table in the
//! page cache.
//!
//! | deed | place |
//! | --- | --- |
//! | what was measured of a server | `measured.rs` |
//! | which of a table's pages are asked for, and how often | `heat.rs` |
//! | what a buffer pool of a size reads; whether it did | `pool.rs`; `prediction.rs` |
//! | what a server costs with so much memory | `server.rs` |
//! | how much each gets | `divide.rs` |
//! | what is said of it | `findings.rs` |

mod divide;
mod findings;
mod heat;
mod measured;
mod pool;
mod prediction;
mod server;

pub use divide::{DatabaseQuestion, FileCosts, divide};
pub use findings::{
    DatabaseDivision, DatabaseSite, DividedServer, HeldOutInterval, PinnedTable, RefusedPin,
};
pub use measured::{ServerUse, TableUse, used_bytes};
pub use pool::hot_bytes;
pub use prediction::PoolPrediction;
