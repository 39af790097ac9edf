//! Sums over the ranks of a Zipf popularity of what a rank's random count contributes.

use super::{
    linear::{Matrix, Vector},
    model::Ranks,
    quadrature::GaussLegendre,
    score::ScoreTable,
};

/// Ranks summed one by one; beyond, sums over ranks are integrals to well below 1e-6 of them.
const SINGLE_RANKS: u32 = 64;
/// Nodes a panel.
const PANEL_NODES: usize = 8;
/// Longest panel in ln rate, and the same in standard deviations of a count.
const PANEL_LN_RATE: f64 = 0.5;
const PANEL_DEVIATIONS: f64 = 2.0;
/// Above this rate, and away from the least count, a count is normal enough for seven points.
const NORMAL_RATE: f64 = 1000.0;
/// Counts further from their rate than this many standard deviations (and a few) do not matter.
const DEVIATIONS: f64 = 8.0;
/// Seven-point Gauss-Hermite rule for a standard normal variable (Abramowitz and Stegun, table 25.10,
/// scaled by the square roots of 2 and 1 / pi).
const HERMITE: [(f64, f64); 7] = [
    (-3.750439717725742, 5.482688559722178e-4),
    (-2.366759410734541, 3.0757123967586494e-2),
    (-1.1544053947399682, 0.24012317860501273),
    (0.0, 0.45714285714285713),
    (1.1544053947399682, 0.24012317860501273),
    (2.366759410734541, 3.0757123967586494e-2),
    (3.750439717725742, 5.482688559722178e-4),
];

/// Moments of the sum over ranks of the scores of their Poisson counts.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScoreSum {
    /// Expected sum.
    pub(crate) mean: Vector,
    /// Expected sum of the products of scores: the information.
    pub(crate) information: Matrix,
    /// Variance of the sum.
    pub(crate) variance: Matrix,
}

impl ScoreSum {
    /// The moments over `ranks`; counts below `least` do not contribute.
    pub(crate) fn over(ranks: &Ranks, table: &ScoreTable, least: u64) -> Self {
        let mut sum = Self::default();
        let single = f64::from(SINGLE_RANKS).min(ranks.ranks.round());
        for rank in 1..=single as u32 {
            sum.add(
                1.0,
                expected_score(table, least as f64, ranks.rate(f64::from(rank))),
            );
        }
        let rule = GaussLegendre::new(PANEL_NODES);
        let (mut ln_rank, end) = ((single + 0.5).ln(), (ranks.ranks + 0.5).ln());
        while ln_rank < end {
            let deviation = ranks.rate(ln_rank.exp()).sqrt().recip();
            let next =
                end.min(ln_rank + PANEL_LN_RATE.min(PANEL_DEVIATIONS * deviation) / ranks.alpha);
            for (u, weight) in rule.on(ln_rank, next) {
                let rank = u.exp();
                sum.add(
                    weight * rank,
                    expected_score(table, least as f64, ranks.rate(rank)),
                );
            }
            ln_rank = next;
        }
        sum
    }

    fn add(&mut self, ranks: f64, (mean, information): (Vector, Matrix)) {
        self.mean += mean * ranks;
        self.information += information * ranks;
        self.variance += (information - mean.squared()) * ranks;
    }
}

/// Expected score, and expected product of the score with itself, of a Poisson count of mean `rate`.
fn expected_score(table: &ScoreTable, least: f64, rate: f64) -> (Vector, Matrix) {
    let reach = DEVIATIONS * rate.sqrt();
    if rate > NORMAL_RATE && rate - reach > least {
        average(
            table,
            HERMITE
                .iter()
                .map(|&(z, weight)| (rate + z * rate.sqrt(), weight)),
        )
    } else {
        average(table, poisson(rate, least))
    }
}

/// Counts from `least` on with their Poisson probabilities.
fn poisson(rate: f64, least: f64) -> impl Iterator<Item = (f64, f64)> {
    let reach = DEVIATIONS * rate.sqrt();
    let first = least.max((rate - reach).floor());
    let last = (rate + reach + 2.0 * DEVIATIONS).ceil();
    let start = (first * rate.ln() - rate - libm::lgamma(first + 1.0)).exp();
    let next = move |&(count, probability): &(f64, f64)| {
        let count: f64 = count + 1.0;
        (count <= last).then(|| (count, probability * rate / count))
    };
    std::iter::successors(Some((first, start)), next)
}

fn average(table: &ScoreTable, counts: impl Iterator<Item = (f64, f64)>) -> (Vector, Matrix) {
    let (mut mean, mut products) = (Vector::default(), Matrix::default());
    for (count, probability) in counts {
        let score = table.at(count);
        mean += score * probability;
        products += score.squared() * probability;
    }
    (mean, products)
}
