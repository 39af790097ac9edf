//! Measures on a trace the rows of table 1 of "A Study of the Performance of Diskless Web Servers", and what its text adds.

use std::collections::HashMap;

use hotset_trace::Trace;
use hotset_trace::sessions::sessions;
use hotset_workload::Workload;
use hotset_workload::twins::SHARES;

/// Names and values of the table's rows.
pub type Rows = Vec<(&'static str, f64)>;

/// What a trace of `minutes` minutes measures.
pub fn measured(trace: &Trace, minutes: f64) -> Rows {
    let counts = counts(trace);
    let used = counts.iter().filter(|count| **count > 0).count();
    let bytes_for = SHARES.map(|share| bytes_for_share(share, &counts, &trace.objects.size));
    let requests = trace.requests.len() as f64;
    rows([
        requests / minutes / 60.0,
        busiest_minute(trace) as f64 / 60.0,
        sessions(&trace.requests, 1).requests_per_connection(),
        used as f64,
        trace.objects.size.iter().sum::<u64>() as f64,
        requests,
        trace.requests.bytes.iter().sum::<u64>() as f64,
        bytes_for[0],
        bytes_for[1],
        bytes_for[2],
    ])
}

/// How often each file is asked for.
pub fn counts(trace: &Trace) -> Vec<u64> {
    let mut counts = vec![0; trace.objects.len()];
    let objects = trace.requests.object.iter();
    objects.for_each(|object| counts[*object as usize] += 1);
    counts
}

/// What the text of the document adds, and what a trace measures; nothing where it adds nothing.
pub fn beside_the_table(trace: &Trace, target: &Workload) -> Vec<(&'static str, f64, f64)> {
    let counts = counts(trace);
    let sizes = &trace.objects.size;
    let cacheable = target.cacheable.map(|it| {
        let measured = bytes_for_share(it.share, &counts, sizes);
        ("bytes for 75 % of requests", it.bytes, measured)
    });
    let largest = target.largest_bytes.map(|bytes| {
        let measured = sizes.iter().max().map_or(0.0, |size| *size as f64);
        ("largest file", bytes, measured)
    });
    cacheable.into_iter().chain(largest).collect()
}

/// What the table says.
pub fn wanted(target: &Workload) -> Rows {
    rows([
        target.mean_rate_per_second,
        target.peak_rate_per_second,
        target.requests_per_connection,
        target.files as f64,
        target.file_bytes,
        target.requests as f64,
        target.response_bytes,
        target.bytes_for_share[0],
        target.bytes_for_share[1],
        target.bytes_for_share[2],
    ])
}

fn rows(values: [f64; 10]) -> Rows {
    const NAMES: [&str; 10] = [
        "average requests/s",
        "peak requests/s (1 minute)",
        "requests per connection",
        "files",
        "total file bytes",
        "requests",
        "total response bytes",
        "bytes for 97 % of requests",
        "bytes for 98 % of requests",
        "bytes for 99 % of requests",
    ];
    NAMES.into_iter().zip(values).collect()
}

fn busiest_minute(trace: &Trace) -> u64 {
    let mut minutes: HashMap<i64, u64> = HashMap::new();
    for time in &trace.requests.time_us {
        *minutes.entry(time.div_euclid(60_000_000)).or_default() += 1;
    }
    minutes.values().copied().max().unwrap_or(0)
}

/// Bytes of the most popular files, by falling count, then rising size, until they carry a share of the requests.
pub fn bytes_for_share(share: f64, counts: &[u64], sizes: &[u64]) -> f64 {
    let mut files: Vec<(u64, u64)> = counts.iter().copied().zip(sizes.iter().copied()).collect();
    files.sort_unstable_by_key(|(count, size)| (std::cmp::Reverse(*count), *size));
    let total: u64 = counts.iter().sum();
    let (mut carried, mut bytes) = (0, 0);
    for (count, size) in &files {
        if carried as f64 >= share * total as f64 {
            break;
        }
        carried += count;
        bytes += size;
    }
    bytes as f64
}
