//! How many bytes reads have.

use rand::{Rng, RngExt as _};

use super::value::block;

/// Most sizes of a split: those of fio (`BSSPLIT_MAX`, `thread_options.h`).
const MOST_SIZES: usize = 64;

/// Sizes of a job's reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Blocks {
    /// All the same (`bs`), bytes.
    One(u64),
    /// From the least to the most (`bsrange`), bytes.
    Range(u64, u64),
    /// Each with its share (`bssplit`).
    Split(Vec<SizeShare>),
}

/// A size, and how many reads have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SizeShare {
    /// Bytes of the read.
    pub bytes: u64,
    /// Of a hundred reads.
    pub percent: u32,
}

impl Blocks {
    /// The smallest read, bytes. Every read has a multiple of them, and begins at one (`get_next_buflen`, `io_u.c`).
    #[must_use]
    pub fn least(&self) -> u64 {
        match self {
            Self::One(bytes) | Self::Range(bytes, _) => *bytes,
            Self::Split(sizes) => sizes.iter().map(|it| it.bytes).min().unwrap_or(1),
        }
    }

    /// The largest read, bytes.
    #[must_use]
    pub fn most(&self) -> u64 {
        match self {
            Self::One(bytes) | Self::Range(_, bytes) => *bytes,
            Self::Split(sizes) => sizes.iter().map(|it| it.bytes).max().unwrap_or(1),
        }
    }

    /// Bytes of a read that has so much room to the end of what is read, which is at least [`Blocks::least`]. fio draws until
    /// it fits, and takes the next size of a split where the one drawn does not (`get_next_buflen`, `io_u.c`).
    pub(super) fn draw(&self, room: u64, random: &mut impl Rng) -> u64 {
        let (least, most) = (self.least(), self.most());
        if least == most {
            return least;
        }
        loop {
            let drawn = match self {
                Self::One(bytes) => *bytes,
                Self::Range(..) => least + (most as f64 * random.random::<f64>()) as u64,
                Self::Split(sizes) => of_split(sizes, room, random),
            };
            let bytes = (drawn / least * least).min(most);
            if bytes <= room {
                return bytes;
            }
        }
    }

    /// What `bsrange` says.
    pub(super) fn range(text: &str) -> Result<Self, String> {
        const FORM: &str = "write the least and the most, such as 4k-64k";
        let reads = text.split(',').next().unwrap_or(text);
        let (least, most) = reads.split_once(['-', ':']).ok_or(FORM)?;
        match (block(least)?, block(most)?) {
            (least, most) if least == most => Ok(Self::One(least)),
            (least, most) if least < most => Ok(Self::Range(least, most)),
            _ => Err(FORM.into()),
        }
    }

    /// What `bssplit` says of reads: what comes before the first comma.
    pub(super) fn split(text: &str) -> Result<Self, String> {
        let reads = text.split(',').next().unwrap_or(text);
        let entries = reads.split(':').filter(|it| !it.trim().is_empty());
        let entries: Vec<(u64, Option<u32>)> = entries.map(entry).collect::<Result<_, _>>()?;
        if entries.is_empty() || entries.len() > MOST_SIZES {
            return Err(format!(
                "write 1 to {MOST_SIZES} sizes with shares in percent, such as 4k/60:64k/40"
            ));
        }
        let mut sizes = with_shares(&entries)?;
        // As fio looks them up: a size that does not fit gives way to one that is drawn more often.
        sizes.sort_by_key(|it| it.percent);
        Ok(Self::Split(sizes))
    }

    /// The option and its value as fio reads them.
    pub(super) fn to_fio(&self) -> (&'static str, String) {
        match self {
            Self::One(bytes) => ("bs", bytes.to_string()),
            Self::Range(least, most) => ("bsrange", format!("{least}-{most}")),
            Self::Split(sizes) => {
                let sizes = sizes
                    .iter()
                    .map(|it| format!("{}/{}", it.bytes, it.percent));
                ("bssplit", sizes.collect::<Vec<_>>().join(":"))
            }
        }
    }
}

/// A size of a split by its share. The last takes what is missing of a hundred.
fn of_split(sizes: &[SizeShare], room: u64, random: &mut impl Rng) -> u64 {
    let drawn = random.random_range(0..100);
    let mut percent = 0;
    let reached = sizes.iter().find(|it| {
        percent += it.percent;
        drawn < percent && it.bytes <= room
    });
    reached.or(sizes.last()).map_or(1, |it| it.bytes)
}

fn entry(text: &str) -> Result<(u64, Option<u32>), String> {
    let (size, share) = match text.split_once('/') {
        Some((size, share)) => (size, share.trim()),
        None => (text, ""),
    };
    let bytes = block(size.trim())?;
    match (share, share.parse::<u32>()) {
        ("", _) | (_, Ok(0)) => Ok((bytes, None)),
        (_, Ok(percent)) if percent <= 100 => Ok((bytes, Some(percent))),
        _ => Err("write shares in whole percent, such as 4k/60:64k/40".into()),
    }
}

/// Sizes without a share get equal parts of what is left (`bssplit_ddir`, `options.c`).
fn with_shares(entries: &[(u64, Option<u32>)]) -> Result<Vec<SizeShare>, String> {
    let given: u32 = entries.iter().filter_map(|(_, percent)| *percent).sum();
    let without = entries.iter().filter(|it| it.1.is_none()).count() as u32;
    let left = 100u32
        .checked_sub(given)
        .ok_or("the shares are more than 100 percent together")?;
    let each = left.checked_div(without).unwrap_or(0);
    if without > 0 && each == 0 {
        return Err("nothing is left for the sizes without a share".into());
    }
    let sizes = entries.iter().map(|&(bytes, percent)| SizeShare {
        bytes,
        percent: percent.unwrap_or(each),
    });
    Ok(sizes.collect())
}
