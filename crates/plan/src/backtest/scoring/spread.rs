//! How responses are spread.

use hdrhistogram::Histogram;
use hotset_outcome::{add_to_histogram, empty_histogram};

/// Responses in whole microseconds, in the buckets of an HDR histogram.
#[derive(Clone)]
pub(crate) enum Spread {
    /// All buckets up to the longest response: some 50 KiB.
    Counting(Histogram<u64>),
    /// Those that have some: their largest values, and how many responses. Of a thousand sites under each arm, all buckets took
    /// half of the memory of a plan.
    Packed(Vec<(u64, u64)>),
}

impl Spread {
    /// Of no response.
    pub fn new() -> Self {
        Self::Counting(empty_histogram())
    }

    /// Counts a response.
    #[inline]
    pub fn add(&mut self, us: f64) {
        if let Self::Packed(_) = self {
            *self = Self::Counting(self.histogram());
        }
        if let Self::Counting(histogram) = self {
            add_to_histogram(histogram, us.round() as u64);
        }
    }

    /// The same in less memory.
    pub fn packed(self) -> Self {
        match self {
            Self::Counting(histogram) => Self::Packed(
                histogram
                    .iter_recorded()
                    .map(|bucket| (bucket.value_iterated_to(), bucket.count_at_value()))
                    .collect(),
            ),
            Self::Packed(_) => self,
        }
    }

    /// The responses of both.
    pub fn and(self, other: Self) -> Self {
        Self::Counting(self.histogram() + other.histogram()).packed()
    }

    /// All buckets.
    pub fn histogram(&self) -> Histogram<u64> {
        match self {
            Self::Counting(histogram) => histogram.clone(),
            Self::Packed(buckets) => {
                let mut histogram = empty_histogram();
                for &(us, responses) in buckets {
                    let recorded = histogram.record_n(us, responses);
                    debug_assert!(recorded.is_ok(), "a histogram that grows takes every value");
                }
                histogram
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(responses: &[f64]) -> Spread {
        let mut spread = Spread::new();
        responses.iter().for_each(|&us| spread.add(us));
        spread
    }

    proptest! {
        #[test]
        fn what_is_packed_says_the_same(
            early in prop::collection::vec(0.0f64..1e9, 0..50),
            late in prop::collection::vec(0.0f64..1e5, 0..50),
        ) {
            let all = [&early[..], &late].concat();
            let mut packed = of(&early).packed();
            late.iter().for_each(|&us| packed.add(us));
            prop_assert_eq!(packed.packed().histogram(), of(&all).histogram());
            prop_assert_eq!(of(&early).packed().and(of(&late)).histogram(), of(&all).histogram());
        }
    }
}
