//! Stores of the sites that are on file servers, and how web nodes mount them.

use hotset_models::remote::nfs::{Mount, Version};
use hotset_models::remote::{Part, Protocol, Transport};
use hotset_scenario::{MemorySize, MountOptions, Node, Scenario, StoreKind, StoreSpec};

use crate::TopologyError;
use crate::error::refuse;
use crate::several_servers::{first_part, mount_of, transport_of};

/// The kernel and what it keeps for itself take so much of a machine's memory: the rest is what it counts. Assumed.
const KERNEL_SHARE: f64 = 0.03;

/// Most bytes of a file that a datagram has (`RPCSVC_MAXPAYLOAD_UDP`, `include/linux/sunrpc/svc.h`).
const MOST_UDP_BYTES: u64 = 32 << 10;
/// The same of a message of version 2 (`NFS_MAXDATA`, RFC 1094).
const MOST_V2_BYTES: u64 = 8 << 10;

/// How clients mount a store of this kind from a file server.
#[must_use]
pub fn mount(kind: StoreKind, options: MountOptions, server: &Node) -> Mount {
    let version = match kind {
        StoreKind::Nfs2 => Version::V2,
        StoreKind::Nfs4 => Version::V4 {
            minor: options.minor_version.unwrap_or(2),
        },
        _ => Version::V3,
    };
    let most_bytes = match (version, options.is_udp) {
        (Version::V2, _) => MOST_V2_BYTES,
        (_, true) => message_bytes(server.memory).min(MOST_UDP_BYTES),
        (_, false) => message_bytes(server.memory),
    };
    Mount {
        version,
        protocol: match options.is_udp {
            true => Protocol::Udp,
            false => Protocol::Tcp,
        },
        read_bytes: options.read_bytes.unwrap_or(most_bytes).min(most_bytes),
        write_bytes: options.write_bytes.unwrap_or(most_bytes).min(most_bytes),
        attributes_s: options.attributes_s,
        sync: options.sync,
    }
}

/// How calls of a mount travel, and how long clients wait.
#[must_use]
pub fn transport(kind: StoreKind, options: MountOptions) -> Transport {
    let usual = match (kind, options.is_udp) {
        (StoreKind::Nfs2, _) => Transport::UDP_OF_2_4,
        (_, true) => Transport::UDP,
        (_, false) => Transport::TCP,
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
    /// Whether the server answers before what is to be on its disk is there.
    pub is_async: bool,
    /// The store that the server keeps its files on, and their pages.
    pub on: StoreSpec,
    pub pages: u64,
    /// The first server's part, where several have one.
    pub part: Option<Part>,
}

impl RemoteStore {
    /// That of `spec`, which has this place among the stores of the sites, and files of so many pages, the largest of so many bytes. Nothing
    /// of a store that is on no file server. All files have `all_bytes`.
    ///
    /// # Errors
    /// Files that are too large for the protocol.
    pub fn of(
        scenario: &Scenario,
        (store, spec): (usize, &StoreSpec),
        (pages, largest_bytes): (u64, u64),
        all_bytes: u64,
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
        let client_bytes = client.map_or(0, |node| node.memory.bytes(all_bytes));
        if let Some((part, servers)) = first_part(spec, client_bytes) {
            return Ok(Some(Self {
                store,
                servers,
                mount: mount_of(&part, remote.parallel.as_ref()),
                transport: transport_of(&part, !scenario.events.is_empty()),
                is_async: false,
                on: on.clone(),
                pages,
                part: Some(part),
            }));
        }
        let mount = mount(kind, remote.options, server);
        check_size(spec, mount, largest_bytes)?;
        Ok(Some(Self {
            store,
            servers: vec![server.name.clone()],
            mount,
            transport: transport(kind, remote.options),
            is_async: remote.options.is_async,
            on: on.clone(),
            pages,
            part: None,
        }))
    }
}

/// Refuses a file of so many bytes on a store whose protocol has none as large.
///
/// # Errors
/// Such a file, with the line of the store.
pub fn check_size(store: &StoreSpec, mount: Mount, bytes: u64) -> Result<(), TopologyError> {
    let (Some(most_bytes), Some(remote)) = (mount.most_file_bytes(), &store.remote) else {
        return Ok(());
    };
    if bytes > most_bytes {
        refuse!(
            "line {}: store `{}`: a file has {bytes} bytes, and nfs2 has files of at most {most_bytes}; write kind = \"nfs3\" or \"nfs4\"",
            remote.at.line,
            store.name
        );
    }
    Ok(())
}
