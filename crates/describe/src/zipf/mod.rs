//! The Zipf exponent of a popularity, by maximum likelihood on the spectrum of counts.

mod estimate;
mod gamma;
mod linear;
mod model;
mod quadrature;
mod ranks;
mod score;

use serde::Serialize;

use estimate::estimate;
use model::Range;

/// 97.5 % quantile of the standard normal distribution.
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;
/// Fewer objects than this do not carry an exponent.
const MIN_OBJECTS: u64 = 50;
/// The head is the top tenth of the objects seen.
const HEAD_SHARE: u64 = 10;
const MIN_HEAD_COUNT: u64 = 5;

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
pub fn fit(spectrum: &[(u64, u64)]) -> Option<ZipfFit> {
    if objects(spectrum) < MIN_OBJECTS || spectrum.len() < 2 {
        return None;
    }
    let whole = estimate(spectrum, Range::Whole)?;
    Some(ZipfFit {
        alpha: whole.alpha,
        low: whole.alpha - NORMAL_QUANTILE * whole.error,
        high: whole.alpha + NORMAL_QUANTILE * whole.error,
        head: head(spectrum, whole.parameters.ln_edge.exp()),
    })
}

fn objects(spectrum: &[(u64, u64)]) -> u64 {
    spectrum.iter().map(|&(_, objects)| objects).sum()
}

fn head(spectrum: &[(u64, u64)], edge: f64) -> Option<ZipfHead> {
    let above_edge = (edge + 4.0 * edge.sqrt()).ceil() as u64;
    let least = tenth_count(spectrum).max(MIN_HEAD_COUNT).max(above_edge);
    let within = &spectrum[spectrum.partition_point(|&(count, _)| count < least)..];
    if objects(within) < MIN_OBJECTS || within.len() < 2 {
        return None;
    }
    let head = estimate(spectrum, Range::Head(least))?;
    Some(ZipfHead {
        alpha: head.alpha,
        low: head.alpha - NORMAL_QUANTILE * head.error,
        high: head.alpha + NORMAL_QUANTILE * head.error,
        objects: objects(within),
        least_accesses: least,
    })
}

/// The count of the object at a tenth of the ranks.
fn tenth_count(spectrum: &[(u64, u64)]) -> u64 {
    let wanted = objects(spectrum).div_ceil(HEAD_SHARE);
    let mut above = 0;
    let reached = |&&(_, objects): &&(u64, u64)| {
        above += objects;
        above >= wanted
    };
    spectrum
        .iter()
        .rev()
        .find(reached)
        .map_or(0, |&(count, _)| count)
}
