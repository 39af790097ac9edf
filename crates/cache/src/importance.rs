//! Misses estimated from samples of the objects, in which important objects are likelier than others.
//!
//! Plain samples by hash ([`crate::shards`]) miss what a few large or hot objects do to a cache. Here an object is drawn with a
//! probability that grows with its share of the cost of all requests, of all sizes, or of all requests, whichever is largest
//! (Hansen and Hurwitz, "On the theory of sampling from finite populations", Annals of Mathematical Statistics 14, 1943;
//! unequal probabilities without replacement: Horvitz and Thompson, "A generalization of sampling without replacement from a
//! finite universe", Journal of the American Statistical Association 47, 1952). An object that is drawn with probability p
//! stands for 1/p objects: it takes 1/p of its size in a cache of the whole capacity, and each of its misses counts 1/p times.
//! The first request for an object misses in any cache, so that first misses are known and not estimated.

use rand::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use crate::kind::simulate_until;
use crate::scan::check_ids;
use crate::shards::mix;
use crate::{CacheError, PolicyKind, Stop};

/// Independent samples of an estimate.
pub const SAMPLES: usize = 8;

/// Nominal coverage of [`Estimate::low`] to [`Estimate::high`].
pub const LEVEL: f64 = 0.95;

/// The 97.5 % quantile of Student's distribution with [`SAMPLES`] - 1 = 7 degrees of freedom (NIST/SEMATECH e-Handbook of
/// Statistical Methods, section 1.3.6.7.2).
const STUDENT_T: f64 = 2.365;

/// Sizes are scaled by 1/p and counted in this part of a unit, so that rounding them does not add up.
const PARTS: f64 = 256.0;

/// What is scanned.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    /// The policy; not one that knows the future, which the sample lacks.
    pub policy: PolicyKind,
    /// Size of the cache, in the unit of `sizes`.
    pub capacity: u64,
    /// Object ids in the order of requests.
    pub requests: &'a [u32],
    /// Size of each object in the cache.
    pub sizes: &'a [u64],
    /// What a miss of each object weighs, beside 1: bytes, or microseconds beyond a hit. Not negative.
    pub weights: [&'a [f64]; 2],
    /// Ends it when asked.
    pub stop: Option<&'a Stop>,
}

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
}

/// Estimates the misses of `scan` from [`SAMPLES`] samples of `rate` of the requested objects on average; `seed` chooses them.
///
/// The interval is Student's, of the mean of the samples. Each end stays within what is possible: no fewer misses than first
/// ones, no more than requests.
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
    let probabilities = probabilities(scan, &counts, rate);
    let mut random = Pcg64Mcg::seed_from_u64(seed);
    let salts: Vec<u64> = (0..SAMPLES).map(|_| random.next_u64()).collect();
    let samples: Result<Vec<Repeats>, CacheError> = salts
        .par_iter()
        .map(|&salt| Sample::drawn(&probabilities, salt).repeats(scan))
        .collect();
    Ok(summary(scan, &counts, &samples?))
}

/// Requests for each object.
fn counts(scan: &Scan<'_>) -> Vec<u64> {
    let mut counts = vec![0; scan.sizes.len()];
    scan.requests
        .iter()
        .for_each(|&id| counts[id as usize] += 1);
    counts
}

/// How likely each object is in a sample; 0 where it is not requested.
fn probabilities(scan: &Scan<'_>, counts: &[u64], rate: f64) -> Vec<f64> {
    let shares = |of: &dyn Fn(usize) -> f64| {
        let values: Vec<f64> = (0..counts.len())
            .map(|id| if counts[id] > 0 { of(id) } else { 0.0 })
            .collect();
        let total = values.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        values.into_iter().map(move |value| value / total)
    };
    let of_requests = shares(&|id| counts[id] as f64);
    let of_sizes = shares(&|id| scan.sizes[id] as f64);
    let of_cost = shares(&|id| counts[id] as f64 * scan.weights[1][id]);
    let importance: Vec<f64> = of_requests
        .zip(of_sizes)
        .zip(of_cost)
        .map(|((requests, size), cost)| requests.max(size).max(cost))
        .collect();
    let requested = counts.iter().filter(|count| **count > 0).count();
    let factor = match rate < 1.0 {
        true => factor(&importance, rate * requested as f64),
        false => f64::MAX,
    };
    importance.iter().map(|it| (it * factor).min(1.0)).collect()
}

