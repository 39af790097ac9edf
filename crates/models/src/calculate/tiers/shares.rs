//! Who is asked how often.

use super::origin::{Origin, origins};
use crate::tiers::{Arrivals, Tiers};

/// Who is asked how often. It follows from how long answers take, and is found in rounds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Shares {
    /// Of all requests, in the order of [`origins`].
    pub origins: Vec<f64>,
    /// By entry, in the order of [`Tiers::entries`]: the nodes that it asks by how many requests they have. Nothing where it asks in turn or
    /// by the file.
    pub chosen: Vec<Option<Vec<Chosen>>>,
}

/// A node that is asked where it has the fewest requests.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Chosen {
    /// Its place.
    pub node: usize,
    /// Its share of the requests that are handed on.
    pub share: f64,
    /// What requests wait for each other there, as a share of what they would if as many came independently of each other.
    pub wait_share: f64,
}

impl Shares {
    /// As if all clients asked equally often, and all nodes were asked in turn.
    pub fn first(tiers: &Tiers) -> Self {
        Self {
            chosen: vec![None; tiers.entries().len()],
            origins: first_origins(tiers),
        }
    }

    /// Whether they differ by too little to run caches anew.
    pub fn are_alike(&self, other: &Self) -> bool {
        let mut chosen = self.chosen.iter().zip(&other.chosen);
        are_alike(&self.origins, &other.origins)
            && chosen.all(|(one, other)| match (one, other) {
                (Some(one), Some(other)) => are_alike(&shares_of(one), &shares_of(other)),
                (None, None) => true,
                _ => false,
            })
    }
}

fn first_origins(tiers: &Tiers) -> Vec<f64> {
    let origins = origins(tiers);
    if let Arrivals::Open(_) = tiers.arrivals {
        return vec![1.0 / origins.len() as f64; origins.len()];
    }
    let classes = tiers.arrivals.classes();
    let clients = |of: &Origin| {
        let classes = classes.iter().filter(|it| Origin::of(tiers, it) == *of);
        classes.map(|class| f64::from(class.clients)).sum::<f64>()
    };
    let clients: Vec<f64> = origins.iter().map(clients).collect();
    let all: f64 = clients.iter().sum();
    clients.into_iter().map(|it| it / all.max(1.0)).collect()
}

fn shares_of(chosen: &[Chosen]) -> Vec<f64> {
    chosen.iter().map(|it| it.share).collect()
}

fn are_alike(shares: &[f64], others: &[f64]) -> bool {
    const ALIKE: f64 = 0.005;
    let mut both = shares.iter().zip(others);
    both.all(|(one, other)| (one - other).abs() < ALIKE)
}
