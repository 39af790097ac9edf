//! NFS as the client of Linux 6.1 speaks it, call by call. No count is by formula: each call is made where the kernel makes it.
//!
//! | deed | place |
//! | --- | --- |
//! | how it is mounted | `mount.rs` |
//! | what a client has cached; what it knows and for how long; its page cache | `client.rs`; `attributes.rs`; `pages.rs` |
//! | what is written in the background, and when | `write_back.rs`, `flusher.rs`; the kernel's timers: `timer.rs` |
//! | paths, names, opens, content | `walk.rs`, `naming.rs`, `opens.rs`, `content.rs` |
//! | bytes of calls and answers | `wire.rs` |
//! | the server: files, folders, delegations, the time that an answer takes; files that get no delegation | `server.rs`; `blocked.rs` |
//! | the calls of a client that only opens, reads and closes files | `read_mount.rs` |
//! | the calls of clients in user space, one at a time, in time | `user_space.rs` |
//! | for whom files of version 4.0 are open | `open_owner.rs` |
//! | calls in time, of what a page cache asks for; what is known of a file then; calls under way; what it came to | `remote_store.rs`; `file_state.rs`; `call.rs`; `remote_result.rs` |
//!
//! Version 2 is followed with the caches of Linux 6.1, whose client still has it (`fs/nfs/proc.c`).
//!
//! Not followed yet: memory that runs out, limits of dirty pages, locks, errors, lost packets, and soft mounts. Nor are
//! calls of version 2 and 4.0 that are sent again.

mod attributes;
mod blocked;
mod call;
mod client;
mod content;
mod file_state;
mod flusher;
mod mount;
mod naming;
mod open_owner;
mod opens;
mod pages;
mod read_mount;
mod remote_result;
mod remote_store;
mod server;
mod timer;
mod user_space;
mod walk;
mod wire;
mod write_back;

pub(super) use call::{CallCounts, Times};
pub use call::{CallParts, CallResult};
pub use client::Client;
pub use mount::{Mount, Version};
pub(super) use pages::Pages;
pub(crate) use read_mount::{FileCall, ReadMount};
pub(super) use remote_result::Counted;
pub use remote_result::RemoteResult;
pub(crate) use remote_store::RemoteStore;
pub use remote_store::RemoteSystem;
pub use server::{FileId, ROOT, Server};
pub use user_space::{RecordJob, RecordResult, UserSpaceSystem, simulate_user_space};
