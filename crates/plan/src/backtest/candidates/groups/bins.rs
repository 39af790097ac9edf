//! Sums by numbers of pages, in bins a hundredth wide.

use std::ops::AddAssign;

/// Bins of an octave are 2 to the power of this: each is at most 1/64 of its number wide.
const BITS: u32 = 6;

/// Sums by bins of pages.
#[derive(Clone, Debug, Default)]
pub(super) struct Bins<T>(Vec<T>);

impl<T: Copy + Default + PartialEq + AddAssign> Bins<T> {
    /// Adds to the bin of `pages`.
    pub fn add(&mut self, pages: u64, amount: T) {
        let bin = bin(pages);
        if bin >= self.0.len() {
            self.0.resize(bin + 1, T::default());
        }
        self.0[bin] += amount;
    }

    /// Each bin that is not empty, by the largest number in it, rising.
    pub fn iter(&self) -> impl Iterator<Item = (u64, T)> {
        let bins = self.0.iter().enumerate();
        bins.filter(|(_, amount)| **amount != T::default())
            .map(|(bin, &amount)| (largest(bin), amount))
    }
}

/// Numbers up to twice the bins of an octave have bins of their own; above, the highest bits of a number say which.
fn bin(pages: u64) -> usize {
    let shift = (u64::BITS - pages.leading_zeros()).saturating_sub(BITS + 1);
    ((u64::from(shift) << BITS) + (pages >> shift)) as usize
}

fn largest(bin: usize) -> u64 {
    let shift = (bin as u64 >> BITS).saturating_sub(1);
    let head = bin as u64 - (shift << BITS);
    ((head + 1) << shift) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_bin_holds_its_numbers_and_none_above(pages in 0..1u64 << 52) {
            let bin = bin(pages);
            prop_assert!(pages <= largest(bin));
            prop_assert!(bin == 0 || pages > largest(bin - 1));
            prop_assert!(largest(bin) - pages <= pages >> BITS);
        }
    }
}
