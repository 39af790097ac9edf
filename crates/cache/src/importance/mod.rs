//! Misses of the page cache estimated from samples of the objects, in which important objects are likelier than others.
//!
//! Plain samples by hash ([`crate::shards`]) miss what a few large or hot objects do to a cache. Here the probability p of an
//! object grows with its shares of all sizes, of all repeated requests, and of their weights (unequal probabilities without
//! replacement: Horvitz and Thompson, "A generalization of sampling without replacement from a finite universe", Journal of
//! the American Statistical Association 47, 1952). An object that is drawn stands for 1/p objects: each of its misses counts
//! 1/p times, and to other objects it takes 1/p of its size. The first request for an object misses in any cache, so that
//! first misses are known and not estimated.

mod draw;
mod scaled_two_list;
mod scan;

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use crate::CacheError;
use crate::scan::{check, check_ids};
use draw::Draw;
use scaled_two_list::{SampledObject, ScaledTwoList};

pub use scan::Scan;

/// Independent samples of an estimate.
pub const SAMPLES: usize = 8;

/// Nominal coverage of [`Estimate::low`] to [`Estimate::high`].
pub const LEVEL: f64 = 0.95;

/// The 97.5 % quantile of Student's distribution with [`SAMPLES`] - 1 = 7 degrees of freedom (NIST/SEMATECH e-Handbook of
/// Statistical Methods, section 1.3.6.7.2).
const STUDENT_T: f64 = 2.365;

/// Sizes are scaled by 1/p and counted in this part of a unit, so that rounding them does not add up.
const PARTS: f64 = 256.0;

/// A sum over all misses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// Mean of the samples.
    pub value: f64,
    /// Lower end of the interval of [`LEVEL`].
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// What would miss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Misses {
    /// Requests that miss.
    pub requests: Estimate,
    /// Sums of both weights over them.
    pub weights: [Estimate; 2],
    /// Share of the requests that a sample has on average: what is scanned of the trace.
    pub scanned_share: f64,
    /// How many objects of a sample the cache holds with all that they stand for, on average; nothing where each stands for
    /// itself alone.
    pub objects_held: Option<f64>,
}

/// Estimates the misses of `scan` from [`SAMPLES`] samples of `rate` of the requested objects on average; `seed` chooses them.
///
/// A cache does not respond to its objects in proportion, so that all samples err alike in part, and their mean does not come
/// closer to the whole the more there are. The interval is therefore not that of the mean. It is Student's prediction
/// interval, in which one more sample would lie (Hahn and Meeker, "Statistical intervals", 1991, chapter 4): the whole
/// scan is taken for one more of its kind. Each end stays within what is possible: no fewer misses than first ones, no more
/// than requests.
///
/// # Errors
/// [`CacheError::BadSample`] for a rate out of range, otherwise as [`crate::simulate`].
pub fn sampled_misses(scan: &Scan<'_>, rate: f64, seed: u64) -> Result<Misses, CacheError> {
    if !(rate > 0.0 && rate <= 1.0) {
        return Err(CacheError::BadSample {
            rate: rate.to_string(),
            salts: SAMPLES,
        });
    }
    check_ids(scan.requests, scan.sizes.len())?;
    let counts = counts(scan);
    let draw = Draw::new(scan, &counts, rate);
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let salts: Vec<u64> = (0..SAMPLES).map(|_| random.next_u64()).collect();
    let samples: Result<Vec<Repeats>, CacheError> = salts
        .par_iter()
        .map(|&salt| Sample::drawn(&draw, salt).repeats(scan))
        .collect();
    Ok(summary(scan, &counts, &draw, &samples?))
}

/// Requests for each object.
fn counts(scan: &Scan<'_>) -> Vec<u64> {
    let mut counts = vec![0; scan.sizes.len()];
    scan.requests
        .iter()
        .for_each(|&id| counts[id as usize] += 1);
    counts
}

/// The objects in a sample, renumbered from 0.
struct Sample<'a> {
    probabilities: &'a [f64],
    /// By the trace's ids.
    ids: Vec<Option<u32>>,
    /// The trace's ids.
    objects: Vec<usize>,
}

