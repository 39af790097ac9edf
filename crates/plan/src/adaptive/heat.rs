//! Counts that fade.

/// Exponent of two at which decayed counts are scaled back, far from overflow.
const RESCALE_AT: f64 = 512.0;

/// Accesses of each object, an older one counting half as much for every half-life that has passed.
pub(super) struct Heat {
    /// Counts, scaled by what an access counts now.
    scaled: Vec<f64>,
    /// Exponent of two of that scale.
    exponent: f64,
    half_life: f64,
    seen: Vec<u32>,
}

impl Heat {
    pub fn new(objects: usize, half_life: f64) -> Self {
        Self {
            scaled: vec![0.0; objects],
            exponent: 0.0,
            half_life,
            seen: Vec::new(),
        }
    }

    /// Renewals in which counts halve.
    pub fn half_life(&self) -> f64 {
        self.half_life
    }

    /// Adds the accesses of a stretch, all at its end, `elapsed` after the last stretch's.
    pub fn add(&mut self, accesses: &[u32], elapsed: f64) {
        self.exponent += elapsed / self.half_life;
        if self.exponent > RESCALE_AT {
            self.rescale();
        }
        let one = self.exponent.exp2();
        for &object in accesses {
            let heat = &mut self.scaled[object as usize];
            if *heat == 0.0 {
                self.seen.push(object);
            }
            *heat += one;
        }
    }

    fn rescale(&mut self) {
        let shrink = (-self.exponent).exp2();
        self.exponent = 0.0;
        for &object in &self.seen {
            self.scaled[object as usize] *= shrink;
        }
        self.seen
            .retain(|&object| self.scaled[object as usize] > 0.0);
    }

    /// Objects and their heat in accesses as of now.
    pub fn iter(&self) -> impl Iterator<Item = (u32, f64)> {
        let now = (-self.exponent).exp2();
        self.seen
            .iter()
            .map(move |&object| (object, self.scaled[object as usize] * now))
    }
}
