//! Reading and writing a file of PVFS 1, as chapters 6.3 and 6.4 of the dissertation have it. Clients make payloads, one for each server
//! that has a part of a block. The network is a multiplexer with a delay. Servers have a receive buffer for each client. They read a strip
//! at a time, and write what was asked for as a whole. What has data passes in segments.
//!
//! | page | figure | file |
//! | --- | --- | --- |
//! | client, payload creation | 41 to 43, 48 to 50 | `client.rs` |
//! | sending network, receiving network | 44, 45, 52, 53 | `network.rs` |
//! | server, data segmentation | 46, 47, 51, 54 | `server.rs` |
//!
//! The local file system under a server has all of the files in memory, and takes no time. The fast form is [`crate::remote::pvfs`].

mod client;
mod job;
mod network;
mod pvfs;
mod server;
mod tokens;

pub use job::ParallelJob;
pub use pvfs::parallel;
pub(super) use pvfs::{READ as PVFS_READ, WRITE as PVFS_WRITE};
