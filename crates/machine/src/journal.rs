//! The journal of a file system, as far as the kernel tells this user.

use std::fs::{self, File};
use std::os::unix::fs::{FileExt as _, FileTypeExt as _};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::mount::MountInfo;

/// What the journal of a file system is. What the kernel does not tell is missing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct JournalInfo {
    /// The mount option data: ordered, writeback or journal; none where there is no journal.
    pub mode: Option<String>,
    /// Seconds after which it commits by itself.
    pub commit_s: Option<u64>,
    /// Its bytes.
    pub bytes: Option<u64>,
    /// Where it begins on the device, bytes from its start.
    pub at: Option<u64>,
    /// Whether commits flush the device's cache.
    pub barrier: Option<bool>,
}

/// What stands where a file system has none.
const NONE: &str = "none";

impl JournalInfo {
    /// That of what is mounted; nothing of kinds that are not known here.
    pub(crate) fn of(mounted: &MountInfo, block_bytes: Option<u64>) -> Option<Self> {
        match mounted.kind.as_str() {
            "ext2" => Some(Self {
                mode: Some(NONE.to_owned()),
                ..Self::default()
            }),
            "ext3" | "ext4" => Some(ext4(mounted, block_bytes)),
            "xfs" => Some(xfs(mounted)),
            _ => None,
        }
    }
}

/// ext3 and ext4 have one driver. It lists all options in /proc/fs/ext4, and only those that are no default in mountinfo
/// (`_ext4_show_options`, `fs/ext4/super.c`).
fn ext4(mounted: &MountInfo, block_bytes: Option<u64>) -> JournalInfo {
    let device = device_name(&mounted.device);
    let listed = device.as_ref().and_then(|name| {
        let path = Path::new("/proc/fs/ext4").join(name).join("options");
        fs::read_to_string(path).ok()
    });
    let log = device
        .as_ref()
        .and_then(|name| commit_statistics(Path::new("/proc/fs/jbd2"), name));
    let superblock = superblock(&mounted.source);
    let has_journal =
        log.is_some() || superblock.as_deref().and_then(ext4_has_journal) == Some(true);
    let all = listed.as_deref();
    let options = all.unwrap_or(&mounted.options);
    let mode = value(options, "data");
    let lacks = all.is_some() && mode.is_none() && !has_journal;
    let logged = || journal_bytes(log.as_deref()?, block_bytes?, transaction_parts()?);
    JournalInfo {
        mode: mode.or_else(|| lacks.then(|| NONE.to_owned())),
        commit_s: value(options, "commit").and_then(|it| it.parse().ok()),
        bytes: superblock
            .as_deref()
            .and_then(ext4_journal_bytes)
            .or_else(logged),
        at: None,
        barrier: barrier(options),
    }
}

/// XFS writes its log back by itself as often as xfssyncd runs, and always flushes (`fs/xfs/xfs_log.c`).
fn xfs(mounted: &MountInfo) -> JournalInfo {
    let path = "/proc/sys/fs/xfs/xfssyncd_centisecs";
    let text = fs::read_to_string(path).ok();
    let centiseconds: Option<u64> = text.and_then(|it| it.trim().parse().ok());
    let superblock = superblock(&mounted.source);
    JournalInfo {
        mode: None,
        commit_s: centiseconds.map(|it| it.div_ceil(100)),
        bytes: superblock.as_deref().and_then(xfs_log_bytes),
        at: None,
        barrier: barrier(&mounted.options).or(Some(true)),
    }
}

/// The value of an option; options stand on lines, or between commas.
fn value(options: &str, name: &str) -> Option<String> {
    let pairs = words(options).filter_map(|it| it.split_once('='));
    let mut own = pairs.filter(|(key, _)| *key == name);
    own.next().map(|(_, value)| value.to_owned())
}

/// Whether commits flush; nothing where the options do not say.
fn barrier(options: &str) -> Option<bool> {
    words(options).find_map(|it| match it {
        "barrier" | "barrier=1" => Some(true),
        "nobarrier" | "barrier=0" => Some(false),
        _ => None,
    })
}

fn words(options: &str) -> impl Iterator<Item = &str> {
    options.split([',', '\n']).map(str::trim)
}

/// The name of a device by its number: `sda1`.
fn device_name(number: &str) -> Option<String> {
    let folder = fs::canonicalize(Path::new("/sys/dev/block").join(number)).ok()?;
    Some(folder.file_name()?.to_string_lossy().into_owned())
}

/// What jbd2 says of the journal on this device, which is not said where there is none. Folders have the number of the journal's inode
/// behind the name.
fn commit_statistics(folder: &Path, device: &str) -> Option<String> {
    let prefix = format!("{device}-");
    let mut entries = fs::read_dir(folder).ok()?.flatten();
    let own: PathBuf = entries.find_map(|entry| {
        let name = entry.file_name();
        name.to_str()?.starts_with(&prefix).then(|| entry.path())
    })?;
    fs::read_to_string(own.join("info")).ok()
}

