//! Ways of links between switches: which are passed between which nodes, and where messages come to each.

use std::collections::{BTreeMap, BTreeSet};

use hotset_petri::{Fifo, Page, Place};

use crate::tiers::message::Message;
use crate::tiers::system::Tiers;

/// A way of a link between two switches: the link's number among these links, and whether it goes from the second to the first.
pub(super) type InnerWay = (usize, bool);

/// What passes a way of a link between two switches.
pub(super) struct Passed {
    /// Where messages come to it.
    pub inbox: Place<Fifo<Message>>,
    /// The nodes that they are for.
    pub targets: BTreeSet<usize>,
}

/// Ways of links between switches that something passes, and the first of them between two nodes.
#[derive(Default)]
pub(super) struct InnerWays {
    passed: BTreeMap<InnerWay, Passed>,
    first: BTreeMap<(usize, usize), InnerWay>,
}

impl InnerWays {
    /// Draws where messages come to. Nodes send to those of `targets`, by number, and clients on nodes to those that they ask. Nodes that
    /// have a link to each other do without.
    pub fn drawn(
        page: &mut Page<'_>,
        (tiers, are_joined): (&Tiers, impl Fn(usize, usize) -> bool),
        targets: &[Vec<Option<usize>>],
    ) -> Self {
        let mut ways = Self::default();
        let Some(switches) = &tiers.switches else {
            return ways;
        };
        let links = tiers.inner_links();
        for (from, to) in pairs(tiers, targets) {
            if are_joined(from, to) {
                continue;
            }
            let [begin, end] = [from, to].map(|node| switches.places[node]);
            for way in switches.topology.route(begin, end) {
                ways.first.entry((from, to)).or_insert(way);
                let passed = ways.passed.entry(way).or_insert_with(|| Passed {
                    inbox: page.fifo(&format!("to {}", name(links[way.0], way.1)), []),
                    targets: BTreeSet::new(),
                });
                passed.targets.insert(to);
            }
        }
        ways
    }

    /// Where what a node sends to another comes to first; nothing where no links between switches lie between.
    pub fn first(&self, from: usize, to: usize) -> Option<Place<Fifo<Message>>> {
        let way = self.first.get(&(from, to))?;
        Some(self.passed.get(way)?.inbox)
    }

    /// All of them.
    pub fn all(&self) -> &BTreeMap<InnerWay, Passed> {
        &self.passed
    }

    /// What passes one; nothing where nothing does.
    pub fn of(&self, way: InnerWay) -> Option<&Passed> {
        self.passed.get(&way)
    }
}

/// Who sends to whom.
fn pairs(tiers: &Tiers, targets: &[Vec<Option<usize>>]) -> BTreeSet<(usize, usize)> {
    let of_nodes = targets.iter().enumerate();
    let of_nodes = of_nodes.flat_map(|(from, targets)| {
        let targets = targets.iter().copied().flatten();
        targets.map(move |to| (from, to))
    });
    let of_clients = tiers.entries().into_iter().flat_map(|entry| {
        let homes = tiers.homes(entry).into_iter().flatten();
        homes.map(move |home| (home, entry))
    });
    of_nodes.chain(of_clients).collect()
}

/// A way as pages and places are named by it.
pub(super) fn name([one, other]: [usize; 2], backwards: bool) -> String {
    match backwards {
        false => format!("switch {one} to {other}"),
        true => format!("switch {other} to {one}"),
    }
}
