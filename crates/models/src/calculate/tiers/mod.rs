//! The nodes of a data-centre, calculated: the same nodes and requests as for a simulation.
//!
//! | deed | place |
//! | --- | --- |
//! | which node is asked for which file, and what of it is not in memory | `hits.rs` |
//! | nodes become stations | `plant.rs`; processors: `processing.rs`; a store's devices: `device.rs`, its costs: `store.rs` |
//! | what one request takes of them, and alone | `work.rs` |
//! | what all of them take | `sums.rs` |
//! | what comes of that | `solved.rs`, `result.rs` |

mod device;
mod hits;
mod plant;
mod processing;
mod result;
mod solved;
mod store;
mod sums;
mod work;

pub use hits::HitRatioMethod;
pub use result::{Calculated, ClassBounds, ResourceDemand};
pub use solved::Method;

use crate::tiers::{Arrivals, Role, Tiers, TiersError, Traffic};
use plant::Plant;
use solved::Solved;
use sums::Sums;

/// How often what depends on the result is calculated anew: the shares of classes in the requests, and what waits at disks.
const ROUNDS: usize = 6;

/// Calculates what a simulation of `traffic` on `tiers` would come to.
///
/// # Errors
/// Too little traffic, and files that cannot be followed.
pub fn calculate(
    tiers: &Tiers,
    traffic: &Traffic,
    method: HitRatioMethod,
) -> Result<Calculated, TiersError> {
    let (requests, warm_up) = (traffic.requests.len(), traffic.warm_up);
    if requests <= warm_up {
        return Err(TiersError::TooFewRequests { requests, warm_up });
    }
    let mut shares = first_shares(tiers);
    let mut counted = hits::requests(tiers, traffic, &shares, method)?;
    let mut waiting = waiting_nowhere(tiers);
    for round in 1.. {
        let plant = Plant::of(tiers, traffic, &|node, store| waiting[node][store]);
        let sums = Sums::of(&plant, traffic, &counted);
        let solved = Solved::of(&plant, traffic, &sums);
        let next = solved.shares(&plant);
        if round == ROUNDS
            || (are_alike(&shares, &next) && !waits_otherwise(&plant, &solved, &waiting))
        {
            return Ok(Calculated::of(&plant, traffic, &sums, &solved, method));
        }
        waiting = solved.waiting(&plant);
        if !are_alike(&shares, &next) {
            shares = next;
            counted = hits::requests(tiers, traffic, &shares, method)?;
        }
    }
    unreachable!("the last round returns")
}

/// As if all clients asked equally often.
fn first_shares(tiers: &Tiers) -> Vec<f64> {
    let entries = tiers.entries();
    if let Arrivals::Open(_) = tiers.arrivals {
        return vec![1.0 / entries.len() as f64; entries.len()];
    }
    let classes = tiers.arrivals.classes();
    let clients = |asked: &usize| {
        let classes = classes.iter().filter(|class| class.asks == *asked);
        classes.map(|class| f64::from(class.clients)).sum::<f64>()
    };
    let clients: Vec<f64> = entries.iter().map(clients).collect();
    let all: f64 = clients.iter().sum();
    clients.into_iter().map(|it| it / all.max(1.0)).collect()
}

fn waiting_nowhere(tiers: &Tiers) -> Vec<Vec<f64>> {
    let nodes = tiers.nodes.iter();
    let stores = nodes.map(|node| match &node.role {
        Role::Web(web) => vec![1.0; web.stores.len()],
        Role::Proxy(_) => Vec::new(),
    });
    stores.collect()
}

/// Whether the shares differ by too little to run caches anew.
fn are_alike(shares: &[f64], others: &[f64]) -> bool {
    const ALIKE: f64 = 0.005;
    let mut both = shares.iter().zip(others);
    both.all(|(one, other)| (one - other).abs() < ALIKE)
}

/// Whether disks choose among other numbers of requests than was taken for granted.
fn waits_otherwise(plant: &Plant<'_>, solved: &Solved, waiting: &[Vec<f64>]) -> bool {
    const ALIKE: f64 = 0.02;
    let now = solved.waiting(plant);
    let mut both = now.iter().flatten().zip(waiting.iter().flatten());
    both.any(|(now, before)| (now / before - 1.0).abs() > ALIKE)
}
