//! The net, drawn from the nodes: a page for the clients and one for each node, with pages for its link.

mod board;
mod cable;
mod caching_proxy;
mod clients;
mod deliveries;
mod direction;
mod entrances;
mod events;
mod fabric;
mod files;
mod following;
mod inner_ways;
mod links;
mod lossy;
mod processors;
mod proxy;
mod route;
mod web;
mod workers;

use std::sync::Arc;

use hotset_petri::{Net, Object, Page};

use super::calls::Calls;
use super::counts::Counts;
use super::error::TiersError;
use super::file_reader::FileReader;
use super::needs::Needs;
use super::own_files::own_files;
use super::served_files::{Placing, ServedFiles};
use super::stacks::Stacks;
use super::system::{Arrivals, Mounted, Node, Role, Tiers, Web};
use super::traffic::Traffic;
use board::{Board, Joined, Queue};
use cable::Beyond;
use caching_proxy::caching_proxy;
use entrances::{entrances, limit, sends_at_once};
use events::Events;
use inner_ways::InnerWays;
use links::{Sender, inlet, outlets};
use lossy::Lossy;
use route::Route;
use workers::{Around, staying_workers, workers};

pub(super) use board::Watched;

/// The net, and what is to be asked of its runs.
pub(super) struct Drawn {
    pub net: Net,
    pub counts: Object<Counts>,
    /// Calls to file servers, where there are some.
    pub calls: Option<Object<Calls>>,
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
        let count = tiers.links_count();
        let counted = Arc::clone(traffic);
        let may_change = !tiers.events.is_empty() || tiers.gives_up();
        let may_fail = may_change || tiers.may_fail();
        let nodes = tiers.nodes.iter();
        let targets = tiers.nodes.iter().enumerate();
        let targets: Vec<_> = targets.map(|(at, _)| self::targets(tiers, at)).collect();
        let joined = Joined::of(tiers);
        let (entrances, answered) = entrances(page, (tiers, &joined), &targets);
        let sockets = sockets(page, (tiers, &joined), &targets);
        let are_joined = |at: usize, to: usize| joined.has(at, to);
        let inner_ways = InnerWays::drawn(page, (tiers, are_joined), &targets);
        let mut board = Board {
            entrances,
            senders: senders(tiers, &joined, &targets),
            joined,
            sockets,
            answered,
            events: Events::drawn(page, &tiers.events),
            counts: page.object("counts", move |_| {
                Counts::new(&counted, count, (may_fail, may_change))
            }),
            calls: tiers
                .has_mounts()
                .then(|| page.object("calls", |_| Calls::default())),
            lossy: Lossy::drawn(page, tiers),
            traffic: Arc::clone(traffic),
            beyond: Arc::new(Beyond::of(tiers)),
            inner_ways,
            monitors: 0,
        };
        page.page("the clients", |page| clients::clients(page, tiers, &board));
        if tiers.switches.is_some() {
            page.page("the switches", |page| fabric::fabric(page, &board, tiers));
        }
        if let Some(events) = &board.events {
            events.of_nodes(page, &board.counts, &board.answered);
        }
        let own = own_files(tiers, traffic.files.len());
        let nodes = nodes.zip(targets).zip(own).enumerate();
        let each = nodes.map(|(at, ((node, targets), own))| {
            page.page(&node.name, |page| {
                draw_node(page, (&mut board, tiers), (at, node, own), &targets)
            })
        });
        let (readers, watched) = each.unzip();
        drawn = Some((board.counts, board.calls, readers, watched));
    })?;
    // The page was drawn, or the net would have been refused.
    let (counts, calls, readers, watched) =
        drawn.unwrap_or_else(|| unreachable!("a net has a page"));
    Ok(Drawn {
        net,
        counts,
        calls,
        readers,
        watched,
    })
}

