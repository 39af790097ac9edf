//! What a node did, as outcomes have it.

use hotset_models::tiers::NodeResult;
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
        ..
    } = result;
    outcome.resources.push(named("processors", processors));
    let workers = workers.map(|it| named("workers", it));
    outcome.resources.extend(workers);
    for disk in disks {
        outcome.resources.push(named(&disk.name.clone(), disk));
    }
    let Some(link) = result.link else { return };
    let ways = link
        .ways
        .map(|way| named(&format!("link {}", way.name), way));
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
