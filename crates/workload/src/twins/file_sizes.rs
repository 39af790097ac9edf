//! Sizes of a twin's files.

use rand::seq::SliceRandom;
use rand_pcg::Pcg64Mcg;

use super::counts::Popularity;
use super::table::Workload;
use crate::bisection::last_where;
use crate::sizes::with_total;

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
    let [head, rest @ ..] = bands(target, counts.len(), ends);
    let is_tied = |band: &Band| counts[band.start - 1] == counts[band.start];
    let fill = |bytes, random: &mut Pcg64Mcg, sizes: &mut [u64]| {
        fill_head(&head, counts, bytes, random, sizes)
    };
    let mut sizes: Vec<u64> = vec![0; counts.len()];
    if is_tied(&rest[0]) {
        // Every later file is asked for once, so that its response is its size.
        let later = rest.iter().map(|band| band.bytes).sum::<f64>();
        fill(target.response_bytes - later, random, &mut sizes)?;
    }
    for (index, band) in rest.iter().enumerate() {
        let next = rest.get(index + 1).filter(|next| is_tied(next));
        let floor = is_tied(band).then(|| sizes[..band.start].last().copied().unwrap_or(0));
        fill_band(band, floor, next, random, &mut sizes)?;
    }
    if !is_tied(&rest[0]) {
        let later = response(&counts[head.end..], &sizes[head.end..]);
        fill(target.response_bytes - later, random, &mut sizes)?;
    }
    Some(sizes)
}

fn bands(target: &Workload, files: usize, ends: &[usize; 3]) -> [Band; 4] {
    let bytes = target.bytes_for_share;
    let band = |start, end, from, to| Band {
        start,
        end,
        bytes: to - from,
    };
    [
        band(0, ends[0], 0.0, bytes[0]),
        band(ends[0], ends[1], bytes[0], bytes[1]),
        band(ends[1], ends[2], bytes[1], bytes[2]),
        band(ends[2], files, bytes[2], target.file_bytes),
    ]
}

fn response(counts: &[u64], sizes: &[u64]) -> f64 {
    counts
        .iter()
        .zip(sizes)
        .map(|(count, size)| *count as f64 * *size as f64)
        .sum()
}

/// How far sizes of a band reach below and above their mean where nothing else limits them. Upwards it
/// lets the largest file of the proxy exceed thirty megabytes, as the document says (section 3.5).
const BELOW_MEAN: f64 = 50.0;
const ABOVE_MEAN: f64 = 150.0;

/// Fills a band after the first. Where files on both sides of an end are asked for equally often, the
/// order is that of sizes: then sizes rise through the band from `floor` to a limit between this
/// band's mean and the next one's.
fn fill_band(
    band: &Band,
    floor: Option<u64>,
    next: Option<&Band>,
    random: &mut Pcg64Mcg,
    sizes: &mut [u64],
) -> Option<()> {
    let min = floor
        .map_or(band.mean() / BELOW_MEAN, |floor| floor as f64)
        .max(1.0);
    let max = next.map_or(band.mean() * ABOVE_MEAN, |next| {
        (band.mean() * next.mean()).sqrt()
    });
    let count = band.end - band.start;
    let mut filled = with_total(
        count,
        band.bytes.round() as u64,
        min.ceil() as u64,
        max.floor() as u64,
    )
    .ok()?;
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
    // Files asked for once lie last in the order of popularity; among them, sizes rise.
    let once = counts.partition_point(|count| *count > 1);
    sizes[band.start + once..band.end].sort_unstable();
    Some(())
}

fn spread(count: usize, random: &mut Pcg64Mcg) -> Option<Vec<f64>> {
    let mut spread = with_total(count, count as u64 * SPREAD_MEAN, SPREAD.0, SPREAD.1).ok()?;
    spread.shuffle(random);
    Some(spread.into_iter().map(|size| size as f64).collect())
}
