//! Copies of files in a memory file system, filled in the name of the server's memory group.
//!
//! A copy is made under another name, compared with its file again, and only then given its own name: nobody ever sees a part
//! of it, or a mixture of two contents.

use super::CountedAs;
use crate::context::Context;
use crate::worker::{Worker, WorkerGone};
use crate::{Identity, LiveError, Refusal, ResolvedFile, Server};
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::ledger::Ledger;
use hotset_machine::resource::Resource;
use hotset_machine::systemd::Successor;
use hotset_machine::{MachineError, OnFile, ProcessIdentity, mount};
use rustix::fs::{
    CWD, Gid, Mode, OFlags, Stat, Timespec, Timestamps, Uid, XattrFlags, fchmod, fchown, fgetxattr,
    flistxattr, fsetxattr, fstat, futimens, open, renameat,
};
use rustix::io::Errno;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io::ErrorKind;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How often a file is copied anew that was changed meanwhile.
const ATTEMPTS: usize = 3;
/// A file's times are those of the kernel's last tick, of which there are 100 to 1000 a second (before Linux 6.13). Two changes
/// within one tick leave the same times, so a file is copied once its last change is two ticks old.
const TICKS: Duration = Duration::from_millis(20);
/// An access control list or a security label is at most one page (xattr(7): ext4's limit; 64 KiB is the kernel's).
const ATTRIBUTE_BYTES: usize = 64 << 10;
/// Attributes that say who may read a file (acl(5), xattr(7)); others are for programs, and no server serves them.
const KEPT_ATTRIBUTES: [&str; 2] = ["system.posix_acl_access", "security."];
/// A copy that is being made: hotset's alone.
const PRIVATE: Mode = Mode::from_raw_mode(0o600);

/// A memory file system with copies, and the worker that fills it.
pub(super) struct Copies<'l> {
    ledger: &'l Ledger,
    arguments: Vec<OsString>,
    group: Option<MemoryGroup>,
    worker: Option<Worker<'l>>,
    /// Does nothing but take the copies away should guardian and worker both be killed.
    watcher: Worker<'l>,
    /// Where they are written. Whoever owns a file owns its copy, and its folder: could they write to that, they could lead
    /// hotset astray with links of their own.
    inside: PathBuf,
    counted_as: CountedAs,
}

impl<'l> Copies<'l> {
    /// Mounts a memory file system that everybody can read at `StateFolder::copies`, and that hotset alone can write to.
    /// Should the guardian die, the worker or the watcher takes it away: what nobody keeps up to date is not to be served.
    pub fn new(context: Context<'l>, group: Option<MemoryGroup>) -> Result<Self, LiveError> {
        let Context {
            ledger,
            worker,
            folder: state,
        } = context;
        let (private, copies) = (state.path().join("private"), state.copies());
        for folder in [&private, &copies] {
            let make = || {
                DirBuilder::new()
                    .mode(0o700)
                    .create(folder)
                    .on("make", folder)
            };
            let (_folder, ()) = ledger.make(Resource::Directory(folder.clone()), make)?;
        }
        let inside = private.join("copies");
        fs::create_dir(&inside).on("make", &inside)?;
        let mount = Resource::Mount(inside.clone());
        let (_mount, counted_as) = ledger.make(mount, || mount_memory(&inside))?;
        let mount = Resource::Mount(copies.clone());
        let (_mount, ()) = ledger.make(mount, || mount::mount_read_only(&inside, &copies))?;
        let unfinished = inside.join(UNFINISHED);
        let make = DirBuilder::new().mode(0o700).create(&unfinished);
        make.on("make", &unfinished)?;
        let mut arguments = worker.to_vec();
        arguments.push("--withdraw".into());
        outlive(ledger, &arguments)?;
        Ok(Self {
            ledger,
            group,
            worker: None,
            watcher: Worker::start(ledger, &arguments, None)?,
            arguments,
            inside,
            counted_as,
        })
    }

    pub fn counted_as(&self) -> CountedAs {
        self.counted_as
    }

    /// Where copies are written.
    pub fn inside(&self) -> &Path {
        &self.inside
    }

    /// Copies a file to `to`, which is in the memory file system, as are its folders. What the file was then.
    pub fn copy(
        &mut self,
        found: &ResolvedFile,
        number: u64,
        to: &Path,
    ) -> Result<Identity, Refusal> {
        let unfinished = self.inside.join(UNFINISHED).join(number.to_string());
        let copied = self.copy_whole(found, &unfinished).and_then(|identity| {
            renameat(CWD, &unfinished, CWD, to).map_err(Refusal::system("name"))?;
            Ok(identity)
        });
        if copied.is_err() {
            let _gone = fs::remove_file(&unfinished);
        }
        copied
    }

