//! Points of the curve between those that were scanned.

use super::curve_point::CurvePoint;
use super::interpolation_error::InterpolationError;
use crate::backtest::scoring::score::ArmScore;

/// A curve is scanned at every other memory, and at the last: with every fourth, errors held 91 % of the figures in a test.
const EVERY: usize = 2;

/// A curve of fewer memories is scanned at each: too few would be left to tell an error from.
const FEWEST_MEMORIES: usize = 8;

/// Those of `memories`, which rise, that are scanned where the others are interpolated.
pub(crate) fn scanned(memories: &[u64]) -> Vec<u64> {
    if memories.len() < FEWEST_MEMORIES {
        return memories.to_vec();
    }
    let last = memories.last().copied();
    memories
        .iter()
        .copied()
        .step_by(EVERY)
        .chain(last)
        .collect()
}

/// Adds points at those of `memories`, in bytes, that `curve`, by rising memory, does not have.
pub(crate) fn interpolate(curve: &mut Vec<CurvePoint>, memories: impl Iterator<Item = u64>) {
    let mut scanned = curve.clone();
    scanned.dedup_by_key(|point| point.memory_bytes);
    let is_new = |memory: &u64| scanned.iter().all(|point| point.memory_bytes != *memory);
    let new: Vec<u64> = memories.filter(is_new).collect();
    let error = largest_error(&scanned);
    let between = new.into_iter().filter_map(|memory| {
        let point = point_at(&scanned, memory)?;
        Some(CurvePoint {
            interpolation_error: Some(error),
            ..point
        })
    });
    curve.extend(between);
    curve.sort_by_key(|point| point.memory_bytes);
}

/// The largest error of a point within `scanned` that is interpolated from the others.
fn largest_error(scanned: &[CurvePoint]) -> InterpolationError {
    let inner = 1..scanned.len().saturating_sub(1);
    let errors = inner.filter_map(|left_out| {
        let point = &scanned[left_out];
        let others = [&scanned[..left_out], &scanned[left_out + 1..]].concat();
        let interpolated = point_at(&others, point.memory_bytes)?;
        let page_cache = InterpolationError::of(&interpolated.page_cache, &point.page_cache);
        Some(page_cache.max(InterpolationError::of(&interpolated.plan, &point.plan)))
    });
    errors.fold(InterpolationError::default(), InterpolationError::max)
}

/// The point at `memory` bytes between those of `scanned`; nothing outside them.
fn point_at(scanned: &[CurvePoint], memory_bytes: u64) -> Option<CurvePoint> {
    let above = scanned.partition_point(|point| point.memory_bytes < memory_bytes);
    let below = scanned.get(above.checked_sub(1)?)?;
    scanned.get(above)?;
    let x: Vec<f64> = scanned.iter().map(|it| ln(it.memory_bytes)).collect();
    let at = |figure: Figure| {
        let y: Vec<f64> = scanned.iter().map(figure).collect();
        cubic(&x, &y, above - 1, ln(memory_bytes))
    };
    let page_cache = score_at(|it| &it.page_cache, &at);
    let mut plan = score_at(|it| &it.plan, &at);
    let gain = |plan_us: f64, alone_us: f64| {
        let gain = 1.0 - plan_us / alone_us;
        gain.is_finite().then_some(gain)
    };
    plan.gain = gain(plan.mean_us, page_cache.mean_us);
    plan.weighted_gain = gain(plan.weighted_mean_us, page_cache.weighted_mean_us);
    Some(CurvePoint {
        memory_bytes,
        share: at(&|it| it.share),
        page_cache,
        plan,
        setbacks: Vec::new(),
        interpolation_error: None,
        validated: below.validated,
    })
}

/// A figure of a point.
type Figure<'f> = &'f dyn Fn(&CurvePoint) -> f64;

/// Hit ratio and means of an arm, where `at` interpolates a figure.
fn score_at(arm: fn(&CurvePoint) -> &ArmScore, at: &dyn Fn(Figure) -> f64) -> ArmScore {
    ArmScore {
        hit_ratio: at(&|it| arm(it).hit_ratio),
        mean_us: at(&|it| arm(it).mean_us),
        weighted_mean_us: at(&|it| arm(it).weighted_mean_us),
        ..ArmScore::of_no_access()
    }
}

fn ln(memory_bytes: u64) -> f64 {
    (memory_bytes.max(1) as f64).ln()
}

/// The value at `at`, which is between the points `from` and `from + 1`, of the cubic through all points that rises and falls
/// only as they do: F. Fritsch, J. Butland, "A method for constructing local monotone piecewise cubic interpolants", SIAM
/// Journal on Scientific and Statistical Computing 5 (1984).
fn cubic(x: &[f64], y: &[f64], from: usize, at: f64) -> f64 {
    let to = from + 1;
    let width = x[to] - x[from];
    let part = (at - x[from]) / width;
    let rest = 1.0 - part;
    let ends =
        y[from] * (1.0 + 2.0 * part) * rest * rest + y[to] * (3.0 - 2.0 * part) * part * part;
    let bends = slope(x, y, from) * rest - slope(x, y, to) * part;
    ends + bends * width * part * rest
}

/// The slope of that cubic at the point `of`.
fn slope(x: &[f64], y: &[f64], of: usize) -> f64 {
    let width = |from: usize| x[from + 1] - x[from];
    let chord = |from: usize| (y[from + 1] - y[from]) / width(from);
    let last = x.len() - 1;
    match of {
        _ if last < 2 => chord(0),
        0 => end_slope([width(0), width(1)], [chord(0), chord(1)]),
        _ if of == last => {
            let (near, far) = (last - 1, last - 2);
            end_slope([width(near), width(far)], [chord(near), chord(far)])
        }
        _ => {
            let (before, after) = (of - 1, of);
            if chord(before) * chord(after) <= 0.0 {
                return 0.0;
            }
            let (first, second) = (
                2.0 * width(after) + width(before),
                width(after) + 2.0 * width(before),
            );
            (first + second) / (first / chord(before) + second / chord(after))
        }
    }
}

/// The slope at an end, by the nearest and the next stretch: that of the parabola through their points, as far as it rises and
/// falls as they do (C. Moler, "Numerical computing with MATLAB", 2004, section 3.6).
fn end_slope([near, far]: [f64; 2], [near_chord, far_chord]: [f64; 2]) -> f64 {
    let slope = ((2.0 * near + far) * near_chord - near * far_chord) / (near + far);
    match () {
        () if slope * near_chord <= 0.0 => 0.0,
        () if near_chord * far_chord <= 0.0 && slope.abs() > 3.0 * near_chord.abs() => {
            3.0 * near_chord
        }
        () => slope,
    }
}
