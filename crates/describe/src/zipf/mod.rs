//! The Zipf exponent of a popularity.

use serde::Serialize;

/// A Zipf exponent with its 95 % interval over all objects, and over the head.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ZipfFit {
    /// The exponent.
    pub alpha: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// The exponent of the most popular objects alone, where there are enough of them.
    pub head: Option<ZipfHead>,
}

/// The Zipf exponent of the head of a popularity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ZipfHead {
    /// The exponent.
    pub alpha: f64,
    /// Lower end of the interval.
    pub low: f64,
    /// Upper end of the interval.
    pub high: f64,
    /// Number of objects in the head.
    pub objects: u64,
    /// Fewest accesses of an object in the head.
    pub least_accesses: u64,
}

/// Fits a spectrum of counts: (accesses, objects with as many accesses), by rising accesses.
pub fn fit(_spectrum: &[(u64, u64)]) -> Option<ZipfFit> {
    None
}
