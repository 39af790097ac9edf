//! Keys of a scenario that nothing in a simulation follows.

use hotset_scenario::{Scenario, Site};
use hotset_topology::Nodes;

use super::events;
use crate::error::refuse;
use crate::{Field, JobError};

/// Their ways, in the order of the tables.
pub(super) fn not_modelled(scenario: &Scenario, nodes: &Nodes<'_>) -> Vec<String> {
    let unasked = nodes
        .unasked
        .iter()
        .map(|node| format!("node.{}", node.name));
    let of_sites = scenario.sites.iter().flat_map(of_site);
    let all = unasked.chain(of_sites);
    all.chain(events::not_followed(scenario, &nodes.nodes))
        .collect()
}

/// Refuses keys that nothing follows.
///
/// # Errors
/// There are some.
pub(super) fn refuse_any(keys: &[String]) -> Result<(), JobError> {
    match keys {
        [] => Ok(()),
        keys => refuse!(
            "the simulation does not follow {}; take that out, or leave {} out",
            keys.join(", "),
            Field::StrictKeys
        ),
    }
}

/// The keys of a table's item that say something which is not followed.
fn of(list: &str, name: &str, keys: &[(&str, bool)]) -> Vec<String> {
    let said = keys.iter().filter(|(_, is_said)| *is_said);
    said.map(|(key, _)| format!("{list}.{name}.{key}"))
        .collect()
}

fn of_site(site: &Site) -> Vec<String> {
    of(
        "site",
        &site.name,
        &[("reservation", site.reservation_bytes > 0)],
    )
}
