//! Several disks that act as one, as Linux' `md` lays them out. What the lab plays and what the model computes is this same code.

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

/// What disks do for a write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DividedWrite {
    /// What is read before anything is written, to compute parity from.
    pub reads: Vec<Part>,
    /// What is written: all copies, and parity.
    pub writes: Vec<Part>,
}

/// Adds what disks do to write `bytes` from `offset`. A level with parity reads what it has to know, by the rule of `md`
/// (`handle_stripe_dirtying` in `drivers/md/raid5.c`). Where a row is written only in part, either what is written over is read, with its parity, or all
/// else of the row: whichever is in fewer chunks, and the latter where both are in as many.
///
/// A write is taken by itself. What `md` gathers in its cache of stripes, and that it goes by pages of 4 KiB, are left out.
pub fn divide_write(raid: Raid, offset: u64, bytes: u64, divided: &mut DividedWrite) {
    if raid.level == RaidLevel::Raid5 {
        rows(raid, offset, bytes).for_each(|row| add_row(raid, row, divided));
        return;
    }
    for (place, offset, bytes) in pieces(raid, offset, bytes) {
        for disk in place.disk..place.disk + place.copies {
            let part = Part {
                disk,
                offset,
                bytes,
            };
            add(part, &mut divided.writes);
        }
    }
}

/// The bytes of a write that lie in one row of chunks with parity: from a place in one column to a place in the same or a later one.
#[derive(Clone, Copy)]
struct Row {
    number: u64,
    first: u64,
    from: u64,
    last: u64,
    to: u64,
}

impl Row {
    /// Whether all of a column's bytes from `start` to `end` are written.
    fn has(self, column: u64, start: u64, end: u64) -> bool {
        (self.first..=self.last).contains(&column)
            && (column != self.first || start >= self.from)
            && (column != self.last || end <= self.to)
    }
}

/// The rows that a span lies in.
fn rows(raid: Raid, offset: u64, bytes: u64) -> impl Iterator<Item = Row> {
    let row_bytes = raid.chunk_bytes * (raid.disks as u64 - 1);
    let (mut at, end) = (offset, offset + bytes);
    std::iter::from_fn(move || {
        if at >= end {
            return None;
        }
        let (number, inside) = (at / row_bytes, at % row_bytes);
        let length = (row_bytes - inside).min(end - at);
        at += length;
        let behind = inside + length;
        Some(Row {
            number,
            first: inside / raid.chunk_bytes,
            from: inside % raid.chunk_bytes,
            last: (behind - 1) / raid.chunk_bytes,
            to: (behind - 1) % raid.chunk_bytes + 1,
        })
    })
}

/// Adds what disks do for a row: from one place within its chunks to the next, where other columns are written.
fn add_row(raid: Raid, row: Row, divided: &mut DividedWrite) {
    let mut places = [0, row.from, row.to, raid.chunk_bytes];
    places.sort_unstable();
    let columns = raid.disks as u64 - 1;
    for pair in places.windows(2) {
        let (start, end) = (pair[0], pair[1]);
        let is_written = |&column: &u64| row.has(column, start, end);
        let written = (0..columns).filter(is_written).count() as u64;
        if start == end || written == 0 {
            continue;
        }
        let part = |disk: usize| Part {
            disk,
            offset: row.number * raid.chunk_bytes + start,
            bytes: end - start,
        };
        let disk = |column: u64| data_disk(raid, row.number, column);
        let parity = parity(raid, row.number);
        let over = written + 1 < columns - written;
        let read = (0..columns).filter(|column| is_written(column) == over);
        let read = read.map(disk).chain(over.then_some(parity));
        read.for_each(|disk| add(part(disk), &mut divided.reads));
        let new = (0..columns).filter(is_written).map(disk);
        new.chain([parity])
            .for_each(|disk| add(part(disk), &mut divided.writes));
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
            (data_disk(raid, row, column) as u64, 1, row)
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

/// The disk that has a column of a row with parity: they follow the parity, round and round.
fn data_disk(raid: Raid, row: u64, column: u64) -> usize {
    (parity(raid, row) + 1 + column as usize) % raid.disks
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
