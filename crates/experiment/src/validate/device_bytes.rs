//! What a job file has read from the device, measured and simulated.

use std::fs;
use std::path::{Path, PathBuf};

use hotset_models::fio::JobResult;

use super::{ValidationError, quantile};

/// What the kernel counts of this process and of those that it has waited for.
const COUNTERS: &str = "/proc/self/io";

/// Bytes that all jobs of a file had read from the device: what they found in memory is the rest.
#[derive(Clone, Debug, PartialEq)]
pub struct DeviceBytes {
    /// The job file.
    pub file: PathBuf,
    /// Median of the repeats.
    pub measured: f64,
    /// The least of the repeats.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// What the simulation says.
    pub simulated: f64,
    /// Bytes that the jobs read in all, from memory or not, as simulated.
    pub read: f64,
}

impl DeviceBytes {
    pub(crate) fn of(file: &Path, repeats: &[u64], results: &[JobResult]) -> Self {
        let mut values: Vec<f64> = repeats.iter().map(|&bytes| bytes as f64).collect();
        values.sort_unstable_by(f64::total_cmp);
        let at = |share| quantile(&values, share).unwrap_or(0.0);
        let bytes = results.iter().filter_map(|it| it.outcome.total.bytes);
        Self {
            file: file.to_owned(),
            measured: at(0.5),
            low: at(0.0),
            high: at(1.0),
            simulated: results.iter().map(|it| it.device_bytes as f64).sum(),
            read: bytes.sum::<u64>() as f64,
        }
    }

    /// How far the simulation is from the nearer end of the interval, percent of what the jobs read: a job may well
    /// read nothing from the device.
    #[must_use]
    pub fn beyond_percent(&self) -> f64 {
        let nearest = self.simulated.clamp(self.low, self.high);
        100.0 * (self.simulated - nearest).abs() / self.read.max(1.0)
    }
}

/// Bytes that this process and those it has waited for have had read from devices so far (`read_bytes` in proc(5)).
pub(super) fn read_so_far() -> Result<u64, ValidationError> {
    let path = Path::new(COUNTERS);
    let text = fs::read_to_string(path).map_err(|it| ValidationError::io("read", path, it))?;
    let bytes = text
        .lines()
        .find_map(|line| line.strip_prefix("read_bytes: "));
    let bytes = bytes.and_then(|it| it.trim().parse().ok());
    bytes.ok_or_else(|| {
        let missing = std::io::Error::other("it has no line read_bytes");
        ValidationError::io("read", path, missing)
    })
}
