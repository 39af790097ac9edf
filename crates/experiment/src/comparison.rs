//! Measured figures beside those that they are divided by, predicted ones and published ones.

use hotset_outcome::{Bootstrap, CostSeries, Interval, Outcome, Score, ratio_interval};
use serde::Serialize;

/// Predicted and measured ratios closer than this agree.
pub const AGREEMENT: f64 = 0.05;

/// A mean response and, where there is a base, what it is of the base's.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MeanResponse {
    /// Mean response, microseconds.
    pub mean_us: Option<f64>,
    /// That of the base, measured in turn with it or else by itself.
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

fn mean_us(score: &Score) -> Option<f64> {
    score.latencies.total.as_ref()?.mean_us
}

fn series(outcome: &Outcome) -> Option<&CostSeries> {
    outcome.total.latencies.total.as_ref()?.series.as_ref()
}

/// A measured figure beside a published one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuotedFigure {
    /// The measurement: `cached`.
    pub phase: String,
    /// The group of requests: `4K`.
    pub group: String,
    /// What the figure is.
    pub figure: FigureKind,
    /// As measured.
    pub measured: f64,
    /// As published.
    pub quoted: f64,
    /// Measured over published.
    pub ratio: f64,
}

/// What a figure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FigureKind {
    /// Mean response, microseconds.
    MeanUs,
    /// Requests answered in a second.
    ThroughputPerS,
}

/// The figures of groups that are both measured and published.
pub(crate) fn beside_quoted(
    phase: &str,
    measured: &Outcome,
    quoted: &Outcome,
) -> Vec<QuotedFigure> {
    let mut figures = Vec::new();
    for group in &quoted.groups {
        let Some(own) = measured.score_of(&group.key) else {
            continue;
        };
        for (figure, of) in FIGURES {
            let (Some(measured), Some(quoted)) = (of(own), of(&group.score)) else {
                continue;
            };
            figures.push(QuotedFigure {
                phase: phase.to_owned(),
                group: group.key.to_string(),
                figure,
                measured,
                quoted,
                ratio: measured / quoted,
            });
        }
    }
    figures
}

/// A kind of figure and how a score has it.
type FigureOf = (FigureKind, fn(&Score) -> Option<f64>);

const FIGURES: [FigureOf; 2] = [
    (FigureKind::MeanUs, Score::mean_us),
    (FigureKind::ThroughputPerS, |score| score.throughput_per_s),
];
