//! How messages come into the nodes.

use hotset_petri::Page;

use super::board::Entrance;
use super::cable::Cable;
use crate::tiers::counts::Way;
use crate::tiers::system::{Node, Role, Tiers};

/// How many send messages to a node, and how many of those do so before their time, as they pass a link first.
#[derive(Clone, Copy, Default)]
struct Senders {
    all: u32,
    ahead: u32,
}

/// Draws where messages come to for each node; `sent` has where those of each node go to.
///
/// Where nothing ever happens to links, a sender sees to it that its messages pass the link of the node that they are for. Whoever sends at once can do that
/// whatever others do, and one who sends ahead can where there are no others: messages come in the order in which they are sent.
pub(super) fn entrances(
    page: &mut Page<'_>,
    tiers: &Tiers,
    sent: &[Vec<Option<usize>>],
) -> Vec<Entrance> {
    let senders = senders(tiers, sent);
    let may_change = !tiers.events.is_empty();
    let nodes = tiers.nodes.iter().zip(senders).enumerate();
    let entrances = nodes.map(|(at, (node, senders))| {
        let mix = senders.ahead > 0 && senders.all > 1;
        let waits = node.link.is_some() && (may_change || mix);
        let link = node.link.filter(|_| !may_change);
        Entrance {
            inbox: waits.then(|| page.fifo(&format!("to {}", node.name), [])),
            arrived: page.fifo(&format!("at {}", node.name), []),
            link: link.map(|link| Cable {
                at,
                link,
                way: Way::In,
            }),
        }
    });
    entrances.collect()
}

/// Who sends to each node: clients, taken together, and nodes.
fn senders(tiers: &Tiers, sent: &[Vec<Option<usize>>]) -> Vec<Senders> {
    let mut senders = vec![Senders::default(); tiers.nodes.len()];
    for entry in tiers.entries() {
        senders[entry].all += 1;
    }
    for (node, targets) in tiers.nodes.iter().zip(sent) {
        let mut targets: Vec<usize> = targets.iter().copied().flatten().collect();
        targets.sort_unstable();
        targets.dedup();
        for target in targets {
            senders[target].all += 1;
            senders[target].ahead += u32::from(!sends_at_once(node));
        }
    }
    senders
}

/// Whether messages that a node sends are where they go to when it sends them, not on a link before.
pub(super) fn sends_at_once(node: &Node) -> bool {
    node.link.is_none() || limit(node).is_some()
}

/// How many requests its server has at a time, where they are limited.
pub(super) fn limit(node: &Node) -> Option<u32> {
    match &node.role {
        Role::Web(web) => web.workers,
        Role::Proxy(_) => None,
    }
}
