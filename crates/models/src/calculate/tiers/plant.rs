//! The nodes as stations: processors, parts of disks, and each way of links.

use super::device::Devices;
use super::processing;
use crate::calculate::network::Order;
use crate::tiers::{Role, Tiers, Traffic, Web};

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
        let link = node.link.map(|link| {
            let room_s = link.room_ns() as f64 / 1e9;
            [(); 2].map(|()| self.add(Order::Line { room_s }))
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
