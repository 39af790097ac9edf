//! The share of each page in a long walk.

use super::mix::{Mix, Next};

/// Shares that change by less are settled.
const SETTLED: f64 = 1e-13;
/// More than any mix needs whose pages all lead to each other.
const MOST_ROUNDS: usize = 100_000;

/// The share of each page type in a walk without an end, where each session begins as soon as the one before has ended; `None` where
/// visitors go back, which depends on more than the page.
pub fn stationary(mix: &Mix) -> Option<Vec<f64>> {
    if mix.pages.iter().any(|page| page.goes_back()) {
        return None;
    }
    let mut shares = vec![1.0 / mix.pages.len() as f64; mix.pages.len()];
    for _ in 0..MOST_ROUNDS {
        let after = after_a_step(mix, &shares);
        let changes = shares.iter().zip(&after).map(|(a, b)| (a - b).abs());
        let change: f64 = changes.sum();
        shares = after;
        if change < SETTLED {
            break;
        }
    }
    Some(shares)
}

fn after_a_step(mix: &Mix, shares: &[f64]) -> Vec<f64> {
    let mut after = vec![0.0; shares.len()];
    for (page, (of, share)) in mix.pages.iter().zip(shares).enumerate() {
        let mut left = 1.0_f64;
        for transition in &of.next {
            let part = (transition.share / mix.shares_of).min(left);
            left -= part;
            let to = match transition.to {
                Next::Page(to) => to,
                Next::Back | Next::End => 0,
            };
            after[to] += share * part;
        }
        after[page] += share * left;
    }
    // Two kinds of steps that take turns would never settle.
    after
        .iter()
        .zip(shares)
        .map(|(a, b)| (a + b) / 2.0)
        .collect()
}
