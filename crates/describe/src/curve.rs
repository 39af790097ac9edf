//! Exact miss-ratio curves of the sites and of all together.

use hotset_cache::{PAGE_BYTES, Stop, log_points, miss_ratio_curve};
use hotset_trace::Trace;
use rayon::prelude::*;

use crate::CurvePoint;

/// The curve starts at this share of all object bytes, but not below a page: smaller caches are of no use.
const SMALLEST_SHARE: u64 = 10_000;

/// The curve of each site alone in a cache, and of all sites sharing one.
#[derive(Default)]
pub(crate) struct Curves {
    pub(crate) sites: Vec<Vec<CurvePoint>>,
    pub(crate) total: Vec<CurvePoint>,
}

impl Curves {
    /// Takes every curve at about `count` cache sizes; none when `count` is 0, and empty ones where `stop` is asked.
    pub(crate) fn take(trace: &Trace, count: usize, stop: Option<&Stop>) -> Self {
        let sites = if count == 0 {
            Vec::new()
        } else {
            Stream::by_site(trace)
        };
        if sites.len() == 1 {
            let curve = sites[0].curve(count, stop);
            return Self {
                sites: vec![curve.clone()],
                total: curve,
            };
        }
        let (total, sites) = rayon::join(
            || {
                if count == 0 {
                    Vec::new()
                } else {
                    Stream::total(trace).curve(count, stop)
                }
            },
            || {
                let curve = |stream: &Stream| stream.curve(count, stop);
                sites.par_iter().map(curve).collect()
            },
        );
        Self { sites, total }
    }
}

/// Accesses in log order as dense ids, and the size of each id.
#[derive(Clone, Default)]
struct Stream {
    ids: Vec<u32>,
    sizes: Vec<u64>,
}

impl Stream {
    fn total(trace: &Trace) -> Self {
        Self {
            ids: accesses(trace).collect(),
            sizes: trace.objects.size.clone(),
        }
    }

    /// Sites number their own objects, so that many sites together take no more memory than one.
    fn by_site(trace: &Trace) -> Vec<Self> {
        let mut streams = vec![Self::default(); trace.sites.len()];
        let mut local = vec![0; trace.objects.len()];
        for (object, &site) in trace.objects.site.iter().enumerate() {
            if let Some(stream) = streams.get_mut(usize::from(site)) {
                local[object] = stream.sizes.len() as u32;
                stream.sizes.push(trace.objects.size[object]);
            }
        }
        for object in accesses(trace).map(|object| object as usize) {
            if let Some(stream) = streams.get_mut(usize::from(trace.objects.site[object])) {
                stream.ids.push(local[object]);
            }
        }
        streams
    }

    fn curve(&self, count: usize, stop: Option<&Stop>) -> Vec<CurvePoint> {
        // A log may claim sizes that do not add up within 64 bits; no cache is that large.
        let most = u64::MAX / (self.sizes.len() as u64 + 1);
        let sizes: Vec<u64> = self.sizes.iter().map(|&size| size.min(most)).collect();
        let Some(points) = self.points(&sizes, count) else {
            return Vec::new();
        };
        // The sizes add up and every id has one, which is all that can be wrong of them.
        let Ok(curve) = miss_ratio_curve(&self.ids, &sizes, &points, stop) else {
            return Vec::new();
        };
        let point = |point: hotset_cache::CurvePoint| CurvePoint {
            cache_bytes: point.size,
            miss_ratio: point.miss_ratio,
            byte_miss_ratio: point.byte_miss_ratio,
        };
        curve.points().map(point).collect()
    }

    /// Cache sizes in equal ratios up to the bytes of all accessed objects; none without accesses.
    fn points(&self, sizes: &[u64], count: usize) -> Option<Vec<u64>> {
        let mut accessed = vec![false; sizes.len()];
        self.ids.iter().for_each(|&id| accessed[id as usize] = true);
        let bytes: u64 = sizes
            .iter()
            .zip(accessed)
            .filter(|(_, accessed)| *accessed)
            .map(|(size, _)| size)
            .sum();
        (bytes > 0).then(|| {
            log_points(
                (bytes / SMALLEST_SHARE).max(PAGE_BYTES).min(bytes),
                bytes,
                count,
            )
        })
    }
}

/// Objects of the accesses in log order.
fn accesses(trace: &Trace) -> impl Iterator<Item = u32> {
    let requests = &trace.requests;
    let objects = trace.objects.len();
    let is_access =
        move |&(&object, &access): &(&u32, &bool)| access && (object as usize) < objects;
    requests
        .object
        .iter()
        .zip(&requests.access)
        .filter(is_access)
        .map(|(&object, _)| object)
}
