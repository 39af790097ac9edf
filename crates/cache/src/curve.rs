//! Miss-ratio curves: what an LRU cache of any size would miss.

use crate::{CacheError, ReuseDistances, scan};

/// Hits in an LRU cache, by its size.
///
/// A request hits at size `s` iff the distinct objects accessed since the last request for the same
/// object, and it itself, take at most `s` together. An LRU cache does the same as long as no
/// object is larger than it. Objects that are make a difference: the cache refuses them and keeps
/// what it has, here they push everything out, so the curve can show fewer hits than [`crate::Lru`]
/// has at sizes below the largest object (and never more).
///
/// The curve is exact at the points it was taken at and a lower bound on the hits between them.
#[derive(Debug, Clone, PartialEq)]
pub struct MissRatioCurve {
    /// Ascending, without repetitions.
    points: Vec<u64>,
    /// Requests whose distance is at most the point and more than the one before; the last element:
    /// more than all points.
    hits_from: Vec<f64>,
    requests: f64,
}

/// One point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurvePoint {
    /// Cache size in the unit of the size column.
    pub size: u64,
    /// Share of the requests that miss.
    pub miss_ratio: f64,
}

impl MissRatioCurve {
    /// A curve without requests, to be taken at `points` in any order.
    pub fn new(points: &[u64]) -> Self {
        let mut points = points.to_vec();
        points.sort_unstable();
        points.dedup();
        let hits_from = vec![0.0; points.len() + 1];
        Self {
            points,
            hits_from,
            requests: 0.0,
        }
    }

    /// Counts a request with a distance from [`ReuseDistances`].
    #[inline]
    pub fn add(&mut self, distance: Option<u64>) {
        self.requests += 1.0;
        if let Some(distance) = distance {
            let point = self.points.partition_point(|&point| point < distance);
            self.hits_from[point] += 1.0;
        }
    }

    /// Adds what `other` counted.
    ///
    /// Distances must have been measured over the whole trace: then the curves of its sites, or of
    /// its hours, add up to the curve of the trace. The curves of two traces measured apart do not
    /// add up to that of one after the other, but to that of two caches of the same size, one for
    /// each.
    ///
    /// # Errors
    /// [`CacheError::DifferentPoints`] when the curves were not taken at the same points.
    pub fn merge(&mut self, other: &Self) -> Result<(), CacheError> {
        if self.points != other.points {
            return Err(CacheError::DifferentPoints);
        }
        self.hits_from
            .iter_mut()
            .zip(&other.hits_from)
            .for_each(|(mine, theirs)| *mine += theirs);
        self.requests += other.requests;
        Ok(())
    }

    /// Requests counted.
    pub fn requests(&self) -> u64 {
        self.requests as u64
    }

    /// Share of the requests that hit in a cache of `size`, 0 without requests.
    pub fn hit_ratio(&self, size: u64) -> f64 {
        let points = self.points.partition_point(|&point| point <= size);
        self.ratio(self.hits_from[..points].iter().sum())
    }

    /// Share of the requests that miss in a cache of `size`.
    pub fn miss_ratio(&self, size: u64) -> f64 {
        1.0 - self.hit_ratio(size)
    }

    /// The whole curve, by rising size.
    pub fn points(&self) -> impl Iterator<Item = CurvePoint> {
        let mut hits = 0.0;
        self.points
            .iter()
            .zip(&self.hits_from)
            .map(move |(&size, more)| {
                hits += more;
                CurvePoint {
                    size,
                    miss_ratio: 1.0 - self.ratio(hits),
                }
            })
    }

    /// The smallest point where at least the share `hit_ratio` of the requests hit.
    pub fn size_for(&self, hit_ratio: f64) -> Option<u64> {
        self.points()
            .find(|point| 1.0 - point.miss_ratio >= hit_ratio)
            .map(|point| point.size)
    }

    /// Counts hits at every size, or takes them off, until the number of requests is the one
    /// expected.
    pub(crate) fn expect_requests(&mut self, expected: f64) {
        self.hits_from[0] += expected - self.requests;
        self.requests = expected;
    }

    fn ratio(&self, hits: f64) -> f64 {
        if self.requests == 0.0 {
            0.0
        } else {
            (hits / self.requests).clamp(0.0, 1.0)
        }
    }
}

/// The exact curve of a trace, taken at the cache sizes `points`. Object `id` takes `sizes[id]`.
///
/// # Errors
/// [`CacheError::UnknownObject`] when a request's id has no size, [`CacheError::SizesTooLarge`]
/// when the sizes do not add up within 64 bits.
pub fn miss_ratio_curve(
    requests: &[u32],
    sizes: &[u64],
    points: &[u64],
) -> Result<MissRatioCurve, CacheError> {
    scan::check_ids(requests, sizes.len())?;
    let mut distances = ReuseDistances::new(sizes)?;
    let mut curve = MissRatioCurve::new(points);
    requests
        .iter()
        .for_each(|&id| curve.add(distances.access(id)));
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
