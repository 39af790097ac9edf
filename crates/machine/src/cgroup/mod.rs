//! The machine's control groups of either version: where they are mounted, a group's memory, the processes in it. Groups
//! that a deployment makes are in `created_group/`.
//!
//! | deed | place |
//! | --- | --- |
//! | what a group's memory is used for, its limit, its reclaim | `memory.rs` |
//! | kill what is in a group, remove it | `tree.rs` |

pub(crate) mod files;
pub(crate) mod hierarchies;
mod io;
mod limits;
pub(crate) mod memory;
pub(crate) mod tree;

pub use hierarchies::Hierarchies;
pub use io::{DeviceNumber, IoLimits};
pub use limits::{CpuSet, Limits, Quota};
pub use memory::{MemoryGroup, MemoryUsage};
