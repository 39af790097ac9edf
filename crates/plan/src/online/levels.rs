//! Files by value per page, in levels.
//!
//! An access changes the level of its own file alone. How many pages the files of each level take says at which level memory runs
//! out, so that only files near it have to be ranked.

use std::ops::Range;

/// Octaves of value per page that have levels of their own: from 2^-32 microseconds up. What lies below or above them is on the
/// lowest or highest level.
const OCTAVES: u32 = 128;
const FIRST_OCTAVE: i32 = -32;

/// Bits of a number that are not its sign or exponent, and what is added to the exponent (IEEE 754).
const MANTISSA_BITS: u32 = 52;
const BIAS: i32 = 1023;

/// Most bits of the mantissa that tell levels apart: 2^9 levels for each of [`OCTAVES`] are 2^16.
const MOST_BITS: u32 = 9;

/// Fewer than 2^9 files have one level for each octave, fewer than twice as many have two, and so on.
const FEW_FILES_BITS: u32 = 8;

/// What is near the boundary goes this far beyond it: memory shifted right by so many bits, 0.8 %. Gaps that only a worse file fits
/// into are rare.
const BEYOND_SHIFT: u32 = 7;

/// Files looked at together.
const CHUNK: usize = 64;

/// The files on each level.
#[derive(Clone)]
pub(super) struct Levels {
    /// Bits of the mantissa that tell levels apart.
    bits: u32,
    /// The level of each file; 0 of those without value.
    of_file: Vec<u16>,
    /// Pages of the files on each level.
    pages: Vec<u64>,
    /// The highest level that any file was on.
    top: u32,
}

/// Where memory runs out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Boundary {
    /// From this level on, all files fit together, and so do those of the level below.
    pub sure: u32,
    /// Pages of the files from there on.
    pub sure_pages: u64,
    /// From this level on, files fill more than the memory; the lowest if they do not.
    pub last: u32,
}

impl Levels {
    /// So many files without value.
    pub fn new(files: usize) -> Self {
        let bits = files.checked_ilog2().unwrap_or(0);
        let bits = bits.saturating_sub(FEW_FILES_BITS).min(MOST_BITS);
        Self {
            bits,
            of_file: vec![0; files],
            pages: vec![0; (OCTAVES << bits) as usize],
            top: 0,
        }
    }

    /// Number of files.
    pub fn files(&self) -> usize {
        self.of_file.len()
    }

    /// The level of `file`.
    #[inline]
    pub fn of(&self, file: u32) -> u32 {
        u32::from(self.of_file[file as usize])
    }

    /// Levels for twice the value.
    pub fn octave(&self) -> u32 {
        1 << self.bits
    }

    /// `file` is worth `value`, and takes so many pages.
    #[inline]
    pub fn put(&mut self, file: u32, value: f64, pages: u64) {
        let level = match value > 0.0 {
            true => self.level(value / pages as f64),
            false => 0,
        };
        let before = std::mem::replace(&mut self.of_file[file as usize], level);
        if before != level {
            self.pages[usize::from(before)] -= if before > 0 { pages } else { 0 };
            self.pages[usize::from(level)] += if level > 0 { pages } else { 0 };
            self.top = self.top.max(u32::from(level));
        }
    }

    /// The level of a value per page, never less for a larger one.
    #[inline]
    fn level(&self, density: f64) -> u16 {
        let level = (density.to_bits() >> (MANTISSA_BITS - self.bits)) as i64;
        let highest = self.pages.len() as i64 - 1;
        (level - self.first()).clamp(1, highest) as u16
    }

    /// The value per page that a level begins at; 0 of the lowest.
    pub fn least(&self, level: u32) -> f64 {
        match level {
            0 | 1 => 0.0,
            _ => {
                let bits = (i64::from(level) + self.first()) as u64;
                f64::from_bits(bits << (MANTISSA_BITS - self.bits))
            }
        }
    }

    /// Level 0, counted from the value 0.
    fn first(&self) -> i64 {
        i64::from(BIAS + FIRST_OCTAVE) << self.bits
    }

    /// Where a memory of so many pages runs out.
    pub fn boundary(&self, memory_pages: u64) -> Boundary {
        let enough = memory_pages.saturating_add(memory_pages >> BEYOND_SHIFT);
        let mut boundary = Boundary {
            sure: self.top + 2,
            sure_pages: 0,
            last: 1,
        };
        let mut filled = 0;
        for level in (1..=self.top).rev() {
            let above = filled;
            filled += self.pages[level as usize];
            if filled <= memory_pages {
                (boundary.sure, boundary.sure_pages) = (level + 1, above);
            }
            if filled > enough {
                boundary.last = level;
                break;
            }
        }
        boundary
    }

    /// Adds `bit` to the entry of each file from `level` on.
    pub fn mark(&self, level: u32, bit: u16, of_file: &mut [u16]) {
        // There is no such level.
        let Ok(level) = u16::try_from(level) else {
            return;
        };
        for (marks, &own) in of_file.iter_mut().zip(&self.of_file) {
            *marks |= if own >= level { bit } else { 0 };
        }
    }

    /// The files on these levels, by rising number.
    pub fn on(&self, levels: Range<u32>) -> Vec<u32> {
        let count = levels.end.min(self.top + 1).saturating_sub(levels.start) as u16;
        let (first, mut files) = (levels.start as u16, Vec::new());
        if count == 0 {
            return files;
        }
        let is_on = |level: u16| level.wrapping_sub(first) < count;
        let (mut chunk_files, mut start) = ([0; CHUNK], 0);
        for chunk in self.of_file.chunks(CHUNK) {
            // The processor does this for many files at a time, and most chunks have none.
            if chunk.iter().fold(false, |any, &level| any | is_on(level)) {
                let mut found = 0;
                for (file, &level) in (start..).zip(chunk) {
                    chunk_files[found] = file;
                    found += usize::from(is_on(level));
                }
                files.extend_from_slice(&chunk_files[..found]);
            }
            start += CHUNK as u32;
        }
        files
    }
}