/// Refuses files that cannot be followed: runs make their storage without asking.
fn check_files(tiers: &Tiers, traffic: &Arc<Traffic>) -> Result<(), TiersError> {
    let mut checked: Option<&Web> = None;
    let (mounts, placing) = (tiers.mounts(), placing(tiers));
    for (at, node) in tiers.nodes.iter().enumerate() {
        let refused = |source| TiersError::Storage {
            node: node.name.clone(),
            source,
        };
        match &node.role {
            Role::Proxy(_) => {}
            Role::Files(files) => {
                ServedFiles::new(files, &placing, traffic, 0).map_err(refused)?;
            }
            // Nodes that read the same files mostly follow each other.
            Role::Web(web) if !checked.is_some_and(|it| it.reads_as(web)) => {
                FileReader::new((at, web), &mounts, traffic, None, 0).map_err(refused)?;
                checked = Some(web);
            }
            Role::Web(_) => {}
        }
    }
    Ok(())
}

/// The store of each site, which is the same for all web nodes.
fn store_of_site(tiers: &Tiers) -> Arc<[usize]> {
    let mut webs = tiers.nodes.iter().filter_map(|node| match &node.role {
        Role::Web(web) => Some(&web.store_of_site),
        Role::Proxy(_) | Role::Files(_) => None,
    });
    webs.next().map_or_else(|| Arc::from([]), Arc::clone)
}

/// Where files are that web nodes use.
fn placing(tiers: &Tiers) -> Placing {
    let needs = tiers.nodes.iter().map(|node| match &node.role {
        Role::Web(web) => web.needs,
        Role::Proxy(_) | Role::Files(_) => Needs::default(),
    });
    Placing {
        store_of_site: store_of_site(tiers),
        needs: needs.collect(),
    }
}

/// The numbers of file servers that web nodes mount stores of.
fn mounted_servers(mounts: &[Option<Mounted>]) -> impl Iterator<Item = usize> {
    let mounts = mounts.iter().flatten();
    mounts.flat_map(|it| it.servers.iter().copied())
}

/// The numbers of web nodes.
fn web_nodes(tiers: &Tiers) -> impl Iterator<Item = usize> {
    let nodes = tiers.nodes.iter().enumerate();
    let webs = nodes.filter(|(_, node)| matches!(node.role, Role::Web(_)));
    webs.map(|(at, _)| at)
}

/// Where messages from the node `at` go to: nodes, and nothing for clients who are on none. Some may stand there twice.
fn targets(tiers: &Tiers, at: usize) -> Vec<Option<usize>> {
    let mut targets = tiers.homes(at);
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
            targets.extend(mounted_servers(&tiers.mounts()).map(Some));
        }
        Role::Files(_) => targets.extend(web_nodes(tiers).map(Some)),
    }
    targets
}

/// By node, those with clients alone among them: the nodes with a server that send to it by the switch, rising.
fn senders(tiers: &Tiers, joined: &Joined, targets: &[Vec<Option<usize>>]) -> Vec<Vec<usize>> {
    let mut senders = vec![Vec::new(); tiers.nodes_count()];
    for (at, targets) in targets.iter().enumerate() {
        for to in targets.iter().flatten().filter(|to| !joined.has(at, **to)) {
            senders[*to].push(at);
        }
    }
    senders.iter_mut().for_each(Vec::dedup);
    senders
}

/// By node: where it is told that a socket has room for more of an answer, where what it has itself passes a link.
fn sockets(
    page: &mut Page<'_>,
    (tiers, joined): (&Tiers, &Joined),
    targets: &[Vec<Option<usize>>],
) -> Vec<Option<Queue>> {
    let beyond = Beyond::of(tiers);
    let nodes = tiers.nodes.iter().zip(targets).enumerate();
    let each = nodes.map(|(at, (node, targets))| {
        let has_files = match &node.role {
            Role::Web(_) => true,
            Role::Proxy(proxy) => proxy.cache.is_some(),
            Role::Files(_) => false,
        };
        let passes_link = |to: &Option<usize>| {
            node.link.is_some() || to.is_some_and(|to| joined.has(at, to) || beyond.has_link(to))
        };
        let is_told = has_files && targets.iter().any(passes_link);
        is_told.then(|| page.fifo(&format!("sockets of {}", node.name), []))
    });
    each.collect()
}

