//! Gauss-Legendre quadrature. The crate `gauss-quad` would bring a library of linear algebra with it for these lines.

use std::f64::consts::PI;

/// Nodes and weights of the Gauss-Legendre rule on [-1, 1].
pub(crate) struct GaussLegendre(Vec<(f64, f64)>);

impl GaussLegendre {
    /// The rule with `order` nodes, exact for polynomials of degree 2 `order` - 1. Roots of the Legendre
    /// polynomial by Newton's method from the usual cosine guess (Abramowitz and Stegun, 25.4.29).
    pub(crate) fn new(order: usize) -> Self {
        let node = |index: usize| {
            let mut x = (PI * (index as f64 + 0.75) / (order as f64 + 0.5)).cos();
            // Quadratic convergence from a guess good to two digits: five steps reach full precision.
            for _ in 0..5 {
                let (value, slope) = legendre(order, x);
                x -= value / slope;
            }
            let (_, slope) = legendre(order, x);
            (x, 2.0 / ((1.0 - x * x) * slope * slope))
        };
        Self((0..order).map(node).collect())
    }

    /// Points and weights for an integral from `low` to `high`.
    pub(crate) fn on(&self, low: f64, high: f64) -> impl Iterator<Item = (f64, f64)> {
        let (middle, half) = ((low + high) / 2.0, (high - low) / 2.0);
        self.0
            .iter()
            .map(move |&(x, weight)| (middle + half * x, half * weight))
    }
}

/// The Legendre polynomial of degree `order` at `x`, and its derivative.
fn legendre(order: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for n in 2..=order {
        let n = n as f64;
        (before, value) = (
            value,
            ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n,
        );
    }
    (value, order as f64 * (x * value - before) / (x * x - 1.0))
}
