//! File systems on several servers as a scenario has them: Lustre, GlusterFS and MooseFS, PVFS 1 and OrangeFS.

use hotset_models::remote::cluster::{
    ClusterPart, ClusterProtocol, ClusterServers, GlusterFs, Lustre, MooseFs,
};
use hotset_models::remote::nfs::{Mount, Version};
use hotset_models::remote::pvfs::{
    ClientKind, OrangeFs, ParallelPart, Protocol, Pvfs1, ReceiveCost, Striping,
};
use hotset_models::remote::{self, CallCosts, Outage, Part, Transport};
use hotset_scenario::{ClusterOptions, ParallelOptions, StoreKind, StoreSpec};

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

/// What walking a receive buffer takes for each packet in it, nanoseconds: what a cache of the processor has. Assumed.
const WALK_NS: u64 = 10;

/// How clients speak with a store of this kind: PVFS 1 or OrangeFS.
#[must_use]
pub fn parallel_protocol(kind: StoreKind, options: &ParallelOptions) -> Protocol {
    if kind == StoreKind::Pvfs1 {
        return Protocol::Pvfs1(match options.has_linear_buffers {
            true => Pvfs1 {
                receive: ReceiveCost::Linear(WALK_NS),
            },
            false => Pvfs1::default(),
        });
    }
    let usual = OrangeFs::default();
    Protocol::OrangeFs(OrangeFs {
        eager_bytes: options.eager_bytes.unwrap_or(usual.eager_bytes),
        flow_buffer_bytes: options.flow_buffer_bytes.unwrap_or(usual.flow_buffer_bytes),
        flow_buffers: options.flow_buffers.unwrap_or(usual.flow_buffers),
        cache_ns: seconds_ns(options.cache_s).unwrap_or(usual.cache_ns),
        client: match options.is_fuse {
            true => ClientKind::FUSE,
            false => ClientKind::Library,
        },
        ..usual
    })
}

/// How a parallel file system on so many servers with data divides files.
#[must_use]
pub fn striping(options: &ParallelOptions, data_servers: usize) -> Striping {
    let usual = Striping::usual(options.stripes.unwrap_or(data_servers as u32));
    Striping {
        strip_bytes: options.strip_bytes.unwrap_or(usual.strip_bytes),
        ..usual
    }
}

/// The first server's part of a store of the sites that several servers have, with the names of all. Those with data come first, then that of the
/// metadata where it is another. Nothing of a store that is on one server or none. Clients have so much memory.
pub(crate) fn first_part(
    spec: &StoreSpec,
    client_memory_bytes: u64,
) -> Option<(Part, Vec<String>)> {
    let (kind, remote) = (spec.kind?, spec.remote.as_ref()?);
    let mut names = remote.servers.clone();
    let data_servers = names.len();
    let metadata = match (&remote.parallel, &spec.cluster) {
        (Some(options), _) => options.metadata.as_ref(),
        (None, Some(options)) => options.metadata.as_ref(),
        (None, None) => return None,
    };
    let metadata = metadata.map_or(0, |name| {
        let known = names.iter().position(|it| it == name);
        known.unwrap_or_else(|| {
            names.push(name.clone());
            data_servers
        })
    });
    let part = match (&remote.parallel, &spec.cluster) {
        (Some(options), _) => Part::Parallel(ParallelPart {
            protocol: parallel_protocol(kind, options),
            striping: striping(options, data_servers),
            data_servers,
            metadata,
            place: 0,
        }),
        (None, options) => Part::Cluster(ClusterPart {
            protocol: cluster_protocol(kind, options.as_ref()?, client_memory_bytes),
            servers: ClusterServers {
                count: names.len(),
                with_data: data_servers,
                metadata,
            },
            place: 0,
        }),
    };
    Some((part, names))
}

/// Most bytes that a web node asks for of a parallel file system at a time where the scenario does not say it: what nginx hands to `sendfile` at once. Its
/// clients read nothing ahead.
const SENT_BYTES: u64 = 64 << 10;

/// The sizes of its calls, as those of a mount. `options` are those of a parallel file system.
pub(crate) fn mount_of(part: &Part, options: Option<&ParallelOptions>) -> Mount {
    let read_bytes = options.and_then(|it| it.read_bytes);
    let most_bytes = match part {
        Part::Parallel(_) => read_bytes.unwrap_or(SENT_BYTES),
        Part::Cluster(it) => it.protocol.most_bytes(),
    };
    Mount {
        version: Version::V3,
        protocol: remote::Protocol::Tcp,
        read_bytes: most_bytes,
        write_bytes: most_bytes,
        attributes_s: None,
        sync: false,
    }
}

/// How its calls travel. Clients wait for a server for ever where none may be out of reach. Those of PVFS 1 and OrangeFS do anyway: TCP sends again.
pub(crate) fn transport_of(part: &Part, may_be_out_of_reach: bool) -> Transport {
    let Part::Cluster(part) = part else {
        return Transport::TCP;
    };
    Transport {
        timeout_ns: part.protocol.patience_ns(),
        retransmissions: 0,
        is_soft: may_be_out_of_reach,
        outage: match part.protocol {
            ClusterProtocol::GlusterFs(_) => Outage::Breaks,
            ClusterProtocol::Lustre(_) | ClusterProtocol::MooseFs(_) => Outage::Loses,
        },
        ..Transport::TCP
    }
}

/// Threads of a server that does not say how many it has: a daemon of PVFS 1 does one thing at a time.
pub(crate) fn threads_of(part: &Part) -> usize {
    match part {
        Part::Parallel(it) => match it.protocol {
            Protocol::Pvfs1(_) => 1,
            Protocol::OrangeFs(_) => OrangeFs::SERVER_THREADS,
        },
        Part::Cluster(it) => match it.protocol {
            ClusterProtocol::Lustre(_) => Lustre::SERVER_THREADS,
            ClusterProtocol::GlusterFs(_) => GlusterFs::SERVER_THREADS,
            ClusterProtocol::MooseFs(_) => MooseFs::SERVER_THREADS,
        },
    }
}

/// What calls cost a client and a server where it was not measured.
pub(crate) fn usual_costs(part: Option<&Part>) -> (CallCosts, CallCosts) {
    match part {
        Some(Part::Parallel(ParallelPart {
            protocol: Protocol::OrangeFs(_),
            ..
        })) => (OrangeFs::CLIENT_COSTS, OrangeFs::SERVER_COSTS),
        _ => (CallCosts::ASSUMED, CallCosts::ASSUMED),
    }
}

/// What clients read ahead, bytes, where that is not as their kernels have it.
pub(crate) fn read_ahead_bytes(part: &Part) -> Option<u64> {
    match part {
        Part::Parallel(_) => Some(0),
        Part::Cluster(it) => match it.protocol {
            ClusterProtocol::Lustre(options) => Some(options.read_ahead_bytes),
            ClusterProtocol::GlusterFs(_) | ClusterProtocol::MooseFs(_) => None,
        },
    }
}
