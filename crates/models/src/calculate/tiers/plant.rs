//! The nodes as stations: processors, parts of disks, and each way of links. Links to the switch and between two nodes have numbers, as in
//! simulations.

use super::device::Devices;
use super::processing;
use crate::calculate::network::Order;
use crate::tiers::{Link, Role, Tiers, Traffic, Web};

/// The nodes, and where their stations are among all.
pub(super) struct Plant<'t> {
    pub tiers: &'t Tiers,
    pub nodes: Vec<NodeStations>,
    /// By the numbers of links: those of nodes, nothing where a node has none; then those between two nodes.
    links: Vec<Option<LinkStations>>,
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
    /// Both ways of each link by which a proxy asks it alone.
    direct: Vec<[usize; 2]>,
}

impl NodeStations {
    /// All of them.
    pub fn all(&self) -> Vec<usize> {
        let disks = self.disks.iter().flatten().flat_map(DiskStations::stations);
        let ways = self.link.iter().chain(&self.direct).flatten().copied();
        std::iter::once(self.processors)
            .chain(disks)
            .chain(ways)
            .collect()
    }
}

/// A link, and the stations of what its node receives, and sends. Of two nodes, it is the first one.
#[derive(Clone, Copy)]
pub(super) struct LinkStations {
    link: Link,
    pub stations: [usize; 2],
}

impl LinkStations {
    /// Its rate.
    pub fn bits_per_s(self) -> f64 {
        self.link.bits_per_s as f64
    }
}

/// One way of a link.
#[derive(Clone, Copy)]
pub(super) struct Way {
    pub link: Link,
    pub station: usize,
    /// The link's number.
    pub number: usize,
    /// 0 for what its node receives, 1 for what it sends.
    pub way: usize,
}

/// The links that messages pass from one node to another.
#[derive(Clone, Copy)]
pub(super) struct Leg {
    /// That of whoever sends to the switch.
    pub out: Option<Way>,
    /// That of whom they are for, from the switch or straight from whoever sends.
    pub into: Option<Way>,
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
            links: Vec::new(),
            orders: Vec::new(),
        };
        for at in 0..tiers.nodes.len() {
            let stations = plant.stations_of(at, traffic, waiting);
            plant.nodes.push(stations);
        }
        plant.add_links();
        plant
    }

    /// The stations of a link, by its number; nothing where a node has none.
    pub fn link(&self, number: usize) -> Option<LinkStations> {
        self.links[number]
    }

    /// What messages pass from one node to another; nothing stands for clients at the switch.
    pub fn leg(&self, from: Option<usize>, to: Option<usize>) -> Leg {
        let both = from.zip(to);
        match both.and_then(|(from, to)| self.direct(from, to)) {
            Some(direct) => Leg {
                out: None,
                into: Some(direct),
            },
            None => Leg {
                out: from.and_then(|node| self.way(node, 1)),
                into: to.and_then(|node| self.way(node, 0)),
            },
        }
    }

    /// The way from one node to another by a link between both, where there is one.
    pub fn direct(&self, from: usize, to: usize) -> Option<Way> {
        let mut links = self.tiers.direct_links_of(from);
        let (number, direct, _) = links.find(|(_, _, other)| *other == to)?;
        self.way(number, usize::from(direct.between[0] != to))
    }

    fn way(&self, number: usize, way: usize) -> Option<Way> {
        let LinkStations { link, stations } = self.links[number]?;
        Some(Way {
            link,
            station: stations[way],
            number,
            way,
        })
    }

    /// Adds the links of nodes that clients are on, and those between two nodes.
    fn add_links(&mut self) {
        let tiers = self.tiers;
        let of_nodes = tiers.nodes.iter().zip(&self.nodes).map(|(node, it)| {
            let both = node.link.zip(it.link);
            both.map(|(link, stations)| LinkStations { link, stations })
        });
        let mut links: Vec<Option<LinkStations>> = of_nodes.collect();
        for node in &tiers.client_nodes {
            links.push(node.link.map(|link| self.add_link(link)));
        }
        for direct in &tiers.direct_links {
            let own = self.add_link(direct.link);
            links.push(Some(own));
            let [one, other] = direct.between;
            for (asking, asked) in [(one, other), (other, one)] {
                if self.asks(asking, asked) {
                    self.nodes[asked].direct.push(own.stations);
                }
            }
        }
        // Those between switches are not followed.
        links.resize_with(tiers.links_count(), || None);
        self.links = links;
    }

    fn add_link(&mut self, link: Link) -> LinkStations {
        let room_s = link.room_ns() as f64 / 1e9;
        let stations = [(); 2].map(|()| self.add(Order::Line { room_s }));
        LinkStations { link, stations }
    }

    /// Whether a node is a proxy that hands requests on to another.
    fn asks(&self, asking: usize, asked: usize) -> bool {
        let asking = self.tiers.nodes.get(asking).map(|it| &it.role);
        matches!(asking, Some(Role::Proxy(proxy)) if proxy.upstream.contains(&asked))
    }

    fn stations_of(
        &mut self,
        at: usize,
        traffic: &Traffic,
        waiting: &dyn Fn(usize, usize) -> f64,
    ) -> NodeStations {
        let tiers = self.tiers;
        let node = &tiers.nodes[at];
        let processors = self.add(processing::order(node.processors));
        let disks = match &node.role {
            Role::Proxy(_) | Role::Files(_) => Vec::new(),
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
        let link = node.link.map(|link| self.add_link(link).stations);
        NodeStations {
            processors,
            disks,
            link,
            direct: Vec::new(),
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
