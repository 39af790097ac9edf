//! The score (gradient of the log probability) of a count.

use super::{
    linear::Vector,
    model::{Distribution, Parameters, Range},
};

/// Step of the central differences: their error is of the order of the step squared, rounding of 1e-12 / step.
const STEP: f64 = 1e-4;
/// Nodes per standard deviation of a count where single counts matter.
const NODES_PER_DEVIATION: f64 = 8.0;
/// Largest ratio of neighbouring nodes where the score is all but linear in the logarithm of the count.
const NODE_RATIO: f64 = 0.02;

/// The score bends within so many standard deviations of the count of the least popular object.
const BEND_DEVIATIONS: f64 = 12.0;

/// Scores tabulated over counts; linear in ln count in between.
pub(crate) struct ScoreTable {
    counts: Vec<f64>,
    scores: Vec<Vector>,
    /// Counts up to here have a node each.
    dense: usize,
}

impl ScoreTable {
    /// The scores for counts from the least of `range` to `largest` and a little beyond.
    pub(crate) fn new(range: Range, parameters: Parameters, largest: f64) -> Self {
        let counts = nodes(
            range.least() as f64,
            parameters.ln_edge.exp(),
            largest * 1.5 + 100.0,
        );
        let dense = counts
            .windows(2)
            .take_while(|pair| pair[1] - pair[0] == 1.0)
            .count();
        let differences = Differences::new(range, parameters);
        let scores = counts
            .iter()
            .map(|&count| differences.score(count))
            .collect();
        Self {
            counts,
            scores,
            dense,
        }
    }

    /// The score of `count`, which is held within the table.
    pub(crate) fn at(&self, count: f64) -> Vector {
        let offset = count - self.counts[0];
        let below = if offset < self.dense as f64 {
            offset.max(0.0) as usize
        } else {
            self.counts.partition_point(|&node| node <= count) - 1
        };
        let below = below.min(self.counts.len() - 2);
        let (low, high) = (self.counts[below], self.counts[below + 1]);
        let part = if count == low {
            0.0
        } else {
            (count / low).ln() / (high / low).ln()
        };
        self.scores[below] * (1.0 - part) + self.scores[below + 1] * part
    }
}

/// Counts from `least` to `largest`, every one where the spectrum may bend (around the `edge`).
fn nodes(least: f64, edge: f64, largest: f64) -> Vec<f64> {
    let bend = BEND_DEVIATIONS * (edge.sqrt() + 1.0);
    let mut nodes = vec![least, least + 1.0];
    let mut count = least + 1.0;
    while count < largest {
        let fine = (count.sqrt() / NODES_PER_DEVIATION).floor();
        let step = if (count - edge).abs() < bend {
            fine
        } else {
            fine.max((count * NODE_RATIO).floor())
        };
        count += step.max(1.0);
        nodes.push(count);
    }
    nodes
}

/// Central differences of ln probability around some parameters.
struct Differences {
    alpha: [Distribution; 2],
    /// None where the edge does not matter.
    edge: Option<[Distribution; 2]>,
}

impl Differences {
    fn new(range: Range, Parameters { alpha, ln_edge }: Parameters) -> Self {
        let at = |alpha: f64, ln_edge: f64| range.distribution(Parameters { alpha, ln_edge });
        Self {
            alpha: [at(alpha - STEP, ln_edge), at(alpha + STEP, ln_edge)],
            edge: (range == Range::Whole)
                .then(|| [at(alpha, ln_edge - STEP), at(alpha, ln_edge + STEP)]),
        }
    }

    fn score(&self, count: f64) -> Vector {
        let slope = |[low, high]: &[Distribution; 2]| {
            (high.ln_probability(count) - low.ln_probability(count)) * 0.5 / STEP
        };
        Vector::new(slope(&self.alpha), self.edge.as_ref().map_or(0.0, slope))
    }
}