/// Bytes of a journal by its statistics: the largest transaction has a part of its blocks, rounded down. Tools make journals of whole MiB;
/// any other size is not told by that. A part for fast commits is not in it.
fn journal_bytes(statistics: &str, block_bytes: u64, parts: u64) -> Option<u64> {
    let first = statistics.lines().next()?;
    let (_, most) = first.split_once("each up to ")?;
    let blocks: u64 = most.split_whitespace().next()?.parse().ok()?;
    let mut sizes = (0..parts).map(|rest| (parts * blocks + rest) * block_bytes);
    sizes.find(|bytes| bytes.is_multiple_of(1 << 20))
}

/// The largest transaction is a third of the journal since Linux 6.11, and a fourth before (`jbd2_journal_get_max_txn_bufs`,
/// `fs/jbd2/journal.c`).
fn transaction_parts() -> Option<u64> {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").ok()?;
    let mut numbers = release.split(|it: char| !it.is_ascii_digit());
    let mut number = || numbers.next()?.parse::<u64>().ok();
    let version = (number()?, number()?);
    Some(if version >= (6, 11) { 3 } else { 4 })
}

/// Bytes of a device that hold the superblocks of ext4 and XFS; nothing where this user may not read the device.
pub(crate) fn superblock(device: &Path) -> Option<Vec<u8>> {
    let is_device = fs::metadata(device).ok()?.file_type().is_block_device();
    let mut bytes = vec![0; EXT4_AT + EXT4_BYTES];
    let file = File::open(device).ok().filter(|_| is_device)?;
    file.read_exact_at(&mut bytes, 0).ok()?;
    Some(bytes)
}

/// Where ext4 has its superblock, and its bytes (`struct ext4_super_block`, `fs/ext4/ext4.h`; all numbers little-endian).
const EXT4_AT: usize = 1024;
const EXT4_BYTES: usize = 1024;
/// Places in it: `s_magic`, `s_feature_compat`, `s_jnl_backup_type` and the two words of `s_jnl_blocks` with the journal's size.
const EXT4_MAGIC_AT: usize = 0x38;
const EXT4_FEATURES_AT: usize = 0x5c;
pub(crate) const EXT4_BACKUP_TYPE_AT: usize = 0xfd;
const EXT4_JOURNAL_SIZE_AT: usize = EXT4_JOURNAL_AT + 15 * 4;
/// Where `s_jnl_blocks` begins, with what the journal's inode says of its blocks.
pub(crate) const EXT4_JOURNAL_AT: usize = 0x10c;
/// `EXT4_SUPER_MAGIC`, `EXT4_FEATURE_COMPAT_HAS_JOURNAL`, and what says that the journal's inode is copied there.
const EXT4_MAGIC: u16 = 0xef53;
const EXT4_HAS_JOURNAL: u32 = 4;
pub(crate) const EXT4_BLOCKS_COPIED: u8 = 1;

/// The superblock of ext4 in the first bytes of a device.
pub(crate) fn own_superblock(start: &[u8]) -> Option<&[u8]> {
    start.get(EXT4_AT..)
}

/// Whether ext3 or ext4 has a journal; nothing of other kinds.
pub(crate) fn ext4_has_journal(start: &[u8]) -> Option<bool> {
    let own = own_superblock(start)?;
    let magic = u16::from_le_bytes(array(own, EXT4_MAGIC_AT)?);
    let features = u32::from_le_bytes(array(own, EXT4_FEATURES_AT)?);
    (magic == EXT4_MAGIC).then_some(features & EXT4_HAS_JOURNAL != 0)
}

/// Bytes of ext4's journal, where the superblock has them.
pub(crate) fn ext4_journal_bytes(start: &[u8]) -> Option<u64> {
    let own = own_superblock(start)?;
    let [copied] = array(own, EXT4_BACKUP_TYPE_AT)?;
    let high = u32::from_le_bytes(array(own, EXT4_JOURNAL_SIZE_AT)?);
    let low = u32::from_le_bytes(array(own, EXT4_JOURNAL_SIZE_AT + 4)?);
    let bytes = u64::from(high) << 32 | u64::from(low);
    let is_known = ext4_has_journal(start)? && copied == EXT4_BLOCKS_COPIED;
    (is_known && bytes > 0).then_some(bytes)
}

/// Bytes of XFS's log (`sb_blocksize` times `sb_logblocks` of `struct xfs_dsb`, `fs/xfs/libxfs/xfs_format.h`; all numbers big-endian).
fn xfs_log_bytes(start: &[u8]) -> Option<u64> {
    let block_bytes = u32::from_be_bytes(array(start, 4)?);
    let blocks = u32::from_be_bytes(array(start, 96)?);
    let bytes = u64::from(block_bytes) * u64::from(blocks);
    (start.starts_with(b"XFSB") && bytes > 0).then_some(bytes)
}

/// So many bytes at a place.
pub(crate) fn array<const LENGTH: usize>(bytes: &[u8], at: usize) -> Option<[u8; LENGTH]> {
    bytes.get(at..at + LENGTH)?.try_into().ok()
}
