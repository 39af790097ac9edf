//! Measures what a directory's file system costs, by plain calls: files of known sizes are written, then opened, read
//! and closed one by one.
//!
//! [`Job`] is the same for a process of its own, which can be put on a node: who touches a page first is charged for it.

mod access;
mod file_set;
mod job;

pub use access::{AccessTimes, read};
pub use file_set::{FileSet, spread};
pub use job::Job;