/// Misses of a sample beside first ones, each counted as often as its object stands for others.
#[derive(Default)]
struct Repeats {
    requests: f64,
    weights: [f64; 2],
    scanned: usize,
}

impl<'a> Sample<'a> {
    fn drawn(draw: &'a Draw, salt: u64) -> Sample<'a> {
        let objects = draw.sample(salt);
        let mut ids = vec![None; draw.probabilities.len()];
        for (index, &object) in objects.iter().enumerate() {
            ids[object] = Some(index as u32);
        }
        Sample {
            probabilities: &draw.probabilities,
            ids,
            objects,
        }
    }

    fn repeats(&self, scan: &Scan<'_>) -> Result<Repeats, CacheError> {
        let mut repeats = Repeats::default();
        let misses = self.misses(scan, &mut repeats.scanned)?;
        for (&object, misses) in self.objects.iter().zip(misses) {
            let repeated = (misses - 1.0).max(0.0) / self.probabilities[object];
            repeats.requests += repeated;
            for (sum, weight) in repeats.weights.iter_mut().zip(scan.weights) {
                *sum += repeated * weight[object];
            }
        }
        Ok(repeats)
    }

    /// Misses of each object of the sample, and how many requests were scanned for them.
    fn misses(&self, scan: &Scan<'_>, scanned: &mut usize) -> Result<Vec<f64>, CacheError> {
        let objects = self.objects.iter().map(|&id| self.scaled(scan, id));
        let mut cache = ScaledTwoList::new(in_parts(scan.capacity as f64), objects.collect());
        let mut misses = vec![0.0; self.objects.len()];
        for id in scan.requests.iter().filter_map(|&id| self.ids[id as usize]) {
            check(scan.stop)?;
            misses[id as usize] += cache.access(id);
            *scanned += 1;
        }
        Ok(misses)
    }

    fn scaled(&self, scan: &Scan<'_>, object: usize) -> SampledObject {
        let size = scan.sizes[object] as f64;
        SampledObject {
            own: in_parts(size),
            room: in_parts(size / self.probabilities[object]),
        }
    }
}

fn in_parts(size: f64) -> u64 {
    (size * PARTS).round() as u64
}

fn summary(scan: &Scan<'_>, counts: &[u64], draw: &Draw, samples: &[Repeats]) -> Misses {
    let requested = || (0..counts.len()).filter(|&id| counts[id] > 0);
    let sum = |weight: &[f64]| {
        let first: f64 = requested().map(|id| weight[id]).sum();
        let all: f64 = requested().map(|id| counts[id] as f64 * weight[id]).sum();
        (first, all)
    };
    let first = requested().count() as f64;
    let estimate = |of: &dyn Fn(&Repeats) -> f64, (first, all): (f64, f64)| {
        let values: Vec<f64> = samples.iter().map(|sample| first + of(sample)).collect();
        estimate(&values, first, all)
    };
    let scanned: usize = samples.iter().map(|sample| sample.scanned).sum();
    let all = (scan.requests.len() * samples.len()).max(1);
    let room = draw.mean_room(scan.sizes);
    Misses {
        requests: estimate(&|it| it.requests, (first, scan.requests.len() as f64)),
        weights: [0, 1].map(|index| estimate(&|it| it.weights[index], sum(scan.weights[index]))),
        scanned_share: scanned as f64 / all as f64,
        objects_held: room.map(|room| scan.capacity as f64 / room),
    }
}

/// Mean of independent samples and interval of one more, within what is possible.
fn estimate(values: &[f64], least: f64, most: f64) -> Estimate {
    let samples = values.len() as f64;
    let mean = values.iter().sum::<f64>() / samples;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let deviation = (squares / (samples - 1.0)).sqrt();
    let reach = STUDENT_T * deviation * (1.0 + 1.0 / samples).sqrt();
    let within = |value: f64| value.clamp(least, most.max(least));
    Estimate {
        value: within(mean),
        low: within(mean - reach),
        high: within(mean + reach),
    }
}
