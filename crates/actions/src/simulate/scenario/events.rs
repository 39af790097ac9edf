//! What happens in a scenario, as the model has it.

use hotset_models::tiers::{Change as Happening, Event as Due};
use hotset_report::number;
use hotset_scenario::{Change, Event, LinkEnds, Scenario};

use super::numbers::Numbers;
use super::stores::Stores;
use crate::Message;

/// What happens to the nodes that are simulated, in the order of time. A link to the switch that is cut is as its node being down.
pub(super) fn events(nodes: Numbers<'_>, stores: &Stores) -> Vec<Due> {
    let of = |event: &Event| -> Vec<Happening> {
        let up = |name: &str, is_up: bool| {
            let node = nodes.of(name);
            node.map(|node| Happening::Up { node, is_up })
        };
        match &event.change {
            Change::Node { name, is_up } => up(name, *is_up).into_iter().collect(),
            Change::Link { link, is_up } => {
                let cut = match link {
                    LinkEnds::Switch(node) => up(node, *is_up),
                    LinkEnds::Nodes(_) => {
                        nodes.direct_link(link).map(|(_, between)| Happening::Cut {
                            between,
                            is_cut: !is_up,
                        })
                    }
                };
                cut.into_iter().collect()
            }
            Change::LinkRate { link, bits_per_s } => {
                let number = match link {
                    LinkEnds::Switch(node) => nodes.of(node),
                    LinkEnds::Nodes(_) => nodes.direct_link(link).map(|(number, _)| number),
                };
                let rate = number.map(|link| Happening::Rate {
                    link,
                    bits_per_s: *bits_per_s,
                });
                rate.into_iter().collect()
            }
            Change::StoreSpeed { name, speed } => {
                let Some(store) = stores.stores.iter().position(|it| it.name == *name) else {
                    return Vec::new();
                };
                let readers = nodes.nodes.iter().enumerate();
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
    let due = nodes.scenario.events.iter().flat_map(|event| {
        let at_ns = event.at_ns;
        let changes = of(event).into_iter();
        changes.map(move |change| Due { at_ns, change })
    });
    due.collect()
}

/// Keys of events that nothing follows: those of nodes that nobody asks, and of stores that no site lives on.
pub(super) fn not_followed(nodes: Numbers<'_>) -> Vec<String> {
    let scenario = nodes.scenario;
    let is_asked = |name: &String| nodes.of(name).is_some();
    let is_used = |name: &String| {
        let mut stores = scenario.stores.iter().enumerate();
        // Sites of the traffic that the scenario does not name live on the first.
        let lives = |place: usize| place == 0 || scenario.sites.iter().any(|it| it.store == place);
        stores.any(|(place, store)| store.name == *name && lives(place))
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
