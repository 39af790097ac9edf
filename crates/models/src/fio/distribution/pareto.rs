//! Pareto's law as fio has it (`pareto_next`, `lib/zipf.c`).

use rand::RngExt as _;
use rand_pcg::Pcg64Mcg;

use super::draw::{Draw, strewn};
use super::zipf::first;

pub(super) struct Pareto {
    blocks: u64,
    power: f64,
    first: u64,
}

impl Pareto {
    pub fn new(blocks: u64, h: f64, center: Option<f64>, random: &mut Pcg64Mcg) -> Self {
        Self {
            blocks,
            power: h.ln() / (1.0 - h).ln(),
            first: first(blocks, center, random),
        }
    }
}

impl Draw for Pareto {
    fn block(&mut self, random: &mut Pcg64Mcg) -> u64 {
        let drawn: f64 = random.random();
        let rank = ((self.blocks - 1) as f64 * drawn.powf(self.power)) as u64;
        strewn(rank, self.first, self.blocks)
    }
}
