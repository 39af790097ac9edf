//! Mount namespaces of other processes, and work done inside them.
#![allow(
    unsafe_code,
    reason = "unshare(2) has no safe wrapper; see `MountNamespace::run`"
)]

use crate::mount::{MountInfo, mounts_of};
use crate::{MachineError, OnFile, procfs};
use rustix::fs::{Mode, OFlags, fstat, open};
use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, UnmountFlags, mount_change, unmount};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space, unshare_unsafe};
use std::collections::HashSet;
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::{fs, io, thread};

/// What a process sees mounted, together with those that share it.
#[derive(Debug)]
pub struct MountNamespace {
    pid: u32,
    path: PathBuf,
    handle: OwnedFd,
    number: u64,
}

impl MountNamespace {
    /// That of a process.
    ///
    /// # Errors
    /// When the process is gone, or is another user's.
    pub fn of_process(pid: u32) -> Result<Self, MachineError> {
        let path = PathBuf::from(format!("/proc/{pid}/ns/mnt"));
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        let handle = open(&path, flags, Mode::empty()).on("open", &path)?;
        let number = fstat(&handle).on("look up", &path)?.st_ino;
        Ok(Self {
            pid,
            path,
            handle,
            number,
        })
    }

    /// What is mounted in it, in order, as long as a process is in it: the one that it was found by, or another.
    ///
    /// # Errors
    /// When that process ends in this moment.
    pub fn mounts(&self) -> Result<Vec<MountInfo>, MachineError> {
        let is_inside =
            |pid: &u32| Self::of_process(*pid).is_ok_and(|found| found.number == self.number);
        let mut processes = [self.pid].into_iter().chain(procfs::processes());
        processes
            .find(is_inside)
            .map_or_else(|| Ok(Vec::new()), mounts_of)
    }

    /// What tells it from all others.
    #[must_use]
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Whether it is the calling process' own.
    ///
    /// # Errors
    /// When /proc cannot be read.
    pub fn is_own(&self) -> Result<bool, MachineError> {
        Ok(Self::of_process(std::process::id())?.number == self.number)
    }

    /// Does a job inside it, on a thread of its own. Files that are open stay so; paths are those of the namespace.
    ///
    /// # Errors
    /// When the namespace may not be entered (that takes CAP_SYS_ADMIN), or with what the job says.
    pub fn run<T: Send>(
        &self,
        job: impl FnOnce() -> io::Result<T> + Send,
    ) -> Result<T, MachineError> {
        let inside = || {
            // SAFETY: a thread that shares its working folder and root with others may not enter another mount namespace
            // (setns(2)). Only these are given up (`CLONE_FS`), not the table of open files, so that descriptors mean the same
            // on all threads; the thread ends with the job.
            unsafe { unshare_unsafe(UnshareFlags::FS)? };
            move_into_link_name_space(self.handle.as_fd(), Some(LinkNameSpaceType::Mount))?;
            job()
        };
        let done = thread::scope(|scope| scope.spawn(inside).join());
        match done {
            Ok(done) => done.on("work in", &self.path),
            Err(_) => Err(io::Error::other("the work failed")).on("work in", &self.path),
        }
    }
}

/// Gives the calling thread, and the program that it becomes, a mount namespace of its own. What the machine mounts later is seen
/// in it as well; what is mounted in it is seen nowhere else.
///
/// # Errors
/// Without CAP_SYS_ADMIN.
pub fn leave_shared() -> Result<(), MachineError> {
    let here = "/proc/self/ns/mnt";
    // SAFETY: the table of open files stays shared with other threads (no `CLONE_FILES`).
    match unsafe { unshare_unsafe(UnshareFlags::NEWNS) } {
        Err(Errno::PERM) => return Err(MachineError::unusable(NO_RIGHT_TO_LEAVE)),
        other => other.on("leave", here)?,
    }
    let downstream = MountPropagationFlags::DOWNSTREAM | MountPropagationFlags::REC;
    mount_change("/", downstream).on("leave", here)
}

const NO_RIGHT_TO_LEAVE: &str = "a mount namespace of its own takes CAP_SYS_ADMIN: run this as root, or in a user namespace \
    (`unshare -Ur`)";

/// Whether the calling process is in the machine's own user namespace, where root may do everything. Its users are mapped to
/// themselves, all of them (user_namespaces(7)).
#[must_use]
pub fn is_initial_user() -> bool {
    let map = fs::read_to_string("/proc/self/uid_map");
    map.is_ok_and(|map| map.split_whitespace().eq(["0", "0", "4294967295"]))
}

/// Unmounts, in all mount namespaces but the caller's own, everything of the file system that is mounted at `path` here. Whether
/// there was something.
pub(crate) fn unbind_all(path: &Path) -> Result<bool, MachineError> {
    let own = std::process::id();
    let here = mounts_of(own)?.into_iter().rev();
    let Some(device) = here
        .filter(|mounted| mounted.path == path)
        .map(|mounted| mounted.device)
        .next()
    else {
        return Ok(false);
    };
    let mut seen: HashSet<u64> = HashSet::from([MountNamespace::of_process(own)?.number]);
    let mut was_there = false;
    for pid in procfs::processes() {
        // It may have ended by now, and its namespace with it.
        let Ok(namespace) = MountNamespace::of_process(pid) else {
            continue;
        };
        if !seen.insert(namespace.number) {
            continue;
        }
        let mounted = mounts_of(pid).unwrap_or_default();
        let of_device = mounted.iter().filter(|mounted| mounted.device == device);
        let paths: Vec<&Path> = of_device.map(|mounted| mounted.path.as_path()).collect();
        if !paths.is_empty() {
            namespace.run(|| unmount_all(&paths))?;
            was_there = true;
        }
    }
    Ok(was_there)
}

/// Last mounted first. What is in use goes when its last user does.
fn unmount_all(paths: &[&Path]) -> io::Result<()> {
    for path in paths.iter().rev() {
        match unmount(*path, UnmountFlags::DETACH | UnmountFlags::NOFOLLOW) {
            // It went with the file that it was mounted on.
            Err(Errno::INVAL | Errno::NOENT) => {}
            other => other?,
        }
    }
    Ok(())
}
