//! Jobs of fio, the flexible I/O tester, read from its files and simulated.
//!
//! ```
//! use hotset_models::fio::{JobFile, System, simulate};
//! use hotset_scenario::Profile;
//!
//! let text = "[scan]\nrw=read\nbs=64k\nsize=16m\n";
//! let file = JobFile::parse(text, "scan.fio".as_ref())?;
//! let profile = Profile::named_or_file("ssd")?;
//! let system = System { profile: &profile, memory_bytes: None, seed: 0 };
//! let results = simulate(&file.jobs, &system, &|| true)?;
//! assert_eq!(results[0].outcome.total.requests, Some(256));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | deed | place |
//! | --- | --- |
//! | sections of a job file; jobs of them | `sections.rs`; `job_file.rs` |
//! | options that are modelled, refused, and what they must be together | `options` |
//! | where a job reads, and how much; how blocks are drawn | `offsets.rs`, `blocks.rs`; `distribution/NAME.rs` |
//! | when a process reads, writes and syncs | `application.rs`, `direction.rs`, `operation.rs` |
//! | what syncs its writes; how its file is made | `writes.rs` |
//! | logs | `iolog.rs`, `replay.rs` |
//! | the files of jobs | `files.rs` |
//! | jobs one after the other, on local stores and on file servers; at the same time, event by event | `simulate.rs`; `stage.rs` |
//! | the machines that run them | `machines.rs` |
//! | what that comes to; from when on | `result.rs`; `ramps.rs` |

mod application;
mod block_map;
mod blocks;
mod direction;
mod distribution;
mod error;
mod files;
mod iolog;
mod job;
mod job_file;
mod machines;
mod next;
mod offsets;
mod operation;
mod options;
mod ramps;
mod replay;
mod result;
mod sections;
mod simulate;
mod stage;
mod value;
mod writes;

pub use blocks::{Blocks, SizeShare};
pub use distribution::{Distribution, Zone};
pub use error::{JobFileError, SimulationError};
pub use iolog::{Action, ActionKind, Iolog, IologFile};
pub use job::{Engine, Job, Mode, Pattern};
pub use job_file::{JobFile, TrimmingJob};
pub use offsets::{Offsets, Place};
pub use operation::Operation;
pub use options::{FioOption, OPTIONS, ValueKind};
pub use result::{Bottleneck, JobResult, OperationResult};
pub use simulate::{
    simulate, simulate_cluster, simulate_parallel, simulate_placed, simulate_remote,
};
pub use writes::{Allocation, RangeSync, WriteSync};

pub use crate::storage::{Delivery, System, WrittenBytes};
