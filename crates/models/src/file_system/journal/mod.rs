//! Journals of file systems: what becomes of blocks that deeds change, from the deed to their own place (`fs/jbd2`, `fs/xfs/xfs_log*.c` of
//! Linux 6.18).
//!
//! A journal has no clock and asks no device itself. [`Journal::next`] says what has to be done, its caller does it and asks again.
//!
//! | deed | place |
//! | --- | --- |
//! | what a transaction is, and what it changes | `transaction.rs` |
//! | bytes of a commit, as jbd2 and xfs write it | `format.rs` |
//! | the area on the device, written round and round | `log.rs` |
//! | commits, and making room for more of them | `commit.rs` |
//! | which blocks a file's allocation and its name change | `metadata.rs` |
//!
//! Simplified: a journal does one thing at a time, so it makes no room while it commits. Deeds take no time, so none is waited for when a
//! transaction is locked. Blocks that are changed while they are being committed are not copied. With data in the journal, the kernel's
//! `fsync` commits before it writes pages to their own places. Here it does so afterwards. The log of xfs is written as that of jbd2, with
//! commits of its own size. What its grant heads and its log's items do beside is left out.

mod commit;
mod format;
mod log;
mod metadata;
mod transaction;

pub use commit::{Area, Joined, Journal, JournalSettings, Step};
pub use format::Format;
pub use metadata::{Metadata, NameChange};
pub use transaction::Block;
