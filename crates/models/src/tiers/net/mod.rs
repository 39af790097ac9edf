//! The net, drawn from the nodes: a page for the clients and one for each node, with pages for its link.

mod board;
mod caching_proxy;
mod clients;
mod direction;
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
use board::Board;
use caching_proxy::caching_proxy;
use direction::{Cable, direction};
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
        let mut board = Board {
            inbox: (nodes.clone())
                .map(|node| page.fifo(&format!("to {}", node.name), []))
                .collect(),
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
        let each = nodes.zip(own).enumerate().map(|(at, (node, own))| {
            let sent = Route::to(&board, targets(tiers, at));
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

/// How many requests its server has at a time, where they are limited.
fn limit(node: &Node) -> Option<u32> {
    match &node.role {
        Role::Web(web) => web.workers,
        Role::Proxy(_) => None,
    }
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
    let past_link = limited.map_or_else(|| sent.clone(), |(_, passed)| Route::only(passed));
    let (arrived, outbox) = match node.link {
        None => (board.inbox[at], past_link),
        Some(link) => {
            let (arrived, outbox) = (page.fifo("arrived", []), page.fifo("outbox", []));
            let cable = |way| Cable { at, link, way };
            let inbox = board.inbox[at];
            let received = Route::only(arrived);
            direction(page, board, cable(Way::In), (&inbox, &received));
            direction(page, board, cable(Way::Out), (&outbox, &past_link));
            (arrived, Route::only(outbox))
        }
    };
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
