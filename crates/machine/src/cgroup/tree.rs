//! A group, the groups below it and the processes in them.

use super::files::keyed;
use crate::{MachineError, OnFile};
use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Killed processes may wait for a slow disk before they go.
const KILL_PATIENCE: Duration = Duration::from_secs(20);

/// Kills what is in a group and in the groups below, and removes them. Whether there was such a group.
pub(crate) fn remove(group: &Path) -> Result<bool, MachineError> {
    if !group.exists() {
        return Ok(false);
    }
    let give_up = Instant::now() + KILL_PATIENCE;
    loop {
        kill_all(group);
        match remove_empty(group) {
            Ok(()) => return Ok(true),
            Err(error) if Instant::now() > give_up => return Err(error).on("remove", group),
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
}

fn kill_all(group: &Path) {
    // Where the kernel has no such file, or it is version 1, the processes are killed one by one.
    let at_once = group.join("cgroup.kill");
    if at_once.exists() && fs::write(at_once, "1").is_ok() {
        return;
    }
    for pid in members(group) {
        if let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) {
            // It may be gone by now.
            let _gone = kill_process(pid, Signal::KILL);
        }
    }
}

/// The processes in a group and in the groups below.
pub(crate) fn members(group: &Path) -> Vec<u32> {
    let own = fs::read_to_string(group.join("cgroup.procs")).unwrap_or_default();
    let mut members: Vec<u32> = own.lines().filter_map(|line| line.parse().ok()).collect();
    for inner in inner_groups(group) {
        members.extend(self::members(&inner));
    }
    members
}

/// The groups right below one.
pub(crate) fn inner_groups(group: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(group).into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}

fn remove_empty(group: &Path) -> std::io::Result<()> {
    for inner in inner_groups(group) {
        remove_empty(&inner)?;
    }
    fs::remove_dir(group)
}

/// Processor time used in a version 2 group, in microseconds. The kernel counts it without any controller, and what
/// processes that have ended used is in it.
pub(crate) fn cpu_us(group: &Path) -> Result<u64, MachineError> {
    let path = group.join("cpu.stat");
    let stat = keyed(&path)?;
    stat.get("usage_usec")
        .copied()
        .ok_or_else(|| MachineError::unreadable(path, "no usage_usec"))
}
