//! The net, drawn from the nodes: a page for the clients and one for each node, with pages for its link.

mod board;
mod cable;
mod caching_proxy;
mod clients;
mod direction;
mod entrances;
mod events;
mod processors;
mod proxy;
mod route;
mod web;
mod workers;

use std::sync::Arc;

use hotset_petri::{Net, Object, Page};

use super::counts::{Counts, Way};
use super::error::TiersError;
use super::file_reader::FileReader;
use super::own_files::own_files;
use super::system::{Node, Role, Tiers, Web};
use super::traffic::Traffic;
use board::{Board, Entrance, Queue};
use cable::Cable;
use caching_proxy::caching_proxy;
use direction::direction;
use entrances::{entrances, limit, sends_at_once};
use events::Events;
use route::Route;
use workers::{Around, workers};

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

/// The net that simulations of `tiers` run, to be shown.
///
/// # Errors
/// Files that cannot be followed, and names of nodes that no page can have.
pub fn drawn(tiers: &Tiers, traffic: &Arc<Traffic>) -> Result<Net, TiersError> {
    Ok(draw(tiers, traffic)?.net)
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
        let (counted, events) = (Arc::clone(traffic), tiers.events.clone());
        let nodes = tiers.nodes.iter();
        let targets: Vec<_> = (0..count).map(|at| targets(tiers, at)).collect();
        let mut board = Board {
            entrances: entrances(page, tiers, &targets),
            answered: page.fifo("answered", []),
            events: Events::drawn(page, &tiers.events),
            counts: page.object("counts", move |_| Counts::new(&counted, count, &events)),
            traffic: Arc::clone(traffic),
            has_link: nodes.clone().map(|node| node.link.is_some()).collect(),
            monitors: 0,
        };
        page.page("the clients", |page| clients::clients(page, tiers, &board));
        if let Some(events) = &board.events {
            events.of_nodes(page, &board.counts, &board.answered);
        }
        let own = own_files(tiers, traffic.files.len());
        let nodes = nodes.zip(targets).zip(own).enumerate();
        let each = nodes.map(|(at, ((node, targets), own))| {
            let sent = Route::to(&board, targets, sends_at_once(node));
            page.page(&node.name, |page| {
                draw_node(page, &mut board, (at, node, own), &sent)
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
    let mut checked: Option<&Web> = None;
    for node in &tiers.nodes {
        let Role::Web(web) = &node.role else { continue };
        // Nodes that read the same files mostly follow each other.
        if !checked.is_some_and(|it| it.reads_as(web)) {
            FileReader::new(web, traffic, None, 0).map_err(|source| TiersError::Storage {
                node: node.name.clone(),
                source,
            })?;
            checked = Some(web);
        }
    }
    Ok(())
}

/// Where messages from the node `at` go to: nodes, and nothing for clients. Some may stand there twice.
fn targets(tiers: &Tiers, at: usize) -> Vec<Option<usize>> {
    let mut targets = Vec::new();
    if tiers.entries().contains(&at) {
        targets.push(None);
    }
    match &tiers.nodes[at].role {
        Role::Proxy(proxy) => targets.extend(proxy.upstream.iter().copied().map(Some)),
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

/// A node: its link, its server, its link again. What it has sent goes on by `sent`. The last of its three are the files that it can be asked for, as
/// [`own_files`] has them.
fn draw_node(
    page: &mut Page<'_>,
    board: &mut Board,
    (at, node, own): (usize, &Node, Option<Arc<[u32]>>),
    sent: &Route,
) -> (Option<Object<FileReader>>, Watched) {
    let mut watched = Watched::default();
    let limited = limit(node).map(|count| (count, page.fifo("passed", [])));
    let past_link = match limited {
        None => sent.clone(),
        Some((_, passed)) => Route::only(board, passed),
    };
    let (arrived, outbox) = way(page, board, (at, node), past_link);
    let arrived = match limited {
        None => arrived,
        Some((count, passed)) => {
            let around = Around {
                arrived,
                passed,
                sent,
            };
            workers(page, board, (at, count), &around, &mut watched)
        }
    };
    let way = (&arrived, &outbox);
    let reader = match &node.role {
        Role::Web(web) => {
            let web = (at, node.processors, web, own);
            Some(web::web(page, board, web, way, &mut watched))
        }
        Role::Proxy(proxy) => {
            let cpus = node.processors;
            match proxy.cache {
                Some(kept) => {
                    let proxy = (at, cpus, proxy, kept);
                    caching_proxy(page, board, proxy, way, &mut watched);
                }
                None => proxy::proxy(page, board, (at, cpus, proxy), way, &mut watched),
            }
            None
        }
    };
    (reader, watched)
}

/// Draws the link of a node, where it has one; where messages are that have come in, and how they leave its server for `past_link`.
fn way(
    page: &mut Page<'_>,
    board: &Board,
    (at, node): (usize, &Node),
    past_link: Route,
) -> (Queue, Route) {
    let Entrance { inbox, arrived, .. } = board.entrances[at];
    let Some(link) = node.link else {
        return (arrived, past_link);
    };
    let cable = |way| Cable { at, link, way };
    if let Some(inbox) = inbox {
        let received = Route::only(board, arrived);
        direction(page, board, cable(Way::In), (&inbox, &received));
    }
    if board.events.is_none() {
        return (arrived, past_link.through(cable(Way::Out)));
    }
    let outbox = page.fifo("outbox", []);
    direction(page, board, cable(Way::Out), (&outbox, &past_link));
    (arrived, Route::only(board, outbox))
}
