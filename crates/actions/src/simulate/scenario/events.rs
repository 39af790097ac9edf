//! What is said of events that change nothing.

use hotset_report::number;
use hotset_scenario::{Change, Event, Scenario, StoreSpec};
use hotset_topology::Numbers;

use crate::Message;

/// Keys of events that nothing follows: those of nodes that nobody asks, and of stores that no request uses.
pub(super) fn not_followed(nodes: Numbers<'_>) -> Vec<String> {
    let scenario = nodes.scenario;
    let is_asked = |name: &String| nodes.of(name).is_some();
    let is_used = |name: &String| {
        let mut stores = scenario.stores.iter().enumerate();
        // A store under one that requests use is a file server's.
        let is_under = |store: &StoreSpec| store.remote.as_ref().is_some_and(|it| it.on == *name);
        stores.any(|(place, store)| {
            let is_it = store.name == *name && store.remote.is_none();
            scenario.uses_store(place) && (is_it || is_under(store))
        })
    };
    let key = |event: &Event| match &event.change {
        Change::Node { name, .. } => (!is_asked(name)).then(|| format!("event.node.{name}")),
        Change::Link { link, .. } | Change::LinkRate { link, .. } => {
            let is_followed = link.nodes().iter().all(is_asked);
            (!is_followed).then(|| format!("event.link.{link}"))
        }
        Change::StoreSpeed { name, .. } => (!is_used(name)).then(|| format!("event.store.{name}")),
    };
    let mut keys: Vec<String> = scenario.events.iter().filter_map(key).collect();
    keys.dedup();
    keys
}

/// What is to be said of events that come after so many seconds, when the last request was made.
pub(super) fn too_late(scenario: &Scenario, seconds: f64) -> Option<Message> {
    let late = scenario
        .events
        .iter()
        .find(|it| it.at_ns as f64 / 1e9 > seconds)?;
    let text = format!(
        "the event at {} changes nothing: the last request is made {} after measuring began",
        number::duration(late.at_ns as f64 / 1e3),
        number::duration(seconds * 1e6)
    );
    Some(text.into())
}
