//! Sizes of a twin's files.

use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::counts::Popularity;
use super::table::Workload;
use crate::bisection::last_where;
use crate::sizes::{log_uniform_mean, with_total};

/// A band that carries requests up to one of the table's shares.
#[derive(Clone, Copy)]
struct Band {
    start: usize,
    end: usize,
    bytes: f64,
}

impl Band {
    fn mean(&self) -> f64 {
        self.bytes / (self.end - self.start) as f64
    }
}

/// Sizes by file, most popular first; `None` where the rows contradict each other.
///
/// The bands after the first are filled so that their bytes come out. What they leave of the total
/// response fixes the first band: its sizes vary with popularity as count^t, where t, which the table
/// leaves open, makes the total response come out.
pub(super) fn sizes(
    target: &Workload,
    popularity: &Popularity,
    random: &mut Pcg64Mcg,
) -> Option<Vec<u64>> {
    let Popularity { counts, ends } = popularity;
    let bands = bands(target, counts.len(), ends);
    let (head, rest) = bands.split_first()?;
    let is_tied = |band: &Band| counts[band.start - 1] == counts[band.start];
    let mut sizes: Vec<u64> = vec![0; counts.len()];
    let tied = is_tied(&rest[0]);
    if tied {
        let (several, once) = split(head, &rest[0], counts);
        // Every later file is asked for once, so that its response is its size.
        let later = once.bytes + rest.iter().map(|band| band.bytes).sum::<f64>();
        let response = target.response_bytes - later;
        fill_head(&several, counts, response, random, &mut sizes)?;
        let floor = Some(SMALLEST_BYTES);
        fill_band(&once, floor, Some(&rest[0]), None, random, &mut sizes)?;
    }
    for (index, band) in rest.iter().enumerate() {
        let next = rest.get(index + 1).filter(|next| is_tied(next));
        let floor = is_tied(band).then(|| sizes[..band.start].last().copied().unwrap_or(0));
        let largest = target.largest_bytes.filter(|_| index + 1 == rest.len());
        fill_band(band, floor, next, largest, random, &mut sizes)?;
    }
    if !tied {
        let later = response(&counts[head.end..], &sizes[head.end..]);
        fill_head(
            head,
            counts,
            target.response_bytes - later,
            random,
            &mut sizes,
        )?;
    }
    Some(sizes)
}

fn bands(target: &Workload, files: usize, ends: &[usize]) -> Vec<Band> {
    let carried = target.carried();
    let ends = ends.iter().copied().zip(carried.iter().map(|it| it.bytes));
    let ends: Vec<(usize, f64)> = std::iter::once((0, 0.0))
        .chain(ends)
        .chain([(files, target.file_bytes)])
        .collect();
    let bands = ends.windows(2).map(|ends| Band {
        start: ends[0].0,
        end: ends[1].0,
        bytes: ends[1].1 - ends[0].1,
    });
    bands.collect()
}

/// The smallest file that is asked for once: "a few tens of bytes" (section 3.5).
const SMALLEST_BYTES: u64 = 30;

/// The files of `head` that are asked for more often, and those asked for once. The latter are the smallest of all that are, so
/// that their sizes rise, evenly by their logarithm, to where those of the band behind them begin.
fn split(head: &Band, next: &Band, counts: &[u64]) -> (Band, Band) {
    let start = counts.partition_point(|count| *count > 1);
    let bytes =
        (head.end - start) as f64 * log_uniform_mean(SMALLEST_BYTES as f64, limit(head, next));
    let several = Band {
        end: start,
        bytes: head.bytes - bytes,
        ..*head
    };
    let once = Band {
        start,
        bytes,
        ..*head
    };
    (several, once)
}

/// Where sizes that rise through two bands pass from the one to the other.
fn limit(band: &Band, next: &Band) -> f64 {
    (band.mean() * next.mean()).sqrt()
}

