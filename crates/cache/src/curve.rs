//! Miss-ratio curves: what an LRU cache of any size would miss.

use crate::scan::{check, check_ids};
use crate::{CacheError, ReuseDistances, Stop};

/// Requests between two looks at whether to end: some tens of microseconds.
const BLOCK: usize = 256;

/// Hits in an LRU cache, by its size.
///
/// A request hits at size `s` iff the distinct objects accessed since the last request for the same
/// object, and it itself, take at most `s` together. An LRU cache does the same as long as no
/// object is larger than it. Objects that are make a difference: the cache refuses them and keeps
/// what it has, here they push everything out, so the curve can show fewer hits than [`crate::Lru`]
/// has at sizes below the largest object (and never more).
///
/// The curve is exact at the points it was taken at and a lower bound on the hits between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissRatioCurve {
    /// Ascending, without repetitions.
    points: Vec<u64>,
    /// Requests whose distance is at most the point and more than the one before.
    hits: Vec<u64>,
    /// Their sizes.
    hit_bytes: Vec<u128>,
    requests: u64,
    bytes: u128,
}

/// One point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Cache size in the unit of the size column.
    pub size: u64,
    /// Share of the requests that miss.
    pub miss_ratio: f64,
    /// Share of the requested bytes that miss, in the unit of the size column.
    pub byte_miss_ratio: f64,
}

impl MissRatioCurve {
    /// A curve without requests, to be taken at `points` in any order.
    pub(crate) fn new(points: &[u64]) -> Self {
        let mut points = points.to_vec();
        points.sort_unstable();
        points.dedup();
        Self {
            hits: vec![0; points.len()],
            hit_bytes: vec![0; points.len()],
            points,
            requests: 0,
            bytes: 0,
        }
    }

    /// Counts a request for `size` with a distance from [`ReuseDistances`].
    #[inline]
    pub(crate) fn add(&mut self, distance: Option<u64>, size: u64) {
        self.requests += 1;
        self.bytes += u128::from(size);
        let Some(distance) = distance else { return };
        let point = self.points.partition_point(|&point| point < distance);
        if point < self.points.len() {
            self.hits[point] += 1;
            self.hit_bytes[point] += u128::from(size);
        }
    }

    /// Requests counted.
    pub fn requests(&self) -> u64 {
        self.requests
    }

    /// Requests that hit in a cache of `size`.
    pub fn hits(&self, size: u64) -> u64 {
        let points = self.points.partition_point(|&point| point <= size);
        self.hits[..points].iter().sum()
    }

    /// Share of the requests that hit in a cache of `size`, 0 without requests.
    pub fn hit_ratio(&self, size: u64) -> f64 {
        ratio(self.hits(size) as f64, self.requests as f64)
    }

    /// Share of the requests that miss in a cache of `size`.
    pub fn miss_ratio(&self, size: u64) -> f64 {
        1.0 - self.hit_ratio(size)
    }

    /// The whole curve, by rising size.
    pub fn points(&self) -> impl Iterator<Item = CurvePoint> {
        let (mut hits, mut bytes) = (0, 0);
        let counts = self.hits.iter().zip(&self.hit_bytes);
        self.points
            .iter()
            .zip(counts)
            .map(move |(&size, (more_hits, more_bytes))| {
                hits += more_hits;
                bytes += more_bytes;
                CurvePoint {
                    size,
                    miss_ratio: 1.0 - ratio(hits as f64, self.requests as f64),
                    byte_miss_ratio: 1.0 - ratio(bytes as f64, self.bytes as f64),
                }
            })
    }
}

/// A part of a whole, 0 where there is none.
pub(crate) fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 {
        0.0
    } else {
        (part / whole).clamp(0.0, 1.0)
    }
}

/// The exact curve of a trace, taken at the cache sizes `points`, until `stop` is asked. Object `id` takes `sizes[id]`.
///
/// # Errors
/// [`CacheError::UnknownObject`] when a request's id has no size, [`CacheError::SizesTooLarge`]
/// when the sizes do not add up within 64 bits, [`CacheError::Interrupted`].
pub fn miss_ratio_curve(
    requests: &[u32],
    sizes: &[u64],
    points: &[u64],
    stop: Option<&Stop>,
) -> Result<MissRatioCurve, CacheError> {
    check_ids(requests, sizes.len())?;
    let mut distances = ReuseDistances::new(sizes)?;
    let mut curve = MissRatioCurve::new(points);
    for block in requests.chunks(BLOCK) {
        check(stop)?;
        block
            .iter()
            .for_each(|&id| curve.add(distances.access(id), sizes[id as usize]));
    }
    Ok(curve)
}

/// About `count` cache sizes from `smallest` to `largest`, both included, in equal ratios.
pub fn log_points(smallest: u64, largest: u64, count: usize) -> Vec<u64> {
    let smallest = smallest.max(1);
    let largest = largest.max(smallest);
    let steps = count.saturating_sub(1).max(1) as f64;
    let ratio = largest as f64 / smallest as f64;
    let inner = |step: usize| (smallest as f64 * ratio.powf(step as f64 / steps)).round() as u64;
    let mut points: Vec<u64> = (0..count.max(2) - 1).map(inner).chain([largest]).collect();
    points.dedup();
    points
}
