//! Probabilities of counts under a Zipf popularity.

use super::gamma::ln_upper_gamma;

/// Exponent and lowest rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Parameters {
    /// Zipf exponent.
    pub(crate) alpha: f64,
    /// ln of the expected count of the least popular object. The head does not depend on it.
    pub(crate) ln_edge: f64,
}

/// Which objects a fit looks at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Range {
    /// All that were seen.
    Whole,
    /// Those with at least so many accesses, too many for the least popular objects to matter.
    Head(u64),
}

impl Range {
    /// Fewest accesses of an object within the range.
    pub(crate) fn least(self) -> u64 {
        match self {
            Self::Whole => 1,
            Self::Head(least) => least,
        }
    }

    /// The distribution of the counts of the objects within the range.
    pub(crate) fn distribution(self, parameters: Parameters) -> Distribution {
        let (beta, ln_edge) = (1.0 / parameters.alpha, parameters.ln_edge);
        match self {
            Self::Whole => Distribution {
                beta,
                edge: Some(ln_edge.exp()),
                ln_scale: beta.ln() + beta * ln_edge - seen_share(parameters).ln(),
            },
            Self::Head(least) => Distribution {
                beta,
                edge: None,
                ln_scale: beta.ln() + libm::lgamma(least as f64)
                    - libm::lgamma(least as f64 - beta),
            },
        }
    }

    /// Expected counts of the objects by rank: rate at rank i is `first` * i^-alpha, for ranks up to
    /// `ranks`, given that `objects` objects lie within the range.
    pub(crate) fn ranks(self, parameters: Parameters, objects: u64) -> Ranks {
        let Parameters { alpha, ln_edge } = parameters;
        match self {
            Self::Whole => {
                let ranks = objects as f64 / seen_share(parameters);
                Ranks {
                    alpha,
                    ln_first: ln_edge + alpha * (ranks + 0.5).ln(),
                    ranks,
                }
            }
            Self::Head(least) => {
                let least = least as f64;
                let ln_ranks = (objects as f64 + 0.5).ln() + libm::lgamma(least)
                    - libm::lgamma(least - 1.0 / alpha);
                let ln_first = alpha * ln_ranks;
                let lowest = least * NEGLIGIBLE_RATE;
                Ranks {
                    alpha,
                    ln_first,
                    ranks: ((ln_first - lowest.ln()) / alpha).exp(),
                }
            }
        }
    }
}

/// Probabilities of the counts within a range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distribution {
    beta: f64,
    /// Lowest mean; none where it is too low to matter.
    edge: Option<f64>,
    /// ln of what does not depend on the count.
    ln_scale: f64,
}

impl Distribution {
    /// ln of the probability that an object within the range has `count` accesses.
    pub(crate) fn ln_probability(&self, count: f64) -> f64 {
        let shape = count - self.beta;
        let ln_gamma = self
            .edge
            .map_or_else(|| libm::lgamma(shape), |edge| ln_upper_gamma(shape, edge));
        self.ln_scale + ln_gamma - libm::lgamma(count + 1.0)
    }
}

/// An object whose rate is this share of the head's least count (at least 5) gets into the head with
/// a probability below 1e-8.
const NEGLIGIBLE_RATE: f64 = 0.01;

/// The share of objects that are accessed at all: 1 - e^-r + r^b Gamma(1 - b, r), b = 1 / alpha.
fn seen_share(parameters: Parameters) -> f64 {
    let (beta, edge) = (1.0 / parameters.alpha, parameters.ln_edge.exp());
    -(-edge).exp_m1() + (beta * parameters.ln_edge + ln_upper_gamma(1.0 - beta, edge)).exp()
}

/// Expected counts by rank: exp(`ln_first`) i^-`alpha` for i = 1 ... `ranks`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranks {
    pub(crate) alpha: f64,
    pub(crate) ln_first: f64,
    pub(crate) ranks: f64,
}

impl Ranks {
    pub(crate) fn rate(&self, rank: f64) -> f64 {
        (self.ln_first - self.alpha * rank.ln()).exp()
    }
}
