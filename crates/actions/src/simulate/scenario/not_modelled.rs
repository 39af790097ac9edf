//! Keys of a scenario that nothing in a simulation follows.

use hotset_scenario::{JournalSpec, Link, Scenario, Site, StoreSpec};
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
    let of_stores = scenario.stores.iter().flat_map(of_store);
    let of_links = scenario.links.iter().flat_map(of_link);
    let unused = unused_links(scenario, nodes).into_iter();
    let writers = scenario.writers.iter();
    let writers = writers.map(|it| format!("writer.{}", it.name));
    let all = unasked.chain(of_sites).chain(of_stores);
    let all = all.chain(of_links).chain(unused).chain(writers);
    all.chain(events::not_followed(nodes.numbers())).collect()
}

/// Links between two nodes of which one is not simulated.
fn unused_links(scenario: &Scenario, nodes: &Nodes<'_>) -> Vec<String> {
    let is_there = |name: &String| nodes.numbers().of(name).is_some();
    let links = scenario.links_between();
    let unused = links.filter(|(_, between)| !between.iter().all(is_there));
    unused
        .map(|(link, _)| format!("link.{}", link.ends))
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

/// Sites are only read.
fn of_store(store: &StoreSpec) -> Vec<String> {
    let keys = [
        ("journal", store.journal != JournalSpec::default()),
        ("dirty_limit", store.dirty_limit_bytes.is_some()),
        ("disk.write_cache", store.write_cache_bytes > 0),
    ];
    of("store", &store.name, &keys)
}

fn of_site(site: &Site) -> Vec<String> {
    of(
        "site",
        &site.name,
        &[("reservation", site.reservation_bytes > 0)],
    )
}

fn of_link(link: &Link) -> Vec<String> {
    let keys = [("loss", link.loss > 0.0), ("offload", !link.offload)];
    of("link", &link.ends.to_string(), &keys)
}
