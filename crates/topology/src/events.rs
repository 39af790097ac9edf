//! What happens in a scenario, as the model has it.

use hotset_models::tiers::{Change as Happening, Event as Due};
use hotset_scenario::{Change, Event, Node, Scenario};

use crate::stores::Stores;

/// What happens to the nodes that are simulated, in the order of time. A link that is cut is as its node being down.
pub(crate) fn events(scenario: &Scenario, nodes: &[&Node], stores: &Stores) -> Vec<Due> {
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
