//! What a web server takes of its node beside the files of sites, and the numbers that files of it have in storages.

use super::inodes::Inodes;
use super::traffic::Traffic;

/// What a web server takes of its node beside the files of sites.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Files of the system that requests use over and over.
    pub system: Option<SystemFiles>,
    /// The store of its log, by its place in [`Web::stores`](super::Web::stores): one that a file server exports. Nothing where no log is followed.
    pub log: Option<usize>,
    /// Memory of each worker that has a request or a connection, bytes; 0 where the page cache has none of it at any time. It counts where workers are limited.
    pub worker_bytes: u64,
    /// Bytes of the workers' memory that there is other room for.
    pub swap_bytes: u64,
}

/// Programs and libraries that requests use over and over. Each request uses the next piece of them in turn, as they are in memory page by page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SystemFiles {
    /// Their store, by its place in [`Web::stores`](super::Web::stores). Nodes that mount the same one share them.
    pub store: usize,
    /// Their bytes.
    pub bytes: u64,
}

/// Bytes of a line in a web server's log. Assumed: an address, a time, a path of some forty letters, a code and a size, as the common log
/// format has them.
pub const LOG_LINE_BYTES: u64 = 100;

/// The number at file servers of the files of the system: behind those of the traffic.
pub(crate) fn system_number(traffic: &Traffic) -> u32 {
    traffic.files.len() as u32
}

/// The inodes at a file server that has some: behind the files of the system.
pub(crate) fn server_inodes(traffic: &Traffic, inode_bytes: Option<u64>) -> Option<Inodes> {
    let first = system_number(traffic) + 1;
    inode_bytes.map(|bytes| Inodes::new(traffic.files.len(), bytes, first))
}

/// The number at a file server with these inodes of the log of the web node `web`, by its number.
pub(crate) fn log_number(traffic: &Traffic, inodes: Option<Inodes>, web: usize) -> u32 {
    let pages = inodes.map_or(0, Inodes::pages);
    system_number(traffic) + 1 + pages + web as u32
}

/// Bytes that a log may have: a line for each request of the traffic.
pub(crate) fn log_bytes(traffic: &Traffic) -> u64 {
    LOG_LINE_BYTES * (traffic.requests.len() as u64).max(1)
}
