//! Parts of a file, each with its share of the reads (`zone-dist.c` of fio).

use std::fmt;

use rand::RngExt as _;
use rand_pcg::Pcg64Mcg;

use super::super::value::some_bytes;
use super::draw::Draw;

/// Most zones: those of fio (`ZONESPLIT_MAX`, `thread_options.h`).
const MOST_ZONES: usize = 256;

/// A part of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    /// Of a hundred reads.
    pub reads_percent: u32,
    /// Percent of the file, or bytes.
    pub size: u64,
}

/// Where a zone begins and how long it is, blocks; how many of a hundred reads go to it and those before it.
pub(super) struct Zones(Vec<(u64, u64, u32)>);

impl Zones {
    /// Where a zone begins and how long it is are rounded each for itself (`__get_next_rand_offset_zoned`, `io_u.c`).
    pub fn of_percent(zones: &[Zone], blocks: u64) -> Self {
        let part = |percent: u64| (u128::from(percent) * u128::from(blocks) / 100) as u64;
        Self::of(zones, |before, size| (part(before), part(size)))
    }

    /// Where a zone begins and ends are rounded (`__get_next_rand_offset_zoned_abs`, `io_u.c`).
    pub fn of_bytes(zones: &[Zone], block_bytes: u64) -> Self {
        Self::of(zones, |before, size| {
            let first = before / block_bytes;
            (first, (before + size) / block_bytes - first)
        })
    }

    fn of(zones: &[Zone], place: impl Fn(u64, u64) -> (u64, u64)) -> Self {
        let (mut before, mut percent) = (0, 0);
        let zones = zones.iter().map(|zone| {
            let (first, blocks) = place(before, zone.size);
            before += zone.size;
            percent += zone.reads_percent;
            (first, blocks, percent)
        });
        Self(zones.collect())
    }
}

impl Draw for Zones {
    fn block(&mut self, random: &mut Pcg64Mcg) -> u64 {
        let drawn = random.random_range(0..100);
        let zone = self.0.iter().find(|(_, _, percent)| drawn < *percent);
        let &(first, blocks, _) = zone.or(self.0.last()).unwrap_or(&(0, 1, 100));
        // A zone of less than a block gives its first one, as in fio.
        first + random.random_range(0..blocks.max(1))
    }
}

/// Shares of reads and of the file, such as `60/10:40/90`.
pub(super) fn in_percent(text: &str) -> Result<Vec<Zone>, String> {
    const FORM: &str =
        "write shares of reads and of the file, such as zoned:60/10:40/90; each adds up to 100";
    let percent = |text: &str| text.parse::<u64>().map_err(|_| FORM.to_owned());
    let zones = zones(text, FORM, percent)?;
    match zones.iter().map(|it| it.size).try_fold(0, u64::checked_add) {
        Some(100) => Ok(zones),
        _ => Err(FORM.to_owned()),
    }
}

/// Shares of reads and bytes, such as `60/1g:40/9g`.
pub(super) fn in_bytes(text: &str) -> Result<Vec<Zone>, String> {
    const FORM: &str =
        "write shares of reads and bytes, such as zoned_abs:60/1g:40/9g; shares add up to 100";
    zones(text, FORM, some_bytes)
}

fn zones(
    text: &str,
    form: &str,
    size: impl Fn(&str) -> Result<u64, String>,
) -> Result<Vec<Zone>, String> {
    let reads = text.split(',').next().unwrap_or(text);
    let zone = |entry: &str| {
        let (share, length) = entry.split_once('/').ok_or(form)?;
        let share = share.trim().parse::<u32>();
        match (share, size(length.trim())?) {
            (Ok(reads_percent @ 1..=100), size) if size > 0 => Ok(Zone {
                reads_percent,
                size,
            }),
            _ => Err(form.to_owned()),
        }
    };
    let zones: Vec<Zone> = reads.split(':').map(zone).collect::<Result<_, _>>()?;
    let percent: u32 = zones.iter().map(|it| it.reads_percent).sum();
    match percent == 100 && zones.len() <= MOST_ZONES {
        true => Ok(zones),
        false => Err(form.to_owned()),
    }
}

pub(super) fn write(f: &mut fmt::Formatter<'_>, name: &str, zones: &[Zone]) -> fmt::Result {
    f.write_str(name)?;
    zones
        .iter()
        .try_for_each(|zone| write!(f, ":{}/{}", zone.reads_percent, zone.size))
}
