//! The links between switches: where messages come to each way of them, and how they go on behind it.

use std::collections::{BTreeMap, BTreeSet};

use hotset_petri::Page;

use super::board::{Board, Joined, Queue};
use super::cable::Cable;
use super::direction::{Told, direction};
use super::route::{Onward, Route};
use crate::tiers::link_queue::Way;
use crate::tiers::system::Tiers;

/// A way of a link between two switches: the link's number among these links, and whether it goes from the second to the first.
type InnerWay = (usize, bool);

/// What passes a way of a link between two switches.
struct Passed {
    /// Where messages come to it.
    inbox: Queue,
    /// The nodes that they are for.
    targets: BTreeSet<usize>,
}

/// Ways of links between switches that something passes, and the first of them between two nodes.
#[derive(Default)]
pub(super) struct Fabric {
    passed: BTreeMap<InnerWay, Passed>,
    first: BTreeMap<(usize, usize), InnerWay>,
}

impl Fabric {
    /// Draws where messages come to. Nodes send to those of `targets`, by number, and clients on nodes to those that they ask.
    pub fn drawn(
        page: &mut Page<'_>,
        (tiers, joined): (&Tiers, &Joined),
        targets: &[Vec<Option<usize>>],
    ) -> Self {
        let mut fabric = Self::default();
        let Some(switches) = &tiers.switches else {
            return fabric;
        };
        let links = tiers.inner_links();
        for (from, to) in pairs(tiers, targets) {
            if joined.has(from, to) {
                continue;
            }
            let [begin, end] = [from, to].map(|node| switches.places[node]);
            for way in switches.topology.route(begin, end) {
                fabric.first.entry((from, to)).or_insert(way);
                let passed = fabric.passed.entry(way).or_insert_with(|| Passed {
                    inbox: page.fifo(&format!("to {}", name(links[way.0], way.1)), []),
                    targets: BTreeSet::new(),
                });
                passed.targets.insert(to);
            }
        }
        fabric
    }

    /// Whether links between switches lie between two nodes.
    pub fn is_between(&self, from: usize, to: usize) -> bool {
        self.first.contains_key(&(from, to))
    }

    /// Where what a node sends to another comes to first.
    pub fn first(&self, from: usize, to: usize) -> Option<Queue> {
        let way = self.first.get(&(from, to))?;
        Some(self.passed.get(way)?.inbox)
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
fn name([one, other]: [usize; 2], backwards: bool) -> String {
    match backwards {
        false => format!("switch {one} to {other}"),
        true => format!("switch {other} to {one}"),
    }
}

/// Draws the links between switches.
pub(super) fn fabric(page: &mut Page<'_>, board: &Board, tiers: &Tiers) {
    let Some(switches) = &tiers.switches else {
        return;
    };
    let (links, first) = (tiers.inner_links(), tiers.first_inner_link());
    for (&(link, backwards), passed) in &board.fabric.passed {
        let ends = links[link];
        let (end, way) = match backwards {
            false => (ends[1], Way::Out),
            true => (ends[0], Way::In),
        };
        let onward = |&to: &usize| {
            let place = switches.places[to];
            let next = match switches.topology.switch_of(place) == end {
                true => None,
                false => next_way(&links, end, switches.topology.next(end, place)),
            };
            let inbox = next.and_then(|way| board.fabric.passed.get(&way));
            let onward = match inbox {
                Some(next) => Onward::to(next.inbox),
                None => Onward::from_switch(board, to, false),
            };
            (Some(to), onward)
        };
        let route = Route::of(board, passed.targets.iter().map(onward).collect());
        let cable = Cable::between_switches(first + link, switches.link, (way, end));
        let told = Told::behind(board, &[]);
        let name = name(ends, backwards);
        let cable = (cable, name.as_str());
        direction(page, board, cable, (&passed.inbox, &route), told);
    }
}

/// The way from one switch to the next.
fn next_way(links: &[[usize; 2]], from: usize, to: usize) -> Option<InnerWay> {
    let forward = links.iter().position(|it| *it == [from, to]);
    let backward = || links.iter().position(|it| *it == [to, from]);
    let forward = forward.map(|link| (link, false));
    forward.or_else(|| backward().map(|link| (link, true)))
}
