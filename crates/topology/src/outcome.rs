//! What a node did, as outcomes have it.

use hotset_models::tiers::{LinkCounts, NodeResult};
use hotset_outcome::{Link, Outcome, Resource};

/// Adds the resources and the link of the node of this `name` to `outcome`.
pub fn add_resources(outcome: &mut Outcome, name: &str, result: NodeResult) {
    let named = |what: &str, resource: Resource| Resource {
        name: format!("{name} {what}"),
        ..resource
    };
    let NodeResult {
        processors,
        workers,
        disks,
        tiers,
        ..
    } = result;
    outcome.resources.push(named("processors", processors));
    let workers = workers.map(|it| named("workers", it));
    outcome.resources.extend(workers);
    outcome
        .resources
        .extend(tiers.into_iter().map(|it| named(&it.name.clone(), it)));
    for disk in disks {
        outcome.resources.push(named(&disk.name.clone(), disk));
    }
    if let Some(link) = result.link {
        add_link(outcome, name, link);
    }
}

/// Adds a link of this `name`, and its ways as resources, to `outcome`.
pub fn add_link(outcome: &mut Outcome, name: &str, link: LinkCounts) {
    let ways = link.ways.map(|way| Resource {
        name: format!("{name} link {}", way.name),
        ..way
    });
    outcome.resources.extend(ways);
    outcome.links.push(Link {
        name: name.to_owned(),
        sent_bytes: Some(link.sent_bytes),
        received_bytes: Some(link.received_bytes),
        sent_packets: Some(link.sent_packets),
        received_packets: Some(link.received_packets),
        ..Link::default()
    });
}
