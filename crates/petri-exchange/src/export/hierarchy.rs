//! The pages of a net, with what is on each.

use hashbrown::HashMap;

use hotset_petri::{Net, PlaceId};

/// A page, with what is on it by number: places and transitions as drawn, pages as in the list of all pages.
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
    let drawing = net.drawing();
    let paths = || {
        [""].into_iter()
            .chain(drawing.pages.iter().map(String::as_str))
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
    for (index, place) in drawing.places.iter().enumerate() {
        sheets[numbers[page(&place.path)]].places.push(index);
    }
    for (index, transition) in drawing.transitions.iter().enumerate() {
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
    let drawing = net.drawing();
    let mut uses = vec![Use::default(); drawing.places.len()];
    for it in &drawing.transitions {
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
    let mut next = Some(place.number());
    while let Some(place) = next {
        each(place);
        next = net.drawing().places[place].socket.map(|it| it as usize);
    }
}

/// The path of the page that something is on.
pub(super) fn page(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(page, _)| page)
}

/// The name that something has on its page.
pub(super) fn name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// Whether a place is on the page above another's.
pub(super) fn is_above(above: &str, below: &str) -> bool {
    below.contains('/') && page(page(below)) == page(above)
}