fn response(counts: &[u64], sizes: &[u64]) -> f64 {
    counts
        .iter()
        .zip(sizes)
        .map(|(count, size)| *count as f64 * *size as f64)
        .sum()
}

/// How far sizes of a band reach below and above their mean where nothing else limits them.
const BELOW_MEAN: f64 = 50.0;
const ABOVE_MEAN: f64 = 150.0;

/// The largest file takes no more of its band's bytes.
const LARGEST_SHARE: f64 = 0.1;

/// Fills a band after the first. Where files on both sides of an end are asked for equally often, the
/// order is that of sizes: then sizes rise through the band from `floor` to a limit between this
/// band's mean and the next one's. The last file may be the `largest` of all.
fn fill_band(
    band: &Band,
    floor: Option<u64>,
    next: Option<&Band>,
    largest: Option<f64>,
    random: &mut Pcg64Mcg,
    sizes: &mut [u64],
) -> Option<()> {
    let largest = largest.map(|bytes| bytes.min(band.bytes * LARGEST_SHARE).round() as u64);
    let usual = match next {
        Some(next) => limit(band, next),
        None => band.mean() * ABOVE_MEAN,
    };
    let max = largest.unwrap_or(usual.floor() as u64);
    let min = floor.map_or(band.mean() / BELOW_MEAN, |floor| floor as f64);
    let count = band.end - band.start - usize::from(largest.is_some());
    let bytes = (band.bytes.round() as u64).checked_sub(largest.unwrap_or(0))?;
    let mut filled = with_total(count, bytes, min.max(1.0).ceil() as u64, max).ok()?;
    filled.extend(largest);
    if floor.is_none() && next.is_none() {
        filled.shuffle(random);
    }
    sizes[band.start..band.end].copy_from_slice(&filled);
    Some(())
}

/// Spread of the first band's sizes around what their popularity gives.
const SPREAD: (u64, u64) = (250, 8_000);
/// The mean of that spread, in the same thousandths.
const SPREAD_MEAN: u64 = 1_000;
/// The exponent lies between this and its negative.
const STEEPEST: f64 = 2.0;

/// Fills the first band with sizes that add up to its bytes and that make responses add up to `response_bytes`.
fn fill_head(
    band: &Band,
    counts: &[u64],
    response_bytes: f64,
    random: &mut Pcg64Mcg,
    sizes: &mut [u64],
) -> Option<()> {
    let counts = &counts[band.start..band.end];
    let spread = spread(counts.len(), random)?;
    let logs: Vec<f64> = counts.iter().map(|count| (*count as f64).ln()).collect();
    let weigh = |t: f64| {
        logs.iter()
            .zip(&spread)
            .map(move |(log, spread)| spread * (t * log).exp())
    };
    let mean_count = |t: f64| {
        let weighted = weigh(t)
            .zip(counts)
            .fold((0.0, 0.0), |(sum, requests), (size, count)| {
                (sum + size, requests + size * *count as f64)
            });
        weighted.1 / weighted.0
    };
    let wanted = response_bytes / band.bytes;
    if !(mean_count(-STEEPEST)..=mean_count(STEEPEST)).contains(&wanted) {
        return None;
    }
    let t = last_where(-STEEPEST..STEEPEST, 50, |t| mean_count(t) < wanted);
    let scale = band.bytes / weigh(t).sum::<f64>();
    let filled = weigh(t).map(|size| (size * scale).round().max(1.0) as u64);
    sizes[band.start..band.end]
        .iter_mut()
        .zip(filled)
        .for_each(|(size, filled)| *size = filled);
    Some(())
}

fn spread(count: usize, random: &mut Pcg64Mcg) -> Option<Vec<f64>> {
    let mut spread = with_total(count, count as u64 * SPREAD_MEAN, SPREAD.0, SPREAD.1).ok()?;
    spread.shuffle(random);
    Some(spread.into_iter().map(|size| size as f64).collect())
}
