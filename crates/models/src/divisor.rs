//! Sizes that places are multiples of.

/// The greatest number that both are multiples of.
pub(crate) fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
