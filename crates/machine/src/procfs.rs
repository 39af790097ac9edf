//! What /proc says about processes and mounts.

use crate::{MachineError, OnFile};
use std::fs;
use std::path::{Path, PathBuf};

/// Clock ticks in a second, as the kernel shows them to programs on every Linux architecture that Rust builds for
/// (`USER_HZ`, see time(7)).
pub(crate) const TICKS_PER_S: u64 = 100;

fn stat_fields(pid: u32) -> Result<(PathBuf, Vec<String>), MachineError> {
    let path = PathBuf::from(format!("/proc/{pid}/stat"));
    let text = fs::read_to_string(&path).on("read", &path)?;
    // The program's name, in parentheses, may itself hold spaces and parentheses.
    let rest = text.rfind(')').map_or("", |end| &text[end + 1..]);
    Ok((path, rest.split_whitespace().map(str::to_owned).collect()))
}

/// Field `number` of /proc/PID/stat, counted from 1 as in proc(5); only from the third on.
fn stat_field(pid: u32, number: usize) -> Result<u64, MachineError> {
    let (path, fields) = stat_fields(pid)?;
    fields
        .get(number - 3)
        .and_then(|field| field.parse().ok())
        .ok_or_else(|| MachineError::unreadable(path, format!("no field {number}")))
}

/// When a process started, in clock ticks since the machine did.
pub(crate) fn started_ticks(pid: u32) -> Result<u64, MachineError> {
    stat_field(pid, 22)
}

/// Whether a process is only waiting to be waited for.
pub(crate) fn has_ended(pid: u32) -> bool {
    stat_fields(pid)
        .is_ok_and(|(_, fields)| matches!(fields.first().map(String::as_str), Some("Z" | "X")))
}

/// An identifier of this start of the machine.
pub(crate) fn boot_id() -> Result<String, MachineError> {
    let path = "/proc/sys/kernel/random/boot_id";
    Ok(fs::read_to_string(path).on("read", path)?.trim().to_owned())
}

/// Processes with an open or mapped file, a working directory or a root under `path`, as "name (pid)".
pub(crate) fn users_of(path: &Path) -> Vec<String> {
    users(|process| uses(process, path))
}

/// All processes that there are.
pub(crate) fn processes() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .collect()
}

fn users(matches: impl Fn(&Path) -> bool) -> Vec<String> {
    let processes = processes().into_iter();
    processes
        .filter(|pid| matches(&PathBuf::from(format!("/proc/{pid}"))))
        .map(|pid| format!("{} ({pid})", name_of(pid)))
        .collect()
}

/// Processes in whose mount namespace a device is mounted, as "name (pid)".
pub(crate) fn mounted_by(device: &Path) -> Vec<String> {
    let source = format!(" {} ", device.display());
    users(|process| {
        fs::read_to_string(process.join("mountinfo")).is_ok_and(|mounts| mounts.contains(&source))
    })
}

fn uses(process: &Path, path: &Path) -> bool {
    let links = ["cwd", "root"].map(|link| process.join(link));
    let entries = |directory: &str| fs::read_dir(process.join(directory)).into_iter().flatten();
    // A mapping holds its file when the descriptor is closed; programs and libraries are mapped.
    let files = entries("fd").chain(entries("map_files")).flatten();
    links
        .into_iter()
        .chain(files.map(|file| file.path()))
        .any(|link| fs::read_link(link).is_ok_and(|to| to.starts_with(path)))
}

fn name_of(pid: u32) -> String {
    fs::read_to_string(format!("/proc/{pid}/comm"))
        .unwrap_or_default()
        .trim()
        .to_owned()
}
