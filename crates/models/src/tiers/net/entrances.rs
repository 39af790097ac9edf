//! How messages come into the nodes.

use hotset_petri::Page;

use super::board::{Entrance, Joined, Queue};
use super::cable::Cable;
use crate::tiers::link_queue::Way;
use crate::tiers::system::{Link, Node, Role, Tiers};

/// How many send messages to a node by the switch. `ahead` of them do so before their time, as the messages pass a link first.
#[derive(Clone, Copy, Default)]
struct Senders {
    all: u32,
    ahead: u32,
}

impl Senders {
    fn add(&mut self, at_once: bool) {
        self.all += 1;
        self.ahead += u32::from(!at_once);
    }
}

/// Draws where messages come to for each node, and where answers come to for clients; `sent` has where those of each node with a server go to.
///
/// Where nothing ever happens to links, a sender sees to it that its messages pass the link of the node that they are for, where they have
/// room in line. Whoever sends at once can do that whatever others do. One who sends ahead can where there are no others: messages come in
/// the order in which they are sent.
pub(super) fn entrances(
    page: &mut Page<'_>,
    (tiers, joined): (&Tiers, &Joined),
    sent: &[Vec<Option<usize>>],
) -> (Vec<Entrance>, Queue) {
    let senders = senders(tiers, joined, sent);
    let (of_nodes, of_clients) = senders.split_at(tiers.nodes.len());
    let mut entrances = Vec::with_capacity(senders.len());
    for (at, (node, senders)) in tiers.nodes.iter().zip(of_nodes).enumerate() {
        let inbox = inbox(page, tiers, (at, node.link), *senders);
        let arrived = page.fifo(&format!("at {}", node.name), []);
        entrances.push(entrance(tiers, (at, node.link), *senders, (inbox, arrived)));
    }
    let answered = page.fifo("answered", []);
    for (node, senders) in tiers.client_nodes.iter().zip(of_clients) {
        let at = (entrances.len(), node.link);
        let inbox = inbox(page, tiers, at, *senders);
        entrances.push(entrance(tiers, at, *senders, (inbox, answered)));
    }
    (entrances, answered)
}

/// Where messages are that come to the link of the node `at`, where any do: who is only sent to by links of two nodes has nothing come by
/// the switch.
fn inbox(
    page: &mut Page<'_>,
    tiers: &Tiers,
    (at, link): (usize, Option<Link>),
    senders: Senders,
) -> Option<Queue> {
    let comes = link.is_some() && senders.all > 0;
    comes.then(|| page.fifo(&format!("to {}", tiers.name(at)), []))
}

fn entrance(
    tiers: &Tiers,
    (at, link): (usize, Option<Link>),
    senders: Senders,
    (inbox, arrived): (Option<Queue>, Queue),
) -> Entrance {
    let never_changes = tiers.events.is_empty();
    let link = link.filter(|_| never_changes);
    Entrance {
        inbox,
        arrived,
        link: link.map(|link| Cable::of_switch(tiers, at, link, Way::In)),
        // What has passed other switches comes when it has, whoever sent it.
        is_mixed: tiers.switches.is_some() || (senders.ahead > 0 && senders.all > 1),
    }
}

/// Who sends to each node by the switch: clients on no node, taken together, those on each node, and nodes.
fn senders(tiers: &Tiers, joined: &Joined, sent: &[Vec<Option<usize>>]) -> Vec<Senders> {
    let mut senders = vec![Senders::default(); tiers.nodes_count()];
    for entry in tiers.entries() {
        for home in tiers.homes(entry) {
            match home {
                None => senders[entry].add(true),
                Some(home) if joined.has(home, entry) => {}
                Some(home) => {
                    let node = &tiers.client_nodes[home - tiers.nodes.len()];
                    senders[entry].add(node.link.is_none());
                }
            }
        }
    }
    for (at, (node, targets)) in tiers.nodes.iter().zip(sent).enumerate() {
        let mut targets: Vec<usize> = targets.iter().copied().flatten().collect();
        targets.sort_unstable();
        targets.dedup();
        targets.retain(|&target| !joined.has(at, target));
        for target in targets {
            senders[target].add(sends_at_once(node));
        }
    }
    senders
}

/// Whether messages that a node sends by the switch are where they go to when it sends them, not on a link before.
pub(super) fn sends_at_once(node: &Node) -> bool {
    node.link.is_none() || limit(node).is_some()
}

/// How many requests its server has at a time, where they are limited.
pub(super) fn limit(node: &Node) -> Option<u32> {
    match &node.role {
        Role::Web(web) => web.workers,
        Role::Proxy(_) | Role::Files(_) => None,
    }
}
