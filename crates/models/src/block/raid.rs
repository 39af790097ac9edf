//! Several disks that act as one, as Linux' `md` lays them out.

use std::ops::Range;

use hotset_scenario::{Raid, RaidLevel};

/// What one disk has of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its number, from 0.
    pub disk: usize,
    /// First byte on that disk.
    pub offset: u64,
    /// Bytes from there on.
    pub bytes: u64,
}

/// What disks that have the same are chosen by.
pub trait Members {
    /// Where the last request that came to a disk ends.
    fn end(&self, disk: usize) -> u64;

    /// Requests of a disk that are not served yet.
    fn length(&self, disk: usize) -> usize;
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

/// Adds what each disk reads of `bytes` from `offset`: neighbouring chunks of a disk in one.
pub fn divide(
    raid: Raid,
    offset: u64,
    bytes: u64,
    disks: &(impl Members + ?Sized),
    parts: &mut Vec<Part>,
) {
    for (place, offset, bytes) in pieces(raid, offset, bytes) {
        let copies = place.disk..place.disk + place.copies;
        let disk = nearest(disks, copies, offset, parts);
        let part = Part {
            disk,
            offset,
            bytes,
        };
        add(part, parts);
    }
}

/// Adds what each disk writes of `bytes` from `offset`: all copies, and the parity of each row. What is read to compute that parity is
/// left out.
pub fn divide_write(raid: Raid, offset: u64, bytes: u64, parts: &mut Vec<Part>) {
    for (place, offset, bytes) in pieces(raid, offset, bytes) {
        let parity = (raid.level == RaidLevel::Raid5).then(|| parity(raid, place.row));
        for disk in (place.disk..place.disk + place.copies).chain(parity) {
            let part = Part {
                disk,
                offset,
                bytes,
            };
            add(part, parts);
        }
    }
}

/// The pieces of a span that lie in one chunk each: where they are, their offset there, and their bytes.
fn pieces(raid: Raid, offset: u64, bytes: u64) -> impl Iterator<Item = (Place, u64, u64)> {
    let (mut at, end) = (offset, offset + bytes);
    std::iter::from_fn(move || {
        let (place, inside) = (place(raid, at / raid.chunk_bytes), at % raid.chunk_bytes);
        let length = (raid.chunk_bytes - inside).min(end - at);
        at += length;
        (length > 0).then_some((place, place.row * raid.chunk_bytes + inside, length))
    })
}

/// Adds a part to that before it on its disk, where it goes on there.
fn add(new: Part, parts: &mut Vec<Part>) {
    let before = parts.iter_mut().rfind(|it| it.disk == new.disk);
    match before.filter(|it| it.offset + it.bytes == new.offset) {
        Some(part) => part.bytes += new.bytes,
        None => parts.push(new),
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
            ((parity(raid, row) as u64 + 1 + column) % disks, 1, row)
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

/// The disk that has the parity of a row.
fn parity(raid: Raid, row: u64) -> usize {
    let disks = raid.disks as u64;
    (disks - 1 - row % disks) as usize
}

/// Bytes that the disks hold together, each `disk_bytes`.
#[must_use]
pub fn capacity_bytes(raid: Raid, disk_bytes: u64) -> u64 {
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
fn nearest(
    disks: &(impl Members + ?Sized),
    copies: Range<usize>,
    offset: u64,
    parts: &[Part],
) -> usize {
    let goes_on = |disk: &usize| {
        let before = parts.iter().rfind(|it| it.disk == *disk);
        before.is_some_and(|it| it.offset + it.bytes == offset)
    };
    let chosen = copies.clone().find(goes_on);
    let chosen = chosen.or_else(|| copies.clone().find(|&it| disks.end(it) == offset));
    let fewest = || {
        copies
            .clone()
            .min_by_key(|&it| (disks.length(it), disks.end(it).abs_diff(offset)))
    };
    chosen.or_else(fewest).unwrap_or(copies.start)
}
