//! The machine's memory, and that of single processes (proc(5)).
#![expect(
    unsafe_code,
    reason = "the C library's allocator has settings of its own"
)]

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

/// From how many bytes on what is allocated is mapped by itself, and given back when it is freed.
#[cfg(target_env = "gnu")]
const MAPPED_BYTES: libc::c_int = 256 << 10;

/// Has the allocator give large pieces of memory back as soon as they are freed, for a process that stays. Without it, glibc keeps pieces
/// of up to 32 MiB in its heap once one of that size was freed (mallopt(3), `M_MMAP_THRESHOLD`).
pub fn give_back_at_once() {
    #[cfg(target_env = "gnu")]
    // SAFETY: mallopt(3) takes two numbers and no pointer; it is safe in any thread (MT-Safe init). What it refuses stays as it was.
    let _was_set = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, MAPPED_BYTES) };
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
        .ok_or_else(|| MachineError::unreadable(path, format!("no {name}")))
}
