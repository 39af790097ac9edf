//! Groups of requests by size.

use std::fmt;

/// Smallest and largest power of two of the limits between classes: 1 KiB and 1 GiB.
const FIRST_BITS: u32 = 10;
const LAST_BITS: u32 = 30;

/// A group of requests whose expected bodies are of similar size: powers of 4 from 1 KiB to 1 GiB, so
/// that a page of 4 KiB and 1 MiB are limits. Requests whose expected size is not known are grouped by
/// the body received.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SizeClass(u8);

impl SizeClass {
    /// Number of classes.
    pub const COUNT: usize = (LAST_BITS - FIRST_BITS) as usize / 2 + 2;

    /// The class of a body of so many bytes.
    pub fn of(bytes: u64) -> Self {
        let bits = u64::BITS - bytes.leading_zeros();
        let class = (bits.clamp(FIRST_BITS, LAST_BITS + 1) - FIRST_BITS).div_ceil(2);
        Self(class as u8)
    }

    /// All, ascending.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::COUNT as u8).map(Self)
    }

    /// Place among all.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Smallest size of the class, bytes.
    pub fn from_bytes(self) -> u64 {
        match self.0 {
            0 => 0,
            class => 1 << (FIRST_BITS + 2 * u32::from(class - 1)),
        }
    }

    /// The size at which the next class begins, bytes; `None` for the last.
    pub fn to_bytes(self) -> Option<u64> {
        (self.index() + 1 < Self::COUNT).then(|| Self(self.0 + 1).from_bytes())
    }
}

impl fmt::Display for SizeClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.from_bytes(), self.to_bytes()) {
            (0, Some(to)) => write!(f, "< {}", Binary(to)),
            (from, Some(to)) => write!(f, "{}–{}", Binary(from), Binary(to)),
            (from, None) => write!(f, "≥ {}", Binary(from)),
        }
    }
}

/// A power of two as people write it.
struct Binary(u64);

impl fmt::Display for Binary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (shift, unit) = match self.0 {
            0x4000_0000.. => (30, "GiB"),
            0x10_0000.. => (20, "MiB"),
            _ => (10, "KiB"),
        };
        write!(f, "{} {unit}", self.0 >> shift)
    }
}
