//! Copies (`copies.rs`) mounted over their files, in the server's own mount namespace: no path changes, no configuration, any server.
//! Everybody else goes on seeing the files.

use super::copies::Copies;
use super::{Candidate, CountedAs, Placer};
use crate::context::Context;
use crate::file_system::is_remote;
use crate::server::Server;
use crate::{Identity, LiveError, Refusal, ResolvedFile, Sites};
use hotset_machine::ProcessIdentity;
use hotset_machine::lease;
use hotset_machine::namespace::MountNamespace;
use hotset_machine::resource::Resource;
use hotset_machine::{MachineError, OnFile};
use rustix::fs::{CWD, Mode, OFlags, Stat, fstat, fstatfs, open};
use rustix::io::Errno;
use rustix::mount::{MoveMountFlags, OpenTreeFlags, UnmountFlags, move_mount, open_tree, unmount};
use rustix::process::fchdir;
use std::collections::{HashMap, HashSet};
use std::fs::{self, DirBuilder};
use std::os::fd::{AsRawFd as _, BorrowedFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};

/// Where copies stand in the memory file system. It is closed: a copy has the mode of its file, but not its folders'.
const BOUND: &str = ".bound";

/// How often in turn mounts are looked for that move while they are unmounted. Each takes less than a millisecond.
const ATTEMPTS: usize = 8;

/// Mounts copies over files.
pub(crate) struct Bind<'l> {
    copies: Copies<'l>,
    /// The copies where nobody can write, to be mounted from.
    served: PathBuf,
    namespace: MountNamespace,
    /// Inodes of the copies that are held, by their numbers, and the other way round.
    inodes: HashMap<u64, u64>,
    numbers: HashMap<u64, u64>,
    mounts: Mounts,
    /// Whether copies may be mounted that are not held.
    has_strays: bool,
}

/// Where copies are mounted, by their paths in the memory file system: the kernel only has a list of all mounts, which is read
/// once for many copies.
#[derive(Default)]
struct Mounts {
    by_copy: HashMap<PathBuf, Vec<PathBuf>>,
    /// Copies that were mounted after the list was read.
    unlisted: HashSet<u64>,
}

impl<'l> Bind<'l> {
    /// Mounts nothing yet.
    ///
    /// # Errors
    /// When the server sees the mounts of the whole machine: what is mounted for it would be seen by everybody.
    pub fn new(context: Context<'l>, server: Option<&Server>) -> Result<Self, LiveError> {
        let namespace = namespace_of(server)?;
        let group = server.and_then(|server| server.group.clone());
        let copies = Copies::new(context, group)?;
        let folder = copies.inside().join(BOUND);
        let make = DirBuilder::new().mode(0o700).create(&folder);
        make.on("make", &folder)?;
        let served = context.folder.copies();
        let binds = Resource::Binds(served.clone());
        let (_binds, ()) = context.ledger.make(binds, || Ok::<_, MachineError>(()))?;
        Ok(Self {
            copies,
            served: served.join(BOUND),
            namespace,
            inodes: HashMap::new(),
            numbers: HashMap::new(),
            mounts: Mounts::default(),
            has_strays: false,
        })
    }

    fn copy_of(&self, number: u64) -> PathBuf {
        self.copies.inside().join(BOUND).join(number.to_string())
    }

    /// Mounts a copy over the file that it was made of, and over no other: what the path leads to in the namespace is compared
    /// with what was copied, and mounted on by its descriptor.
    fn mount(&self, file: &Candidate, number: u64) -> Result<(), Refusal> {
        let flags = OpenTreeFlags::OPEN_TREE_CLONE | OpenTreeFlags::OPEN_TREE_CLOEXEC;
        let copy = self.served.join(number.to_string());
        let copy = open_tree(CWD, copy, flags).map_err(Refusal::system("mount a copy of"))?;
        let mount = || Ok(mount_inside(&copy, file));
        let mounted = self.namespace.run(mount);
        mounted.map_err(|error| Refusal::Unsuited(error.to_string()))?
    }

    /// Unmounts a copy. When its file was removed or replaced, its mount went with that; when the server ended, all did.
    fn unmount(&mut self, number: u64) -> Result<(), MachineError> {
        if self.mounts.unlisted.contains(&number) {
            self.list_mounts()?;
        }
        if self.unmount_listed(number).is_err() {
            // A folder on its path was renamed.
            self.list_mounts()?;
            self.unmount_listed(number)?;
        }
        Ok(())
    }

