//! Requests over time, in steps that can be told apart.

use hotset_describe::{RateSeries, SiteDescription, TimeSpan};

/// Steps drawn at most.
const MOST_STEPS: i64 = 300;
const MINUTE_US: i64 = 60_000_000;
const HOUR_US: i64 = 60 * MINUTE_US;

/// (start in µs since 1970 UTC, requests a second) in equal steps over the whole time, quiet ones
/// included; nothing for a trace without times.
pub(super) fn rates(site: &SiteDescription, span: Option<TimeSpan>) -> Vec<(f64, f64)> {
    let Some(span) = span else {
        return Vec::new();
    };
    let by_minute = over(&site.requests_per_minute, MINUTE_US, span);
    if by_minute.is_empty() {
        over(&site.requests_per_hour, HOUR_US, span)
    } else {
        by_minute
    }
}

/// `series`, counted in steps of `resolution` µs, in at most [`MOST_STEPS`] steps.
fn over(series: &RateSeries, resolution: i64, span: TimeSpan) -> Vec<(f64, f64)> {
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
    let time = |step: usize| start as f64 + step as f64 * width as f64;
    let rate = |(step, &count): (usize, &u64)| Step {
        start_us: time(step),
        count,
        covered_us: covered(span, time(step), width as f64),
    };
    drawn(counts.iter().enumerate().map(rate).collect(), width as f64)
}

/// One step of a plot.
struct Step {
    start_us: f64,
    count: u64,
    /// How much of it the trace covers.
    covered_us: f64,
}

/// How much of the step from `start_us` on lies within `span`, µs.
fn covered(span: TimeSpan, start_us: f64, width_us: f64) -> f64 {
    let end = (start_us + width_us).min(span.last_us as f64);
    (end - start_us.max(span.first_us as f64)).max(0.0)
}

/// The rates of the steps that the trace covers at least by half; a trace without such a step is drawn by
/// those that it covers at all.
fn drawn(mut steps: Vec<Step>, width_us: f64) -> Vec<(f64, f64)> {
    let by_half = |step: &Step| step.covered_us >= width_us / 2.0;
    if steps.iter().any(by_half) {
        steps.retain(by_half);
    }
    let seen = steps.iter().filter(|step| step.covered_us > 0.0);
    seen.map(|step| (step.start_us, step.count as f64 * 1e6 / step.covered_us))
        .collect()
}
