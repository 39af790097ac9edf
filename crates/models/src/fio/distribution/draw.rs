//! What draws blocks.

use rand_pcg::Pcg64Mcg;

/// Draws blocks.
pub(crate) trait Draw {
    /// The number of a block.
    fn block(&mut self, random: &mut Pcg64Mcg) -> u64;
}

/// The block that stands for a rank: fio strews ranks over the file by this hash (`__hash_u64`, `hash.h`: Knuth's
/// multiplication by the golden ratio, "The Art of Computer Programming", volume 3, section 6.4). Some blocks have several ranks,
/// and some have none.
pub(super) fn strewn(rank: u64, first: u64, blocks: u64) -> u64 {
    const GOLDEN_RATIO: u64 = 0x61C8_8646_80B5_83EB;
    rank.wrapping_mul(GOLDEN_RATIO).wrapping_add(first) % blocks
}