/// By what importance is multiplied so that probabilities, at most 1 each, add up to `wanted` objects.
fn factor(importance: &[f64], wanted: f64) -> f64 {
    let mut falling = importance.to_vec();
    falling.sort_unstable_by(|a, b| b.total_cmp(a));
    let mut rest: f64 = falling.iter().sum();
    for (certain, most) in falling.iter().enumerate() {
        // What is left may be nothing but what rounding left.
        let left = wanted - certain as f64;
        if left * most <= rest {
            return left / rest;
        }
        rest -= most;
    }
    f64::MAX
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
struct Repeats {
    requests: f64,
    weights: [f64; 2],
    scanned: usize,
}

impl<'a> Sample<'a> {
    fn drawn(probabilities: &'a [f64], salt: u64) -> Sample<'a> {
        let mut sample = Sample {
            probabilities,
            ids: vec![None; probabilities.len()],
            objects: Vec::new(),
        };
        for (id, &probability) in probabilities.iter().enumerate() {
            if uniform(id as u64 ^ salt) < probability {
                sample.ids[id] = Some(sample.objects.len() as u32);
                sample.objects.push(id);
            }
        }
        sample
    }

    fn repeats(&self, scan: &Scan<'_>) -> Result<Repeats, CacheError> {
        let ids = scan.requests.iter().filter_map(|&id| self.ids[id as usize]);
        let requests: Vec<u32> = ids.collect();
        let capacity = in_parts(scan.capacity as f64);
        let sizes: Vec<u64> = self
            .objects
            .iter()
            .map(|&id| self.size(scan, id, capacity))
            .collect();
        let mut misses = vec![0_u64; self.objects.len()];
        let count = |index: usize, hit: bool| misses[requests[index] as usize] += u64::from(!hit);
        simulate_until(scan.policy, capacity, &requests, &sizes, scan.stop, count)?;
        let mut repeats = Repeats {
            requests: 0.0,
            weights: [0.0; 2],
            scanned: requests.len(),
        };
        for (&object, misses) in self.objects.iter().zip(misses) {
            let repeated = misses.saturating_sub(1) as f64 / self.probabilities[object];
            repeats.requests += repeated;
            for (sum, weight) in repeats.weights.iter_mut().zip(scan.weights) {
                *sum += repeated * weight[object];
            }
        }
        Ok(repeats)
    }

    /// An object takes the room of all that it stands for. One that fits into the cache still does.
    fn size(&self, scan: &Scan<'_>, object: usize, capacity: u64) -> u64 {
        let size = scan.sizes[object];
        let scaled = in_parts(size as f64 / self.probabilities[object]);
        match size <= scan.capacity {
            true => scaled.min(capacity),
            false => scaled.max(capacity.saturating_add(1)),
        }
    }
}

fn in_parts(size: f64) -> u64 {
    (size * PARTS).round() as u64
}

/// A number from 0 up to 1 that goes by the hash of `value`; a float of 53 bits.
fn uniform(value: u64) -> f64 {
    const BITS: u32 = f64::MANTISSA_DIGITS;
    (mix(value) >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64
}

fn summary(scan: &Scan<'_>, counts: &[u64], samples: &[Repeats]) -> Misses {
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
    Misses {
        requests: estimate(&|it| it.requests, (first, scan.requests.len() as f64)),
        weights: [0, 1].map(|index| estimate(&|it| it.weights[index], sum(scan.weights[index]))),
        scanned_share: scanned as f64 / all as f64,
    }
}

/// Mean and interval of independent samples, within what is possible.
fn estimate(values: &[f64], least: f64, most: f64) -> Estimate {
    let samples = values.len() as f64;
    let mean = values.iter().sum::<f64>() / samples;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (squares / (samples - 1.0) / samples).sqrt();
    let within = |value: f64| value.clamp(least, most.max(least));
    Estimate {
        value: within(mean),
        low: within(mean - STUDENT_T * error),
        high: within(mean + STUDENT_T * error),
    }
}
