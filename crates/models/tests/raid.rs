//! Where a RAID has bytes: each at a place of its own, found again by whoever reads, whatever is asked for at once.

use std::collections::BTreeSet;

use hotset_models::block::raid::{
    DividedWrite, Members, Part, capacity_bytes, divide, divide_write,
};
use hotset_scenario::{Raid, RaidLevel};
use proptest::prelude::*;

const SECTOR: u64 = 512;

/// Disks that have nothing to do.
struct Idle;

impl Members for Idle {
    fn end(&self, _disk: usize) -> u64 {
        u64::MAX
    }

    fn length(&self, _disk: usize) -> usize {
        0
    }
}

fn raids() -> impl Strategy<Value = Raid> {
    let level = prop_oneof![
        Just((RaidLevel::Raid0, 2..7_usize)),
        Just((RaidLevel::Raid1, 2..4)),
        Just((RaidLevel::Raid5, 3..7)),
        Just((RaidLevel::Raid10, 2..4)),
    ];
    let disks = level.prop_flat_map(|(level, disks)| (Just(level), disks));
    (disks, 1_u64..9).prop_map(|((level, disks), sectors)| Raid {
        level,
        disks: if level == RaidLevel::Raid10 {
            2 * disks
        } else {
            disks
        },
        chunk_bytes: sectors * SECTOR,
    })
}

/// The sectors of parts, as disk and number.
fn sectors(parts: &[Part]) -> Vec<(usize, u64)> {
    let of_part = |part: &Part| {
        assert_eq!((part.offset % SECTOR, part.bytes % SECTOR), (0, 0));
        let (disk, first) = (part.disk, part.offset / SECTOR);
        (first..first + part.bytes / SECTOR).map(move |sector| (disk, sector))
    };
    parts.iter().flat_map(of_part).collect()
}

fn read(raid: Raid, first: u64, count: u64) -> Vec<(usize, u64)> {
    let mut parts = Vec::new();
    divide(raid, first * SECTOR, count * SECTOR, &Idle, &mut parts);
    sectors(&parts)
}

/// What disks do for a write.
fn divided(raid: Raid, first: u64, count: u64) -> DividedWrite {
    let mut divided = DividedWrite::default();
    divide_write(raid, first * SECTOR, count * SECTOR, &mut divided);
    divided
}

fn written(raid: Raid, first: u64, count: u64) -> Vec<(usize, u64)> {
    sectors(&divided(raid, first, count).writes)
}

/// Where `mdadm` of these disks has a sector, worked out chunk by chunk (`drivers/md`).
fn plain(raid: Raid, sector: u64) -> Vec<(usize, u64)> {
    let (disks, chunk_sectors) = (raid.disks as u64, raid.chunk_bytes / SECTOR);
    let (chunk, inside) = (sector / chunk_sectors, sector % chunk_sectors);
    let mut places = Vec::new();
    let (mut row, mut left) = (0, chunk);
    loop {
        let columns: Vec<Vec<u64>> = match raid.level {
            RaidLevel::Raid0 => (0..disks).map(|disk| vec![disk]).collect(),
            RaidLevel::Raid1 => vec![(0..disks).collect()],
            RaidLevel::Raid10 => (0..disks / 2).map(|it| vec![2 * it, 2 * it + 1]).collect(),
            RaidLevel::Raid5 => {
                let parity = disks - 1 - row % disks;
                (1..disks).map(|it| vec![(parity + it) % disks]).collect()
            }
        };
        if let Some(copies) = columns.get(left as usize) {
            places.extend(
                copies
                    .iter()
                    .map(|&disk| (disk as usize, row * chunk_sectors + inside)),
            );
            return places;
        }
        left -= columns.len() as u64;
        row += 1;
    }
}

