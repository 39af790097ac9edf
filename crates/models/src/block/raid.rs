//! Several disks that act as one, as Linux' `md` lays them out.

use super::disk_queue::DiskQueue;

/// How disks act together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Chunks go round (`drivers/md/raid0.c`).
    Stripes,
    /// Each disk has everything (`drivers/md/raid1.c`).
    Mirrors,
    /// Chunks go round, and in each row another disk has their parity: left-symmetric, `md`'s default
    /// (`raid5_compute_sector` in `drivers/md/raid5.c`).
    Parity,
    /// Chunks go round over pairs of disks that have the same: near, 2 copies, `md`'s default (`drivers/md/raid10.c`).
    StripedMirrors,
}

/// Disks that act as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Raid {
    /// How.
    pub level: Level,
    /// How many.
    pub disks: usize,
    /// Bytes that lie side by side on a disk.
    pub chunk_bytes: u64,
}

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

impl Raid {
    /// Bytes that the disks hold together, each `disk_bytes`.
    #[must_use]
    pub fn capacity_bytes(&self, disk_bytes: u64) -> u64 {
        let disks = self.disks as u64;
        let data = match self.level {
            Level::Stripes => disks,
            Level::Mirrors => 1,
            Level::Parity => disks.saturating_sub(1),
            Level::StripedMirrors => disks / 2,
        };
        disk_bytes.saturating_mul(data)
    }

    /// What each disk reads of `bytes` from `offset`: neighbouring chunks of a disk in one.
    pub(super) fn parts(
        &self,
        offset: u64,
        bytes: u64,
        disks: &[DiskQueue],
        parts: &mut Vec<Part>,
    ) {
        let (mut at, end) = (offset, offset + bytes);
        while at < end {
            let chunk = at / self.chunk_bytes;
            let inside = at % self.chunk_bytes;
            let length = (self.chunk_bytes - inside).min(end - at);
            let Place { disk, copies, row } = self.place(chunk);
            let from = row * self.chunk_bytes + inside;
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

    fn place(&self, chunk: u64) -> Place {
        let disks = self.disks as u64;
        let (disk, copies, row) = match self.level {
            Level::Stripes => (chunk % disks, 1, chunk / disks),
            Level::Mirrors => (0, self.disks, chunk),
            Level::Parity => {
                let (row, column) = (chunk / (disks - 1), chunk % (disks - 1));
                let parity = disks - 1 - row % disks;
                ((parity + 1 + column) % disks, 1, row)
            }
            Level::StripedMirrors => {
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
