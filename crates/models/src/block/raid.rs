//! Several disks that act as one, as Linux' `md` lays them out.

use hotset_scenario::{Raid, RaidLevel};

use super::disk_queue::DiskQueue;

/// What one disk has of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub disk: usize,
    /// First byte on that disk.
    pub offset: u64,
    pub bytes: u64,
}

/// Where a chunk is.
#[derive(Clone, Copy)]
struct Place {
    /// The disk, or the first of those that have the chunk.
    disk: usize,
    copies: usize,
    /// The chunk's number on its disk.
    row: u64,
}

/// What each disk reads of `bytes` from `offset`: neighbouring chunks of a disk in one.
pub(super) fn divide(
    raid: Raid,
    offset: u64,
    bytes: u64,
    disks: &[DiskQueue],
    parts: &mut Vec<Part>,
) {
    let (mut at, end) = (offset, offset + bytes);
    while at < end {
        let chunk = at / raid.chunk_bytes;
        let inside = at % raid.chunk_bytes;
        let length = (raid.chunk_bytes - inside).min(end - at);
        let Place { disk, copies, row } = place(raid, chunk);
        let from = row * raid.chunk_bytes + inside;
        let disk = nearest(&disks[disk..disk + copies], from, parts, disk);
        let before = parts.iter_mut().rfind(|it| it.disk == disk);
        match before.filter(|it| it.offset + it.bytes == from) {
            Some(part) => part.bytes += length,
            None => parts.push(Part {
                disk,
                offset: from,
                bytes: length,
            }),
        }
        at += length;
    }
}

/// Where a chunk is. Chunks go round over disks, or over pairs of them: `drivers/md/raid0.c`, `raid10.c` (near, two copies).
/// Mirrors have everything each: `raid1.c`. With parity, another disk has that of each row: left-symmetric, md's default
/// (`raid5_compute_sector` in `raid5.c`).
fn place(raid: Raid, chunk: u64) -> Place {
    let disks = raid.disks as u64;
    let (disk, copies, row) = match raid.level {
        RaidLevel::Raid0 => (chunk % disks, 1, chunk / disks),
        RaidLevel::Raid1 => (0, raid.disks, chunk),
        RaidLevel::Raid5 => {
            let (row, column) = (chunk / (disks - 1), chunk % (disks - 1));
            let parity = disks - 1 - row % disks;
            ((parity + 1 + column) % disks, 1, row)
        }
        RaidLevel::Raid10 => {
            let pairs = disks / 2;
            (chunk % pairs * 2, 2, chunk / pairs)
        }
    };
    Place {
        disk: disk as usize,
        copies,
        row,
    }
}

/// Bytes that the disks hold together, each `disk_bytes`.
pub(super) fn capacity_bytes(raid: Raid, disk_bytes: u64) -> u64 {
    let disks = raid.disks as u64;
    let with_data = match raid.level {
        RaidLevel::Raid0 => disks,
        RaidLevel::Raid1 => 1,
        RaidLevel::Raid5 => disks.saturating_sub(1),
        RaidLevel::Raid10 => disks / 2,
    };
    disk_bytes.saturating_mul(with_data)
}

/// Of disks that have the same, the one where the transfer goes on, else where the last request ended there, else the one
/// with the fewest requests (`read_balance` in `drivers/md/raid1.c`).
fn nearest(copies: &[DiskQueue], offset: u64, parts: &[Part], first: usize) -> usize {
    let goes_on = |number: &usize| {
        let before = parts.iter().rfind(|it| it.disk == first + number);
        before.is_some_and(|it| it.offset + it.bytes == offset)
    };
    let numbers = 0..copies.len();
    let chosen = numbers.clone().find(goes_on);
    let chosen = chosen.or_else(|| numbers.clone().find(|&it| copies[it].end() == offset));
    let fewest = || {
        numbers
            .clone()
            .min_by_key(|&it| (copies[it].length(), copies[it].end().abs_diff(offset)))
    };
    first + chosen.or_else(fewest).unwrap_or(0)
}
