//! The normal distribution as fio has it: the mean of twelve, and a deviation (`lib/gauss.c`).

use rand::RngExt as _;
use rand_pcg::Pcg64Mcg;

use super::draw::{Draw, strewn};

/// Numbers of which the mean is taken (`GAUSS_ITERS`).
const TERMS: u64 = 12;

pub(super) struct Normal {
    blocks: u64,
    /// Blocks by which the mean is moved, from one end to the other.
    spread: u64,
    first: u64,
}

impl Normal {
    pub fn new(blocks: u64, deviation: f64, center: Option<f64>) -> Self {
        let spread = (blocks as f64 * deviation / 100.0).ceil() as u64;
        let first = center.map_or(0.0, |center| blocks as f64 * (center - 0.5));
        Self {
            blocks,
            spread: spread.min(blocks / 2),
            first: first as i64 as u64,
        }
    }

    /// Numbers that lead out of the file are halved until they do not.
    fn moved(&self, mean: u64, random: &mut Pcg64Mcg) -> u64 {
        let drawn = (self.spread as f64 * random.random::<f64>()) as i64;
        let mut by = drawn - (self.spread / 2) as i64;
        while by != 0
            && mean
                .checked_add_signed(by)
                .is_none_or(|it| it >= self.blocks)
        {
            by /= 2;
        }
        mean.saturating_add_signed(by)
    }
}

impl Draw for Normal {
    fn block(&mut self, random: &mut Pcg64Mcg) -> u64 {
        let sum: u64 = (0..TERMS)
            .map(|_| random.random_range(0..=self.blocks))
            .sum();
        let mean = sum.div_ceil(TERMS);
        strewn(self.moved(mean, random), self.first, self.blocks)
    }
}
