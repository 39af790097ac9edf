//! A FUSE file system with one file, which is the drive.

use super::array::Array;
use fuser::{
    Errno, FileAttr, FileHandle, FileType, Filesystem, FopenFlags, Generation, INodeNo, InitFlags,
    KernelConfig, LockOwner, OpenFlags, ReplyAttr, ReplyData, ReplyEmpty, ReplyEntry, ReplyOpen,
    ReplyWrite, Request, WriteFlags,
};
use std::ffi::OsStr;
use std::io;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

/// The file's name.
pub(super) const FILE: &str = "drive";
const FILE_INODE: INodeNo = INodeNo(2);
/// Nothing ever changes.
const VALID: Duration = Duration::from_secs(3600);
/// So many requests may wait in the kernel's queue of the file system: a loop device sends up to 128.
const QUEUE: u16 = 256;

pub(super) struct DriveFile {
    pub array: Arc<Array>,
    pub capacity_bytes: u64,
}

impl DriveFile {
    fn attributes(&self, inode: INodeNo) -> FileAttr {
        let is_root = inode == INodeNo::ROOT;
        FileAttr {
            ino: inode,
            size: if is_root { 0 } else { self.capacity_bytes },
            blocks: if is_root {
                0
            } else {
                self.capacity_bytes / 512
            },
            atime: UNIX_EPOCH,
            mtime: UNIX_EPOCH,
            ctime: UNIX_EPOCH,
            crtime: UNIX_EPOCH,
            kind: if is_root {
                FileType::Directory
            } else {
                FileType::RegularFile
            },
            perm: if is_root { 0o700 } else { 0o600 },
            nlink: 1,
            uid: 0,
            gid: 0,
            rdev: 0,
            flags: 0,
            blksize: 4096,
        }
    }
}

impl Filesystem for DriveFile {
    /// Asynchronous direct reads: without them the kernel would hand over one request at a time and there would be
    /// nothing to choose from.
    fn init(&mut self, _request: &Request, config: &mut KernelConfig) -> io::Result<()> {
        let wanted = InitFlags::FUSE_ASYNC_DIO;
        config
            .add_capabilities(wanted)
            .map_err(|_| io::Error::other("the kernel's FUSE has no asynchronous direct reads"))?;
        // The kernel may allow less, and then the queue is shorter.
        let _allowed = config.set_max_background(QUEUE);
        Ok(())
    }

    fn destroy(&mut self) {
        self.array.close();
    }

    fn lookup(&self, _request: &Request, parent: INodeNo, name: &OsStr, reply: ReplyEntry) {
        if parent == INodeNo::ROOT && name == FILE {
            reply.entry(&VALID, &self.attributes(FILE_INODE), Generation(0));
        } else {
            reply.error(Errno::ENOENT);
        }
    }

    fn getattr(
        &self,
        _request: &Request,
        inode: INodeNo,
        _handle: Option<FileHandle>,
        reply: ReplyAttr,
    ) {
        reply.attr(&VALID, &self.attributes(inode));
    }

    fn open(&self, _request: &Request, _inode: INodeNo, _flags: OpenFlags, reply: ReplyOpen) {
        reply.opened(FileHandle(0), FopenFlags::empty());
    }

    fn read(
        &self,
        _request: &Request,
        _inode: INodeNo,
        _handle: FileHandle,
        offset: u64,
        size: u32,
        _flags: OpenFlags,
        _owner: Option<LockOwner>,
        reply: ReplyData,
    ) {
        let left = self.capacity_bytes.saturating_sub(offset);
        let length = usize::try_from(left.min(u64::from(size))).unwrap_or(0);
        self.array.read(offset, length, reply);
    }

    fn write(
        &self,
        _request: &Request,
        _inode: INodeNo,
        _handle: FileHandle,
        offset: u64,
        data: &[u8],
        _write_flags: WriteFlags,
        _flags: OpenFlags,
        _owner: Option<LockOwner>,
        reply: ReplyWrite,
    ) {
        self.array.write(offset, data.to_vec(), reply);
    }

    /// A write is answered when the platter has it, or the drive's cache. The cache is put on the platter here.
    fn fsync(
        &self,
        _request: &Request,
        _inode: INodeNo,
        _handle: FileHandle,
        _data_only: bool,
        reply: ReplyEmpty,
    ) {
        self.array.flush(reply);
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
}
