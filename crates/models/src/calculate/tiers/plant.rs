//! The nodes as stations: processors, parts of disks, and each way of links.

use super::device::Devices;
use super::processing;
use super::store::Pieces;
use crate::calculate::network::Order;
use crate::tiers::{Node, PIECE_BYTES, Role, Tiers, Traffic, Web};

/// The nodes, and where their stations are among all.
pub(super) struct Plant<'t> {
    pub tiers: &'t Tiers,
    pub nodes: Vec<NodeStations>,
    /// By station.
    pub orders: Vec<Order>,
}

/// Stations of a node, by number.
pub(super) struct NodeStations {
    pub processors: usize,
    /// By store; nothing for one that is in memory.
    pub disks: Vec<Option<DiskStations>>,
    /// What it receives, what it sends.
    pub link: Option<[usize; 2]>,
}

impl NodeStations {
    /// All of them.
    pub fn all(&self) -> Vec<usize> {
        let disks = self.disks.iter().flatten().flat_map(DiskStations::stations);
        let ways = self.link.into_iter().flatten();
        std::iter::once(self.processors)
            .chain(disks)
            .chain(ways)
            .collect()
    }
}

/// The devices of a store, and the number of their first part's station.
pub(super) struct DiskStations {
    pub devices: Devices,
    pub first: usize,
}

impl DiskStations {
    pub fn stations(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.devices.parts.len()
    }
}

impl<'t> Plant<'t> {
    /// Of these nodes, for these files. `waiting` requests wait at the disks of a store of a node when they choose one.
    pub fn of(tiers: &'t Tiers, traffic: &Traffic, waiting: &dyn Fn(usize, usize) -> f64) -> Self {
        let mut plant = Self {
            tiers,
            nodes: Vec::new(),
            orders: Vec::new(),
        };
        for at in 0..tiers.nodes.len() {
            let stations = plant.stations_of(at, traffic, waiting);
            plant.nodes.push(stations);
        }
        plant
    }

    fn stations_of(
        &mut self,
        at: usize,
        traffic: &Traffic,
        waiting: &dyn Fn(usize, usize) -> f64,
    ) -> NodeStations {
        let tiers = self.tiers;
        let node = &tiers.nodes[at];
        let flow = Flow::through(tiers, at);
        let processors = self.add(processing::order(
            node.processors,
            burst(flow.to_processors, flow.processors),
        ));
        let disks = match &node.role {
            Role::Proxy(_) => Vec::new(),
            Role::Web(web) => {
                let bytes = bytes_by_store(web, traffic);
                let stores = bytes.iter().enumerate();
                let disk = |(number, &bytes): (usize, &u64)| {
                    let store = &web.stores[number];
                    (!store.in_memory).then(|| {
                        let devices = Devices::of(&store.profile, bytes, waiting(at, number));
                        self.add_disk(devices)
                    })
                };
                stores.map(disk).collect()
            }
        };
        let link = node.link.map(|_| {
            let into = burst(flow.to_node, flow.link);
            let out = burst(flow.to_link(), flow.link);
            [into, out].map(|burst| self.add(Order::InOrder { burst }))
        });
        NodeStations {
            processors,
            disks,
            link,
        }
    }

    fn add(&mut self, order: Order) -> usize {
        self.orders.push(order);
        self.orders.len() - 1
    }

    fn add_disk(&mut self, devices: Devices) -> DiskStations {
        let first = self.orders.len();
        self.orders
            .extend(devices.parts.iter().map(|part| part.order));
        DiskStations { devices, first }
    }
}

/// Bytes of whole files on each store.
fn bytes_by_store(web: &Web, traffic: &Traffic) -> Vec<u64> {
    let mut bytes = vec![0u64; web.stores.len()];
    for file in &traffic.files {
        let of_store = &mut bytes[web.store_of(file.site)];
        *of_store = of_store.saturating_add(file.bytes);
    }
    bytes
}

/// How fast bytes of answers can come to the stations of a node, bytes a second.
struct Flow {
    /// To the node, from the nodes behind it.
    to_node: f64,
    to_processors: f64,
    processors: f64,
    link: f64,
}

impl Flow {
    fn through(tiers: &Tiers, at: usize) -> Self {
        let node = &tiers.nodes[at];
        let (processors, link) = (processors_per_s(node), link_per_s(node));
        match &node.role {
            // The next piece of a file is read when the last one was handed over.
            Role::Web(_) => Self {
                to_node: f64::INFINITY,
                to_processors: f64::INFINITY,
                processors,
                link,
            },
            Role::Proxy(proxy) => {
                let mut behind = proxy.upstream.clone();
                behind.sort_unstable();
                behind.dedup();
                let from = |at: usize| {
                    let node = &tiers.nodes[at];
                    processors_per_s(node).min(link_per_s(node))
                };
                let to_node: f64 = behind.into_iter().map(from).sum();
                Self {
                    to_node,
                    to_processors: to_node.min(link),
                    processors,
                    link,
                }
            }
        }
    }

    fn to_link(&self) -> f64 {
        self.to_processors.min(self.processors)
    }
}

/// The share of an answer that is there at once at a station of the rate `own_per_s`, where pieces come at `coming_per_s`: what comes no
/// faster than it goes does not pile up.
fn burst(coming_per_s: f64, own_per_s: f64) -> f64 {
    if own_per_s.is_infinite() {
        return 0.0;
    }
    (1.0 - own_per_s / coming_per_s).max(0.0)
}

fn link_per_s(node: &Node) -> f64 {
    node.link
        .map_or(f64::INFINITY, |link| link.bits_per_s as f64 / 8.0)
}

/// Bytes of large files that a node's processors hand over, a second.
fn processors_per_s(node: &Node) -> f64 {
    let piece_ns = match &node.role {
        Role::Web(web) => Pieces::of(&web.stores[0].profile).ns(PIECE_BYTES, 2 * PIECE_BYTES),
        Role::Proxy(proxy) => proxy.piece_ns(PIECE_BYTES, false),
    };
    let piece_s = processing::times_alone(node.processors) * node.processors.seconds(piece_ns);
    f64::from(processing::servers(node.processors)) * PIECE_BYTES as f64 / piece_s
}
