//! Hit ratios of a cache that evicts the least recently used, without running anything through it.

/// A file, as a cache sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Popularity {
    /// Requests for it.
    pub requests: u64,
    /// What it takes of the cache.
    pub bytes: u64,
}

/// Steps of a search by halves: more than a number of 64 bits has.
const HALVES: usize = 100;

/// The probability that a request for each file hits, in a cache of `capacity_bytes` that has seen `seen` requests since it was
/// empty. Requests are independent of each other.
///
/// A file is in the cache as long as its last request is not longer ago than the cache's characteristic time t, which is the same for
/// all files: that after which the files that were asked for fill the cache (H. Che, Y. Tung and Z. Wang, "Hierarchical Web caching
/// systems: modeling, design and experimental results", 2002; C. Fricker, P. Robert and J. Roberts, "A versatile and accurate
/// approximation for LRU cache performance", 2012, which has sizes). Time is counted in requests.
///
/// A file's rate is known by its requests in a log. Of these, the one that is asked about is left out: a file of one request would hit
/// otherwise.
#[must_use]
pub fn che(files: &[Popularity], capacity_bytes: u64, seen: f64) -> Vec<f64> {
    let requests: u64 = files.iter().map(|file| file.requests).sum();
    if requests == 0 {
        return vec![0.0; files.len()];
    }
    let per_request = 1.0 / requests as f64;
    let full = characteristic(files, capacity_bytes, per_request, seen);
    let hits = |file: &Popularity| {
        let others = file.requests.saturating_sub(1) as f64;
        match file.bytes > capacity_bytes {
            true => 0.0,
            false => 1.0 - (-others * per_request * full).exp(),
        }
    };
    files.iter().map(hits).collect()
}

/// The characteristic time, in requests; no longer than the cache has existed.
fn characteristic(files: &[Popularity], capacity_bytes: u64, per_request: f64, seen: f64) -> f64 {
    let held = |time: f64| -> f64 {
        let files = files.iter().filter(|file| file.bytes <= capacity_bytes);
        let bytes = files.map(|file| {
            let asked = file.requests as f64 * per_request * time;
            file.bytes as f64 * (1.0 - (-asked).exp())
        });
        bytes.sum()
    };
    let capacity = capacity_bytes as f64;
    if held(seen) <= capacity {
        return seen;
    }
    let (mut low, mut high) = (0.0, seen);
    for _ in 0..HALVES {
        let middle = (low + high) / 2.0;
        match held(middle) <= capacity {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}
