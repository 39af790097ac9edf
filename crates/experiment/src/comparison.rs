//! Measured figures beside those that they are divided by, predicted ones and published ones.

use hotset_outcome::{
    Bootstrap, CostSeries, Distribution, Group, Interval, Latencies, Outcome, Score,
    ScoreComparison, compare, ratio_interval,
};
use serde::Serialize;

/// Predicted and measured ratios closer than this agree.
pub const AGREEMENT: f64 = 0.05;

/// A mean response and, where there is a base, what it is of the base's.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct MeanResponse {
    /// Measured mean response, microseconds; null where the point has only groups.
    pub mean_us: Option<f64>,
    /// That of the base (arm page-cache), measured in turn with it or else by itself, microseconds; null where there
    /// is none.
    pub base_mean_us: Option<f64>,
    /// One over the other.
    pub ratio: Option<f64>,
    /// 95 % interval of the ratio by block bootstrap over the requests.
    pub ratio_interval: Option<Interval>,
}

impl MeanResponse {
    /// That of `outcome`, over that of `base`.
    pub fn of(outcome: Option<&Outcome>, base: Option<&Outcome>, seed: u64) -> Self {
        let mean = |of: Option<&Outcome>| mean_us(&of?.total);
        let (mean_us, base_mean_us) = (mean(outcome), mean(base));
        let series = outcome.and_then(series).zip(base.and_then(series));
        Self {
            mean_us,
            base_mean_us,
            ratio: mean_us.zip(base_mean_us).map(|(mean, base)| mean / base),
            ratio_interval: series
                .and_then(|(series, base)| ratio_interval(series, base, &Bootstrap::seeded(seed))),
        }
    }

    /// Whether the ratio is within [`AGREEMENT`] of a predicted one; nothing where there is no ratio.
    pub fn agrees(&self, predicted: f64) -> Option<bool> {
        Some((self.ratio? - predicted).abs() <= AGREEMENT)
    }
}

/// The score of requests of which only the mean time is known.
pub(crate) fn mean_score(mean_us: Option<f64>) -> Score {
    Score {
        latencies: Latencies {
            total: mean_us.map(Distribution::of_mean),
            ..Latencies::default()
        },
        ..Score::default()
    }
}

fn mean_us(score: &Score) -> Option<f64> {
    score.latencies.total.as_ref()?.mean_us
}

fn series(outcome: &Outcome) -> Option<&CostSeries> {
    outcome.total.latencies.total.as_ref()?.series.as_ref()
}

/// A measured group of requests against a published one of the same name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct GroupComparison {
    /// The measurement: `response-cached`.
    pub phase: String,
    /// The group, and measured over published.
    #[serde(flatten)]
    pub group: Group<ScoreComparison>,
}

/// The groups that are both measured and published.
pub(crate) fn against_quoted(
    phase: &str,
    measured: &Outcome,
    quoted: &Outcome,
    seed: u64,
) -> Vec<GroupComparison> {
    let both = [quoted.clone(), measured.clone()];
    // Outcomes without a common group have nothing to compare.
    let compared = compare(&both, &Bootstrap::seeded(seed)).map(|found| found.compared);
    let measured = compared.into_iter().flatten().nth(1);
    let groups = measured.into_iter().flat_map(|measured| measured.groups);
    groups
        .filter_map(|group| {
            Some(GroupComparison {
                phase: phase.to_owned(),
                group: Group {
                    key: group.key,
                    score: group.score.against_baseline?,
                },
            })
        })
        .collect()
}
