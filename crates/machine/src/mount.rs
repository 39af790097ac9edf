//! Mounting and unmounting, and what is mounted.

use crate::{MachineError, OnFile, procfs};
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::mount::{MountFlags, UnmountFlags};
use std::ffi::CString;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// How long a file system or its device may be held by processes that are about to let it go. They take milliseconds,
/// and their turns at the processors on a busy machine.
const BUSY_PATIENCE: Duration = Duration::from_secs(5);
const BUSY_PAUSE: Duration = Duration::from_millis(5);
/// Tools that make a mount namespace end within milliseconds.
const RELEASE_PATIENCE: Duration = Duration::from_secs(10);

/// One line of /proc/self/mountinfo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mounted {
    /// Where.
    pub path: PathBuf,
    /// The file system.
    pub kind: String,
    /// The file system's own options.
    pub options: String,
}

/// What is mounted, in order.
///
/// # Errors
/// When /proc/self/mountinfo cannot be read.
pub fn mounts() -> Result<Vec<Mounted>, MachineError> {
    let path = "/proc/self/mountinfo";
    let text = fs::read_to_string(path).on("read", path)?;
    Ok(text.lines().filter_map(mounted).collect())
}

fn mounted(line: &str) -> Option<Mounted> {
    let (before, after) = line.split_once(" - ")?;
    let path = PathBuf::from(unescape(before.split(' ').nth(4)?));
    let mut after = after.split(' ');
    let kind = after.next()?.to_owned();
    let options = after.nth(1)?.to_owned();
    Some(Mounted {
        path,
        kind,
        options,
    })
}

/// mountinfo writes space, tab, newline and backslash as octal escapes.
fn unescape(text: &str) -> String {
    text.replace("\\040", " ")
        .replace("\\011", "\t")
        .replace("\\012", "\n")
        .replace("\\134", "\\")
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
