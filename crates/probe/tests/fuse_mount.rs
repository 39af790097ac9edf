//! A file system of FUSE in memory, whose opens say what the page cache is to keep: all of it is measured alike.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use fuser::{
    BsdFileFlags, Config, Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags,
    Generation, INodeNo, LockOwner, MountOption, OpenFlags, RenameFlags, ReplyAttr, ReplyCreate,
    ReplyData, ReplyDirectory, ReplyEmpty, ReplyEntry, ReplyOpen, ReplyStatfs, ReplyWrite, Request,
    TimeOrNow, WriteFlags,
};
use hotset_machine::{Need, Requirements};
use hotset_probe::Findings;
use hotset_scenario::{PageKeeping, Profile};
use hotset_test_support::{skip, together};

use crate::probe::small;

/// So long the kernel believes names and attributes.
const VALID: Duration = Duration::from_secs(1);
const ROOT: u64 = 1;
/// Below are the root and what stands for a folder in itself.
const FIRST: u64 = 10;

/// A folder, or a file with its bytes.
struct Node {
    parent: u64,
    name: OsString,
    content: Option<Vec<u8>>,
}

struct Nodes {
    all: BTreeMap<u64, Node>,
    next: u64,
}

impl Nodes {
    fn new() -> Self {
        let root = Node {
            parent: ROOT,
            name: OsString::new(),
            content: None,
        };
        Self {
            all: BTreeMap::from([(ROOT, root)]),
            next: FIRST,
        }
    }

    fn child(&self, parent: u64, name: &OsStr) -> Option<u64> {
        let mut all = self.all.iter();
        let found = all.find(|(id, it)| **id != ROOT && it.parent == parent && it.name == name);
        found.map(|(id, _)| *id)
    }

    fn add(&mut self, parent: u64, name: &OsStr, content: Option<Vec<u8>>) -> FileAttr {
        let id = self.next;
        self.next += 1;
        let node = Node {
            parent,
            name: name.to_owned(),
            content,
        };
        let attributes = attributes(id, &node);
        self.all.insert(id, node);
        attributes
    }

    /// Who has it open reads it still.
    fn detach(&mut self, parent: u64, name: &OsStr) -> bool {
        let found = self.child(parent, name);
        let node = found.and_then(|id| self.all.get_mut(&id));
        node.map(|node| node.parent = 0).is_some()
    }

    fn content(&mut self, inode: INodeNo) -> Option<&mut Vec<u8>> {
        self.all.get_mut(&inode.0)?.content.as_mut()
    }
}

fn attributes(id: u64, node: &Node) -> FileAttr {
    let size = node.content.as_ref().map_or(0, |it| it.len() as u64);
    FileAttr {
        ino: INodeNo(id),
        size,
        blocks: size.div_ceil(512),
        atime: UNIX_EPOCH,
        mtime: UNIX_EPOCH,
        ctime: UNIX_EPOCH,
        crtime: UNIX_EPOCH,
        kind: match node.content {
            Some(_) => FileType::RegularFile,
            None => FileType::Directory,
        },
        perm: 0o700,
        nlink: 1,
        uid: 0,
        gid: 0,
        rdev: 0,
        flags: 0,
        blksize: 4096,
    }
}

struct InMemory {
    nodes: Mutex<Nodes>,
    /// What each open says.
    opened: FopenFlags,
}

