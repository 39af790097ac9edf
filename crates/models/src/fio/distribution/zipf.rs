//! Zipf's law, after J. Gray et al., "Quickly generating billion-record synthetic databases", SIGMOD 1994, section 4, which
//! fio follows (`lib/zipf.c`).

use rand::{Rng as _, RngExt as _};
use rand_pcg::Pcg64Mcg;

use super::draw::{Draw, strewn};

/// fio sums the weights of so many ranks at most (`ZIPF_MAX_GEN`).
const MOST_RANKS: u64 = 10_000_000;
/// Ranks whose weights are summed one by one; the rest is an integral.
const SUMMED: u64 = 10_000;

pub(super) struct Zipf {
    blocks: u64,
    theta: f64,
    /// Of all ranks.
    zeta: f64,
    eta: f64,
    first: u64,
}

impl Zipf {
    pub fn new(blocks: u64, theta: f64, center: Option<f64>, random: &mut Pcg64Mcg) -> Self {
        let zeta = zeta(blocks.min(MOST_RANKS), theta);
        let two = 1.0 + 0.5_f64.powf(theta);
        let eta = (1.0 - (2.0 / blocks as f64).powf(1.0 - theta)) / (1.0 - two / zeta);
        Self {
            blocks,
            theta,
            zeta,
            eta,
            first: first(blocks, center, random),
        }
    }

    fn rank(&self, drawn: f64) -> u64 {
        let weight = drawn * self.zeta;
        if weight < 1.0 {
            0
        } else if weight < 1.0 + 0.5_f64.powf(self.theta) {
            1
        } else {
            let base = self.eta * drawn - self.eta + 1.0;
            (self.blocks as f64 * base.powf(1.0 / (1.0 - self.theta))) as u64
        }
    }
}

impl Draw for Zipf {
    fn block(&mut self, random: &mut Pcg64Mcg) -> u64 {
        strewn(self.rank(random.random()), self.first, self.blocks)
    }
}

/// The block of the first rank: the centre, else any.
pub(super) fn first(blocks: u64, center: Option<f64>, random: &mut Pcg64Mcg) -> u64 {
    match center {
        Some(center) => (blocks as f64 * center) as u64,
        None => random.next_u64() % blocks,
    }
}

/// The weights of the first `ranks` together: summed, and from [`SUMMED`] on by the formula of Euler and Maclaurin up to the first
/// derivative, which is off by less than 1e-12 there (P. J. Davis, P. Rabinowitz, "Methods of Numerical Integration", 1984,
/// section 2.9).
fn zeta(ranks: u64, theta: f64) -> f64 {
    let weight = |rank: f64| rank.powf(-theta);
    let summed = ranks.min(SUMMED);
    let sum: f64 = (1..=summed).map(|rank| weight(rank as f64)).sum();
    if ranks == summed {
        return sum;
    }
    let (from, to) = (summed as f64, ranks as f64);
    let integral = (to.powf(1.0 - theta) - from.powf(1.0 - theta)) / (1.0 - theta);
    let ends = (weight(to) - weight(from)) / 2.0;
    let slopes = theta * (from.powf(-theta - 1.0) - to.powf(-theta - 1.0)) / 12.0;
    sum + integral + ends + slopes
}
