//! The links of a node: to the switch, and to other nodes.

use hotset_petri::Page;

use super::board::{Board, Queue};
use super::direction::{Cable, direction};
use super::route::Route;
use crate::tiers::counts::Way;
use crate::tiers::system::{Link, Tiers};

/// A node and whom it sends to.
#[derive(Clone, Copy)]
pub(super) struct Sender<'n> {
    /// The node, by its number.
    pub at: usize,
    /// Whom its messages are for: nodes, or nothing for clients on none. Some may stand there twice.
    pub targets: &'n [Option<usize>],
    /// Whether clients are on it, and nobody else.
    pub has_clients: bool,
}

/// Draws the link of a node to the switch. What comes by it goes to `arrived`, what has left by it to `past_links`. Where messages are to be
/// sent from.
pub(super) fn link_to_switch(
    page: &mut Page<'_>,
    board: &Board,
    (sender, link): (Sender<'_>, Link),
    (arrived, past_links): (Queue, &Route),
) -> Route {
    let outbox = page.fifo("outbox", []);
    let cable = |way: Way| Cable {
        at: sender.at,
        number: sender.at,
        link,
        way,
        ends_at_node: matches!(way, Way::In),
        ends_at_clients: sender.has_clients && matches!(way, Way::In),
    };
    let inbox = board.inbox[sender.at];
    let named = |way: Way| (cable(way), way.name());
    direction(page, board, named(Way::In), (&inbox, &Route::only(arrived)));
    direction(page, board, named(Way::Out), (&outbox, past_links));
    Route::only(outbox)
}

/// Draws the ways of a node's links to other nodes by which it sends; where messages are to be sent from, all others by `outbox`.
pub(super) fn direct_links(
    page: &mut Page<'_>,
    (board, tiers): (&Board, &Tiers),
    sender: Sender<'_>,
    (outbox, past_links): (Route, &Route),
) -> Route {
    let targets = sender.targets;
    let mut by_link = Vec::new();
    for (number, direct, other) in tiers.direct_links_of(sender.at) {
        if !targets.contains(&Some(other)) {
            continue;
        }
        let cable = Cable {
            at: sender.at,
            number,
            link: direct.link,
            way: match direct.between[0] == other {
                true => Way::In,
                false => Way::Out,
            },
            ends_at_node: true,
            ends_at_clients: other >= tiers.nodes.len(),
        };
        let name = tiers.name(other);
        let queue = page.fifo(&format!("outbox to {name}"), []);
        let name = format!("link to {name}");
        direction(page, board, (cable, name.as_str()), (&queue, past_links));
        by_link.push((Some(other), queue));
    }
    if by_link.is_empty() {
        return outbox;
    }
    let way = |target: &Option<usize>| {
        let direct = by_link.iter().find(|(other, _)| other == target);
        direct.copied().unwrap_or((*target, outbox.place(*target)))
    };
    Route::of(targets.iter().map(way).collect())
}
