//! Web applications with databases, one benchmark a folder behind [`Application`].
//!
//! | deed | place |
//! | --- | --- |
//! | what a benchmark has to say | `application.rs` |
//! | its tables, their rows, its pages and mixes | `tpcw`, `rubis`, `rubbos` |
//! | rows, as they are drawn and written; dates in them | `rows.rs`, `dates.rs` |
//! | a database's folder | `database.rs` |
//! | configurations of servers, and how they are started | `servers.rs`, `servers/` |

mod application;
mod database;
mod dates;
mod emulator;
mod engine;
mod rows;
mod rubbos;
mod rubis;
mod servers;
mod tpcw;

pub use application::{Application, Table};
pub use database::{Database, DatabaseError, WrittenTable};
pub use engine::Engine;
pub use rows::{Rows, Texts, WrittenRows};
pub use rubbos::{AUTHORS, Rubbos};
pub use rubis::Rubis;
pub use tpcw::{CUSTOMERS_PER_BROWSER, Tpcw};
