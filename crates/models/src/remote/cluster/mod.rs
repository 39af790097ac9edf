//! Lustre, GlusterFS and MooseFS: files on several servers whose clients cache, message by message. No count is by formula.
//!
//! | deed | place |
//! | --- | --- |
//! | protocols and their options, machines, links | `system.rs` |
//! | which server has which byte; who wants what | `layout.rs`; `access.rs` |
//! | bytes of messages | `wire.rs` |
//! | calls round by round, and what is under way | `call.rs` |
//! | what a client has of a file; what it reads ahead | `known.rs`; `ahead.rs` |
//! | what a protocol asks for what is wanted | `lustre.rs`, `gluster.rs`, `moose.rs`; what GlusterFS keeps of small files: `quick_read.rs` |
//! | all of it in time, for whoever wants something | `store.rs`; what clients have in memory: `memory.rs` |
//! | the same as the storage of its clients asks for it | `files.rs` |
//! | the calls of a client that only opens, reads and closes files | `read_mount.rs` |
//!
//! An operation is calls in rounds: those of one round are made together, and the next round begins when all are answered. What a client does by
//! itself, such as to read ahead, is an operation for which only those wait who want what it brings. Servers have one connection with each
//! client. Not followed: more than one metadata server, servers that fail, quotas, and what clients are told when a write fails.

mod access;
mod ahead;
mod call;
mod files;
mod gluster;
mod known;
mod layout;
mod lustre;
mod memory;
mod moose;
mod quick_read;
mod read_mount;
mod store;
mod system;
mod wire;

pub(crate) use files::ClusterFiles;
pub(super) use read_mount::ClusterReadMount;
pub(crate) use store::{ClusterStore, Wanted};
pub use system::{
    ClusterPart, ClusterProtocol, ClusterServers, ClusterSystem, GlusterFs, Lustre, MooseFs,
};
