//! The way of reads and writes through Linux: page cache, read-ahead, write-back, block layer, devices, and copying. It knows neither who
//! reads or writes nor where events stand until their time: waiters and calendars are the caller's.
//!
//! This is the fast form. Its oracle are the nets that draw the same page by page ([`crate::nets`]): both ask the same policies, and
//! tests compare what becomes of the same reads.
//!
//! | deed | place |
//! | --- | --- |
//! | extent by extent: look up, read ahead, wait, copy | `reader.rs` |
//! | who waits for which transfer; what events of devices do | `stack.rs` |
//! | page by page: write, pause, hand over to the disks; programs that wait for that | `writing.rs`, `written.rs` |
//! | writes past the page cache | `past_cache.rs` |
//! | what a program wants on the device before it goes on | `sync_kind.rs` |
//! | what writing has journals do; the journal of a profile; what emptying a device's cache takes | `committing.rs`; `journal.rs`; `flush_costs.rs` |
//! | how a program reads a file, and what copying takes it | `open_file.rs` |
//! | what a profile's lines come to; times that scatter | `costs.rs`, `quantiles.rs`, beside this folder |
//! | files that a web server sends | `sent_files.rs` |

mod committing;
mod error;
mod flush_costs;
mod journal;
mod open_file;
mod past_cache;
mod reader;
mod sent_files;
mod stack;
mod sync_kind;
mod writing;
mod written;

pub use error::StorageError;
pub use open_file::{Delivery, OpenFile, Usage};
pub use past_cache::{PastCacheProgress, PastCacheWrite};
pub use reader::Read;
pub(crate) use reader::SEND_BYTES;
pub use sent_files::SentFiles;
pub(crate) use stack::Location;
pub use stack::{Progress, Storage, System};
pub use sync_kind::{SyncKind, WHOLE_FILE};
pub(crate) use writing::is_program;
pub use written::{Write, WriteProgress, WrittenBytes};
