//! What happens in a scenario, as the model has it.

use hotset_models::tiers::{Change as Happening, Event as Due};
use hotset_scenario::{Change, Event, LinkEnds};

use crate::numbers::Numbers;
use crate::stores::Stores;

/// What happens to the nodes that are simulated, in the order of time.
pub(crate) fn events(nodes: Numbers<'_>, stores: &Stores) -> Vec<Due> {
    let of = |event: &Event| -> Vec<Happening> {
        match &event.change {
            Change::Node { name, is_up } => {
                let node = nodes.of(name).into_iter();
                let is_up = *is_up;
                node.map(|node| Happening::Up { node, is_up }).collect()
            }
            Change::Link { link, is_up } => {
                let cut = match link {
                    LinkEnds::Switch(node) => nodes.of(node).map(|node| Happening::Linked {
                        node,
                        is_linked: *is_up,
                    }),
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
                let mut links = nodes.scenario.links.iter();
                let changed = links.find(|it| it.ends.is_same(link));
                let passed = changed.map_or(*bits_per_s, |it| it.passed_bits_per_s(*bits_per_s));
                let rate = number.map(|link| Happening::Rate {
                    link,
                    bits_per_s: passed,
                });
                rate.into_iter().collect()
            }
            Change::StoreSpeed { name, speed } => {
                let slower = |(node, store)| Happening::Speed {
                    node,
                    store,
                    speed: *speed,
                };
                let of_servers = stores.servers_with(name).filter_map(|it| nodes.of(it));
                let of_servers = of_servers.map(|node| (node, 0));
                let own = stores.stores.iter().position(|it| it.name == *name);
                let readers = nodes.nodes.iter().enumerate();
                let readers = readers.filter(|(_, node)| node.reads_store());
                let readers = readers.filter_map(|(node, _)| Some((node, own?)));
                readers.chain(of_servers).map(slower).collect()
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
