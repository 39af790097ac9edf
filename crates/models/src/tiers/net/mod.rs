//! The net, drawn from the nodes: a page for the clients and one for each node, with pages for its link.

mod board;
mod clients;
mod direction;
mod processors;
mod proxy;
mod web;

use std::sync::Arc;

use hotset_petri::{Net, Object, Page};

use super::counts::{Counts, Way};
use super::error::TiersError;
use super::file_reader::FileReader;
use super::system::{Node, Role, Tiers};
use super::traffic::Traffic;
use board::{Board, Queue};
use direction::{Cable, direction};

pub(super) use board::Watched;

/// The net, and what is to be asked of its runs.
pub(super) struct Drawn {
    pub net: Net,
    pub counts: Object<Counts>,
    /// By node; nothing for one that reads no store.
    pub readers: Vec<Option<Object<FileReader>>>,
    /// By node.
    pub watched: Vec<Watched>,
}

/// Draws the net.
///
/// # Errors
/// Files that cannot be followed, and names of nodes that no page can have.
pub(super) fn draw(tiers: &Tiers, traffic: &Arc<Traffic>) -> Result<Drawn, TiersError> {
    check_files(tiers, traffic)?;
    let mut drawn = None;
    let net = Net::build("tiers", |page| {
        let count = tiers.nodes.len();
        let counted = Arc::clone(traffic);
        let nodes = tiers.nodes.iter();
        let mut board = Board {
            inbox: (nodes.clone())
                .map(|node| page.fifo(&format!("to {}", node.name), []))
                .collect(),
            answered: page.fifo("answered", []),
            counts: page.object("counts", move |_| Counts::new(&counted, count)),
            traffic: Arc::clone(traffic),
            has_link: nodes.clone().map(|node| node.link.is_some()).collect(),
            monitors: 0,
        };
        page.page("the clients", |page| clients::clients(page, tiers, &board));
        let each = nodes.enumerate().map(|(at, node)| {
            let targets = targets(tiers, at);
            page.page(&node.name, |page| {
                draw_node(page, &mut board, (at, node), &targets)
            })
        });
        let (readers, watched) = each.unzip();
        drawn = Some((board.counts, readers, watched));
    })?;
    // The page was drawn, or the net would have been refused.
    let (counts, readers, watched) = drawn.unwrap_or_else(|| unreachable!("a net has a page"));
    Ok(Drawn {
        net,
        counts,
        readers,
        watched,
    })
}

/// Refuses files that cannot be followed: runs make their storage without asking.
fn check_files(tiers: &Tiers, traffic: &Arc<Traffic>) -> Result<(), TiersError> {
    for node in &tiers.nodes {
        if let Role::Web(web) = &node.role {
            FileReader::new(web, traffic, 0).map_err(|source| TiersError::Storage {
                node: node.name.clone(),
                source,
            })?;
        }
    }
    Ok(())
}

/// Where messages from the node `at` go to: nodes, and nothing for clients.
fn targets(tiers: &Tiers, at: usize) -> Vec<Option<usize>> {
    let mut targets = Vec::new();
    if tiers.entries().contains(&at) {
        targets.push(None);
    }
    match &tiers.nodes[at].role {
        Role::Proxy(proxy) => {
            // A node that is named twice is asked twice as often.
            let mut upstream = proxy.upstream.clone();
            upstream.sort_unstable();
            upstream.dedup();
            targets.extend(upstream.into_iter().map(Some));
        }
        Role::Web(_) => {
            let asks =
                |node: &Node| matches!(&node.role, Role::Proxy(it) if it.upstream.contains(&at));
            let nodes = tiers.nodes.iter().enumerate();
            targets.extend(
                nodes
                    .filter(|(_, node)| asks(node))
                    .map(|(place, _)| Some(place)),
            );
        }
    }
    targets
}

/// A node: its link, its server, its link again.
fn draw_node(
    page: &mut Page<'_>,
    board: &mut Board,
    (at, node): (usize, &Node),
    targets: &[Option<usize>],
) -> (Option<Object<FileReader>>, Watched) {
    let mut watched = Watched::default();
    let sent = sent(page, board, at, targets);
    let (arrived, outbox) = match node.link {
        None => (board.inbox[at], sent),
        Some(link) => {
            let (arrived, outbox) = (page.fifo("arrived", []), page.fifo("outbox", []));
            let cable = |way| Cable { at, link, way };
            let inbox = board.inbox[at];
            direction(page, board, cable(Way::In), (&inbox, &arrived));
            direction(page, board, cable(Way::Out), (&outbox, &sent));
            (arrived, outbox)
        }
    };
    let way = (&arrived, &outbox);
    let reader = match &node.role {
        Role::Web(web) => {
            let reader = web::web(page, board, (at, node.processors, web), way, &mut watched);
            Some(reader)
        }
        Role::Proxy(proxy) => {
            proxy::proxy(page, board, (at, node.processors, proxy), way, &mut watched);
            None
        }
    };
    (reader, watched)
}

/// Where messages are that the node `at` has sent. They go on from there to where each is meant to go.
fn sent(page: &mut Page<'_>, board: &Board, at: usize, targets: &[Option<usize>]) -> Queue {
    let place = |target: Option<usize>| target.map_or(board.answered, |node| board.inbox[node]);
    if let &[only] = targets {
        return place(only);
    }
    let sent: Queue = page.fifo("sent", []);
    for &target in targets {
        let name = target.map_or("to clients".to_owned(), |node| format!("to node {node}"));
        page.transition(&name)
            .take(&sent)
            .when(move |message| message.next(at) == target)
            .put(&place(target))
            .fire(|message, _| message);
    }
    sent
}
