//! Files of one average size, equally popular.

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

use crate::error::{GenerateError, require};
use crate::generator::Generator;
use crate::load::Load;
use crate::single_site::{numbered_files, trace, whole_file};
use hotset_trace::Trace;

/// The "static content (average file)" workload of "Characterization of multi-tier data-centers",
/// section 3.1: "requests for files which are on an average of a particular file size". The document
/// gives no spread: sizes here are uniform between half and one and a half of the average.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AverageSize {
    /// Mean size of the files, and of a request.
    pub mean_bytes: u64,
    /// Number of files.
    pub objects: u32,
    /// The requests.
    pub load: Load,
}

impl AverageSize {
    /// Evenly spaced sizes whose mean is exact within a byte.
    fn sizes(&self) -> Vec<u64> {
        let (mean, count) = (self.mean_bytes as f64, f64::from(self.objects));
        let size = |index| mean * (0.5 + (f64::from(index) + 0.5) / count);
        (0..self.objects)
            .map(|index| (size(index).round() as u64).max(1))
            .collect()
    }
}

impl Generator for AverageSize {
    fn generate(&self, seed: u64) -> Result<Trace, GenerateError> {
        require(
            self.mean_bytes > 0,
            "average file size",
            self.mean_bytes,
            "at least 1 byte",
        )?;
        require(self.objects > 0, "objects", self.objects, "at least 1")?;
        let mut sizes = self.sizes();
        sizes.shuffle(&mut Pcg64Mcg::seed_from_u64(seed ^ SIZES));
        let objects = numbered_files(sizes.clone());
        let count = self.objects;
        trace("average-size", objects, self.load, seed, |random, _| {
            whole_file(random.random_range(0..count), &sizes)
        })
    }
}

/// Keeps the stream that places sizes apart from the stream that draws requests.
const SIZES: u64 = 0x5349_5a45;
