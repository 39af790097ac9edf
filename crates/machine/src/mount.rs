//! Mounting and unmounting, and what is mounted.

use crate::{MachineError, OnFile, procfs};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::mount::{MountFlags, MountPropagationFlags, UnmountFlags};
use std::ffi::{CString, OsString};
use std::fs;
use std::os::unix::ffi::OsStringExt as _;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long a file system or its device may be held by processes that are about to let it go. They take milliseconds,
/// and their turns at the processors on a busy machine.
const BUSY_PATIENCE: Duration = Duration::from_secs(5);
const BUSY_PAUSE: Duration = Duration::from_millis(5);
/// Tools that make a mount namespace end within milliseconds.
const RELEASE_PATIENCE: Duration = Duration::from_secs(10);

/// One line of /proc/PID/mountinfo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MountInfo {
    /// Where.
    pub path: PathBuf,
    /// The number of the file system's device, as "major:minor".
    pub device: String,
    /// What of the file system is mounted there, as a path within it.
    pub root: PathBuf,
    /// The file system.
    pub kind: String,
    /// What it is of: a device, a server's folder.
    pub source: PathBuf,
    /// The file system's own options.
    pub options: String,
}

/// What is mounted, in order.
///
/// # Errors
/// When /proc/self/mountinfo cannot be read.
pub fn mounts() -> Result<Vec<MountInfo>, MachineError> {
    read_mounts("/proc/self/mountinfo".into())
}

/// What a process sees mounted, in order.
///
/// # Errors
/// When the process is gone.
pub fn mounts_of(pid: u32) -> Result<Vec<MountInfo>, MachineError> {
    read_mounts(format!("/proc/{pid}/mountinfo").into())
}

fn read_mounts(path: PathBuf) -> Result<Vec<MountInfo>, MachineError> {
    let text = fs::read(&path).on("read", &path)?;
    let lines = text.split(|byte| *byte == b'\n');
    Ok(lines.filter_map(mounted).collect())
}

/// A line of proc_pid_mountinfo(5). Paths may hold any byte.
fn mounted(line: &[u8]) -> Option<MountInfo> {
    let words: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
    let end = words.iter().skip(6).position(|word| *word == b"-")? + 6;
    let text = |at: usize| Some(String::from_utf8_lossy(words.get(at)?).into_owned());
    let path = |at: usize| {
        let plain = unescape(words.get(at)?);
        Some(PathBuf::from(OsString::from_vec(plain)))
    };
    Some(MountInfo {
        path: path(4)?,
        root: path(3)?,
        device: text(2)?,
        kind: text(end + 1)?,
        source: path(end + 2)?,
        options: text(end + 3)?,
    })
}

/// mountinfo writes space, tab, newline and backslash as a backslash and three octal digits.
fn unescape(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::with_capacity(text.len());
    let mut rest = text;
    while let [first, after @ ..] = rest {
        let digits = after.get(..3).filter(|_| *first == b'\\');
        let octal = digits
            .and_then(|digits| std::str::from_utf8(digits).ok())
            .and_then(|digits| u8::from_str_radix(digits, 8).ok());
        plain.push(octal.unwrap_or(*first));
        rest = if octal.is_some() { &after[3..] } else { after };
    }
    plain
}

/// Whether something is mounted at `path`.
///
/// # Errors
/// As [`mounts`].
pub fn is_mount_point(path: &Path) -> Result<bool, MachineError> {
    Ok(mounts()?.iter().any(|mounted| mounted.path == path))
}

/// Mounts `source` at `path` with the file system's own options in `data`, as soon as the device is free. Access times are not
/// kept, and neither devices nor set-user-id programs are honoured there.
///
/// # Errors
/// When the kernel refuses.
pub fn mount(source: &Path, path: &Path, kind: &str, data: &str) -> Result<(), MachineError> {
    let data = CString::new(data)
        .map_err(std::io::Error::from)
        .on("mount", path)?;
    let flags = MountFlags::NOATIME | MountFlags::NODEV | MountFlags::NOSUID;
    when_free(BUSY_PATIENCE, || {
        rustix::mount::mount(source, path, kind, flags, data.as_c_str())
    })
    .on("mount", path)
}

/// Mounts what is at `source` at `path` as well, where nobody can write to it, root included.
///
/// # Errors
/// When the kernel refuses.
pub fn mount_read_only(source: &Path, path: &Path) -> Result<(), MachineError> {
    rustix::mount::mount_bind(source, path).on("mount", path)?;
    let flags = MountFlags::BIND
        | MountFlags::RDONLY
        | MountFlags::NOATIME
        | MountFlags::NODEV
        | MountFlags::NOSUID;
    rustix::mount::mount_remount(path, flags, c"").on("protect", path)
}

/// Makes a folder whose mounts come and go in all mount namespaces that are made from now on and follow this one, as that of
/// `hotset exec` does: a server there would otherwise keep what is unmounted here (mount_namespaces(7), shared subtrees).
///
/// # Errors
/// When the kernel refuses.
pub fn mount_shared(path: &Path) -> Result<(), MachineError> {
    rustix::mount::mount_bind(path, path).on("mount", path)?;
    rustix::mount::mount_change(path, MountPropagationFlags::SHARED).on("share", path)
}

/// Unmounts what is at `path` as soon as nobody uses it; says who keeps it busy when that takes too long.
///
/// # Errors
/// [`MachineError::Busy`] with those who use it.
pub fn unmount_when_free(path: &Path) -> Result<(), MachineError> {
    match when_free(BUSY_PATIENCE, || {
        rustix::mount::unmount(path, UnmountFlags::empty())
    }) {
        Err(Errno::BUSY) => Err(MachineError::Busy {
            path: path.to_owned(),
            users: procfs::users_of(path),
        }),
        other => other.on("unmount", path),
    }
}

/// Waits until no mount namespace has the block device at `device` mounted. One that was made meanwhile, if only by a tool that
/// looks at a network namespace, has copies of all mounts. While it is there the file system lives on, and mounting it again
/// gives it back with its cache.
///
/// # Errors
/// [`MachineError::Busy`] with those who have it mounted still, `path` being where it was mounted.
pub fn wait_until_released(device: &Path, path: &Path) -> Result<(), MachineError> {
    // Only who mounts a device opens it for himself alone.
    let alone = OFlags::RDONLY | OFlags::EXCL | OFlags::CLOEXEC;
    let open = || rustix::fs::open(device, alone, Mode::empty());
    match when_free(RELEASE_PATIENCE, open) {
        Err(Errno::BUSY) => Err(MachineError::Busy {
            path: path.to_owned(),
            users: procfs::mounted_by(device),
        }),
        other => other.map(drop).on("open", device),
    }
}

/// Tries again while something is busy, for as long as `patience`. A process that has just been forked holds its parent's
/// files until it becomes a program of its own, whoever opened them, and one that has just been killed holds its own
/// until it is gone.
fn when_free<T>(
    patience: Duration,
    mut attempt: impl FnMut() -> rustix::io::Result<T>,
) -> rustix::io::Result<T> {
    let give_up = Instant::now() + patience;
    loop {
        match attempt() {
            Err(Errno::BUSY) if Instant::now() < give_up => thread::sleep(BUSY_PAUSE),
            other => return other,
        }
    }
}
