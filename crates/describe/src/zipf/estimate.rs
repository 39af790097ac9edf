//! Maximum of the likelihood, its bias and its standard error.

use super::{
    linear::{Matrix, Vector},
    model::{Parameters, Range},
    ranks::ScoreSum,
    score::ScoreTable,
};

/// Exponents looked for.
const ALPHA: std::ops::RangeInclusive<f64> = 0.25..=4.0;
/// ln of the lowest rates looked for: below, the objects not seen are beyond counting.
const LEAST_LN_EDGE: f64 = -12.0;
/// A step in the parameters that no longer matters.
const CONVERGED: f64 = 1e-6;
const MAX_STEPS: usize = 60;

/// An exponent and its standard error.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    pub(crate) alpha: f64,
    pub(crate) error: f64,
    pub(crate) parameters: Parameters,
}

/// The estimate from the part of `spectrum` that lies within `range`; `None` where the likelihood rises
/// to an end of [`ALPHA`] or does not settle.
pub(crate) fn estimate(spectrum: &[(u64, u64)], range: Range) -> Option<Estimate> {
    let counts = &spectrum[spectrum.partition_point(|&(count, _)| count < range.least())..];
    let largest = counts.last()?.0 as f64;
    let fit = Fit {
        counts,
        range,
        largest,
    };
    let parameters = fit
        .maximum()
        .filter(|found| found.alpha > *ALPHA.start() && found.alpha < *ALPHA.end())?;
    let objects = counts.iter().map(|&(_, objects)| objects).sum();
    let table = ScoreTable::new(
        range,
        parameters,
        largest.max(range.ranks(parameters, objects).rate(1.0)),
    );
    let sum = ScoreSum::over(&range.ranks(parameters, objects), &table, range.least());
    let held = parameters.ln_edge <= LEAST_LN_EDGE;
    let information = if held {
        without_edge(sum.information)
    } else {
        sum.information.damped(0.0)
    };
    let weights = information.solve(Vector::new(1.0, 0.0));
    let correction = weights.dot(sum.mean);
    let alpha = parameters.alpha - correction;
    // The correction is of first order, so what it leaves is taken to be as large as itself at most.
    let error = sum.variance.form(weights).sqrt().hypot(correction);
    (alpha.is_finite() && error.is_finite()).then_some(Estimate {
        alpha,
        error,
        parameters,
    })
}

/// The information on the exponent when the edge is held.
fn without_edge(information: Matrix) -> Matrix {
    Matrix {
        alpha_edge: 0.0,
        edge_edge: 1.0,
        ..information
    }
}

struct Fit<'a> {
    counts: &'a [(u64, u64)],
    range: Range,
    largest: f64,
}

impl Fit<'_> {
    /// Fisher scoring with Levenberg's damping from the best of a grid.
    fn maximum(&self) -> Option<Parameters> {
        let mut at = self.start()?;
        let mut likelihood = self.ln_likelihood(at);
        let mut damping = 1e-3;
        for _ in 0..MAX_STEPS {
            let (gradient, information) = self.gradient(at);
            loop {
                let step = information.damped(damping).solve(gradient);
                let next = self.moved(at, step);
                let moved = (next.alpha - at.alpha)
                    .abs()
                    .max((next.ln_edge - at.ln_edge).abs());
                if moved < CONVERGED {
                    return Some(next);
                }
                let reached = self.ln_likelihood(next);
                if reached > likelihood {
                    (at, likelihood, damping) = (next, reached, damping / 10.0);
                    break;
                }
                damping *= 10.0;
            }
        }
        None
    }

    fn start(&self) -> Option<Parameters> {
        let edges = match self.range {
            Range::Whole => (-4..=(self.largest.ln().ceil() as i32))
                .map(f64::from)
                .collect(),
            Range::Head(_) => vec![0.0],
        };
        let exponents = [0.5, 0.75, 1.0, 1.5];
        let grid = edges
            .into_iter()
            .flat_map(|ln_edge| exponents.map(|alpha| Parameters { alpha, ln_edge }));
        let scored = grid.map(|parameters| (self.ln_likelihood(parameters), parameters));
        let best = scored
            .filter(|(likelihood, _)| likelihood.is_finite())
            .max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some(best.1)
    }

    fn ln_likelihood(&self, at: Parameters) -> f64 {
        let distribution = self.range.distribution(at);
        let term = |&(count, objects): &(u64, u64)| {
            objects as f64 * distribution.ln_probability(count as f64)
        };
        self.counts.iter().map(term).sum()
    }

    /// Sum of the scores, and of their products as estimate of the information.
    fn gradient(&self, at: Parameters) -> (Vector, Matrix) {
        let table = ScoreTable::new(self.range, at, self.largest);
        let (mut gradient, mut information) = (Vector::default(), Matrix::default());
        for &(count, objects) in self.counts {
            let score = table.at(count as f64);
            gradient += score * objects as f64;
            information += score.squared() * objects as f64;
        }
        (gradient, information)
    }

    fn moved(&self, at: Parameters, step: Vector) -> Parameters {
        Parameters {
            alpha: (at.alpha + step.alpha).clamp(*ALPHA.start(), *ALPHA.end()),
            ln_edge: (at.ln_edge + step.edge).clamp(LEAST_LN_EDGE, self.largest.ln()),
        }
    }
}
