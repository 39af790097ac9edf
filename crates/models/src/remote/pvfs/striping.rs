//! Which server has which byte of a file.

use std::ops::Range;

/// How a file is divided among servers: strips go round them, and a server has its strips one behind the other (`simple_stripe`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Striping {
    /// Bytes of a strip, which PVFS 1 calls a stripe.
    pub strip_bytes: u64,
    /// Servers that have a part of each file.
    pub stripes: u32,
}

impl Striping {
    /// 64 KiB on each of so many servers, as both versions have it where nothing is said.
    #[must_use]
    pub fn usual(stripes: u32) -> Self {
        Self {
            strip_bytes: 64 << 10,
            stripes: stripes.max(1),
        }
    }

    /// Of the first `end` bytes of a file, how many are on the server that has this place among those of the file.
    #[must_use]
    pub fn bytes_at(self, end: u64, place: u32) -> u64 {
        let strip_bytes = self.strip_bytes.max(1);
        let row_bytes = strip_bytes.saturating_mul(u64::from(self.stripes.max(1)));
        let (rows, rest) = (end / row_bytes, end % row_bytes);
        let before = u64::from(place).saturating_mul(strip_bytes);
        rows * strip_bytes + rest.saturating_sub(before).min(strip_bytes)
    }

    /// The parts of some bytes of a file, each with the place of its server and with what that has of them. They come in the order in which
    /// the file has them.
    pub fn parts(self, bytes: Range<u64>) -> impl Iterator<Item = (u32, Range<u64>)> {
        let stripes = self.stripes.max(1);
        let first = (bytes.start / self.strip_bytes.max(1)) % u64::from(stripes);
        let places = (0..stripes).map(move |number| (first as u32 + number) % stripes);
        let part = move |place| {
            let part = self.bytes_at(bytes.start, place)..self.bytes_at(bytes.end, place);
            (part.start < part.end).then_some((place, part))
        };
        places.filter_map(part)
    }
}
