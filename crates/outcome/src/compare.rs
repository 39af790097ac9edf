//! Two outcomes side by side.

use serde::Serialize;

use crate::{Bootstrap, Interval, Outcome, Score, ratio_interval};

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
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ScoreComparison {
    /// Mean response ÷ the baseline's: below 1 is faster. `None` where either has no requests or the
    /// baseline takes no time.
    pub mean_ratio: Option<f64>,
    /// Interval of `mean_ratio`, where both kept the costs of the same number of requests.
    pub mean_ratio_interval: Option<Interval>,
    /// Hit ratio minus the baseline's, where both have requests.
    pub hit_ratio_gain: Option<f64>,
}

/// Compares `outcome` with `baseline`. The intervals assume that both served the same requests in the
/// same order; scores of unequal length get none.
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

fn compare_scores(score: &Score, baseline: &Score, bootstrap: &Bootstrap) -> ScoreComparison {
    ScoreComparison {
        mean_ratio: baseline
            .mean_us()
            .filter(|&us| us > 0.0)
            .and_then(|us| Some(score.mean_us()? / us)),
        mean_ratio_interval: score
            .series()
            .zip(baseline.series())
            .and_then(|(a, b)| ratio_interval(a, b, bootstrap)),
        hit_ratio_gain: score
            .hit_ratio()
            .zip(baseline.hit_ratio())
            .map(|(a, b)| a - b),
    }
}
