//! The way of a write through Linux as coloured Petri nets, page by page, for files of one writer: the dissertation's chapter 4.4.
//!
//! Tokens are blocks, write calls, pages and requests. State that decides something is a token as well, so that `hotset net check` sees it.
//! Where the fast form asks an object, the nets ask the same: [`Throttle`](crate::write_back::Throttle), the flusher, the page cache of
//! Linux, and [`Journal`](crate::file_system::journal::Journal). Which pages are dirty, who waits for them, and what follows what is drawn.
//!
//! | deed | place |
//! | --- | --- |
//! | the loop of the program, and its C library | `application.rs`; `fwrite.rs`, `out_buffer.rs` |
//! | a write call, page by page; copying; pauses | `generic_file_write.rs`; `copy.rs`; `balance.rs` |
//! | the page cache of Linux 2.6, and today's | `buffer_cache.rs`; `page_cache.rs` |
//! | what of the file is dirty, and who waits for it | `dirty_pages.rs`; with what decides when it is written: `write_back.rs` |
//! | what is changed of the file system's own | `journaling.rs`; the page of it: `journal.rs` |
//! | who writes dirty pages, and when | `flushing.rs`; in which steps: `walk.rs` |
//! | where pages lie; the disk | `layout.rs`, `file_system.rs`; `disk.rs` |
//! | the nets | `wiring.rs`, `ext3_write.rs`, `ext4_write.rs` |

mod application;
mod balance;
mod buffer_cache;
mod copy;
mod dirty_pages;
mod disk;
mod ext3_write;
mod ext4_write;
mod file_system;
mod flushing;
mod fwrite;
mod generic_file_write;
mod job;
mod journal;
mod journaling;
mod layout;
mod out_buffer;
mod page_cache;
mod parameters;
mod places;
mod tokens;
mod walk;
mod wiring;
mod write_back;

pub(super) use ext3_write::ENTRY as EXT3_WRITE;
pub use ext3_write::ext3_write;
pub(super) use ext4_write::ENTRY as EXT4_WRITE;
pub use ext4_write::ext4_write;
pub use job::WriteJob;
