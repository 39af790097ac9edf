//! The nodes: a file server with a folder in memory, and clients.

use hotset_lab::basic_needs;
use hotset_lab::server::ganesha_needs;
use hotset_lab::store::MemoryKind;
use hotset_machine::Need;
use hotset_scenario::{
    Link, LinkEnds, MemorySize, MountOptions, Node, Offload, Scenario, ServerSpec, StoreKind,
};

use super::section::Section;

/// Bytes of the largest packet: those of Ethernet.
pub(super) const MTU_BYTES: u64 = 1500;
/// What a file system in memory takes beside files.
const OVERHEAD_BYTES: u64 = 4 << 20;

/// A file server, and its clients.
pub(super) struct Centre {
    pub server: Node,
    pub server_memory_bytes: u64,
    pub clients: Vec<Node>,
    pub export: MemoryKind,
}

impl Centre {
    /// That of a scenario with a store of kind nfs3.
    ///
    /// # Errors
    /// What of the scenario cannot be stood up.
    pub fn of(scenario: &Scenario, section: &Section) -> Result<Self, String> {
        let mut stores = scenario.stores.iter();
        let store = stores.find(|store| store.kind == Some(StoreKind::Nfs3));
        let found = store.and_then(|store| Some((store, store.remote.as_ref()?)));
        let Some((store, remote)) = found else {
            return Err("has no [[store]] of kind = \"nfs3\"; add one".to_owned());
        };
        if remote.options != MountOptions::default() {
            return Err(format!(
                "has [store.options] of store `{}`, which a client in user space does not follow; take them out",
                store.name
            ));
        }
        let mut nodes = scenario.nodes.iter();
        let server = nodes.find(|node| remote.servers.first() == Some(&node.name));
        let server = server.ok_or_else(|| format!("has no server of store `{}`", store.name))?;
        let clients = scenario.nodes.iter();
        let clients = clients.filter(|node| node.server == ServerSpec::None);
        let clients: Vec<Node> = clients.cloned().collect();
        let most = section.clients.iter().copied().max().unwrap_or_default();
        if (clients.len() as u64) < most {
            return Err(format!(
                "has {} nodes with server = \"none\", and {most} clients are wanted; add nodes",
                clients.len()
            ));
        }
        let MemorySize::Bytes(server_memory_bytes) = server.memory else {
            return Err(format!(
                "gives the memory of node `{}` as a share; give bytes",
                server.name
            ));
        };
        Ok(Self {
            server_memory_bytes,
            export: export(scenario, &remote.on)?,
            server: server.clone(),
            clients,
        })
    }

    /// The kind of what is exported.
    pub fn export_name(&self) -> &'static str {
        match self.export {
            MemoryKind::Tmpfs => "tmpfs",
            MemoryKind::Ramfs => "ramfs",
        }
    }

    /// The nodes alone, all on links of this rate.
    pub fn scenario(&self, bits_per_s: u64) -> Scenario {
        let nodes = std::iter::once(&self.server).chain(&self.clients);
        let link = |node: &Node| Link {
            ends: LinkEnds::Switch(node.name.clone()),
            bits_per_s,
            delay_ns: 0,
            loss: 0.0,
            mtu_bytes: MTU_BYTES,
            offload: Offload::default(),
            stack: None,
            rdma_lanes: None,
            of_profile: Vec::new(),
        };
        Scenario {
            links: nodes.clone().map(link).collect(),
            nodes: nodes.cloned().collect(),
            ..Scenario::default()
        }
    }

    /// Bytes of a file system with a file of so many bytes for each client.
    pub fn export_bytes(&self, file_bytes: u64) -> u64 {
        file_bytes * self.clients.len() as u64 + OVERHEAD_BYTES
    }

    /// What it takes of the machine.
    pub fn needs(&self, section: &Section) -> Vec<Need> {
        let nodes = std::iter::once(&self.server).chain(&self.clients);
        let memory = nodes.map(|node| node.memory.bytes(0)).sum::<u64>();
        let bytes = memory + self.export_bytes(section.file);
        let mut needs = basic_needs();
        needs.extend(ganesha_needs());
        needs.push(Need::Memory { bytes });
        needs
    }
}

/// What the server's files are on.
fn export(scenario: &Scenario, on: &str) -> Result<MemoryKind, String> {
    let store = scenario.stores.iter().find(|store| store.name == on);
    match store.and_then(|store| store.kind) {
        Some(StoreKind::Tmpfs) => Ok(MemoryKind::Tmpfs),
        Some(StoreKind::Ramfs) => Ok(MemoryKind::Ramfs),
        _ => Err(format!(
            "keeps the server's files on store `{on}`, which is not in memory; disks are not compared: give it kind = \"tmpfs\""
        )),
    }
}
