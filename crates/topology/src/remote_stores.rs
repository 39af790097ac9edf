//! Stores of the sites that are on file servers, and how web nodes mount them.

use hotset_models::remote::nfs::{Mount, Version};
use hotset_models::remote::{Part, Transport};
use hotset_scenario::{MemorySize, MountOptions, Node, Scenario, StoreKind, StoreSpec};

use crate::TopologyError;
use crate::error::refuse;
use crate::several_servers::{first_part, mount_of, transport_of};

/// The kernel and what it keeps for itself take so much of a machine's memory: the rest is what it counts. Assumed.
const KERNEL_SHARE: f64 = 0.03;

/// Most bytes of a file that a datagram has (`RPCSVC_MAXPAYLOAD_UDP`, `include/linux/sunrpc/svc.h`).
const MOST_UDP_BYTES: u64 = 32 << 10;

/// How clients mount a store of this kind from a file server.
///
/// # Errors
/// A protocol that is not simulated.
pub fn mount(
    kind: StoreKind,
    options: MountOptions,
    server: &Node,
) -> Result<Mount, TopologyError> {
    let version = match (kind, options.minor_version) {
        (StoreKind::Nfs4, Some(0)) => {
            refuse!("`minorversion = 0` in [store.options]: is not simulated yet; write 1 or 2")
        }
        (StoreKind::Nfs4, minor) => Version::V4 {
            minor: minor.unwrap_or(2),
        },
        _ => Version::V3,
    };
    let most_bytes = match options.is_udp {
        true => message_bytes(server.memory).min(MOST_UDP_BYTES),
        false => message_bytes(server.memory),
    };
    Ok(Mount {
        version,
        read_bytes: options.read_bytes.unwrap_or(most_bytes).min(most_bytes),
        write_bytes: options.write_bytes.unwrap_or(most_bytes).min(most_bytes),
        attributes_s: options.attributes_s,
        sync: options.sync,
    })
}

/// How calls of a mount travel, and how long clients wait.
#[must_use]
pub fn transport(options: MountOptions) -> Transport {
    let usual = match options.is_udp {
        true => Transport::UDP,
        false => Transport::TCP,
    };
    let timeout_ns = options.timeo.map(|tenths| u64::from(tenths) * 100_000_000);
    Transport {
        timeout_ns: timeout_ns.unwrap_or(usual.timeout_ns),
        retransmissions: options.retrans.unwrap_or(usual.retransmissions),
        is_soft: options.is_soft,
        ..usual
    }
}

/// Most bytes that Linux's server takes in a message: the power of two up to a 4096th of its memory, from 8 KiB to 1 MiB
/// (`nfsd_get_default_max_blksize`, `fs/nfsd/nfssvc.c` of Linux 6.1).
fn message_bytes(memory: MemorySize) -> u64 {
    let MemorySize::Bytes(memory_bytes) = memory else {
        return 1 << 20;
    };
    let target_bytes = (memory_bytes as f64 * (1.0 - KERNEL_SHARE)) as u64 >> 12;
    let mut bytes = 1 << 20;
    while bytes > target_bytes && bytes >= 2 * (8 << 10) {
        bytes /= 2;
    }
    bytes
}

/// A store of the sites that a file server has.
#[derive(Clone, Debug)]
pub(crate) struct RemoteStore {
    /// Its place among the stores of the sites.
    pub store: usize,
    /// Names of the file servers, by their places.
    pub servers: Vec<String>,
    pub mount: Mount,
    pub transport: Transport,
    /// The store that the server keeps its files on, and their pages.
    pub on: StoreSpec,
    pub pages: u64,
    /// The first server's part, where several have one.
    pub part: Option<Part>,
}

impl RemoteStore {
    /// That of `spec`, which has this place among the stores of the sites, and files of so many pages; nothing of a store that is on no
    /// file server.
    ///
    /// # Errors
    /// A protocol that is not simulated.
    pub fn of(
        scenario: &Scenario,
        (store, spec): (usize, &StoreSpec),
        pages: u64,
    ) -> Result<Option<Self>, TopologyError> {
        let (Some(kind), Some(remote)) = (spec.kind, &spec.remote) else {
            return Ok(None);
        };
        let is_server = |node: &&Node| remote.servers.first() == Some(&node.name);
        let server = scenario.nodes.iter().find(is_server);
        let on = scenario.stores.iter().find(|it| it.name == remote.on);
        // Whoever read the scenario has seen that both are there.
        let (Some(server), Some(on)) = (server, on) else {
            refuse!("store `{}` is not there; add it as [[store]]", remote.on);
        };
        let mut nodes = scenario.nodes.iter();
        let client = nodes.find(|node| node.reads_store());
        let client_bytes = client.map_or(0, |node| node.memory.bytes(0));
        if let Some((part, servers)) = first_part(spec, client_bytes) {
            return Ok(Some(Self {
                store,
                servers,
                mount: mount_of(&part),
                transport: transport_of(&part, !scenario.events.is_empty()),
                on: on.clone(),
                pages,
                part: Some(part),
            }));
        }
        Ok(Some(Self {
            store,
            servers: vec![server.name.clone()],
            mount: mount(kind, remote.options, server)?,
            transport: transport(remote.options),
            on: on.clone(),
            pages,
            part: None,
        }))
    }
}