impl InMemory {
    fn nodes(&self) -> MutexGuard<'_, Nodes> {
        self.nodes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn done(is_done: bool, reply: ReplyEmpty) {
    match is_done {
        true => reply.ok(),
        false => reply.error(Errno::ENOENT),
    }
}

impl Filesystem for InMemory {
    fn lookup(&self, _request: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        let nodes = self.nodes();
        match nodes.child(parent.0, name) {
            Some(id) => reply.entry(&VALID, &attributes(id, &nodes.all[&id]), Generation(0)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn getattr(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: Option<FileHandle>,
        reply: ReplyAttr,
    ) {
        match self.nodes().all.get(&inode.0) {
            Some(node) => reply.attr(&VALID, &attributes(inode.0, node)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn setattr(
        &self,
        _request: &Request,
        inode: INodeNo,
        _mode: Option<u32>,
        _uid: Option<u32>,
        _gid: Option<u32>,
        size: Option<u64>,
        _atime: Option<TimeOrNow>,
        _mtime: Option<TimeOrNow>,
        _ctime: Option<SystemTime>,
        _handle: Option<FileHandle>,
        _crtime: Option<SystemTime>,
        _chgtime: Option<SystemTime>,
        _bkuptime: Option<SystemTime>,
        _flags: Option<BsdFileFlags>,
        reply: ReplyAttr,
    ) {
        let mut nodes = self.nodes();
        if let (Some(size), Some(content)) = (size, nodes.content(inode)) {
            content.resize(size as usize, 0);
        }
        match nodes.all.get(&inode.0) {
            Some(node) => reply.attr(&VALID, &attributes(inode.0, node)),
            None => reply.error(Errno::ENOENT),
        }
    }

    fn mkdir(
        &self,
        _request: &Request,
        parent: INodeNo,
        name: &OsStr,
        _mode: u32,
        _umask: u32,
        reply: ReplyEntry,
    ) {
        let made = self.nodes().add(parent.0, name, None);
        reply.entry(&VALID, &made, Generation(0));
    }

    fn unlink(&self, _request: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        done(self.nodes().detach(parent.0, name), reply);
    }

    fn rmdir(&self, _request: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEmpty) {
        done(self.nodes().detach(parent.0, name), reply);
    }

    fn rename(
        &self,
        _request: &Request,
        parent: INodeNo,
        name: &OsStr,
        new_parent: INodeNo,
        new_name: &OsStr,
        _flags: RenameFlags,
        reply: ReplyEmpty,
    ) {
        let mut nodes = self.nodes();
        let Some(id) = nodes.child(parent.0, name) else {
            reply.error(Errno::ENOENT);
            return;
        };
        nodes.detach(new_parent.0, new_name);
        if let Some(node) = nodes.all.get_mut(&id) {
            node.parent = new_parent.0;
            node.name = new_name.to_owned();
        }
        reply.ok();
    }

    fn create(
        &self,
        _request: &Request,
        parent: INodeNo,
        name: &OsStr,
        _mode: u32,
        _umask: u32,
        _flags: i32,
        reply: ReplyCreate,
    ) {
        let made = self.nodes().add(parent.0, name, Some(Vec::new()));
        reply.created(&VALID, &made, Generation(0), FileHandle(0), self.opened);
    }

    fn open(&self, _request: &Request, _inode: INodeNo, _flags: OpenFlags, reply: ReplyOpen) {
        reply.opened(FileHandle(0), self.opened);
    }

    fn read(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: FileHandle,
        offset: u64,
        size: u32,
        _flags: OpenFlags,
        _owner: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let mut nodes = self.nodes();
        let Some(content) = nodes.content(inode) else {
            reply.error(Errno::ENOENT);
            return;
        };
        let from = content.len().min(offset as usize);
        let to = content.len().min(from + size as usize);
        reply.data(&content[from..to]);
    }

    fn write(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: FileHandle,
        offset: u64,
        data: &[u8],
        _write_flags: WriteFlags,
        _flags: OpenFlags,
        _owner: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        let mut nodes = self.nodes();
        let Some(content) = nodes.content(inode) else {
            reply.error(Errno::ENOENT);
            return;
        };
        let from = offset as usize;
        let to = from + data.len();
        let length = content.len().max(to);
        content.resize(length, 0);
        content[from..to].copy_from_slice(data);
        reply.written(data.len() as u32);
    }

    fn flush(
        &self,
        _request: &Request,
        _inode: INodeNo,
        _handle: FileHandle,
        _owner: LockOwner,
        reply: ReplyEmpty,
    ) {
        reply.ok();
    }

    fn fsync(
        &self,
        _request: &Request,
        _inode: INodeNo,
        _handle: FileHandle,
        _data_only: bool,
        reply: ReplyEmpty,
    ) {
        reply.ok();
    }

    /// A name's place is its number, so that none is left out when others are removed meanwhile.
    fn readdir(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: FileHandle,
        offset: u64,
        mut reply: ReplyDirectory,
    ) {
        let nodes = self.nodes();
        let own = [(1, "."), (2, "..")];
        for (place, name) in own.into_iter().filter(|it| it.0 > offset) {
            if reply.add(inode, place, FileType::Directory, name) {
                return reply.ok();
            }
        }
        let children = nodes.all.range(FIRST.max(offset + 1)..);
        for (id, node) in children.filter(|(_, node)| node.parent == inode.0) {
            let kind = attributes(*id, node).kind;
            if reply.add(INodeNo(*id), *id, kind, &node.name) {
                break;
            }
        }
        reply.ok();
    }

    fn statfs(&self, _request: &Request, _inode: INodeNo, reply: ReplyStatfs) {
        let many = 1 << 20;
        reply.statfs(many, many, many, many, many, 4096, 255, 4096);
    }
}

/// What is found on such a mount; nothing where none can be made.
fn measured(opened: FopenFlags) -> Option<Findings> {
    if let Err(error) = Requirements::check(&[Need::Root, Need::Fuse]) {
        skip(error);
        return None;
    }
    together();
    let place = tempfile::tempdir().unwrap();
    let file_system = InMemory {
        nodes: Mutex::new(Nodes::new()),
        opened,
    };
    let mut config = Config::default();
    config.mount_options = vec![MountOption::FSName("hotset-test".to_owned())];
    let session = match fuser::spawn_mount(file_system, place.path(), &config) {
        Ok(session) => session,
        Err(error) => {
            skip(format_args!(
                "a file system of FUSE cannot be mounted: {error}"
            ));
            return None;
        }
    };
    let findings = small().measure(place.path(), &|_| true).unwrap();
    let left = std::fs::read_dir(place.path()).unwrap().count();
    assert_eq!(left, 0, "its files are gone");
    let _unmounted = session.umount_and_join();
    Some(findings)
}

fn is_measured_as(opened: FopenFlags, keeping: PageKeeping) {
    let _sockets = crate::sockets();
    let Some(findings) = measured(opened) else {
        return;
    };
    assert_eq!(findings.kind(), "fuse");
    for (name, figure) in findings.figures() {
        assert!(figure.low_us > 0.0, "{name}: {figure:?}");
    }
    assert_eq!(findings.mount.as_ref().unwrap().keeping, keeping);
    let is_kept = keeping == PageKeeping::Kept;
    assert_eq!(findings.mapped.is_some(), is_kept);
    assert_eq!(findings.copying.is_empty(), keeping == PageKeeping::Never);
    let profile = findings.profile().unwrap();
    assert_eq!(profile.cached != profile.uncached, is_kept);
    assert_eq!(profile.page_keeping(), keeping);
    assert!(profile.device.is_some(), "a request is a call");
    let text = findings.comments(&profile) + &profile.to_toml().unwrap();
    let read = Profile::parse(&text, Path::new("mount.toml")).unwrap();
    assert_eq!(read, profile);
    assert!(findings.server_profile().is_some());
}

#[test]
fn a_mount_that_keeps_files_over_an_open_is_measured_as_a_disk_is() {
    is_measured_as(FopenFlags::FOPEN_KEEP_CACHE, PageKeeping::Kept);
}

#[test]
fn a_mount_whose_opens_drop_files_prices_nothing_as_cached() {
    is_measured_as(FopenFlags::empty(), PageKeeping::UntilOpened);
}

#[test]
fn a_mount_that_no_page_cache_keeps_anything_of_is_measured_by_its_calls() {
    is_measured_as(FopenFlags::FOPEN_DIRECT_IO, PageKeeping::Never);
}
