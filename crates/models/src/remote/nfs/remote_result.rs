//! What a store on file servers came to, with the times of calls.

use std::collections::BTreeMap;

use hotset_outcome::Resource;

use super::call::{CallCounts, CallParts, CallResult};
use crate::remote::connection::BothWays;
use crate::remote::file_server::FileServer;
use crate::remote::network::{LinkResult, Network};

/// What was counted of a store, of whatever protocol.
pub(in crate::remote) struct Counted<'s> {
    pub calls: &'s CallCounts,
    pub network: &'s Network,
    /// Bytes and packets on the links of its clients.
    pub seen: (BothWays, BothWays),
    pub servers: &'s [FileServer],
    /// When counting began.
    pub since_ns: u64,
}

/// What clients and a file server had to do with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct RemoteResult {
    /// How long that was, seconds.
    pub seconds: f64,
    /// Calls, by the name that `nfsstat -c` has for each.
    pub calls: BTreeMap<&'static str, CallResult>,
    /// How many calls were begun.
    pub begun: u64,
    /// How many of these were answered.
    pub answered: u64,
    /// Mean number of calls under way.
    pub mean_under_way: f64,
    /// Where their time went.
    pub parts: CallParts,
    /// Bytes on the clients' links, with headers of IP and TCP.
    pub link_bytes: BothWays,
    /// Packets on the clients' links.
    pub link_packets: BothWays,
    /// What each link carried.
    pub links: Vec<LinkResult>,
    /// Reads that the server's storage did.
    pub server_reads: u64,
    /// Those of them that waited for no disk.
    pub server_hits: u64,
    /// Links, threads and processors of the server, and its disks.
    pub resources: Vec<Resource>,
}

impl RemoteResult {
    /// The share of reads at the server that waited for no disk; nothing where there was none.
    #[must_use]
    pub fn server_hit_ratio(&self) -> Option<f64> {
        (self.server_reads > 0).then(|| self.server_hits as f64 / self.server_reads as f64)
    }

    /// What was counted up to `now_ns`.
    pub(in crate::remote) fn of(counted: &Counted<'_>, now_ns: u64) -> Self {
        let length_ns = now_ns.saturating_sub(counted.since_ns);
        let (mut reads, mut hits, mut waited_ns) = (0, 0, 0);
        let mut resources = counted.network.resources(length_ns);
        for server in counted.servers {
            let counts = server.counts();
            reads += counts.reads;
            hits += counts.hits;
            waited_ns += counts.waited_ns;
            resources.extend(server.resources(length_ns));
        }
        let (link_bytes, link_packets) = counted.seen;
        Self {
            seconds: length_ns as f64 / 1e9,
            calls: counted.calls.by_name(),
            begun: counted.calls.begun,
            answered: counted.calls.answered,
            mean_under_way: counted.calls.mean_under_way(now_ns, length_ns),
            parts: counted.calls.parts(waited_ns),
            link_bytes,
            link_packets,
            links: counted.network.links(),
            server_reads: reads,
            server_hits: hits,
            resources,
        }
    }
}
