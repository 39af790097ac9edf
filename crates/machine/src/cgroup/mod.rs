//! The machine's control groups of either version: where they are mounted, a group's memory, and the processes in it.

pub(crate) mod files;
pub(crate) mod hierarchies;
mod io;
mod limits;
pub(crate) mod memory;
pub(crate) mod tree;

pub use hierarchies::Hierarchies;
pub use io::{DeviceNumber, IoLimits};
pub use limits::{CpuSet, Limits};
pub use memory::{MemoryGroup, MemoryUsage};
