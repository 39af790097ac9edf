//! What requests ask of stations, and what that bounds.

use hotset_models::calculate::{Bounds, Calculated};
use hotset_report::{BoundFigures, DemandFigures, ThroughputRange};
use hotset_scenario::Scenario;

/// What a request of each site asks of each resource; the sites are called so.
pub(super) fn demands(sites: &[String], calculated: &Calculated) -> Vec<DemandFigures> {
    let demands = calculated.demands.iter();
    let figures = demands.map(|it| DemandFigures {
        node: it.node.clone(),
        resource: it.resource.clone(),
        site: sites[it.site].clone(),
        visits: it.visits,
        demand_us: it.seconds * 1e6,
    });
    figures.collect()
}

/// Between what the throughput of each class of clients lies.
pub(super) fn bounds(scenario: &Scenario, calculated: &Calculated) -> Vec<BoundFigures> {
    let range = |it: Bounds| ThroughputRange {
        low_per_s: it.low_per_s,
        high_per_s: it.high_per_s,
    };
    let classes = scenario.clients.iter().zip(&calculated.bounds);
    let figures = classes.map(|(client, it)| BoundFigures {
        client: client.name.clone(),
        asymptotic: range(it.asymptotic),
        balanced: it.balanced.map(range),
    });
    figures.collect()
}
