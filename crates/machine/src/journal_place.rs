//! Where on a device the journal of its file system lies, as its superblock says.

use crate::journal::{
    EXT4_BACKUP_TYPE_AT, EXT4_BLOCKS_COPIED, EXT4_JOURNAL_AT, array, ext4_has_journal,
    ext4_journal_bytes, own_superblock, superblock,
};
use std::ops::Range;
use std::path::Path;

/// Where ext4's superblock has the size of blocks (`s_log_block_size`), as a power of two of KiB.
const LOG_BLOCK_SIZE_AT: usize = 0x18;
/// `EXT4_EXT_MAGIC` of `fs/ext4/ext4_extents.h`, and the bytes of its header and of each of its entries.
const EXTENTS: u16 = 0xf30a;
const ENTRY_BYTES: usize = 12;
/// Entries that an inode itself has room for.
const MOST_ENTRIES: u16 = 4;
/// Pointers to blocks in a block of pointers are this long.
const POINTER_BYTES: u64 = 4;

/// The runs of bytes that the journal on the block device at `device` takes, none where its file system has no journal; nothing where
/// that is not told: of other kinds than ext3, ext4 and XFS, and where this user may not read the device.
#[must_use]
pub fn journal_runs(device: &Path) -> Option<Vec<Range<u64>>> {
    let start = superblock(device)?;
    match ext4_has_journal(&start) {
        Some(false) => Some(Vec::new()),
        Some(true) => ext4_runs(&start),
        None => Some(vec![xfs_run(&start)?]),
    }
}

/// The superblock has a copy of what the journal's inode says of its blocks.
fn ext4_runs(start: &[u8]) -> Option<Vec<Range<u64>>> {
    let own = own_superblock(start)?;
    let [copied] = array(own, EXT4_BACKUP_TYPE_AT)?;
    if copied != EXT4_BLOCKS_COPIED {
        return None;
    }
    let shift = u32::from_le_bytes(array(own, LOG_BLOCK_SIZE_AT)?);
    let block_bytes = 1024_u64.checked_shl(shift)?;
    let inode = own.get(EXT4_JOURNAL_AT..)?;
    let runs = match u16::from_le_bytes(array(inode, 0)?) {
        EXTENTS => extents(inode)?,
        _ => vec![pointers(inode, ext4_journal_bytes(start)?, block_bytes)?],
    };
    let in_bytes = |run: Range<u64>| run.start * block_bytes..run.end * block_bytes;
    Some(runs.into_iter().map(in_bytes).collect())
}

/// `struct ext4_extent_header`, then `struct ext4_extent` for each.
fn extents(inode: &[u8]) -> Option<Vec<Range<u64>>> {
    let entries = u16::from_le_bytes(array(inode, 2)?);
    let depth = u16::from_le_bytes(array(inode, 6)?);
    if depth > 0 || entries > MOST_ENTRIES {
        return None;
    }
    let run = |number: usize| {
        let at = ENTRY_BYTES * (1 + number);
        let blocks = u16::from_le_bytes(array(inode, at + 4)?);
        let high = u16::from_le_bytes(array(inode, at + 6)?);
        let low = u32::from_le_bytes(array(inode, at + 8)?);
        let first = u64::from(high) << 32 | u64::from(low);
        Some(first..first + u64::from(blocks))
    };
    (0..usize::from(entries)).map(run).collect()
}

/// A journal with block pointers, as ext3 has it: `mke2fs` lays it out in one go, with its blocks of pointers in between.
fn pointers(inode: &[u8], bytes: u64, block_bytes: u64) -> Option<Range<u64>> {
    let first = u64::from(u32::from_le_bytes(array(inode, 0)?));
    let blocks = bytes / block_bytes;
    // One for each block of pointers, and the one that lists those.
    let between = blocks.div_ceil(block_bytes / POINTER_BYTES) + 1;
    (first > 0).then(|| first..first + blocks + between)
}

/// XFS numbers blocks by groups (`sb_logstart`, `sb_agblocks` and `sb_agblklog` of `struct xfs_dsb`; `XFS_FSB_TO_DADDR`).
fn xfs_run(start: &[u8]) -> Option<Range<u64>> {
    if !start.starts_with(b"XFSB") {
        return None;
    }
    let block_bytes = u64::from(u32::from_be_bytes(array(start, 4)?));
    let first = u64::from_be_bytes(array(start, 48)?);
    let group_blocks = u64::from(u32::from_be_bytes(array(start, 84)?));
    let blocks = u64::from(u32::from_be_bytes(array(start, 96)?));
    let [group_bits] = array(start, 124)?;
    let group = first.checked_shr(group_bits.into())?;
    let inside = first - (group << group_bits);
    let first = group.checked_mul(group_blocks)?.checked_add(inside)?;
    let end = first.checked_add(blocks)?.checked_mul(block_bytes)?;
    Some(first * block_bytes..end)
}
