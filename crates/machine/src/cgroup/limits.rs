//! What a group may use.

use std::fmt;

/// Processors by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CpuSet(pub Vec<usize>);

impl fmt::Display for CpuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

/// What a group may use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Memory of its processes, their page cache and the kernel's memory on their behalf; all of the machine's
    /// without.
    pub memory_bytes: Option<u64>,
    /// Processors; all without.
    pub cpus: Option<CpuSet>,
}