    fn unmount_listed(&mut self, number: u64) -> Result<(), MachineError> {
        let copy = Path::new("/").join(BOUND).join(number.to_string());
        match self.mounts.by_copy.remove(&copy) {
            Some(paths) => self.unmount_unless_held(&paths),
            None => Ok(()),
        }
    }

    /// Unmounts all copies that are not held. What moves meanwhile is left for the next time.
    fn sweep(&mut self) {
        let is_clean = (0..ATTEMPTS).any(|_| self.unmount_strays().is_ok());
        self.has_strays = !is_clean;
    }

    fn unmount_strays(&mut self) -> Result<(), MachineError> {
        self.list_mounts()?;
        let held = |copy: &Path| {
            let number = copy.file_name()?.to_str()?.parse().ok()?;
            self.inodes.get(&number)
        };
        let by_copy = self.mounts.by_copy.iter();
        let strays = by_copy.filter(|(copy, _)| held(copy).is_none());
        let strays: Vec<PathBuf> = strays.flat_map(|(_, paths)| paths.clone()).collect();
        self.unmount_unless_held(&strays)
    }

    /// Somebody may rename what is on these paths at any moment. So each is opened, looked at, and unmounted by its descriptor.
    fn unmount_unless_held(&self, paths: &[PathBuf]) -> Result<(), MachineError> {
        let device = rustix::fs::stat(&self.served).on("look up", &self.served)?;
        // The namespace may have a /proc of other processes, or none.
        let descriptors = Path::new("/proc/self/fd");
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let descriptors = open(descriptors, flags, Mode::empty()).on("open", descriptors)?;
        let is_stray = |found: &Stat| {
            found.st_dev == device.st_dev && !self.numbers.contains_key(&found.st_ino)
        };
        self.namespace.run(|| {
            fchdir(&descriptors)?;
            // One that moves keeps none of the others.
            let unmounted = paths.iter().map(|path| unmount_exactly(path, is_stray));
            let failed: Vec<Errno> = unmounted.filter_map(Result::err).collect();
            failed.first().map_or(Ok(()), |error| Err((*error).into()))
        })
    }

    fn list_mounts(&mut self) -> Result<(), MachineError> {
        let device = device_of(&self.served)?;
        self.mounts = Mounts::default();
        let mounts = self.namespace.mounts()?.into_iter();
        for mounted in mounts.filter(|mounted| mounted.device == device) {
            let paths = self.mounts.by_copy.entry(mounted.root).or_default();
            paths.push(mounted.path);
        }
        Ok(())
    }
}

/// Unmounts what is mounted at `path` if it is a stray copy. The working folder has the descriptors of this process.
fn unmount_exactly(path: &Path, is_stray: impl Fn(&Stat) -> bool) -> Result<(), Errno> {
    let found = open(
        path,
        OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC,
        Mode::empty(),
    )?;
    match is_stray(&fstat(&found)?) {
        true => unmount(found.as_raw_fd().to_string(), UnmountFlags::DETACH),
        // It was there when the mounts were listed.
        false => Err(Errno::STALE),
    }
}

/// What is done inside the namespace.
fn mount_inside(copy: &OwnedFd, file: &Candidate) -> Result<(), Refusal> {
    let (folders, owners) = (file.sites.folders(), file.sites.owners());
    let sites = Sites::open(&folders, owners)
        .map_err(|error| Refusal::Unsuited(format!("is not to be seen by the server: {error}")))?;
    let found = sites.find(&file.wanted.site, &file.wanted.path.0)?;
    let copied = Identity::of(copy).map_err(Refusal::system("look up"))?;
    if found.identity.is_same_file(&copied) {
        // It is mounted over another name of the file that this one leads to.
        return Ok(());
    }
    if !found.identity.is_same_file(&file.found.identity) {
        return Err(Refusal::Unsuited(
            "is another file where the server looks for it".to_owned(),
        ));
    }
    let flags = MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH | MoveMountFlags::MOVE_MOUNT_T_EMPTY_PATH;
    move_mount(copy, "", found.handle(), "", flags).map_err(Refusal::system("mount a copy of"))
}

