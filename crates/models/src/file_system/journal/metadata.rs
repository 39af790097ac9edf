//! Which blocks of the file system's own deeds change, and where they are.
//!
//! Files are of one directory. Where `mke2fs` and `mkfs.xfs` put tables is computed, not read from a device.

use super::format::BLOCK_BYTES;
use super::transaction::Block;
use crate::file_system::FileSystemKind;

/// Bytes of a block group of ext2 to ext4: what a bitmap of one block has bits for.
const GROUP_BYTES: u64 = 8 * BLOCK_BYTES * BLOCK_BYTES;
/// Groups whose bitmaps and tables lie together (`flex_bg` of ext4).
const FLEX_GROUPS: u64 = 16;
/// Descriptors of groups in a block: 64 bytes each (`struct ext4_group_desc`), 32 in ext3.
const DESCRIPTORS: u64 = 64;
/// Blocks that are kept for them here: enough for a TiB.
const DESCRIPTOR_BLOCKS: u64 = 128;
/// Inodes in a block, of 256 bytes, and those that are kept for the file system itself.
const INODES: u64 = 16;
const KEPT_INODES: u64 = 11;
/// Names in a block of a directory: of 16 letters, 24 bytes each.
const NAMES: u64 = 170;
/// Bytes of an allocation group of xfs, a quarter of a file system of 4 GiB: a guess where nothing is known.
const ALLOCATION_GROUP_BYTES: u64 = 1 << 30;

/// What happens to the name of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameChange {
    /// It gets one, with an inode (`ext4_create`, `fs/ext4/namei.c`).
    Create,
    /// It gets another in the same directory (`ext4_rename`).
    Rename,
    /// It loses its name, its inode and its blocks (`ext4_unlink`, `ext4_evict_inode`).
    Unlink,
}

/// Where a file system has blocks of its own.
#[derive(Clone, Copy, Debug)]
pub struct Metadata {
    kind: FileSystemKind,
}

impl Metadata {
    /// That of an empty file system of a kind.
    #[must_use]
    pub fn of(kind: FileSystemKind) -> Self {
        Self { kind }
    }

    /// The block that has the inode of `file`.
    #[must_use]
    pub fn inode(self, file: u32) -> Block {
        let table = self.inode_table();
        Block::Metadata(table + (KEPT_INODES + u64::from(file)) / INODES * BLOCK_BYTES)
    }

    /// Where inodes begin: behind superblock and descriptors, and the bitmaps of as many groups as lie together.
    fn inode_table(self) -> u64 {
        self.bitmaps(0) + 2 * self.groups_together() * BLOCK_BYTES
    }

    fn groups_together(self) -> u64 {
        match self.kind {
            FileSystemKind::Ext3 | FileSystemKind::Xfs | FileSystemKind::Remote => 1,
            FileSystemKind::Ext4 => FLEX_GROUPS,
        }
    }

    /// Where the bitmaps of a group's neighbourhood begin.
    fn bitmaps(self, group: u64) -> u64 {
        let first = group / self.groups_together() * self.groups_together();
        match first {
            0 => (1 + DESCRIPTOR_BLOCKS) * BLOCK_BYTES,
            _ => first * GROUP_BYTES,
        }
    }

    /// The blocks that say that a byte of the device is allocated. In ext3 and ext4 they are a bitmap and a descriptor of the group
    /// (`ext4_mb_mark_diskspace_used`, `fs/ext4/mballoc.c`). In xfs they are a header and the roots of both trees of free space
    /// (`fs/xfs/libxfs/xfs_alloc.c`).
    #[must_use]
    pub fn allocation(self, offset: u64) -> Vec<Block> {
        if self.kind == FileSystemKind::Xfs {
            let group = offset / ALLOCATION_GROUP_BYTES * ALLOCATION_GROUP_BYTES;
            let blocks = (0..3).map(|number| Block::Metadata(group + number * BLOCK_BYTES));
            return blocks.collect();
        }
        let group = offset / GROUP_BYTES;
        let bitmap = self.bitmaps(group) + group % self.groups_together() * BLOCK_BYTES;
        vec![Block::Metadata(bitmap), descriptors(group)]
    }

    /// The blocks that change with the name of `file`, whose data begins at a byte of the device.
    #[must_use]
    pub fn name(self, change: NameChange, file: u32, offset: u64) -> Vec<Block> {
        // The first block of the table has the directory's own inode.
        let directory = Block::Metadata(self.inode_table());
        let mut blocks = vec![self.names(file), directory, self.inode(file)];
        match change {
            NameChange::Rename => {}
            NameChange::Create => blocks.extend(self.inode_allocation()),
            NameChange::Unlink => {
                blocks.extend(self.inode_allocation());
                blocks.extend(self.allocation(offset));
            }
        }
        blocks
    }

    /// The bitmap of inodes and the descriptor of the first group; the header and the root of the tree of inodes.
    fn inode_allocation(self) -> [Block; 2] {
        match self.kind {
            FileSystemKind::Xfs => [3, 4].map(|number| Block::Metadata(number * BLOCK_BYTES)),
            FileSystemKind::Ext3 | FileSystemKind::Ext4 | FileSystemKind::Remote => {
                let bitmaps = self.bitmaps(0) + self.groups_together() * BLOCK_BYTES;
                [Block::Metadata(bitmaps), descriptors(0)]
            }
        }
    }

    /// The block of the directory that has the name of `file`: somewhere behind the inodes.
    fn names(self, file: u32) -> Block {
        let behind = self.inode_table() + GROUP_BYTES / 16;
        Block::Metadata(behind + u64::from(file) / NAMES * BLOCK_BYTES)
    }

    /// The block that maps `page` of a file by extents. The file begins at `offset` on the device and has `extents` for its `file_pages`.
    /// None where the inode lists them. Extents are taken to be of one length.
    #[must_use]
    pub fn extent_map(
        self,
        offset: u64,
        page: u64,
        file_pages: u64,
        extents: u64,
    ) -> Option<Block> {
        let number = (extents as f64 * page as f64 / file_pages.max(1) as f64) as u64;
        let block = self.kind.extents()?.map_block(number, extents)?;
        Some(Block::Map(offset + block * BLOCK_BYTES))
    }
}

/// The block with the descriptor of a group: behind the superblock.
fn descriptors(group: u64) -> Block {
    Block::Metadata(BLOCK_BYTES * (1 + group / DESCRIPTORS))
}
