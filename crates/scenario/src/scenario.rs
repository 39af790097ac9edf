//! The scenario file: sites, the stores they live on, and the nodes that serve them.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use crate::cluster::ClusterOptions;
use crate::database::Database;
use crate::link::{Link, LinkEnds};
use crate::network::NetworkSpec;
use crate::node_needs::NodeNeeds;
use crate::remote::RemoteSpec;
use crate::specs::{DiskSpec, ServerSpec, StoreKind};
use crate::store_journal::JournalSpec;
use crate::writer::Writer;
use crate::{Event, MemorySize, Objective, Place, Profile, ServerProfile, Target};

/// One web site: a tenant of the nodes.
#[derive(Clone, Debug, PartialEq)]
pub struct Site {
    /// Its name.
    pub name: String,
    /// Which requests are its: globs over the URL path, or `host:GLOB`, or `log:GLOB`. None means all.
    pub matches: Vec<String>,
    /// How much a microsecond of its mean response counts against other sites'; within [`Site::WEIGHTS`].
    pub weight: f64,
    /// Bytes of every node's memory that other sites cannot take.
    pub reservation_bytes: u64,
    /// Where the file says what it reserves; nothing for a site that reserves nothing.
    pub reservation_at: Option<Place>,
    /// What its responses should come to, each measure once.
    pub targets: Vec<Target>,
    /// Index in [`Scenario::stores`] of the store its files live on.
    pub store: usize,
    /// Folder the URLs map to.
    pub root: Option<PathBuf>,
    /// The share of its requests that one client may make count for a program that follows its log.
    pub client_share: f64,
}

impl Site {
    /// Weights that a site may have: wide enough for any preference, narrow enough that no sum of weighted times
    /// overflows or vanishes.
    pub const WEIGHTS: RangeInclusive<f64> = 1e-6..=1e6;

    /// What one client may make count where the file does not say it. A rule and not a result: nobody makes files hot alone.
    pub const CLIENT_SHARE: f64 = 0.1;
}

/// A store and its costs.
#[derive(Clone, Debug, PartialEq)]
pub struct StoreSpec {
    /// Its name.
    pub name: String,
    /// Its costs.
    pub profile: Profile,
    /// File system that the lab makes of it; none for a store that only plans use.
    pub kind: Option<StoreKind>,
    /// Its size in the lab, bytes.
    pub size_bytes: Option<u64>,
    /// The disk the lab puts under it.
    pub disk: DiskSpec,
    /// Bytes of the volatile cache of writes of each drive of that disk; 0 for none.
    pub write_cache_bytes: u64,
    /// Where it is if file servers have it.
    pub remote: Option<RemoteSpec>,
    /// How it is laid out and reached, of Lustre, GlusterFS and MooseFS.
    pub cluster: Option<ClusterOptions>,
    /// How the lab makes and mounts its journal.
    pub journal: JournalSpec,
    /// How much of it may be dirty in the lab before programs wait, bytes; where absent, what the kernel allows.
    pub dirty_limit_bytes: Option<u64>,
}

/// A machine that serves the sites.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// All of its memory.
    pub memory: MemorySize,
    /// Bytes of its memory that the server and the kernel need; the rest is for file data. Absent: none in a plan,
    /// measured in the lab.
    pub server_memory_bytes: Option<u64>,
    /// Processors that it may use, of which a fraction is a share of one; absent: all.
    pub cpus: Option<f64>,
    /// How fast a processor of it is, those on which a server was measured being 1.
    pub cpu_speed: f64,
    /// Worker processes of its server; absent: as many as the lab's servers have.
    pub workers: Option<u64>,
    /// Whether the server of each site has a memory group of its own there, so that a plan may split the memory.
    pub groups: bool,
    /// The server that it runs.
    pub server: ServerSpec,
    /// What that takes beside the files of sites.
    pub needs: NodeNeeds,
}

impl Node {
    /// Processors as those count them who hand out whole ones: a fraction takes one of its own.
    pub fn whole_cpus(&self) -> Option<u64> {
        self.cpus.map(|cpus| cpus.ceil() as u64)
    }

    /// Whether it reads sites from a store; a proxy does not.
    pub fn reads_store(&self) -> bool {
        match self.server {
            ServerSpec::Nginx | ServerSpec::Apache => true,
            ServerSpec::NginxProxy { .. } | ServerSpec::Files | ServerSpec::None => false,
        }
    }

    /// Whether it answers requests; one with clients alone does not, and neither does a file server.
    pub fn has_server(&self) -> bool {
        !matches!(self.server, ServerSpec::Files | ServerSpec::None)
    }
}

/// Clients who each send a request, wait for the response, think, and send again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Client {
    /// Their name.
    pub name: String,
    /// Name of the node that they ask.
    pub asks: String,
    /// How many there are.
    pub clients: u64,
    /// How long they think, nanoseconds. Where it is not given they do not, and visitors of a mix do as the mix says.
    pub think_ns: Option<u64>,
    /// How long they wait for a whole response before they give it up, nanoseconds; for ever where not given.
    pub timeout_ns: Option<u64>,
    /// Name of the node that they are on, which has no server; none where they are nearer to the switch than any link.
    pub node: Option<String>,
    /// Each request has a connection of its own.
    pub opens_connections: bool,
}

/// A scenario file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenario {
    /// What plans are made for, where the file says so.
    pub objective: Option<Objective>,
    /// Access logs of the sites, or patterns of their names.
    pub logs: Vec<PathBuf>,
    /// What was measured of the nodes' servers; without it their costs are assumed.
    pub server_profile: Option<ServerProfile>,
    /// Sites, in the order of the file.
    pub sites: Vec<Site>,
    /// Stores, in the order of the file.
    pub stores: Vec<StoreSpec>,
    /// Nodes, in the order of the file.
    pub nodes: Vec<Node>,
    /// Links of nodes to the switch and between each other, in the order of the file.
    pub links: Vec<Link>,
    /// Switches between nodes; one that all links end at where there is nothing.
    pub network: Option<NetworkSpec>,
    /// Clients, in the order of the file.
    pub clients: Vec<Client>,
    /// Programs that write beside servers, in the order of the file.
    pub writers: Vec<Writer>,
    /// Database servers, in the order of the file.
    pub databases: Vec<Database>,
    /// What happens, in the order of time.
    pub events: Vec<Event>,
}

impl Scenario {
    /// The link of a node to the switch.
    #[must_use]
    pub fn link_of(&self, node: &str) -> Option<&Link> {
        self.links.iter().find(|link| link.ends.is_of(node))
    }

    /// Whether requests use the store of this index: sites live on it, or web servers have files of the system or their log there. Sites of
    /// the traffic that the scenario does not name live on the first.
    #[must_use]
    pub fn uses_store(&self, place: usize) -> bool {
        let lives = self.sites.iter().any(|it| it.store == place);
        let nodes = self.nodes.iter().filter(|node| node.reads_store());
        let mut needed = nodes.flat_map(|node| node.needs.stores());
        place == 0 || lives || needed.any(|it| it == place)
    }

    /// Links between two nodes each, in the order of the file, with these nodes' names.
    pub fn links_between(&self) -> impl Iterator<Item = (&Link, &[String; 2])> {
        self.links.iter().filter_map(|link| match &link.ends {
            LinkEnds::Nodes(nodes) => Some((link, nodes)),
            LinkEnds::Switch(_) => None,
        })
    }
}
