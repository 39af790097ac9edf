//! PVFS 1 and OrangeFS (PVFS 2): files in strips on several servers, message by message. No count is by formula.
//!
//! | deed | place |
//! | --- | --- |
//! | protocols and their options, machines, links | `system.rs` |
//! | which server has which byte | `striping.rs` |
//! | bytes of messages | `wire.rs` |
//! | what is under way; who is connected with whom | `call.rs`; `connections.rs` |
//! | what a client's thread does first, and what later | `client_work.rs` |
//! | which writes make files grow | `growth.rs` |
//! | what operations on names ask, and what clients know | `metadata.rs` |
//! | data: small messages, flows, chunks; receive buffers of PVFS 1 | `flows.rs`; `receive.rs` |
//! | all of it in time, for whoever wants something; whose processors that takes | `store.rs`; `processors.rs` |
//! | the same as the storage of its clients asks for it | `files.rs` |
//! | the calls of a client that only opens, reads and closes files | `read_mount.rs` |
//!
//! A client sends a flow as far ahead as the server has buffers: TCP holds that up without a message. A server has one connection with each
//! client. The library of OrangeFS has no threads: what it does for an operation it does one after the other.
//!
//! Not followed: windows of TCP that open slowly, more than one metadata server, locks, errors, the state machines' own queues, and what
//! `fsync` has disks do.

mod call;
mod client_work;
mod connections;
mod files;
mod flows;
mod growth;
mod metadata;
mod processors;
mod read_mount;
mod receive;
mod store;
mod striping;
mod system;
mod wire;

pub(super) use connections::Connections;
pub(crate) use files::ParallelFiles;
pub(crate) use metadata::Naming;
pub(crate) use processors::Processors;
pub use read_mount::ParallelPart;
pub(super) use read_mount::ParallelReadMount;
pub(crate) use store::ParallelStore;
pub use striping::Striping;
pub use system::{ClientKind, OrangeFs, Protocol, Pvfs1, PvfsServer, PvfsSystem, ReceiveCost};
