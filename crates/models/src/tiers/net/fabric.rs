//! The links between switches, drawn: messages come to each way of them, and go on behind it by the node that they are for.

use hotset_petri::Page;

use super::board::Board;
use super::cable::Cable;
use super::direction::{Told, direction};
use super::inner_ways::{InnerWay, name};
use super::route::{Onward, Route};
use crate::tiers::link_queue::Way;
use crate::tiers::system::Tiers;

/// Draws the links between switches.
pub(super) fn fabric(page: &mut Page<'_>, board: &Board, tiers: &Tiers) {
    let Some(switches) = &tiers.switches else {
        return;
    };
    let (links, first) = (tiers.inner_links(), tiers.first_inner_link());
    for (&(link, backwards), passed) in board.inner_ways.all() {
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
            let inbox = next.and_then(|way| board.inner_ways.of(way));
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
