//! The ways of a read and of a write through Linux as coloured Petri nets, page by page, for files of one program. They are the oracle of
//! the fast form ([`crate::storage`]): both ask the same policies, and what they say of the same work is compared.
//!
//! The nets are those of H. Q. Nguyen, "File System Simulation: Hierarchical Performance Measurement and Modeling" (University of
//! Arkansas, 2011), chapters 4.3 to 4.5, with its names. Those that write are in a folder of their own, `writing`, and that of PVFS (chapter 6) in `parallel`. Each of its figures is a file with a function that adds it to a page of
//! a net. Tokens are blocks, calls, pages and requests; what a policy decides is asked of the objects in [`crate::page_cache`]
//! and [`crate::read_ahead`].
//!
//! ```
//! use hotset_models::nets;
//!
//! let entry = nets::find("ext3-read").expect("it is in the library");
//! let net = entry.build(&[("file_bytes", 65536.0)])?;
//! assert!(net.transitions().any(|it| it == "buffer cache/second access"));
//! # Ok::<(), hotset_petri::NetError>(())
//! ```

mod ahead;
mod application;
mod block_map;
mod buffer_cache;
mod copy;
mod copy_cost;
mod disk;
mod ext3_read;
mod ext4_read;
mod fread;
mod generic_file_read;
mod job;
mod page_cache;
mod page_queue;
mod parallel;
mod parameters;
mod places;
mod read_ahead;
mod scheduler;
mod stdio;
mod tokens;
mod wiring;
mod writing;

use hotset_petri::nets::Entry;

pub use ahead::NetReadAhead;
pub use copy_cost::{CopyCost, CopyLevel};
pub use disk::NetDisk;
pub use ext3_read::ext3_read;
pub use ext4_read::ext4_read;
pub use job::ReadJob;
pub use parallel::{ParallelJob, parallel};
pub use scheduler::NetScheduler;
pub use stdio::{STDIO_BYTES, Stdio, StdioStep};
pub use writing::{WriteJob, ext3_write, ext4_write};

/// All nets of file systems, by name.
pub const LIBRARY: &[Entry] = &[
    ext3_read::ENTRY,
    ext4_read::ENTRY,
    writing::EXT3_WRITE,
    writing::EXT4_WRITE,
    parallel::PVFS_READ,
    parallel::PVFS_WRITE,
];

/// The net of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    LIBRARY.iter().find(|entry| entry.name == name)
}
