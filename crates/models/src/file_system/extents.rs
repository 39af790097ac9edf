//! Extents: long runs of blocks, each described by one entry (ext4, xfs).

use hotset_cache::PAGE_BYTES;

use super::layout::{Layout, MapBlock, Place};

/// A file system that maps files by extents.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extents {
    /// Most pages of an extent.
    extent_pages: u64,
    /// Extents that the inode itself lists.
    in_inode: u64,
    /// Extents that a block lists.
    pub in_block: u64,
}

impl Extents {
    /// The block that lists extent `number` of so many; none where the inode does.
    pub fn map_block(self, number: u64, extents: u64) -> Option<u64> {
        (extents > self.in_inode).then_some(number / self.in_block)
    }

    /// A file is in one piece, and nothing has to be read to know where.
    pub const ONE: Self = Self {
        extent_pages: u64::MAX,
        in_inode: 1,
        in_block: 1,
    };
    /// `EXT_INIT_MAX_LEN` and `struct ext4_inode` of `fs/ext4/ext4_extents.h`: 32768 blocks, four entries in the inode, and
    /// (4096 − 12) ÷ 12 in a block.
    pub const EXT4: Self = Self {
        extent_pages: 32768,
        in_inode: 4,
        in_block: 340,
    };
    /// `XFS_MAX_BMBT_EXTLEN` of `fs/xfs/libxfs/xfs_format.h`: 2^21 − 1 blocks; an inode of 512 bytes has room for 21 records of
    /// 16 bytes, and a block for (4096 − 72) ÷ 16.
    pub const XFS: Self = Self {
        extent_pages: (1 << 21) - 1,
        in_inode: 21,
        in_block: 251,
    };
}

impl Layout for Extents {
    /// Extents of a file laid out in one go lie side by side.
    fn place(&self, page: u64) -> Place {
        let extent = page / self.extent_pages;
        Place {
            offset: page * PAGE_BYTES,
            pages: self.extent_pages - page % self.extent_pages,
            // Near the file, wherever that is.
            map_block: (extent >= self.in_inode).then(|| MapBlock {
                number: extent / self.in_block,
                offset: 0,
            }),
        }
    }

    fn bytes(&self, pages: u64) -> u64 {
        pages * PAGE_BYTES
    }

    fn map_blocks(&self, pages: u64) -> u64 {
        let extents = pages.div_ceil(self.extent_pages);
        match extents > self.in_inode {
            true => extents.div_ceil(self.in_block),
            false => 0,
        }
    }
}
