//! Requests over time, in steps that can be told apart.

use hotset_describe::{RateSeries, SiteDescription};

/// Steps drawn at most.
const MOST_STEPS: i64 = 300;
const MINUTE_US: i64 = 60_000_000;
const HOUR_US: i64 = 60 * MINUTE_US;

/// (start in µs since 1970 UTC, requests a second) in equal steps over the whole time, quiet ones
/// included; nothing for a trace without times.
pub(super) fn rates(site: &SiteDescription) -> Vec<(f64, f64)> {
    let by_minute = over(&site.requests_per_minute, MINUTE_US);
    if by_minute.is_empty() {
        over(&site.requests_per_hour, HOUR_US)
    } else {
        by_minute
    }
}

/// `series`, counted in steps of `resolution` µs, in at most [`MOST_STEPS`] steps.
fn over(series: &RateSeries, resolution: i64) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (series.start_us.first(), series.start_us.last()) else {
        return Vec::new();
    };
    let steps = last.saturating_sub(*first) / resolution + 1;
    let width = (steps / MOST_STEPS + 1) * resolution;
    let start = first.div_euclid(width) * width;
    let mut counts = vec![0u64; (last.saturating_sub(start) / width + 1) as usize];
    for (time, requests) in series.start_us.iter().zip(&series.requests) {
        if let Some(count) = counts.get_mut((time.saturating_sub(start) / width) as usize) {
            *count += requests;
        }
    }
    let seconds = width as f64 / 1e6;
    let time = |step: usize| start as f64 + step as f64 * width as f64;
    counts
        .iter()
        .enumerate()
        .map(|(step, n)| (time(step), *n as f64 / seconds))
        .collect()
}
