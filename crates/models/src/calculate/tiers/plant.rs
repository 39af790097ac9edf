//! The nodes as stations: processors, parts of disks, and each way of links. Links to the switch and between two nodes have numbers, as in
//! simulations.

use super::processing;
use super::served::exported;
use crate::calculate::device::Devices;
use crate::calculate::network::Order;
use crate::tiers::{Export, Files, Link, Role, Tiers, Traffic, Web};

/// The nodes, and where their stations are among all.
pub(super) struct Plant<'t> {
    pub tiers: &'t Tiers,
    /// By store: the file server that has it, by its place, and how it is mounted.
    pub mounts: Vec<Option<(usize, Export)>>,
    pub nodes: Vec<NodeStations>,
    /// By the numbers of links: those of nodes, nothing where a node has none; then those between two nodes.
    links: Vec<Option<LinkStations>>,
    /// By station.
    pub orders: Vec<Order>,
}

/// Stations of a node, by number.
pub(super) struct NodeStations {
    pub processors: usize,
    /// Threads of a file server.
    pub threads: Option<usize>,
    /// Of a web node that mounts stores of version 4.0: calls that wait for each other.
    pub turns: Option<usize>,
    /// By store; nothing for one that is in memory, or that a file server has. Of a file server the one that it keeps all files on.
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
            .chain(self.threads)
            .chain(self.turns)
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

impl Way {
    /// How long so many bytes pass it, seconds.
    pub fn passing_s(self, bytes: u64) -> f64 {
        self.link.passing_ns(bytes) as f64 / 1e9
    }

    /// How long a bit is on its way, seconds.
    pub fn delay_s(self) -> f64 {
        self.link.delay_ns as f64 / 1e9
    }
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
            mounts: tiers.single_mounts(),
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

    /// Whether a node is a proxy that hands requests on to another, or a web node that has files on it.
    fn asks(&self, asking: usize, asked: usize) -> bool {
        match self.tiers.nodes.get(asking).map(|it| &it.role) {
            Some(Role::Proxy(proxy)) => proxy.upstream.contains(&asked),
            Some(Role::Web(_)) => self.mounts.iter().flatten().any(|it| it.0 == asked),
            Some(Role::Files(_)) | None => false,
        }
    }

    /// How a store is mounted, where a file server has it: that one's place, and the mount.
    pub fn mount(&self, store: usize) -> Option<(usize, Export)> {
        self.mounts.get(store).copied().flatten()
    }

    /// Whether some mounts have calls that wait for each other.
    fn has_turns(&self) -> bool {
        let mut mounts = self.mounts.iter().flatten();
        mounts.any(|(_, export)| export.mount.has_turns())
    }

    fn stations_of(
        &mut self,
        at: usize,
        traffic: &Traffic,
        waiting: &dyn Fn(usize, usize) -> f64,
    ) -> NodeStations {
        let tiers = self.tiers;
        let node = &tiers.nodes[at];
        if let Role::Files(files) = &node.role {
            return self.server_stations((at, files), traffic, waiting(at, 0));
        }
        let processors = self.add(processing::order(node.processors));
        let (disks, turns) = match &node.role {
            Role::Proxy(_) | Role::Files(_) => (Vec::new(), None),
            Role::Web(web) => {
                let bytes = bytes_by_store(web, traffic);
                let stores = bytes.iter().enumerate();
                let disk = |(number, &bytes): (usize, &u64)| {
                    let store = &web.stores[number];
                    let is_own = !store.in_memory && self.mount(number).is_none();
                    is_own.then(|| {
                        let devices = Devices::of(&store.profile, bytes, waiting(at, number));
                        self.add_disk(devices)
                    })
                };
                let disks: Vec<_> = stores.map(disk).collect();
                let has_turns = self.has_turns();
                (disks, has_turns.then(|| self.add(Order::InOrder)))
            }
        };
        let link = node.link.map(|link| self.add_link(link).stations);
        NodeStations {
            processors,
            threads: None,
            turns,
            disks,
            link,
            direct: Vec::new(),
        }
    }

    /// Those of a file server.
    fn server_stations(
        &mut self,
        (at, files): (usize, &Files),
        traffic: &Traffic,
        waiting: f64,
    ) -> NodeStations {
        let sizes = exported(self.tiers, &self.mounts, at, traffic);
        let bytes = sizes.into_iter().fold(0, u64::saturating_add);
        let processors = self.add(Order::of_servers(files.processors));
        let threads = self.add(Order::of_servers(files.threads));
        let devices = Devices::of(&files.profile, bytes, waiting);
        let disk = self.add_disk(devices);
        let link = self.tiers.nodes[at].link;
        NodeStations {
            processors,
            threads: Some(threads),
            turns: None,
            disks: vec![Some(disk)],
            link: link.map(|link| self.add_link(link).stations),
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
