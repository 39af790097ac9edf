//! The machine's memory, and that of single processes (proc(5)).

use crate::{MachineError, OnFile};
use std::fs;
use std::path::PathBuf;

/// Bytes of one page of this machine's memory.
#[must_use]
pub fn page_bytes() -> u64 {
    rustix::param::page_size() as u64
}

/// Memory that can be used without swapping (`MemAvailable` of /proc/meminfo), bytes.
///
/// # Errors
/// When the kernel does not tell.
pub fn available_bytes() -> Result<u64, MachineError> {
    value("/proc/meminfo".into(), "MemAvailable")
}

/// All memory of the machine that the kernel gives to programs (`MemTotal` of /proc/meminfo), bytes.
///
/// # Errors
/// When the kernel does not tell.
pub fn total_bytes() -> Result<u64, MachineError> {
    value("/proc/meminfo".into(), "MemTotal")
}

/// Most memory that the calling process has had resident (`VmHWM` of /proc/self/status), bytes.
///
/// # Errors
/// When the kernel does not tell.
pub fn peak_bytes() -> Result<u64, MachineError> {
    value("/proc/self/status".into(), "VmHWM")
}

/// Memory that a process has locked (`VmLck` of /proc/PID/status), bytes.
///
/// # Errors
/// When the process is gone.
pub fn locked_bytes(pid: u32) -> Result<u64, MachineError> {
    value(format!("/proc/{pid}/status").into(), "VmLck")
}

/// The value of a line `Name:   123 kB`, in bytes.
fn value(path: PathBuf, name: &str) -> Result<u64, MachineError> {
    let text = fs::read_to_string(&path).on("read", &path)?;
    let kibibytes = |line: &str| {
        let rest = line.strip_prefix(name)?.strip_prefix(':')?;
        rest.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    text.lines()
        .find_map(kibibytes)
        .map(|kibibytes| kibibytes * 1024)
        .ok_or_else(|| MachineError::Unreadable {
            path,
            problem: format!("no {name}"),
        })
}
