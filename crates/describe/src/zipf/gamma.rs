//! The upper incomplete gamma function, also for negative first arguments, which the crates that have it refuse.

use std::sync::LazyLock;

use super::quadrature::GaussLegendre;

/// Relative error at which series and fractions stop.
const PRECISION: f64 = 1e-15;
/// More terms than the series and the fraction take anywhere in their ranges.
const MAX_TERMS: usize = 100_000;
/// Where e^-t has fallen below [`PRECISION`] of what the integral from below 2 holds.
const INTEGRAND_END: f64 = 45.0;

/// Sixteen nodes integrate t^a e^-t over a factor e of t to full precision.
static RULE: LazyLock<GaussLegendre> = LazyLock::new(|| GaussLegendre::new(16));

/// ln of the integral of t^(a-1) e^-t from `x` > 0 to infinity, any real `a`.
pub(crate) fn ln_upper_gamma(a: f64, x: f64) -> f64 {
    if x >= 1.0 && x > a + 1.0 {
        a * x.ln() - x + continued_fraction(a, x).ln()
    } else if a >= 1.0 {
        libm::lgamma(a) + (-lower_share(a, x)).ln_1p()
    } else {
        integral(a, x).ln()
    }
}

/// Legendre's continued fraction (Abramowitz and Stegun, 6.5.31) by the modified Lentz method.
fn continued_fraction(a: f64, x: f64) -> f64 {
    let mut b = x + 1.0 - a;
    let mut c = f64::MAX;
    let mut d = 1.0 / b;
    let mut value = d;
    for n in 1..MAX_TERMS {
        let n = n as f64;
        let term = n * (a - n);
        b += 2.0;
        d = 1.0 / (term * d + b);
        c = b + term / c;
        value *= c * d;
        if (c * d - 1.0).abs() < PRECISION {
            break;
        }
    }
    value
}

/// The regularised lower function P(a, x) by its series (Abramowitz and Stegun, 6.5.29).
fn lower_share(a: f64, x: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for n in 1..MAX_TERMS {
        term *= x / (a + n as f64);
        sum += term;
        if term < sum * PRECISION {
            break;
        }
    }
    (a * x.ln() - x - libm::lgamma(a + 1.0) + sum.ln()).exp()
}

/// The integral itself over ln t in steps of at most 1; for small `a` and `x`, where the recurrence to
/// positive `a` cancels.
fn integral(a: f64, x: f64) -> f64 {
    let (low, high) = (x.ln(), INTEGRAND_END.ln());
    let panels = (high - low).ceil().max(1.0);
    let width = (high - low) / panels;
    let panel = |n: usize| {
        let start = low + n as f64 * width;
        RULE.on(start, start + width)
            .map(|(u, weight)| weight * (a * u - u.exp()).exp())
            .sum::<f64>()
    };
    (0..panels as usize).map(panel).sum()
}

#[cfg(test)]
mod tests {
    use super::ln_upper_gamma;

    /// Abramowitz and Stegun, tables 5.1 (E1(1) = Gamma(0, 1)) and 6.5.13 for whole numbers.
    #[test]
    fn known_values() {
        assert!((ln_upper_gamma(0.0, 1.0) - 0.219_383_934_395_520_27_f64.ln()).abs() < 1e-13);
        let five_two = 24.0 * (-2.0_f64).exp() * 7.0;
        assert!((ln_upper_gamma(5.0, 2.0) - five_two.ln()).abs() < 1e-13);
    }

    /// Gamma(a + 1, x) = a Gamma(a, x) + x^a e^-x, across the ranges of all three methods.
    #[test]
    fn the_recurrence_holds() {
        for a in (-40..800).map(|step| f64::from(step) / 10.0 + 0.03) {
            for x in (-60..30).map(|step| (f64::from(step) / 5.0).exp()) {
                let above = ln_upper_gamma(a + 1.0, x);
                let (below, power) = (
                    a * (ln_upper_gamma(a, x) - above).exp(),
                    (a * x.ln() - x - above).exp(),
                );
                let scale = 1.0 + below.abs() + power;
                assert!(
                    (below + power - 1.0).abs() < 1e-11 * scale,
                    "a {a} x {x}: {}",
                    below + power
                );
            }
        }
    }
}
