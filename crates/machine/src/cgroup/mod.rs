//! The machine's control groups of either version: where they are mounted, a group's memory, the processes in it, and groups that a
//! deployment makes.
//!
//! | deed | place |
//! | --- | --- |
//! | what a group's memory is used for, its limit, its reclaim | `memory.rs` |
//! | kill what is in a group, remove it | `tree.rs` |
//! | make a group and limit it, by version | `creation/` |

mod creation;
pub(crate) mod files;
pub(crate) mod hierarchies;
mod io;
mod limits;
pub(crate) mod memory;
pub(crate) mod tree;

pub use creation::ControlGroup;
pub use hierarchies::Hierarchies;
pub use io::{DeviceNumber, IoLimits};
pub use limits::{CpuSet, Limits};
pub use memory::{MemoryGroup, MemoryUsage};