proptest! {
    #[test]
    fn every_sector_is_where_chunk_by_chunk_counting_has_it(raid in raids(), sector in 0_u64..400) {
        let places = plain(raid, sector);
        let found = read(raid, sector, 1);
        prop_assert_eq!(found.len(), 1);
        prop_assert!(places.contains(&found[0]), "{:?} {:?}", found, places);
        let mut all = written(raid, sector, 1);
        if raid.level == RaidLevel::Raid5 {
            let parity = all.pop();
            prop_assert!(parity.is_some_and(|parity| parity.0 != all[0].0 && parity.1 == all[0].1));
        }
        prop_assert_eq!(all, places);
    }

    #[test]
    fn what_is_asked_for_at_once_is_what_its_sectors_are(raid in raids(), first in 0_u64..100, count in 1_u64..60) {
        let mut whole = read(raid, first, count);
        whole.sort_unstable();
        let mut single: Vec<_> = (first..first + count).flat_map(|it| read(raid, it, 1)).collect();
        single.sort_unstable();
        if matches!(raid.level, RaidLevel::Raid0 | RaidLevel::Raid5) {
            prop_assert_eq!(&whole, &single);
        }
        prop_assert_eq!(whole.len() as u64, count);
        let places: Vec<_> = (first..first + count).flat_map(|it| plain(raid, it)).collect();
        prop_assert!(whole.iter().all(|it| places.contains(it)));
        whole.dedup();
        prop_assert_eq!(whole.len() as u64, count);
    }

    #[test]
    fn the_capacity_is_what_fits_on_the_disks(raid in raids(), rows in 1_u64..20) {
        let disk_bytes = rows * raid.chunk_bytes;
        let sectors = capacity_bytes(raid, disk_bytes) / SECTOR;
        let last = written(raid, sectors - 1, 1);
        prop_assert!(last.iter().all(|it| it.1 < disk_bytes / SECTOR));
        prop_assert!(written(raid, sectors, 1).iter().any(|it| it.1 >= disk_bytes / SECTOR));
    }
}

/// What has to be read and written for the sectors of one write: one sector of each disk after the other, as `md` goes over pages
/// (`handle_stripe_dirtying`).
fn stripe_by_stripe(raid: Raid, first: u64, count: u64) -> [BTreeSet<(usize, u64)>; 2] {
    let new: BTreeSet<_> = (first..first + count)
        .flat_map(|it| plain(raid, it))
        .collect();
    let stripes: BTreeSet<u64> = new.iter().map(|it| it.1).collect();
    let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
    for sector in stripes {
        let row = sector * SECTOR / raid.chunk_bytes;
        let parity = raid.disks - 1 - (row % raid.disks as u64) as usize;
        let data = (0..raid.disks).filter(|&disk| disk != parity);
        let (over, other): (Vec<usize>, Vec<usize>) =
            data.partition(|&disk| new.contains(&(disk, sector)));
        let modify = over.len() + 1 < other.len();
        match modify {
            true => reads.extend(over.iter().chain([&parity]).map(|&disk| (disk, sector))),
            false => reads.extend(other.iter().map(|&disk| (disk, sector))),
        }
        writes.extend(over.iter().chain([&parity]).map(|&disk| (disk, sector)));
    }
    [reads, writes]
}

fn raid5(disks: usize, chunk_bytes: u64) -> Raid {
    Raid {
        level: RaidLevel::Raid5,
        disks,
        chunk_bytes,
    }
}

proptest! {
    #[test]
    fn parity_is_computed_from_what_going_stripe_by_stripe_reads(
        disks in 3_usize..9, sectors_of_chunk in 1_u64..9, first in 0_u64..150, count in 1_u64..120,
    ) {
        let raid = raid5(disks, sectors_of_chunk * SECTOR);
        let divided = divided(raid, first, count);
        let expected = stripe_by_stripe(raid, first, count);
        for (parts, expected) in [&divided.reads, &divided.writes].into_iter().zip(expected) {
            let found = sectors(parts);
            let once: BTreeSet<_> = found.iter().copied().collect();
            prop_assert_eq!(found.len(), once.len(), "nothing twice: {:?}", parts);
            prop_assert_eq!(once, expected);
        }
    }
}

#[test]
fn whole_rows_are_written_without_a_read() {
    let raid = raid5(5, 4 * SECTOR);
    let part = |disk, offset, bytes| Part {
        disk,
        offset: offset * SECTOR,
        bytes: bytes * SECTOR,
    };
    // Two rows of sixteen sectors: all disks, and each in one piece.
    let whole = divided(raid, 16, 32);
    assert!(whole.reads.is_empty(), "{whole:?}");
    let mut writes = whole.writes;
    writes.sort_unstable_by_key(|it| it.disk);
    let expected: Vec<Part> = (0..5).map(|disk| part(disk, 4, 8)).collect();
    assert_eq!(writes, expected);
    // One chunk of four: its own and the parity are fewer than the other three.
    let one = divided(raid, 0, 4);
    assert_eq!(one.reads, [part(0, 0, 4), part(4, 0, 4)]);
    assert_eq!(one.writes, one.reads);
    // Two chunks: the other two are fewer than these and the parity.
    let two = divided(raid, 0, 8);
    assert_eq!(two.reads, [part(2, 0, 4), part(3, 0, 4)]);
    assert_eq!(two.writes, [part(0, 0, 4), part(1, 0, 4), part(4, 0, 4)]);
}