/// A node: its links, its server, its links again. What it sends is for `targets`. The last of its three are the files that it can be asked for, as
/// [`own_files`] has them.
fn draw_node(
    page: &mut Page<'_>,
    (board, tiers): (&mut Board, &Tiers),
    (at, node, own): (usize, &Node, Option<Arc<[u32]>>),
    targets: &[Option<usize>],
) -> (Option<Object<FileReader>>, Watched) {
    let sent = &Route::leaving(board, at, targets, sends_at_once(node));
    let mut watched = Watched::default();
    let limited = limit(node).map(|count| (count, page.fifo("passed", [])));
    let past_links = match limited {
        None => sent.clone(),
        Some((_, passed)) => Route::only(board, passed),
    };
    inlet(page, (&*board, tiers), (at, node.link), &board.senders[at]);
    let sender = Sender {
        at,
        link: node.link,
        targets,
    };
    let outbox = outlets(page, (&*board, tiers), sender, &past_links);
    let arrived = board.entrances[at].arrived;
    let arrived = match &node.role {
        Role::Web(_) | Role::Files(_) => {
            deliveries::send_again(page, board, at, &outbox);
            deliveries::received(page, board, at, arrived)
        }
        Role::Proxy(_) => arrived,
    };
    let arrived = match limited {
        None => arrived,
        Some((count, passed)) => {
            let around = Around {
                arrived,
                passed,
                sent,
            };
            match tiers.keep_alive(at) {
                None => workers(page, board, (at, count), &around, &mut watched),
                Some(keep_alive) => {
                    let of = (at, count, keep_alive);
                    let ends = ends_of_connections(board, tiers);
                    staying_workers(page, board, of, (&around, ends), &mut watched)
                }
            }
        }
    };
    let way = (&arrived, &outbox);
    let reader = draw_server(page, (board, tiers), (at, node, own), way, &mut watched);
    (reader, watched)
}

/// By request, whether its client closes its connection when it has the answer. Clients who wait for answers keep theirs.
fn ends_of_connections(board: &Board, tiers: &Tiers) -> Arc<[bool]> {
    match tiers.arrivals {
        Arrivals::Open(_) => board.traffic.ends_of_connections().into(),
        Arrivals::Closed(_) | Arrivals::ByClass(_) => Arc::from([]),
    }
}

/// A node's server, between where messages arrive and where they are to be sent from; its storage, where it reads stores.
fn draw_server(
    page: &mut Page<'_>,
    (board, tiers): (&mut Board, &Tiers),
    (at, node, own): (usize, &Node, Option<Arc<[u32]>>),
    way: (&Queue, &Route),
    watched: &mut Watched,
) -> Option<Object<FileReader>> {
    match &node.role {
        Role::Web(web) => {
            let mounts: Arc<[Option<Mounted>]> = tiers.mounts().into();
            let web = web::WebNode {
                at,
                processors: node.processors,
                web,
                mounts: &mounts,
                own,
                stacks: Stacks::of(tiers, at),
            };
            Some(web::web(page, board, web, way, watched))
        }
        Role::Proxy(proxy) => {
            let (cpus, stacks) = (node.processors, Stacks::of(tiers, at));
            match proxy.cache {
                Some(kept) => {
                    let proxy = (at, cpus, proxy, kept);
                    caching_proxy(page, board, proxy, stacks, way, watched);
                }
                None => proxy::proxy(page, board, (at, cpus, proxy), stacks, way, watched),
            }
            None
        }
        Role::Files(role) => {
            // Without calls nothing comes to it.
            if let Some(calls) = board.calls {
                let placing = placing(tiers);
                files::files(page, board, (at, role), (&placing, calls), way, watched);
            }
            None
        }
    }
}
