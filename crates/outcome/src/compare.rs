//! Outcomes side by side.

use serde::{Deserialize, Serialize};

use crate::{
    Bootstrap, Distribution, Interval, LatencyKind, Outcome, Score, mean_interval, ratio_interval,
};

/// One outcome against a baseline.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Comparison {
    /// Name of the outcome.
    pub name: String,
    /// Name of the baseline.
    pub baseline: String,
    /// Sites that both have, in the order of the outcome.
    pub sites: Vec<(String, ScoreComparison)>,
    /// All sites together.
    pub total: ScoreComparison,
}

/// One score against a baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ScoreComparison {
    /// Which times of the outcome and of the baseline are compared; nothing where either has none.
    pub latencies: Option<(LatencyKind, LatencyKind)>,
    /// Mean ÷ the baseline's: below 1 is faster. `None` where either has none or the baseline takes no
    /// time.
    pub mean_ratio: Option<f64>,
    /// Interval of `mean_ratio`.
    pub mean_ratio_interval: Option<Interval>,
    /// How the interval was had.
    pub mean_ratio_method: Option<RatioMethod>,
    /// Hit ratio minus the baseline's, where both have it.
    pub hit_ratio_gain: Option<f64>,
    /// Throughput ÷ the baseline's: above 1 is more. `None` where either is not known or the baseline's
    /// is 0.
    pub throughput_ratio: Option<f64>,
}

/// How the interval of a ratio of means was had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RatioMethod {
    /// Both served the same requests in the same order: runs of requests are resampled together.
    Paired,
    /// From the intervals of the two means, as of runs that have nothing to do with each other.
    Independent,
}

/// Compares `outcome` with `baseline`.
///
/// Scores of as many requests and bytes, with their costs in order, are taken to have served the same
/// requests in the same order; others are compared as independent.
pub fn compare(outcome: &Outcome, baseline: &Outcome, bootstrap: &Bootstrap) -> Comparison {
    let shared = |name: &str| baseline.sites.iter().find(|other| other.site == name);
    Comparison {
        name: outcome.name.clone(),
        baseline: baseline.name.clone(),
        sites: outcome
            .sites
            .iter()
            .filter_map(|site| {
                Some((
                    site.site.clone(),
                    compare_scores(&site.score, &shared(&site.site)?.score, bootstrap),
                ))
            })
            .collect(),
        total: compare_scores(&outcome.total, &baseline.total, bootstrap),
    }
}

/// Compares `score` with `baseline` as [`compare`] does.
pub fn compare_scores(score: &Score, baseline: &Score, bootstrap: &Bootstrap) -> ScoreComparison {
    let gain = score.hit_ratio().zip(baseline.hit_ratio());
    let throughput = score
        .throughput_per_s
        .zip(baseline.throughput_per_s.filter(|&rate| rate > 0.0));
    let unknown = ScoreComparison {
        hit_ratio_gain: gain.map(|(a, b)| a - b),
        throughput_ratio: throughput.map(|(a, b)| a / b),
        ..ScoreComparison::default()
    };
    let Some(((of, a), (against, b))) = like_with_like(score, baseline) else {
        return unknown;
    };
    let paired = served_the_same(score, baseline).then(|| paired(a, b, bootstrap));
    let found = match paired.flatten() {
        Some(interval) => Some((interval, RatioMethod::Paired)),
        None => independent(a, b, bootstrap).map(|found| (found, RatioMethod::Independent)),
    };
    ScoreComparison {
        latencies: Some((of, against)),
        mean_ratio: mean_ratio(a, b),
        mean_ratio_interval: found.map(|(interval, _)| interval),
        mean_ratio_method: found.map(|(_, method)| method),
        ..unknown
    }
}

type Named<'a> = (LatencyKind, &'a Distribution);

/// The first kind of time that both have, else what stands for the response of each.
fn like_with_like<'a>(score: &'a Score, baseline: &'a Score) -> Option<(Named<'a>, Named<'a>)> {
    let whole = |score: &'a Score| {
        [LatencyKind::Response, LatencyKind::Total]
            .into_iter()
            .find_map(|kind| Some((kind, score.latencies.get(kind)?)))
    };
    let same = |kind| {
        Some((
            (kind, score.latencies.get(kind)?),
            (kind, baseline.latencies.get(kind)?),
        ))
    };
    whole(score)
        .zip(whole(baseline))
        .or_else(|| LatencyKind::ALL.into_iter().find_map(same))
        .or_else(|| score.response().zip(baseline.response()))
}

fn mean_ratio(a: &Distribution, b: &Distribution) -> Option<f64> {
    Some(a.mean_us? / b.mean_us.filter(|&us| us > 0.0)?)
}

fn served_the_same(a: &Score, b: &Score) -> bool {
    let bytes = a.bytes.zip(b.bytes);
    a.requests == b.requests && bytes.is_none_or(|(a, b)| a == b)
}

fn paired(a: &Distribution, b: &Distribution, bootstrap: &Bootstrap) -> Option<Interval> {
    ratio_interval(a.series.as_ref()?, b.series.as_ref()?, bootstrap)
}

impl Distribution {
    /// Interval of the mean: by block bootstrap of the values in order, else as it was given.
    pub fn interval_of_mean(&self, bootstrap: &Bootstrap) -> Option<Interval> {
        let resampled = self
            .series
            .as_ref()
            .and_then(|series| mean_interval(series, bootstrap));
        resampled.or(self.mean_interval)
    }
}

/// Interval of the ratio of two independent means from the interval of each, on the logarithm: the ends
/// of each are its own distance from its mean (the method of variance estimates recovery, A. Donner and
/// G. Y. Zou, "Closed-form confidence intervals for functions of the normal mean and standard
/// deviation", Statistical Methods in Medical Research 21 (2012) 347-359).
fn independent(a: &Distribution, b: &Distribution, bootstrap: &Bootstrap) -> Option<Interval> {
    let (above, below) = (
        a.interval_of_mean(bootstrap)?,
        b.interval_of_mean(bootstrap)?,
    );
    let (mean_a, mean_b, ratio) = (a.mean_us?, b.mean_us?, mean_ratio(a, b)?);
    let spread = |x: f64, y: f64| x.ln().hypot(y.ln());
    let interval = Interval {
        low: ratio * (-spread(mean_a / above.low, below.high / mean_b)).exp(),
        high: ratio * spread(above.high / mean_a, mean_b / below.low).exp(),
        level: above.level,
    };
    let usable =
        above.level == below.level && interval.low.is_finite() && interval.high.is_finite();
    usable.then_some(interval)
}