    /// Gives a copy another name, in place of whatever stands there.
    pub fn link(&self, copy: &Path, name: &Path, number: u64) -> Result<(), Refusal> {
        let inode = |path: &Path| fs::metadata(path).map(|metadata| metadata.ino());
        if inode(copy).ok() == inode(name).ok() {
            return Ok(());
        }
        let unfinished = self.inside.join(UNFINISHED).join(number.to_string());
        fs::hard_link(copy, &unfinished).map_err(Refusal::system("name"))?;
        renameat(CWD, &unfinished, CWD, name).map_err(|error| {
            let _gone = fs::remove_file(&unfinished);
            Refusal::system("name")(error)
        })
    }

    fn copy_whole(&mut self, found: &ResolvedFile, to: &Path) -> Result<Identity, Refusal> {
        let file = found.open()?;
        for _ in 0..ATTEMPTS {
            outlast_tick(&file)?;
            let stat = fstat(&file).map_err(Refusal::system("look up"))?;
            let before = Identity::from(&stat);
            let _old = fs::remove_file(to);
            let flags = OFlags::RDWR | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
            let copy = open(to, flags, PRIVATE).map_err(Refusal::system("copy"))?;
            let filled = self.fill(&file, copy.as_fd(), before.size_bytes)?;
            let after = Identity::of(&file).map_err(Refusal::system("look up"))?;
            if filled.is_ok() && after == before {
                dress(&file, &stat, copy.as_fd())?;
                return Ok(before);
            }
            // It was cut short while it was read, or something else is the matter.
            if let Err(error) = filled
                && after == before
            {
                return Err(Refusal::system("copy")(error));
            }
        }
        Err(Refusal::Changing)
    }

    /// Has the worker copy, so that the server's group is charged.
    fn fill(
        &mut self,
        from: &File,
        to: BorrowedFd<'_>,
        bytes: u64,
    ) -> Result<Result<(), Errno>, Refusal> {
        for _ in 0..2 {
            let worker = self
                .worker()
                .map_err(|error| Refusal::Unsuited(format!("no process can copy it: {error}")))?;
            match worker.copy(from.as_fd(), to, bytes) {
                Ok(filled) => return Ok(filled),
                Err(WorkerGone) => self.worker = None,
            }
        }
        Err(Refusal::Unsuited(
            "the process that copies it is killed: the server's memory group is too full"
                .to_owned(),
        ))
    }

    fn worker(&mut self) -> Result<&Worker<'l>, LiveError> {
        let worker = match self.worker.take().filter(|worker| !worker.is_gone()) {
            Some(worker) => worker,
            None => Worker::start(self.ledger, &self.arguments, self.group.as_ref())?,
        };
        worker.go_to_work()?;
        Ok(self.worker.insert(worker))
    }

    /// What is copied from now on is charged to another server's group.
    pub fn move_to(&mut self, server: &Server) {
        self.worker = None;
        self.group.clone_from(&server.group);
    }

    /// The worker leaves the server's group where it should not stay.
    pub fn settle(&self) {
        if let Some(worker) = &self.worker {
            let _stays = worker.go_home();
        }
    }

    pub fn workers(&self) -> Vec<ProcessIdentity> {
        let workers = self.worker.iter().chain([&self.watcher]);
        workers.map(|worker| worker.identity().clone()).collect()
    }

    /// Starts anew what was killed of those that guard the copies.
    pub fn revive(&mut self) {
        if self.worker.as_ref().is_some_and(Worker::is_gone) {
            self.worker = None;
            // Without it, the next file that is copied starts one.
            let _started = self.worker();
        }
        if self.watcher.is_gone()
            && let Ok(watcher) = Worker::start(self.ledger, &self.arguments, None)
        {
            self.watcher = watcher;
        }
    }

    pub fn sockets(&self) -> Vec<BorrowedFd<'_>> {
        let workers = self.worker.iter().chain([&self.watcher]);
        workers.map(AsFd::as_fd).collect()
    }
}

/// Should all processes be killed together, systemd has the copies taken away: a worker does that when it finds no guardian.
/// Without systemd, only `hotset status` tells.
fn outlive(ledger: &Ledger, arguments: &[OsString]) -> Result<(), LiveError> {
    if let Some(successor) = Successor::of_this_process()? {
        let start = || successor.start(arguments);
        let (_successor, ()) = ledger.make(Resource::Successor(successor.clone()), start)?;
    }
    Ok(())
}

/// Where copies are made.
const UNFINISHED: &str = ".unfinished";

