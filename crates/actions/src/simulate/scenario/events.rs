//! What happens in a scenario, as the model has it.

use hotset_models::tiers::{Change as Happening, Event as Due};
use hotset_report::number;
use hotset_scenario::{Change, Event, Node, Scenario};

use super::stores::Stores;
use crate::Message;

/// What happens to the nodes that are simulated, in the order of time. A link that is cut is as its node being down.
pub(super) fn events(scenario: &Scenario, nodes: &[&Node], stores: &Stores) -> Vec<Due> {
    let place = |name: &String| nodes.iter().position(|node| node.name == *name);
    let of = |event: &Event| -> Vec<Happening> {
        let up = |name: &String, is_up: bool| place(name).map(|node| Happening::Up { node, is_up });
        match &event.change {
            Change::Node { name, is_up } => up(name, *is_up).into_iter().collect(),
            Change::Link { node, is_up } => up(node, *is_up).into_iter().collect(),
            Change::LinkRate { node, bits_per_s } => {
                let rate = place(node).map(|node| Happening::Rate {
                    node,
                    bits_per_s: *bits_per_s,
                });
                rate.into_iter().collect()
            }
            Change::StoreSpeed { name, speed } => {
                let Some(store) = stores.stores.iter().position(|it| it.name == *name) else {
                    return Vec::new();
                };
                let readers = nodes.iter().enumerate();
                let readers = readers.filter(|(_, node)| node.reads_store());
                let slower = readers.map(|(node, _)| Happening::Speed {
                    node,
                    store,
                    speed: *speed,
                });
                slower.collect()
            }
        }
    };
    let due = scenario.events.iter().flat_map(|event| {
        let at_ns = event.at_ns;
        let changes = of(event).into_iter();
        changes.map(move |change| Due { at_ns, change })
    });
    due.collect()
}

/// Keys of events that nothing follows: those of nodes that nobody asks, and of stores that no site lives on.
pub(super) fn not_followed(scenario: &Scenario, nodes: &[&Node]) -> Vec<String> {
    let is_asked = |name: &String| nodes.iter().any(|node| node.name == *name);
    let is_used = |name: &String| {
        let mut stores = scenario.stores.iter().enumerate();
        // Sites of the traffic that the scenario does not name live on the first.
        let lives = |place: usize| place == 0 || scenario.sites.iter().any(|it| it.store == place);
        stores.any(|(place, store)| store.name == *name && lives(place))
    };
    let key = |event: &Event| match &event.change {
        Change::Node { name, .. } => (!is_asked(name)).then(|| format!("event.node.{name}")),
        Change::Link { node, .. } | Change::LinkRate { node, .. } => {
            (!is_asked(node)).then(|| format!("event.link.{node}"))
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
