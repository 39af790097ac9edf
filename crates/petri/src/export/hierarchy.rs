//! The pages of a net, with what is on each.

use hashbrown::HashMap;

use crate::author::{Net, PlaceId};

/// A page, with what is on it by number: places and transitions as authored, pages as in the list of all pages.
#[derive(Default)]
pub(super) struct Sheet<'n> {
    /// Empty for the net itself.
    pub path: &'n str,
    pub places: Vec<usize>,
    pub transitions: Vec<usize>,
    pub pages: Vec<usize>,
}

/// The net's own page, then all others, each before those on it.
pub(super) fn sheets(net: &Net) -> Vec<Sheet<'_>> {
    let authored = &net.authored;
    let paths = || {
        [""].into_iter()
            .chain(authored.pages.iter().map(String::as_str))
    };
    let numbers: HashMap<&str, usize> = paths().enumerate().map(|(at, it)| (it, at)).collect();
    let sheet = |path| Sheet {
        path,
        ..Sheet::default()
    };
    let mut sheets: Vec<Sheet> = paths().map(sheet).collect();
    for (index, path) in paths().enumerate().skip(1) {
        sheets[numbers[page(path)]].pages.push(index);
    }
    for (index, place) in authored.places.iter().enumerate() {
        sheets[numbers[page(&place.path)]].places.push(index);
    }
    for (index, transition) in authored.transitions.iter().enumerate() {
        sheets[numbers[page(&transition.path)]]
            .transitions
            .push(index);
    }
    sheets
}

/// What the transitions of a net do with a place, on its page and on the pages that it is connected to.
#[derive(Clone, Copy, Default)]
pub(super) struct Use {
    pub taken: bool,
    pub given: bool,
}

/// What is done with each place.
pub(super) fn uses(net: &Net) -> Vec<Use> {
    let authored = &net.authored;
    let mut uses = vec![Use::default(); authored.places.len()];
    for it in &authored.transitions {
        let looked_at = it.needs.iter().chain(&it.inhibitors).map(|it| it.0);
        let coloured = it.coloured_in.iter().chain(&it.resets).copied();
        for place in looked_at.chain(coloured) {
            with_sockets(net, place, |place| uses[place].taken = true);
        }
        let given = it.gives.iter().map(|it| it.place);
        for place in given.chain(it.coloured_out.iter().map(|it| it.place)) {
            with_sockets(net, place, |place| uses[place].given = true);
        }
    }
    uses
}

/// A place, its socket, the socket of that one and so on.
fn with_sockets(net: &Net, place: PlaceId, mut each: impl FnMut(usize)) {
    let mut next = Some(place.index);
    while let Some(place) = next {
        each(place as usize);
        next = net.authored.places[place as usize].socket;
    }
}

/// The path of the page that something is on.
fn page(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(page, _)| page)
}

/// The name that something has on its page.
pub(super) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
