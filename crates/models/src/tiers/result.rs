//! What came of simulated tiers.

use std::collections::BTreeMap;

use hotset_outcome::{Resource, Score};

use super::batches::BatchFigures;
use crate::remote::nfs::CallResult;

/// What came of simulated tiers.
#[derive(Clone, Debug)]
pub struct TiersResult {
    /// Simulated time that was measured.
    pub seconds: f64,
    /// Simulated time before that.
    pub warm_up_seconds: f64,
    /// All requests that were answered while it was measured.
    pub total: Score,
    /// Those of each site, in the order of the traffic's sites.
    pub sites: Vec<Score>,
    /// In the order of the nodes.
    pub nodes: Vec<NodeResult>,
    /// Links that are no node's with a server: those of nodes with clients alone, then those between two nodes.
    pub other_links: Vec<OtherLink>,
    /// Requests that were made while it was measured, a second.
    pub asked_per_s: f64,
    /// Requests under way when measuring ended.
    pub under_way: usize,
    /// Requests made from the very beginning.
    pub asked: usize,
    /// Requests that had ended when nothing was left to do.
    pub ended: usize,
    /// Whether all requests that warm caches up were made before it was measured.
    pub has_warmed_up: bool,
    /// Requests that never end: what they wait for stays down, or loses all that is sent. 0 where nothing runs to the end; of
    /// several runs the most.
    pub stuck: usize,
    /// Bytes of files that clients had received by then.
    pub received_bytes: u64,
    /// Firings of the net until then.
    pub firings: u64,
    /// Batches of requests, one after the other. There are none where something else than the requests makes them differ: the times of a log,
    /// or events.
    pub batches: Vec<BatchFigures>,
}

/// What a node did while it was measured.
#[derive(Clone, Debug)]
pub struct NodeResult {
    /// Its processors.
    pub processors: Resource,
    /// Its workers, where each has one request until its answer is sent; threads of a file server, which have one call each.
    pub workers: Option<Resource>,
    /// Parts of its disks; empty for one that reads no store.
    pub disks: Vec<Resource>,
    /// Its link, where it has one.
    pub link: Option<LinkCounts>,
    /// Its page cache, where it reads a store, or is a file server.
    pub cache: Option<CacheCounts>,
    /// Answers that it keeps, where it is a proxy that does.
    pub proxy_cache: Option<CacheCounts>,
    /// Files that are in memory whatever the page cache holds, where it has sent some.
    pub held: Option<CacheCounts>,
    /// What its workers took of its memory, where that is followed.
    pub memory: Option<MemoryCounts>,
    /// Calls that it made to file servers and that were answered, by the name that `nfsstat -c` has for each.
    pub calls: BTreeMap<&'static str, CallResult>,
    /// The buffer pool, where a database is there: pages of tables that were looked for.
    pub pool: Option<CacheCounts>,
    /// Tiers of an application that are there, each as a share of the processors; none where there is no application.
    pub tiers: Vec<Resource>,
}

/// A link that is no node's with a server.
#[derive(Clone, Debug)]
pub struct OtherLink {
    /// The name of its node; of a link between two `web1-file1`.
    pub name: String,
    /// What passed it. What its node received is what came to the first of two.
    pub counts: LinkCounts,
}

/// What passed a link. Bytes have the headers of packets.
#[derive(Clone, Debug)]
pub struct LinkCounts {
    /// Bytes that the node received.
    pub received_bytes: u64,
    /// Bytes that it sent.
    pub sent_bytes: u64,
    /// Packets that it received, acknowledgements among them: one for every second packet of an answer. Their bytes are not counted.
    pub received_packets: u64,
    /// Packets that it sent, acknowledgements among them.
    pub sent_packets: u64,
    /// Each way as a resource: in, out.
    pub ways: [Resource; 2],
    /// Bytes in and out from the very beginning until the last request had ended.
    pub all_bytes: [u64; 2],
}

/// What a web server's workers took of their node's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoryCounts {
    /// The most workers that had a request or a connection at a time.
    pub most_workers: u32,
    /// The fewest bytes that were left for pages of files.
    pub least_cache_bytes: u64,
    /// The most bytes of workers that were elsewhere.
    pub most_swapped_bytes: u64,
    /// How often workers came to want more than there was: without more swap the kernel would have killed some. Here they go on.
    pub shortages: u64,
}

/// What a page cache had of what was asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheCounts {
    /// Files that were sent; of a file server, reads that calls had it do.
    pub files: u64,
    /// Those of which nothing was waited for.
    pub hits: u64,
    /// Bytes of all.
    pub bytes: u64,
    /// Bytes of the hits.
    pub hit_bytes: u64,
    /// Bytes that disks and file servers were asked for, read-ahead included.
    pub device_bytes: u64,
}

impl CacheCounts {
    pub(crate) fn add(&mut self, is_hit: bool, bytes: u64) {
        self.files += 1;
        self.bytes += bytes;
        if is_hit {
            self.hits += 1;
            self.hit_bytes += bytes;
        }
    }

    /// Hits among files.
    #[must_use]
    pub fn hit_ratio(&self) -> Option<f64> {
        (self.files > 0).then(|| self.hits as f64 / self.files as f64)
    }

    /// Bytes of hits among bytes.
    #[must_use]
    pub fn byte_hit_ratio(&self) -> Option<f64> {
        (self.bytes > 0).then(|| self.hit_bytes as f64 / self.bytes as f64)
    }
}