/// The number of the file system that a path is on, as mountinfo writes it.
pub(crate) fn device_of(path: &Path) -> Result<String, MachineError> {
    let device = rustix::fs::stat(path).on("look up", path)?.st_dev;
    let (major, minor) = (rustix::fs::major(device), rustix::fs::minor(device));
    Ok(format!("{major}:{minor}"))
}

/// Whether a process has a file open for writing. NFS v4 refuses a lease for other reasons, so network file systems are not asked.
fn is_written_to(found: &ResolvedFile) -> Result<bool, Refusal> {
    let is_local = fstatfs(found.handle()).is_ok_and(|system| !is_remote(&system));
    Ok(is_local && lease::is_open_for_writing(&found.open()?) == Some(true))
}

/// Whether something can be mounted for the server alone.
pub(super) fn check(server: Option<&Server>) -> Result<(), LiveError> {
    namespace_of(server).map(drop)
}

/// The server's mounts.
fn namespace_of(server: Option<&Server>) -> Result<MountNamespace, LiveError> {
    let refuse = |problem: &str| LiveError::Guardian(format!("files cannot be bound: {problem}"));
    let server = server.ok_or_else(|| refuse("name the server with --server"))?;
    let pid = server
        .any_pid()
        .ok_or_else(|| refuse("no process of the server runs: start it"))?;
    let namespace = MountNamespace::of_process(pid)?;
    match namespace.is_own()? {
        false => Ok(namespace),
        true => Err(refuse(
            "the server shares its mounts with the whole machine: start it once with PrivateMounts=yes in its unit, \
             or by `hotset exec -- SERVER`, or choose --placer hot-root",
        )),
    }
}

impl Placer for Bind<'_> {
    fn place(&mut self, file: &Candidate) -> Result<Identity, Refusal> {
        if is_written_to(file.found)? {
            return Err(Refusal::Unsuited(
                "is open for writing, which a copy is not made for: use --placer pin for a site whose server writes to its files"
                    .to_owned(),
            ));
        }
        let copy = self.copy_of(file.number);
        let identity = self.copies.copy(file.found, file.number, &copy)?;
        let inode = fs::metadata(&copy).map_err(Refusal::system("look up a copy of"))?;
        match self.mount(file, file.number) {
            Ok(()) => {
                self.inodes.insert(file.number, inode.ino());
                self.numbers.insert(inode.ino(), file.number);
                self.mounts.unlisted.insert(file.number);
                Ok(identity)
            }
            Err(refusal) => {
                let _gone = fs::remove_file(copy);
                Err(refusal)
            }
        }
    }

    /// Another name of its own (a hard link) has a mount of its own.
    fn share(&mut self, file: &Candidate, owner: u64) -> Result<(), Refusal> {
        self.mounts.unlisted.insert(owner);
        self.mount(file, owner)
    }

    /// Paths in the list may be out of date.
    fn begin(&mut self, _sites: &Sites) {
        self.mounts = Mounts {
            by_copy: HashMap::new(),
            unlisted: self.inodes.keys().copied().collect(),
        };
    }

    fn release(&mut self, number: u64) {
        if let Some(inode) = self.inodes.remove(&number) {
            self.numbers.remove(&inode);
            self.has_strays |= self.unmount(number).is_err();
            let _gone = fs::remove_file(self.copy_of(number));
        }
    }

    fn move_to(&mut self, server: &Server) -> Result<(), LiveError> {
        self.numbers.clear();
        let inodes = std::mem::take(&mut self.inodes);
        // It may have moved to another group, with its mounts.
        self.sweep();
        for number in inodes.into_keys() {
            let _gone = fs::remove_file(self.copy_of(number));
        }
        self.mounts = Mounts::default();
        self.copies.move_to(server);
        self.namespace = namespace_of(Some(server))?;
        Ok(())
    }

    fn take_lost(&mut self) -> Vec<u64> {
        self.copies.revive();
        if self.has_strays {
            self.sweep();
        }
        Vec::new()
    }

    fn counted_as(&self) -> CountedAs {
        self.copies.counted_as()
    }

    fn settle(&mut self) {
        self.copies.settle();
        if self.has_strays {
            self.sweep();
        }
    }

    fn workers(&self) -> Vec<ProcessIdentity> {
        self.copies.workers()
    }

    fn sockets(&self) -> Vec<BorrowedFd<'_>> {
        self.copies.sockets()
    }
}
