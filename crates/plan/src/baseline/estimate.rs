//! Sums over all files, estimated from parts of them.

use std::ops::{AddAssign, Mul, Sub};

use serde::{Deserialize, Serialize};

/// Parts of a sample. Their number is a power of two, since they are told apart by bits of a hash.
pub const PARTS: usize = 8;

/// Nominal coverage of an [`Estimate`].
pub const LEVEL: f64 = 0.95;

/// The 97.5 % quantile of Student's distribution with [`PARTS`] - 1 = 7 degrees of freedom (NIST/SEMATECH e-Handbook of Statistical
/// Methods, section 1.3.6.7.2).
const STUDENT_T: f64 = 2.365;

/// What a sum over all files is, and how far it may be off.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The sum.
    pub value: f64,
    /// By so much it may be larger or smaller, at [`LEVEL`]; 0 where every file was followed.
    pub error: f64,
}

/// A sum over reads that is estimated from parts of the files (Horvitz and Thompson, "A generalization of sampling without replacement
/// from a finite universe", Journal of the American Statistical Association 47, 1952).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sum {
    /// Of reads while every file was followed.
    certain: f64,
    /// Of reads of each part, scaled to all files: together they are the estimate.
    parts: [f64; PARTS],
}

impl Sum {
    /// Adds what a read comes to, scaled to all files, to the part that its file is in.
    #[inline]
    pub(super) fn add(&mut self, part: Option<usize>, value: f64) {
        match part {
            None => self.certain += value,
            Some(part) => self.parts[part] += value,
        }
    }

    /// The sum, with an error by the spread of the parts. Each part is an independent sample of an eighth of the size.
    #[must_use]
    pub fn estimate(&self) -> Estimate {
        let sampled: f64 = self.parts.iter().sum();
        let mean = sampled / PARTS as f64;
        let squares: f64 = self.parts.iter().map(|part| (part - mean).powi(2)).sum();
        let of_sum = squares / (PARTS - 1) as f64 * PARTS as f64;
        Estimate {
            value: self.certain + sampled,
            error: STUDENT_T * of_sum.sqrt(),
        }
    }

    fn with(self, other: Self, combine: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            certain: combine(self.certain, other.certain),
            parts: std::array::from_fn(|part| combine(self.parts[part], other.parts[part])),
        }
    }
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        *self = self.with(other, |own, other| own + other);
    }
}

impl Sub for Sum {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self.with(other, |own, other| own - other)
    }
}

impl Mul<f64> for Sum {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        self.with(Self::default(), |own, _| own * factor)
    }
}

/// Reads that did not find all of their file in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FromStore {
    /// How many.
    pub reads: Sum,
    /// Microseconds that they took longer than reads from memory, by the profiles of the stores.
    pub us: Sum,
}

/// What was read from the store.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Compared {
    /// With the page cache alone.
    pub alone: FromStore,
    /// With held files, and the page cache beside them.
    pub with_held: FromStore,
}

impl Compared {
    /// What holding saves; less than nothing where the page cache alone does better.
    #[must_use]
    pub fn saved(&self) -> FromStore {
        FromStore {
            reads: self.alone.reads - self.with_held.reads,
            us: self.alone.us - self.with_held.us,
        }
    }
}

impl AddAssign for FromStore {
    fn add_assign(&mut self, other: Self) {
        self.reads += other.reads;
        self.us += other.us;
    }
}

impl AddAssign for Compared {
    fn add_assign(&mut self, other: Self) {
        self.alone += other.alone;
        self.with_held += other.with_held;
    }
}

impl Mul<f64> for FromStore {
    type Output = Self;

    fn mul(self, factor: f64) -> Self {
        Self {
            reads: self.reads * factor,
            us: self.us * factor,
        }
    }
}
