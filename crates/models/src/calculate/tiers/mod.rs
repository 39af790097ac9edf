//! The nodes of a data-centre, calculated: the same nodes and requests as for a simulation.
//!
//! | deed | place |
//! | --- | --- |
//! | which node is asked for which file, and what of it is not in memory | `hits.rs`; at file servers: `served.rs` |
//! | nodes become stations | `plant.rs`; processors: `processing.rs`; a store's costs: `store.rs` |
//! | who asks which node, and from where; what one request takes of stations, and alone | `origin.rs`; `work.rs`; of file servers: `calls.rs` |
//! | what all of them take; what a store of a file server costs alone | `sums.rs`; `price.rs` |
//! | who is asked how often; which node where each has some requests | `shares.rs`; `least_connections.rs` |
//! | how evenly requests come to stations; what else hides waits | `evenness.rs`; `cut_through.rs` |
//! | what comes of that | `solved.rs`, `result.rs` |

mod calls;
mod cut_through;
mod evenness;
mod hits;
mod least_connections;
mod origin;
mod plant;
mod price;
mod processing;
mod result;
mod served;
mod shares;
mod solved;
mod store;
mod sums;
mod work;

pub use hits::HitRatioMethod;
pub use price::{MountPrice, mount_prices};
pub use result::{Calculated, ClassBounds, ResourceDemand};
pub use solved::Method;

use crate::tiers::{Role, Tiers, TiersError, Traffic};
use plant::Plant;
use shares::Shares;
use solved::Solved;
use sums::Sums;

/// How often what depends on the result is calculated anew. That is the shares of classes and nodes in the requests, what waits at disks,
/// and how evenly requests come.
const ROUNDS: usize = 6;

/// Calculates what a simulation of `traffic` on `tiers` would come to.
///
/// # Errors
/// Too little traffic, stores that several servers have, file servers whose hit ratios are to be approximated, and files that cannot be followed.
pub fn calculate(
    tiers: &Tiers,
    traffic: &Traffic,
    method: HitRatioMethod,
) -> Result<Calculated, TiersError> {
    let (requests, warm_up) = (traffic.requests.len(), traffic.warm_up);
    if requests <= warm_up {
        return Err(TiersError::TooFewRequests { requests, warm_up });
    }
    if let Some(store) = tiers.store_of_several() {
        return Err(TiersError::SeveralServers {
            store: store.to_owned(),
        });
    }
    if tiers.has_mounts() && method == HitRatioMethod::Che {
        return Err(TiersError::FileServers);
    }
    let mut shares = Shares::first(tiers);
    let mut counted = hits::requests(tiers, traffic, &shares, method)?;
    let mut waiting = waiting_nowhere(tiers);
    let mut wait_shares: Vec<f64> = Vec::new();
    let mut round = 1;
    loop {
        let plant = Plant::of(tiers, traffic, &|node, store| waiting[node][store]);
        let sums = Sums::of(&plant, traffic, &counted);
        let solved = Solved::of(&plant, traffic, &sums, &wait_shares);
        let next = Shares {
            origins: solved.shares(&sums),
            chosen: least_connections::chosen(&plant, &sums, &solved),
        };
        let are_even = evenness::wait_shares(&plant, &sums, &solved, &next);
        let is_settled = shares.are_alike(&next)
            && !waits_otherwise(&plant, &solved, &waiting)
            && are_as_even(&are_even, &wait_shares);
        if round == ROUNDS || is_settled {
            return Ok(Calculated::of(&plant, traffic, &sums, &solved, method));
        }
        round += 1;
        waiting = solved.waiting(&plant);
        wait_shares = are_even;
        if !shares.are_alike(&next) {
            shares = next;
            counted = hits::requests(tiers, traffic, &shares, method)?;
        }
    }
}

fn waiting_nowhere(tiers: &Tiers) -> Vec<Vec<f64>> {
    let nodes = tiers.nodes.iter();
    let stores = nodes.map(|node| match &node.role {
        Role::Web(web) => vec![1.0; web.stores.len()],
        Role::Files(_) => vec![1.0],
        Role::Proxy(_) => Vec::new(),
    });
    stores.collect()
}

/// Whether disks choose among other numbers of requests than was taken for granted.
fn waits_otherwise(plant: &Plant<'_>, solved: &Solved, waiting: &[Vec<f64>]) -> bool {
    const ALIKE: f64 = 0.02;
    let now = solved.waiting(plant);
    let mut both = now.iter().flatten().zip(waiting.iter().flatten());
    both.any(|(now, before)| (now / before - 1.0).abs() > ALIKE)
}

/// Whether requests come as evenly as was taken for granted: at first, independently of each other.
fn are_as_even(wait_shares: &[f64], before: &[f64]) -> bool {
    const ALIKE: f64 = 0.02;
    let before = before.iter().copied().chain(std::iter::repeat(1.0));
    let mut both = wait_shares.iter().zip(before);
    both.all(|(now, before)| (now - before).abs() < ALIKE)
}
