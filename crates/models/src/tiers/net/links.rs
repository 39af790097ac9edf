//! The links of a node: to the switch, and to other nodes.

use hotset_petri::Page;

use super::board::{Board, Entrance, Passage, Queue};
use super::cable::Cable;
use super::direction::{Told, direction};
use super::route::{Onward, Route};
use crate::tiers::link_queue::Way;
use crate::tiers::system::{Link, Tiers};

/// A node and whom it sends to.
#[derive(Clone, Copy)]
pub(super) struct Sender<'n> {
    /// The node, by its number.
    pub at: usize,
    /// Its link to the switch.
    pub link: Option<Link>,
    /// Whom its messages are for: nodes, or nothing for clients on none. Some may stand there twice.
    pub targets: &'n [Option<usize>],
}

/// Draws the link from the switch to the node `at`, to which `senders` send by the switch.
pub(super) fn inlet(
    page: &mut Page<'_>,
    (board, tiers): (&Board, &Tiers),
    (at, link): (usize, Option<Link>),
    senders: &[usize],
) {
    let Entrance { inbox, arrived, .. } = board.entrances[at];
    if let (Some(link), Some(inbox)) = (link, inbox) {
        let cable = Cable::of_switch(tiers, at, link, Way::In);
        let received = Route::only(board, arrived);
        let told = Told::behind(board, senders);
        direction(page, board, (cable, "link in"), (&inbox, &received), told);
    }
}

/// Draws the links by which a node sends; how messages leave it by them. Past them they go on by `past_links`.
pub(super) fn outlets(
    page: &mut Page<'_>,
    (board, tiers): (&Board, &Tiers),
    Sender { at, link, targets }: Sender<'_>,
    past_links: &Route,
) -> Route {
    let is_direct = |target: &Option<usize>| {
        let mut direct = tiers.direct_links_of(at);
        direct.any(|(_, _, other)| *target == Some(other))
    };
    // Nothing is drawn that nothing comes to.
    let link = link.filter(|_| !targets.iter().all(is_direct));
    let to_switch = link.map(|link| {
        let cable = Cable::of_switch(tiers, at, link, Way::Out);
        outlet(page, board, cable, ("outbox", "link out"), past_links)
    });
    let mut to_nodes: Vec<(usize, Outlet)> = Vec::new();
    for (number, direct, other) in tiers.direct_links_of(at) {
        if !targets.contains(&Some(other)) {
            continue;
        }
        let cable = Cable::between(tiers, number, direct, [at, other]);
        let name = tiers.name(other);
        let (outbox, link) = (format!("outbox to {name}"), format!("link to {name}"));
        let names = (outbox.as_str(), link.as_str());
        to_nodes.push((other, outlet(page, board, cable, names, past_links)));
    }
    let way = |target: &Option<usize>| {
        let direct = to_nodes.iter().find(|(other, _)| *target == Some(*other));
        let outlet = direct.map(|(_, outlet)| *outlet).or(to_switch);
        let onward = past_links.onward(*target)?;
        Some((*target, outlet.map_or(onward, |it| it.before(onward))))
    };
    Route::of(board, targets.iter().filter_map(way).collect()).of_sender(at)
}

/// How messages come onto a link.
#[derive(Clone, Copy)]
enum Outlet {
    /// Who sends them sees to their passing, where they have room in line.
    Ahead(Passage),
    /// All come here, as the link may change.
    InTurn(Queue),
}

impl Outlet {
    /// How messages go on that come onto the link, and go on so behind it.
    fn before(self, onward: Onward) -> Onward {
        match self {
            Self::Ahead(passage) => onward.after(passage),
            Self::InTurn(outbox) => onward.after_turn(outbox),
        }
    }
}

/// Draws a link by which one node sends.
fn outlet(
    page: &mut Page<'_>,
    board: &Board,
    cable: Cable,
    (outbox, name): (&str, &str),
    past: &Route,
) -> Outlet {
    let inbox = page.fifo(outbox, []);
    let told = Told::before(board, cable.at);
    direction(page, board, (cable, name), (&inbox, past), told);
    match board.events {
        None => Outlet::Ahead(Passage { cable, inbox }),
        Some(_) => Outlet::InTurn(inbox),
    }
}
