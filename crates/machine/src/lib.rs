//! What a program does to Linux and undoes.
//!
//! A [`Deployment`] is one life of such a program. What it makes of the machine hangs on it: groups of processes
//! ([`ControlGroup`]), [`mount`]s, [`process`]es and whatever else a [`resource::Resource`] names. Each thing is
//! written into the deployment's [`ledger`] before it is made. It is gone again after [`Deployment::teardown`], after the drop of the
//! last reference, or, when the program was killed, after the start of the next deployment.
//!
//! The rest reads the machine: its [`memory`], [`cachestat`], its [`Requirements`], whether it is quiet ([`Watch`]).
//! [`file`] writes results where they are told to go; [`temporary`] sweeps what killed processes left of that.
//!
//! | deed | place |
//! | --- | --- |
//! | make something on the machine and undo it | `resource.rs` (how), `ledger.rs` (when) |
//! | make control groups, of version 1 and 2; a group's memory, limit and processes, of either version | `created_group/`; `cgroup/memory.rs`, `cgroup/tree.rs` |
//! | a number of the kernel's that several owners raise | `raise.rs` |
//! | a program that ends with the one that started it | `bound_child.rs` |
//! | what a directory is on; its journal; when what is dirty is written | `file_system.rs`; `journal.rs`; `dirty_limits.rs` |
//! | how a mount asks other machines | `network_mount.rs` |
//! | what a device is given to write, and where its journal lies | `block_trace.rs`, `journal_place.rs` |
//! | where on a disk a file system lies | `disk_span.rs` |
//! | what systemd is told | `systemd.rs` |
//! | what a running MariaDB is told | `database_setting.rs` |
//! | write a result where it is told to go | `file.rs`, `destination.rs` |

mod block_trace;
mod bound_child;
pub mod cachestat;
pub mod cgroup;
mod charge;
pub mod command;
mod created_group;
pub mod database_setting;
mod deployment;
mod destination;
mod dirty_limits;
mod disk_span;
mod drained_socket;
mod error;
pub mod file;
pub mod file_system;
mod identity;
mod journal;
mod journal_place;
pub mod lease;
pub mod ledger;
pub mod lock;
mod mapping;
pub mod memory;
mod memory_limit;
pub mod mount;
pub mod namespace;
mod network_mount;
pub mod process;
mod procfs;
mod quietness;
pub mod raise;
mod requirements;
mod residency;
pub mod resource;
mod summary;
pub mod systemd;
pub mod temporary;

pub use block_trace::BlockTrace;
pub use bound_child::end_with_caller;
pub use charge::is_charged_to;
pub use created_group::ControlGroup;
pub use deployment::{Deployment, Directories};
pub use destination::{Destination, STANDARD_OUTPUT};
pub use disk_span::DiskSpan;
pub use drained_socket::DrainedSocket;
pub use error::{MachineError, OnFile};
pub use identity::ProcessIdentity;
pub use journal_place::journal_runs;
pub use mapping::FileMapping;
pub use memory_limit::MemoryLimit;
pub use quietness::{Quietness, Watch, used_processor_us};
pub use requirements::{Need, Requirements};
pub use residency::Residency;
pub use summary::summary;
