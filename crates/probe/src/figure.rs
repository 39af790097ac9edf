//! A time with its interval.

use serde::Serialize;

/// Half an interval's width over its median from which on a figure is noisy.
const NOISY_SHARE: f64 = 0.05;

/// What an operation takes, microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Figure {
    /// Median of the samples.
    pub median_us: f64,
    /// Lower end of the median's 95 % confidence interval.
    pub low_us: f64,
    /// Upper end of it.
    pub high_us: f64,
    /// Mean of the samples.
    pub mean_us: f64,
    /// Samples.
    pub samples: usize,
}

impl Figure {
    /// Of samples in microseconds; nothing without any.
    ///
    /// The interval lies between two order statistics (W. R. Thompson, "On confidence ranges for the median", Annals of
    /// Mathematical Statistics 7 (1936) 122-128). Of fewer than six samples it is all of them, which covers less.
    #[must_use]
    pub fn of(samples: &[f64]) -> Option<Self> {
        let mut sorted = samples.to_vec();
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        let outside = outside(count)?;
        let upper = sorted[count / 2];
        let lower = sorted[(count - 1) / 2];
        Some(Self {
            median_us: (lower + upper) / 2.0,
            low_us: sorted[outside],
            high_us: sorted[count - 1 - outside],
            mean_us: sorted.iter().sum::<f64>() / count as f64,
            samples: count,
        })
    }

    /// Whether the interval's half width is at most a twentieth of the median.
    #[must_use]
    pub fn is_tight(&self) -> bool {
        (self.high_us - self.low_us) / 2.0 <= NOISY_SHARE * self.median_us
    }
}

/// Samples on each side of the interval: as many as leave it a coverage of at least 95 %. Nothing for no samples.
fn outside(count: usize) -> Option<usize> {
    let most = count.checked_sub(1)? / 2;
    let n = count as f64;
    // Chance that so many samples lie below the median, and that so many or fewer do.
    let mut exactly = 0.5_f64.powi(i32::try_from(count).ok()?);
    let mut at_most = exactly;
    let mut outside = 0;
    while outside < most {
        let next = outside as f64 + 1.0;
        exactly *= (n - next + 1.0) / next;
        at_most += exactly;
        if 2.0 * at_most > 0.05 {
            break;
        }
        outside += 1;
    }
    Some(outside)
}
