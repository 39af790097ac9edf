//! What serving costs by file size, from single requests.

use hotset_scenario::{CostLine, Profile};
use serde::{Deserialize, Serialize};

/// One file's response in each state, microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// Site that the file belongs to, by its number.
    pub site: usize,
    /// Bytes of the file.
    pub bytes: u64,
    /// Nothing of it in memory, not even its directory and inode.
    pub cold_us: u64,
    /// Its data not in memory, its inode is.
    pub uncached_us: u64,
    /// In the page cache.
    pub cached_us: u64,
    /// Held in ramfs; nothing where it was too large to be copied there.
    pub held_us: Option<u64>,
}

/// Costs measured on a node with single requests, one client, nothing else running.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MeasuredCosts {
    /// The page cache and the disk, for each site: where its files lie on the disk decides how far the head travels.
    pub backing: Vec<Profile>,
    /// The memory file system.
    pub memory: Profile,
    /// What the lines were fitted to.
    pub samples: Vec<Sample>,
}

impl MeasuredCosts {
    /// Fits lines to the samples; nothing for fewer than two samples of a state, or none of a site.
    pub fn fit(samples: Vec<Sample>) -> Option<Self> {
        let sites = samples.iter().map(|sample| sample.site).max()? + 1;
        let held = fit(samples
            .iter()
            .filter_map(|sample| Some((sample.bytes, sample.held_us?))))?;
        Some(Self {
            backing: (0..sites)
                .map(|site| backing(&samples, site))
                .collect::<Option<_>>()?,
            memory: profile("measured memory".to_owned(), held, held, None),
            samples,
        })
    }
}

fn backing(samples: &[Sample], site: usize) -> Option<Profile> {
    let line = |time: &dyn Fn(&Sample) -> u64| {
        let own = samples.iter().filter(|sample| sample.site == site);
        fit(own.map(|sample| (sample.bytes, time(sample))))
    };
    Some(profile(
        format!("measured backing of site {site}"),
        line(&|sample| sample.cached_us)?,
        line(&|sample| sample.uncached_us)?,
        Some(line(&|sample| sample.cold_us)?),
    ))
}

fn profile(name: String, cached: CostLine, uncached: CostLine, cold: Option<CostLine>) -> Profile {
    Profile {
        name,
        open_us: 0.0,
        cached,
        uncached,
        cold,
        source: "single requests on the node, least squares of relative errors".to_owned(),
    }
}

/// The line of least squares relative to the line: with plain squares the largest files alone would decide, and small
/// files are most requests. Weights are the line's own values, found by iteration: squares relative to the measured
/// times would count the quick ones more and put the line below their mean, by a quarter for a disk whose
/// rotation alone spreads the times of small files from 4 to 26 ms.
fn fit(points: impl Iterator<Item = (u64, u64)>) -> Option<CostLine> {
    let points: Vec<(f64, f64)> = points
        .map(|(bytes, us)| (bytes as f64, us.max(1) as f64))
        .collect();
    let mean = points.iter().map(|(_, us)| us).sum::<f64>() / points.len() as f64;
    let mut line = CostLine {
        fixed_us: mean,
        bytes_per_us: LARGEST_RATE,
    };
    for _ in 0..ITERATIONS {
        line = weighted(&points, line)?;
    }
    Some(line)
}

/// Rounds of weighting; lines change by less than a thousandth after ten.
const ITERATIONS: usize = 20;

/// The line of least squares, each point weighted by `previous`.
fn weighted(points: &[(f64, f64)], previous: CostLine) -> Option<CostLine> {
    let mut sums = [0.0; 5];
    for &(x, y) in points {
        let expected = (previous.fixed_us + x / previous.bytes_per_us).max(1.0);
        let weight = 1.0 / (expected * expected);
        let terms = [1.0, x, x * x, y, x * y].map(|term| term * weight);
        sums.iter_mut()
            .zip(terms)
            .for_each(|(sum, term)| *sum += term);
    }
    let [n, x, xx, y, xy] = sums;
    let determinant = n * xx - x * x;
    let us_per_byte = (n * xy - x * y) / determinant;
    let fixed_us = (xx * y - x * xy) / determinant;
    if !(n > 0.0 && determinant > 0.0) {
        return None;
    }
    // Where files are too small for their size to show in their times, the line is level.
    Some(if us_per_byte * LARGEST_RATE > 1.0 {
        CostLine {
            // A line below zero at small sizes would be refused as a cost.
            fixed_us: fixed_us.max(0.0),
            bytes_per_us: 1.0 / us_per_byte,
        }
    } else {
        CostLine {
            fixed_us: y / n,
            bytes_per_us: LARGEST_RATE,
        }
    })
}

/// Faster than memory, bytes in a microsecond.
const LARGEST_RATE: f64 = 1e6;
