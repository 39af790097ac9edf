//! All blocks alike.

use rand::RngExt as _;
use rand_pcg::Pcg64Mcg;

use super::draw::Draw;

/// So many blocks.
pub(super) struct Uniform(pub u64);

impl Draw for Uniform {
    fn block(&mut self, random: &mut Pcg64Mcg) -> u64 {
        random.random_range(0..self.0)
    }
}
