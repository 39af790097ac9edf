//! Outcomes side by side as pictures.

use hotset_outcome::{Compared, Distribution, LatencyKind, SideBySide};

use super::tables::latency_text;
use crate::plot::{Axis, Estimate, Ink, Plot, Series, Unit};
use crate::{first_byte, printable};

/// A step of the distribution that could be seen: this much more of the requests,
const SHARE_STEP: f64 = 0.004;
/// or this much longer, as difference of logarithms.
const LOG_STEP: f64 = 0.06;

/// Those of the two that there is anything to draw in.
pub(super) fn means_and_distributions(side_by_side: &SideBySide) -> Vec<Plot> {
    let plots = [bars(side_by_side), distributions(side_by_side)];
    plots.into_iter().flatten().collect()
}

/// Each outcome in a colour of its own, the baseline in the baseline's.
fn inked(side_by_side: &SideBySide) -> impl Iterator<Item = (Ink, &Compared)> {
    let inks = [Ink::Baseline, Ink::Main]
        .into_iter()
        .chain((0..).map(Ink::Other));
    inks.zip(&side_by_side.compared)
}

fn bars(side_by_side: &SideBySide) -> Option<Plot> {
    let bar = |(place, (ink, of)): (usize, (Ink, &Compared))| {
        let estimate = Estimate {
            span: (place as f64, place as f64 + 1.0),
            y: of.total.mean_us?,
            interval: of.total.mean_interval.map(|ends| (ends.low, ends.high)),
        };
        Some(Series::estimate(&printable(&of.name), ink, estimate))
    };
    let series: Vec<Series> = inked(side_by_side).enumerate().filter_map(bar).collect();
    (series.len() > 1).then(|| Plot {
        title: "Mean times",
        description: "Whiskers show 95 % intervals; lower is better.",
        x: Axis::linear("", Unit::Place),
        y: Axis::linear("mean", Unit::Duration),
        series,
    })
}

/// Whether any percentiles are those of the time to the first byte.
pub(super) fn has_first_bytes(side_by_side: &SideBySide) -> bool {
    let mut all = side_by_side.compared.iter();
    all.any(|of| of.total.percentiles_of == Some(LatencyKind::FirstByte))
}

/// Cumulative distributions; those of first bytes with the line that they are drawn against.
fn distributions(side_by_side: &SideBySide) -> Option<Plot> {
    let line = |(ink, of): (Ink, &Compared)| {
        let distribution = of.total.distribution.as_ref()?;
        let points = points(distribution);
        let name = printable(&of.name);
        let name = match of.total.percentiles_of {
            Some(LatencyKind::FirstByte) | None => name.into_owned(),
            Some(kind) => format!("{name}: {}", latency_text(kind)),
        };
        (points.len() > 1).then(|| Series::line(&name, ink, points))
    };
    let mut series: Vec<Series> = inked(side_by_side).filter_map(line).collect();
    if series.is_empty() {
        return None;
    }
    let mut title = "Response times";
    if has_first_bytes(side_by_side) {
        title = "Time to the first byte";
        series.push(first_byte::line());
    }
    Some(Plot {
        title,
        description: "Share of the requests answered within a time; further left is better.",
        x: Axis::log("time", Unit::Duration),
        y: Axis::linear("answered within", Unit::Share),
        series,
    })
}

/// The distribution as steps no finer than can be seen; through its percentiles where that is all there is.
fn points(distribution: &Distribution) -> Vec<(f64, f64)> {
    let all = distribution.cumulative();
    if all.is_empty() {
        return quantiles(distribution);
    }
    // A log axis has no place for 0, which a clock of whole microseconds may show.
    let visible = all.into_iter().map(|(us, share)| (us.max(1.0), share));
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut before = (0.0, 0.0);
    for (us, share) in visible {
        if !points.is_empty() && (us / before.0).ln() > LOG_STEP {
            points.extend([before, (us, before.1)]);
        }
        if points.is_empty() {
            points.push((us, 0.0));
        }
        let last = points.last().copied().unwrap_or_default();
        if share - last.1 >= SHARE_STEP || (us / last.0).ln() >= LOG_STEP {
            points.push((us, share));
        }
        before = (us, share);
    }
    points.push(before);
    points.dedup();
    points
}

fn quantiles(distribution: &Distribution) -> Vec<(f64, f64)> {
    let known = [
        (distribution.p50_us, 0.5),
        (distribution.p95_us, 0.95),
        (distribution.p99_us, 0.99),
        (distribution.max_us, 1.0),
    ];
    let points = known.into_iter();
    points
        .filter_map(|(us, share)| Some((us?, share)))
        .collect()
}
