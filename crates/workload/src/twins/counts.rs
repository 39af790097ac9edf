//! How often each file of a twin is asked for.

use super::table::Carried;
use crate::bisection::last_where;

/// Requests per file, falling, and where the bands of files end that carry shares of the requests.
pub(super) struct Popularity {
    pub counts: Vec<u64>,
    /// Number of files that carry each share.
    pub ends: Vec<usize>,
}

/// No web workload is as skewed as this.
const STEEPEST: f64 = 8.0;

/// Zipf-like counts that add up to `requests`, the least popular file asked for once; `None` where
/// there are fewer requests than files, or too few to speak of bands.
pub(super) fn popularity(files: u64, requests: u64, carried: &[Carried]) -> Option<Popularity> {
    let mut counts = falling_counts(files as usize, requests)?;
    let mut ends = vec![0; carried.len()];
    // From the last band to the first, so that a band, once separated, stays as it is.
    for (end, carried) in ends.iter_mut().zip(carried).rev() {
        *end = prefix(&counts, carried.share, requests)?;
        separate(&mut counts, *end)?;
    }
    let (first, last) = (*ends.first()?, *ends.last()?);
    let rising = first > 1 && ends.is_sorted_by(|a, b| a < b) && last < counts.len();
    rising.then_some(Popularity { counts, ends })
}

/// Counts (files / i)^a, rounded, with a such that they add up; the remainder of rounding goes to the
/// most popular file.
fn falling_counts(files: usize, requests: u64) -> Option<Vec<u64>> {
    if files < 2 || requests < files as u64 {
        return None;
    }
    let count = |rank: usize, a: f64| ((files as f64 / rank as f64).powf(a).round() as u64).max(1);
    // In floating point, where the sum of a far too steep exponent cannot overflow.
    let sum = |a: f64| (1..=files).map(|rank| count(rank, a) as f64).sum::<f64>();
    let a = last_where(0.0..STEEPEST, 60, |a| sum(a) <= requests as f64);
    let mut counts: Vec<u64> = (1..=files).map(|rank| count(rank, a)).collect();
    counts[0] += requests.checked_sub(counts.iter().sum())?;
    Some(counts)
}

/// Number of files in the shortest prefix that carries `share` of the requests.
fn prefix(counts: &[u64], share: f64, requests: u64) -> Option<usize> {
    let wanted = (share * requests as f64).ceil() as u64;
    let mut carried = 0;
    let last = counts.iter().position(|count| {
        carried += count;
        carried >= wanted
    })?;
    Some(last + 1)
}

/// Keeps files of one count from lying on both sides of `end`, where the order of sizes would decide
/// which side they are on: those before it are asked for once more, at the expense of the most popular
/// file, so that the prefix carries what it did. Files asked for once are left alone: there, sizes rise.
fn separate(counts: &mut [u64], end: usize) -> Option<()> {
    let tied = *counts.get(end)?;
    if tied == 1 || counts[end - 1] != tied {
        return Some(());
    }
    let first = counts.partition_point(|count| *count > tied);
    counts[first..end].iter_mut().for_each(|count| *count += 1);
    counts[0] = counts[0].checked_sub((end - first) as u64)?;
    (counts[0] >= counts[1]).then_some(())
}
