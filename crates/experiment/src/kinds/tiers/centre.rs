//! What a cell stands up, and who asks it.

use hotset_scenario::{Client, Node, Scenario, ServerSpec, StoreKind};

use super::result::ArrivalSettings;
use super::section::Cell;
use crate::ExperimentError;
use crate::header::Header;
use crate::node::RealStore;
use crate::tiers::real_stores;

/// What a cell stands up.
pub(super) struct Centre {
    pub scenario: Scenario,
    pub store: RealStore,
    /// The node that is asked.
    pub entry: String,
    /// The node that clients are on; none where they are on the machine itself, as they are who come at random times.
    pub asks_from: Option<String>,
    pub arrivals: ArrivalSettings,
}

/// What a file system takes beside the files, as a share: inode tables at one inode for 8 KiB, the journal, block maps.
const OVERHEAD: f64 = 1.08;
const OVERHEAD_BYTES: u64 = 256 << 20;
/// A file takes whole blocks.
const BLOCK_BYTES: u64 = 4096;

impl Centre {
    /// That of a cell.
    pub fn of(cell: &Cell, header: &Header) -> Result<Self, ExperimentError> {
        let scenario = Scenario::load_with(&header.scenario, &cell.set)
            .map_err(|error| header.unusable(&format!("cannot be cell {}: {error}", cell.name)))?;
        let unusable =
            |problem: &str| header.unusable(&format!("as of cell {} {problem}", cell.name));
        let mut stores = real_stores(&scenario)
            .map_err(|why| unusable(&why))?
            .into_iter();
        let (store, None) = (stores.next(), stores.next()) else {
            return Err(unusable("has several [[store]] with a kind; give it one"));
        };
        let store = store.filter(|store| !store.is_in_memory());
        let store = store.ok_or_else(|| {
            unusable("has its store in memory, whose cache cannot be emptied; give another")
        })?;
        let (entry, arrivals) = asked(&scenario, cell).map_err(|why| unusable(&why))?;
        let clients = scenario.clients.first().filter(|_| cell.rate.is_none());
        let asks_from = clients.and_then(|clients| clients.node.clone());
        let scenario = with_room(scenario, cell);
        Ok(Self {
            asks_from,
            scenario,
            store,
            entry,
            arrivals,
        })
    }

    /// The nodes that have a disk of the store each, in the order in which the lab makes these.
    pub fn disk_owners(&self) -> Vec<String> {
        let spec = &self.store.spec;
        if let Some(remote) = &spec.remote {
            return remote.servers.clone();
        }
        if self.store.is_remote() {
            let own = 0..StoreKind::OWN_SERVERS;
            return own.map(|it| format!("{}-files{it}", spec.name)).collect();
        }
        let webs = self.scenario.nodes.iter().filter(|node| node.reads_store());
        webs.map(|node| node.name.clone()).collect()
    }

    /// The server of the node that is asked.
    pub fn asked_server(&self) -> Option<&ServerSpec> {
        let mut nodes = self.scenario.nodes.iter();
        let entry = nodes.find(|node| node.name == self.entry);
        entry.map(|node| &node.server)
    }

    /// The scenario as a model takes it: the nodes that requests come to, file servers, and the clients of the cell with their node. Kernel and servers
    /// take so many `server_memory_bytes` of each web node, in the order of the nodes.
    pub fn modelled(&self, server_memory_bytes: &[u64]) -> Scenario {
        let mut scenario = self.scenario.clone();
        let webs = scenario.nodes.iter_mut().filter(|node| node.reads_store());
        for (web, &bytes) in webs.zip(server_memory_bytes) {
            web.server_memory_bytes = Some(web.server_memory_bytes.unwrap_or(bytes));
        }
        let behind: &[String] = match self.asked_server() {
            Some(ServerSpec::NginxProxy { upstream, .. }) => upstream,
            _ => &[],
        };
        let is_there = |node: &Node| {
            let has_clients = self.asks_from.as_ref() == Some(&node.name);
            let has_files = node.server == ServerSpec::Files;
            node.name == self.entry || behind.contains(&node.name) || has_clients || has_files
        };
        scenario.nodes.retain(is_there);
        scenario.clients = match self.arrivals {
            ArrivalSettings::Open { .. } => Vec::new(),
            ArrivalSettings::Closed { clients, think_ns } => vec![Client {
                name: "clients".to_owned(),
                asks: self.entry.clone(),
                clients,
                think_ns: Some(think_ns),
                timeout_ns: None,
                node: self.asks_from.clone(),
                opens_connections: false,
            }],
        };
        scenario
    }
}

/// The node that is asked, and how.
fn asked(scenario: &Scenario, cell: &Cell) -> Result<(String, ArrivalSettings), String> {
    let (usual, arrivals) = match (cell.rate, scenario.clients.as_slice()) {
        (Some(rate_per_s), _) => {
            let proxy = |node: &&Node| matches!(node.server, ServerSpec::NginxProxy { .. });
            let first = scenario.nodes.iter().find(proxy);
            let first = first.or(scenario.nodes.iter().find(|node| node.has_server()));
            let first = first.ok_or("has no [[node]] with a server")?;
            (&first.name, ArrivalSettings::Open { rate_per_s })
        }
        (None, [clients]) if clients.timeout_ns.is_some() => {
            return Err("has clients with a `timeout`, which measured ones do not have".to_owned());
        }
        (None, [clients]) => {
            let (clients, think_ns) = (clients.clients, clients.think_ns.unwrap_or_default());
            let arrivals = ArrivalSettings::Closed { clients, think_ns };
            (&scenario.clients[0].asks, arrivals)
        }
        (None, _) => return Err("needs one [[client]], or the cell a `rate`".to_owned()),
    };
    let asks = cell.asks.as_ref().unwrap_or(usual);
    let is_asked = |node: &Node| node.name == *asks && node.has_server();
    match scenario.nodes.iter().any(is_asked) {
        true => Ok((asks.clone(), arrivals)),
        false => Err(format!("has no [[node]] `{asks}` to be asked")),
    }
}

/// The scenario with room for the cell's files on every disk.
fn with_room(mut scenario: Scenario, cell: &Cell) -> Scenario {
    let bytes = (cell.file_bytes + BLOCK_BYTES) * u64::from(cell.files);
    let least = (bytes as f64 * OVERHEAD) as u64 + OVERHEAD_BYTES;
    for store in &mut scenario.stores {
        store.size_bytes = Some(store.size_bytes.unwrap_or(0).max(least));
    }
    scenario
}
