//! A cost that grows with the bytes read, and the line that fits measured costs best.

/// A cost that grows linearly with the bytes read.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CostLine {
    /// Microseconds before the first byte.
    pub fixed_us: f64,
    /// Bytes per microsecond (= MB/s, 10^6 bytes) after it.
    pub bytes_per_us: f64,
}

/// Rounds of weighting; lines change by less than a thousandth after ten.
const ITERATIONS: usize = 20;
/// Faster than memory, bytes in a microsecond.
const LARGEST_RATE: f64 = 1e6;
/// No read is expected to take less, microseconds: weights stay finite.
const LEAST_US: f64 = 0.01;

impl CostLine {
    /// Microseconds to read `bytes`.
    pub fn us(&self, bytes: u64) -> f64 {
        self.fixed_us + bytes as f64 / self.bytes_per_us
    }

    /// The line of least squares relative to the line, through readings of so many bytes in so many microseconds; nothing
    /// for fewer than two sizes.
    ///
    /// With plain squares the largest files alone would decide, and small files are most requests. Weights are the
    /// line's own values, found by iteration: squares relative to the measured times would count the quick ones more and
    /// put the line below their mean, by a quarter for a disk whose rotation alone spreads the times of small files from
    /// 4 to 26 ms.
    pub fn fit(points: impl IntoIterator<Item = (u64, f64)>) -> Option<CostLine> {
        let points: Vec<(f64, f64)> = points
            .into_iter()
            .map(|(bytes, us)| (bytes as f64, us))
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
}

/// The line of least squares, each point weighted by `previous`.
fn weighted(points: &[(f64, f64)], previous: CostLine) -> Option<CostLine> {
    let mut sums = [0.0; 5];
    for &(x, y) in points {
        let expected = (previous.fixed_us + x / previous.bytes_per_us).max(LEAST_US);
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
