//! Lustre, GlusterFS and MooseFS as a scenario has them.

use hotset_models::remote::cluster::{ClusterProtocol, ClusterServers, GlusterFs, Lustre, MooseFs};
use hotset_models::remote::nfs::{Mount, Version};
use hotset_models::remote::{Outage, Transport};
use hotset_scenario::{ClusterOptions, StoreKind, StoreSpec};

/// Nanoseconds of a second.
const SECOND_NS: u64 = 1_000_000_000;

/// How clients with so much memory speak with a store of this kind: Lustre, GlusterFS or MooseFS.
#[must_use]
pub fn cluster_protocol(
    kind: StoreKind,
    options: &ClusterOptions,
    client_memory_bytes: u64,
) -> ClusterProtocol {
    match kind {
        StoreKind::Lustre => ClusterProtocol::Lustre(lustre(options, client_memory_bytes)),
        StoreKind::MooseFs => ClusterProtocol::MooseFs(moosefs(options)),
        _ => ClusterProtocol::GlusterFs(glusterfs(options)),
    }
}

fn seconds_ns(seconds: Option<u32>) -> Option<u64> {
    seconds.map(|it| u64::from(it) * SECOND_NS)
}

fn lustre(options: &ClusterOptions, client_memory_bytes: u64) -> Lustre {
    let usual = Lustre {
        read_ahead_bytes: Lustre::usual_read_ahead_bytes(client_memory_bytes),
        ..Lustre::default()
    };
    Lustre {
        stripe_bytes: options.stripe_bytes.unwrap_or(usual.stripe_bytes),
        stripes: options.stripes.unwrap_or(usual.stripes),
        calls_in_flight: options.rpcs_in_flight.unwrap_or(usual.calls_in_flight),
        call_bytes: options.rpc_bytes.unwrap_or(usual.call_bytes),
        read_ahead_bytes: options.read_ahead_bytes.unwrap_or(usual.read_ahead_bytes),
        ..usual
    }
}

fn glusterfs(options: &ClusterOptions) -> GlusterFs {
    let usual = GlusterFs::default();
    GlusterFs {
        redundancy: options.redundancy.unwrap_or(usual.redundancy),
        io_cache_bytes: options.io_cache_bytes.unwrap_or(usual.io_cache_bytes),
        read_ahead_bytes: options.read_ahead_bytes.unwrap_or(usual.read_ahead_bytes),
        quick_read_bytes: options.quick_read_bytes.unwrap_or(usual.quick_read_bytes),
        cache_ns: seconds_ns(options.cache_s).unwrap_or(usual.cache_ns),
        ..usual
    }
}

fn moosefs(options: &ClusterOptions) -> MooseFs {
    let usual = MooseFs::default();
    MooseFs {
        copies: options.copies.unwrap_or(usual.copies),
        read_ahead_bytes: options.read_ahead_bytes.unwrap_or(usual.read_ahead_bytes),
        cache_ns: seconds_ns(options.cache_s).unwrap_or(usual.cache_ns),
        entry_cache_ns: seconds_ns(options.entry_cache_s).unwrap_or(usual.entry_cache_ns),
        ..usual
    }
}

/// A store of the sites on Lustre, GlusterFS or MooseFS.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClusterStore {
    pub protocol: ClusterProtocol,
    pub servers: ClusterServers,
}

impl ClusterStore {
    /// That of `spec`, with the names of its servers: those with data, then that of the metadata where it is another. Nothing of a store of another
    /// kind, or on servers of its own.
    pub fn of(spec: &StoreSpec, client_memory_bytes: u64) -> Option<(Self, Vec<String>)> {
        let kind = spec.kind.filter(|kind| kind.is_cluster())?;
        let (options, remote) = (spec.cluster.as_ref()?, spec.remote.as_ref()?);
        let mut names = remote.servers.clone();
        let with_data = names.len();
        let metadata = options.metadata.as_ref().map_or(0, |name| {
            let known = names.iter().position(|it| it == name);
            known.unwrap_or_else(|| {
                names.push(name.clone());
                with_data
            })
        });
        let store = Self {
            protocol: cluster_protocol(kind, options, client_memory_bytes),
            servers: ClusterServers {
                count: names.len(),
                with_data,
                metadata,
            },
        };
        Some((store, names))
    }

    /// The sizes of its calls, as those of a mount.
    pub fn mount(&self) -> Mount {
        let most_bytes = self.protocol.most_bytes();
        Mount {
            version: Version::V3,
            read_bytes: most_bytes,
            write_bytes: most_bytes,
            attributes_s: None,
            sync: false,
        }
    }

    /// How its calls travel. Clients wait for a server for ever where none may be out of reach.
    pub fn transport(&self, may_be_out_of_reach: bool) -> Transport {
        Transport {
            timeout_ns: self.protocol.patience_ns(),
            retransmissions: 0,
            is_soft: may_be_out_of_reach,
            outage: match self.protocol {
                ClusterProtocol::GlusterFs(_) => Outage::Breaks,
                ClusterProtocol::Lustre(_) | ClusterProtocol::MooseFs(_) => Outage::Loses,
            },
            ..Transport::TCP
        }
    }

    /// Threads of a server that does not say how many it has.
    pub fn threads(&self) -> usize {
        match self.protocol {
            ClusterProtocol::Lustre(_) => Lustre::SERVER_THREADS,
            ClusterProtocol::GlusterFs(_) => GlusterFs::SERVER_THREADS,
            ClusterProtocol::MooseFs(_) => MooseFs::SERVER_THREADS,
        }
    }
}
