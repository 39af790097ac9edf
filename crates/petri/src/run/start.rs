//! The state that a run begins with.

use crate::monitor::Monitor;
use crate::net::Net;
use crate::state::{Core, Links, Lists, Tally};

/// The state that a run of a net begins with.
pub(super) fn core(net: &Net) -> Core {
    let mut inhibits = vec![false; net.places.len()];
    let inhibitors = net.transitions.iter().flat_map(|it| &it.inhibitors);
    inhibitors.for_each(|&(place, _)| inhibits[place as usize] = true);
    let links = Links {
        inhibits,
        downstream: downstream(net),
        watched: watched(net, |it| !matches!(it, Monitor::Busy { .. })),
        watched_held: watched(net, |it| matches!(it, Monitor::Busy { .. })),
    };
    let initial = Vec::from_iter(net.places.iter().map(|it| it.initial));
    let tallies = net.monitors.iter().map(|it| Tally::of(&it.kind));
    Core::new(links, net.transitions.len(), &initial, tallies.collect())
}

/// For each place, the transitions that look at it.
fn downstream(net: &Net) -> Lists {
    let mut lists = vec![Vec::new(); net.places.len()];
    for (index, it) in net.transitions.iter().enumerate() {
        let units = it.needs.iter().chain(&it.inhibitors).map(|it| it.0);
        let places = units.chain(it.coloured_in.iter().copied());
        places.for_each(|place| lists[place as usize].push(index as u32));
    }
    Lists::new(lists)
}

/// For each place, the monitors that watch it in some way.
fn watched(net: &Net, in_this_way: impl Fn(&Monitor) -> bool) -> Lists {
    let mut lists = vec![Vec::new(); net.places.len()];
    for (index, monitor) in net.monitors.iter().enumerate() {
        let places = monitor.places.iter().filter(|_| in_this_way(&monitor.kind));
        places.for_each(|&place| lists[place as usize].push(index as u32));
    }
    Lists::new(lists)
}
