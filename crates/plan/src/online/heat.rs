//! Counts that fade.

use serde::{Deserialize, Serialize};

use super::counts::Counts;
use super::exact;
use super::numbers::picked;

/// Exponent of two at which decayed counts are scaled back, far from overflow.
const RESCALE_AT: f64 = 512.0;

/// Accesses of each file, an older one counting half as much for every half-life that has passed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Heat {
    /// Periods in which counts halve.
    half_life: f64,
    /// Exponent of two of what an access counts now.
    #[serde(with = "exact")]
    exponent: f64,
    /// Counts by a file's number, scaled by that.
    #[serde(with = "exact::column")]
    scaled: Vec<f64>,
}

impl Heat {
    pub fn new(half_life: f64) -> Self {
        Self {
            half_life,
            exponent: 0.0,
            scaled: Vec::new(),
        }
    }

    /// Periods in which counts halve.
    pub fn half_life(&self) -> f64 {
        self.half_life
    }

    /// Adds the accesses of a `stretch` by file, all at its end, `elapsed` periods after the last one's; there are so many
    /// `files`. Whether the counts of all files were scaled anew.
    pub fn add(&mut self, stretch: &[(u32, u32)], elapsed: f64, files: usize) -> bool {
        self.exponent += elapsed / self.half_life;
        let is_rescaled = self.exponent > RESCALE_AT;
        if is_rescaled {
            let shrink = (-self.exponent).exp2();
            self.exponent = 0.0;
            self.scaled.iter_mut().for_each(|heat| *heat *= shrink);
        }
        self.scaled.resize(files, 0.0);
        let one = self.exponent.exp2();
        for &(file, accesses) in stretch {
            let heat = &mut self.scaled[file as usize];
            // One by one: a product would round differently from accesses that come in several stretches.
            (0..accesses).for_each(|_| *heat += one);
        }
        is_rescaled
    }

    /// Goes on with these files alone, which get new numbers in their order.
    pub fn keep(&mut self, numbers: &[u32]) {
        self.scaled = picked(&self.scaled, numbers);
    }

    /// What is counted of each file.
    pub fn counts(&self) -> Counts<'_> {
        Counts::fading(&self.scaled, (-self.exponent).exp2())
    }

    /// Whether it can go on with so many `files`.
    pub fn is_sound(&self, files: usize) -> bool {
        let counts = |heat: &f64| heat.is_finite() && *heat >= 0.0;
        self.scaled.len() <= files
            && self.scaled.iter().all(counts)
            && (0.0..=RESCALE_AT).contains(&self.exponent)
    }
}
