//! Reading a file of PVFS 1, as chapter 6.3 of the dissertation has it. Clients make payloads, one for each server that has a part of a block. The
//! network is a multiplexer with a delay. Servers have a receive buffer for each client, read a strip at a time, and divide it into segments.
//!
//! | page | figure | file |
//! | --- | --- | --- |
//! | client, payload creation | 41 to 43 | `client.rs` |
//! | sending network, receiving network | 44, 45 | `network.rs` |
//! | server, data segmentation | 46, 47 | `server.rs` |
//!
//! The local file system under a server has all of the files in memory. The fast form is [`crate::remote::pvfs`].

mod client;
mod job;
mod network;
mod pvfs_read;
mod server;
mod tokens;

pub use job::ParallelReadJob;
pub(super) use pvfs_read::ENTRY as PVFS_READ;
pub use pvfs_read::pvfs_read;