/// A tmpfs that does not swap (Linux 6.4), or one where there is no swap, or a ramfs, which knows neither swap nor limits.
fn mount_memory(folder: &Path) -> Result<CountedAs, LiveError> {
    let mount =
        |kind: &str, options: &str| mount::mount(Path::new("hotset"), folder, kind, options);
    let tmpfs = |options: &str| mount("tmpfs", options).map(|()| CountedAs::Shared);
    let ramfs = || mount("ramfs", "mode=0711").map(|()| CountedAs::Unevictable);
    let swaps = fs::read_to_string("/proc/swaps").unwrap_or_default();
    // The first line is their heading.
    let has_swap = swaps.lines().count() > 1;
    let mounted = tmpfs("size=100%,mode=0711,noswap").or_else(|_| match has_swap {
        false => tmpfs("size=100%,mode=0711"),
        true => ramfs(),
    });
    mounted.map_err(|error| match error {
        MachineError::File { source, .. } if source.kind() == ErrorKind::PermissionDenied => {
            LiveError::Guardian(NO_RIGHT_TO_MOUNT.to_owned())
        }
        other => other.into(),
    })
}

/// Whether a memory file system may be mounted.
pub(super) fn check() -> Result<(), LiveError> {
    use rustix::thread::{CapabilitySet, capabilities};
    let may_mount =
        capabilities(None).is_ok_and(|sets| sets.effective.contains(CapabilitySet::SYS_ADMIN));
    match may_mount {
        true => Ok(()),
        false => Err(LiveError::Guardian(NO_RIGHT_TO_MOUNT.to_owned())),
    }
}

const NO_RIGHT_TO_MOUNT: &str = "copies cannot be made: mounting a memory file system takes CAP_SYS_ADMIN. Run hotset as root, \
    or with the server in a user namespace (`unshare -Urm`), or choose --placer pin";

/// Waits until the file's last change is some time ago. A clock that goes wrong, or a file server's, is not waited for longer.
fn outlast_tick(file: &File) -> Result<(), Refusal> {
    let changed = Identity::of(file)
        .map_err(Refusal::system("look up"))?
        .ctime_ns;
    let changed = UNIX_EPOCH + Duration::from_nanos(u64::try_from(changed).unwrap_or(0));
    let age = SystemTime::now().duration_since(changed);
    thread::sleep(TICKS.saturating_sub(age.unwrap_or_default()));
    Ok(())
}

/// Gives a copy the owner, mode, times and access rights of its file. Rights come last: until then it is hotset's alone.
fn dress(file: &File, stat: &Stat, copy: BorrowedFd<'_>) -> Result<(), Refusal> {
    let owner = (Uid::from_raw(stat.st_uid), Gid::from_raw(stat.st_gid));
    fchown(copy, Some(owner.0), Some(owner.1))
        .map_err(Refusal::system("give an owner to a copy of"))?;
    keep_attributes(file, copy)?;
    let mode = Mode::from_raw_mode(stat.st_mode & 0o7777);
    fchmod(copy, mode).map_err(Refusal::system("give a mode to a copy of"))?;
    let time = |tv_sec, tv_nsec: u64| Timespec {
        tv_sec,
        tv_nsec: tv_nsec as i64,
    };
    let times = Timestamps {
        last_access: time(stat.st_atime, stat.st_atime_nsec),
        last_modification: time(stat.st_mtime, stat.st_mtime_nsec),
    };
    futimens(copy, &times).map_err(Refusal::system("give a time to a copy of"))
}

fn keep_attributes(file: &File, copy: BorrowedFd<'_>) -> Result<(), Refusal> {
    let mut names = vec![0; ATTRIBUTE_BYTES];
    let length = match flistxattr(file, &mut names) {
        // A file system without attributes.
        Err(Errno::NOTSUP) => return Ok(()),
        other => other.map_err(Refusal::system("read the attributes of"))?,
    };
    let names = names[..length].split(|byte| *byte == 0);
    for name in names.filter_map(|name| std::str::from_utf8(name).ok()) {
        if KEPT_ATTRIBUTES.iter().any(|kept| name.starts_with(kept)) {
            keep_attribute(file, copy, name)?;
        }
    }
    Ok(())
}

/// A copy that anybody could read who may not read the file is worse than none: what cannot be given is an error.
fn keep_attribute(file: &File, copy: BorrowedFd<'_>, name: &str) -> Result<(), Refusal> {
    let mut value = vec![0; ATTRIBUTE_BYTES];
    let length =
        fgetxattr(file, name, &mut value).map_err(Refusal::system("read the attributes of"))?;
    fsetxattr(copy, name, &value[..length], XattrFlags::empty())
        .map_err(Refusal::system("keep the access rights of"))
}
