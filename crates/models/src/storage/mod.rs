//! The way of a read through Linux: page cache, read-ahead, device, and copying to the reader. This is the fast form; its oracle
//! are the nets that draw it page by page ([`crate::nets`]).

mod sent_files;
mod stack;

pub(crate) use sent_files::SEND_BYTES;
pub use sent_files::SentFiles;
pub(crate) use stack::{Asker, Reached, ReadPath, Wanted};
