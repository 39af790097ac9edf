//! The nodes, their links, and who asks them.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use hotset_scenario::{Balance, DeviceKind, KeepAlive, Profile};

use super::chooser::Follow;
use super::deliveries::Way;
use super::message::{fragment_bytes, segment_bytes};
use super::needs::Needs;
use super::proxy_cache::Kept;
use super::traffic::File;
use crate::remote::nfs::Mount;
use crate::remote::{CallCosts, LinkStack, Outage, Part, Protocol, Transport};
use crate::switches::Topology;

/// A data-centre, as far as it is simulated.
#[derive(Clone, Debug)]
pub struct Tiers {
    /// Nodes; each is asked by clients or by a proxy.
    pub nodes: Vec<Node>,
    /// How requests come.
    pub arrivals: Arrivals,
    /// What happens, in the order of time.
    pub events: Vec<Event>,
    /// Nodes that have no server: clients are on them. Their numbers follow those of the other nodes.
    pub client_nodes: Vec<ClientNode>,
    /// Links between two nodes each. As links, their numbers follow those of all nodes.
    pub direct_links: Vec<DirectLink>,
    /// What messages cost nodes with a server, by link, beside what is in the costs of their servers.
    pub stacks: Vec<NodeStack>,
    /// Switches between nodes; nothing where one is all there is, which holds nothing up.
    pub switches: Option<Switches>,
}

/// Switches between nodes. What a node sends to another passes the links between their switches, unless they have a link to each other. Clients on
/// no node are at the switch of whom they ask.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switches {
    /// How they are linked.
    pub topology: Topology,
    /// What a link between two of them is like.
    pub link: Link,
    /// The place of each node, by the nodes' numbers.
    pub places: Vec<usize>,
}

impl Switches {
    /// The switch that a node is at.
    pub(crate) fn of_node(&self, node: usize) -> usize {
        self.topology.switch_of(self.places[node])
    }
}

/// A node that clients are on.
#[derive(Clone, Debug)]
pub struct ClientNode {
    /// Its name, one of its own.
    pub name: String,
    /// Its cable to the switch; unlimited without one.
    pub link: Option<Link>,
}

/// A link between two nodes: what they send each other goes by it and not by the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectLink {
    /// The nodes, by their numbers.
    pub between: [usize; 2],
    /// What it is like.
    pub link: Link,
}

/// The network stack of a node at one of its links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NodeStack {
    /// The node, by its number.
    pub node: usize,
    /// The node at the other end, by its number; nothing where the link goes to the switch.
    pub other: Option<usize>,
    /// What messages that pass the link cost the node.
    pub stack: LinkStack,
}

/// What happens at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// When, nanoseconds since the first request was made that is measured.
    pub at_ns: u64,
    /// What happens.
    pub change: Change,
}

/// What happens to a node, by its place in [`Tiers::nodes`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// It goes down, and its requests fail; or it is there again.
    Up {
        /// The node.
        node: usize,
        /// Whether it is there.
        is_up: bool,
    },
    /// The link between it and the switch is cut, which has its requests fail as well; or it is whole again. It takes both to reach a node.
    Linked {
        /// The node.
        node: usize,
        /// Whether the link is whole.
        is_linked: bool,
    },
    /// A link has another rate.
    Rate {
        /// The link, by its number: the node's that it connects with the switch, or its own.
        link: usize,
        /// Bits in a second, each way.
        bits_per_s: u64,
    },
    /// The link between two nodes is cut, and what they had of each other's requests fails; or it is whole again.
    Cut {
        /// The nodes, by their numbers.
        between: [usize; 2],
        /// Whether it is cut.
        is_cut: bool,
    },
    /// The disks of a store have another speed there.
    Speed {
        /// The node.
        node: usize,
        /// The store, by its place in [`Web::stores`]; of a file server, whichever.
        store: usize,
        /// How fast they are, 1 being as the profile has them.
        speed: f64,
    },
}

impl Tiers {
    /// Whether chance decides anything in it: when clients who think begin, how long devices take that scatter, and which packets are lost.
    #[must_use]
    pub fn is_random(&self) -> bool {
        let mut classes = self.arrivals.classes().iter();
        let thinks = classes.any(|class| class.think_ns > 0);
        thinks || self.loses() || self.nodes.iter().any(Node::scatters)
    }

    /// Nodes with a server and nodes with clients alone.
    pub(crate) fn nodes_count(&self) -> usize {
        self.nodes.len() + self.client_nodes.len()
    }

    /// The file servers of each store that some export, by the store's place in [`Web::stores`], with how it is mounted. Stores beyond are on
    /// disks of each node.
    pub(crate) fn mounts(&self) -> Vec<Option<Mounted>> {
        let mut mounts: Vec<Option<Mounted>> = Vec::new();
        for (at, node) in self.nodes.iter().enumerate() {
            let Role::Files(files) = &node.role else {
                continue;
            };
            for export in files.exports.iter() {
                if mounts.len() <= export.store {
                    mounts.resize(export.store + 1, None);
                }
                let mounted = mounts[export.store].get_or_insert_with(|| Mounted {
                    servers: Vec::new(),
                    export: *export,
                });
                let place = export.part.map_or(0, |part| part.place());
                if mounted.servers.len() <= place {
                    mounted.servers.resize(place + 1, at);
                }
                mounted.servers[place] = at;
            }
        }
        mounts
    }

    /// The same of stores that one server has, by its number; nothing of others.
    pub(crate) fn single_mounts(&self) -> Vec<Option<(usize, Export)>> {
        let single = |Mounted { servers, export }: Mounted| {
            let server = servers.first().copied()?;
            export.part.is_none().then_some((server, export))
        };
        let mounts = self.mounts().into_iter();
        mounts.map(|it| it.and_then(single)).collect()
    }

    /// The name of the first store that several servers have.
    pub(crate) fn store_of_several(&self) -> Option<&str> {
        let mounts = self.mounts();
        let is_of_several = |it: &Option<Mounted>| {
            let part = it.as_ref().and_then(|it| it.export.part);
            part.is_some()
        };
        let store = mounts.iter().position(is_of_several)?;
        self.nodes.iter().find_map(|node| match &node.role {
            Role::Web(web) => web.stores.get(store).map(|it| it.name.as_str()),
            Role::Proxy(_) | Role::Files(_) => None,
        })
    }

    /// Whether web nodes mount stores of file servers.
    pub(crate) fn has_mounts(&self) -> bool {
        self.mounts().iter().any(Option::is_some)
    }

    /// Whether calls or answers may come to nothing, or clients give up: packets are lost, datagrams are not waited for, or something happens.
    pub(crate) fn may_lose(&self) -> bool {
        let mounts = self.mounts().into_iter().flatten();
        let mut transports = mounts.map(|it| it.export.transport);
        let gives_up = transports.any(|it| it.is_soft || it.protocol == Protocol::Udp);
        self.has_mounts() && (self.loses() || gives_up || !self.events.is_empty())
    }

    /// Whether packets of calls are lost.
    fn loses(&self) -> bool {
        let mut roles = self.nodes.iter().map(|node| &node.role);
        roles.any(|role| match role {
            Role::Files(files) => files.losses.iter().any(|loss| *loss > 0.0),
            Role::Web(_) | Role::Proxy(_) => false,
        })
    }

    /// Whether requests may fail without events: soft mounts give up.
    pub(crate) fn may_fail(&self) -> bool {
        let mut mounts = self.mounts().into_iter().flatten();
        mounts.any(|it| it.export.transport.is_soft)
    }

    /// How workers of the node `at` stay with connections that clients have to it. Those of nodes that proxies ask do not.
    pub(crate) fn keep_alive(&self, at: usize) -> Option<KeepAlive> {
        let asks = |node: &Node| matches!(&node.role, Role::Proxy(it) if it.upstream.contains(&at));
        match &self.nodes[at].role {
            Role::Web(web) if !self.nodes.iter().any(asks) => web.workers.and(web.keep_alive),
            Role::Web(_) | Role::Proxy(_) | Role::Files(_) => None,
        }
    }

    /// Whether workers of any node stay with connections.
    pub(crate) fn keeps_connections(&self) -> bool {
        (0..self.nodes.len()).any(|at| self.keep_alive(at).is_some())
    }

    /// Whether clients give requests up that take too long.
    pub(crate) fn gives_up(&self) -> bool {
        let mut classes = self.arrivals.classes().iter();
        classes.any(|class| class.timeout_ns.is_some())
    }

    /// The ways between web nodes and file servers.
    pub(crate) fn ways(&self) -> BTreeMap<(u16, u16), Way> {
        let mut ways = BTreeMap::new();
        for Mounted { servers, export } in self.mounts().into_iter().flatten() {
            for (web, node) in self.nodes.iter().enumerate() {
                if !matches!(node.role, Role::Web(_)) {
                    continue;
                }
                for &server in &servers {
                    let way = self.way(web, server, export.transport);
                    ways.insert((web as u16, server as u16), way);
                }
            }
        }
        ways
    }

    fn way(&self, web: usize, server: usize, transport: Transport) -> Way {
        let protocol = transport.protocol;
        let direct = self.direct_links_of(web).find(|it| it.2 == server);
        let links: Vec<Link> = match direct {
            Some((_, direct, _)) => vec![direct.link],
            None => {
                let ends = [web, server].map(|at| self.nodes[at].link);
                ends.into_iter().flatten().collect()
            }
        };
        let loss = match &self.nodes[server].role {
            Role::Files(files) => files.losses.get(web).copied().unwrap_or_default(),
            Role::Web(_) | Role::Proxy(_) => 0.0,
        };
        let mtu_bytes = links.iter().map(|it| it.mtu_bytes).min();
        Way {
            protocol,
            sends_on: transport.outage == Outage::SendsOn,
            loss,
            delay_ns: links.iter().map(|it| it.delay_ns).sum(),
            segment_bytes: match protocol {
                Protocol::Tcp => segment_bytes(mtu_bytes.unwrap_or(u64::MAX)),
                Protocol::Udp => fragment_bytes(mtu_bytes.unwrap_or(u64::MAX)),
            },
        }
    }

    /// Numbers that links have: each node's, whether it has one or not, those of links between two, and those between switches.
    pub(crate) fn links_count(&self) -> usize {
        self.first_inner_link() + self.inner_links().len()
    }

    /// The number of the first link between two switches.
    pub(crate) fn first_inner_link(&self) -> usize {
        self.nodes_count() + self.direct_links.len()
    }

    /// Links between switches, by these.
    pub(crate) fn inner_links(&self) -> Vec<[usize; 2]> {
        let switches = self.switches.as_ref();
        switches.map_or_else(Vec::new, |it| it.topology.links())
    }

    /// The name of a node, by its number.
    pub(crate) fn name(&self, number: usize) -> &str {
        match self.nodes.get(number) {
            Some(node) => &node.name,
            None => &self.client_nodes[number - self.nodes.len()].name,
        }
    }

    /// Links of nodes with clients alone, those between two nodes, and those between two switches: their numbers and names.
    pub(crate) fn other_links(&self) -> Vec<(usize, String)> {
        let of_clients = self.client_nodes.iter().zip(self.nodes.len()..);
        let of_clients = of_clients.filter(|(node, _)| node.link.is_some());
        let of_clients = of_clients.map(|(node, number)| (number, node.name.clone()));
        let between = self.direct_links.iter().zip(self.nodes_count()..);
        let between = between.map(|(link, number)| {
            let names = link.between.map(|at| self.name(at));
            (number, names.join("-"))
        });
        let inner = self
            .inner_links()
            .into_iter()
            .zip(self.first_inner_link()..);
        let inner = inner.map(|([one, other], number)| (number, format!("switches {one}-{other}")));
        of_clients.chain(between).chain(inner).collect()
    }

    /// The links of the node `at` to other nodes: their numbers, what they are like, and the other nodes.
    pub(crate) fn direct_links_of(
        &self,
        at: usize,
    ) -> impl Iterator<Item = (usize, &DirectLink, usize)> {
        let first = self.nodes_count();
        let links = self.direct_links.iter().enumerate();
        links.filter_map(move |(place, link)| match link.between {
            [one, other] if one == at => Some((first + place, link, other)),
            [one, other] if other == at => Some((first + place, link, one)),
            _ => None,
        })
    }

    /// The nodes that clients are on who ask the node `at`, by their numbers; nothing for clients on none.
    pub(crate) fn homes(&self, at: usize) -> Vec<Option<usize>> {
        let mut homes = match &self.arrivals {
            Arrivals::Open(entries) if entries.contains(&at) => vec![None],
            // Nobody where they come by the clock, to others.
            arrivals => {
                let classes = arrivals.classes().iter();
                let asking = classes.filter(|class| class.asks == at);
                asking.map(|class| self.home(class)).collect()
            }
        };
        homes.sort_unstable();
        homes.dedup();
        homes
    }

    /// The node that clients are on, by its number.
    pub(crate) fn home(&self, class: &ClientClass) -> Option<usize> {
        class.node.map(|place| self.nodes.len() + place)
    }

    /// The nodes that clients ask, by their place, each once.
    pub(crate) fn entries(&self) -> Vec<usize> {
        let mut entries = match &self.arrivals {
            Arrivals::Open(entries) => entries.clone(),
            closed => closed.classes().iter().map(|class| class.asks).collect(),
        };
        entries.sort_unstable();
        entries.dedup();
        entries
    }
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its name, one of its own.
    pub name: String,
    /// Its cable to the switch; unlimited without one.
    pub link: Option<Link>,
    /// What its server runs on.
    pub processors: Processors,
    /// What its server does.
    pub role: Role,
}

impl Node {
    /// Whether its devices take times that scatter.
    fn scatters(&self) -> bool {
        let scatter = |profile: &Profile| {
            let kind = profile.device.as_ref().map(|it| &it.kind);
            matches!(kind, Some(DeviceKind::Measured(it)) if it.delay_quantiles_us.is_some())
        };
        match &self.role {
            Role::Web(web) => web.stores.iter().any(|it| scatter(&it.profile)),
            Role::Files(files) => scatter(&files.profile),
            Role::Proxy(_) => false,
        }
    }
}

/// A cable to the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// Bits in a second, each way.
    pub bits_per_s: u64,
    /// How long a bit is on its way, nanoseconds.
    pub delay_ns: u64,
    /// Largest packet, bytes, with its headers of IP and TCP.
    pub mtu_bytes: u64,
}

/// What is in line for a link at most, as time at its rate: a thousand full frames at 1 Gbit/s, the usual queue of an interface. The lab's
/// links have it.
const LINE_NS: u64 = 12_000_000;
/// No fewer bytes than this: a short message is always in line as a whole.
const LINE_MIN_BYTES: u64 = 16 * 1024;

impl Link {
    /// How long so many bytes pass.
    pub(crate) fn passing_ns(self, bytes: u64) -> u64 {
        (bytes as f64 * 8e9 / self.bits_per_s as f64).round() as u64
    }

    /// How long what is in line for it passes at most. What has no room there is held back by who sends it.
    pub(crate) fn room_ns(self) -> u64 {
        LINE_NS.max(self.passing_ns(LINE_MIN_BYTES))
    }

    /// What passes it in a nanosecond.
    pub(crate) fn bytes_per_ns(self) -> f64 {
        self.bits_per_s as f64 / 8e9
    }
}

/// What a server's processes run on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Processors {
    /// Processes of the server. Each works on one piece of work after the other.
    pub processes: u32,
    /// Processors that they have together in the mean, of which a fraction is a share; no more than there are processes.
    pub count: f64,
    /// How fast each is, a measured one being 1.
    pub speed: f64,
    /// How they come by a share of a processor. Without, a share makes the processor that much slower.
    pub quota: Option<Quota>,
}

/// Processor time that the processes may use in each period, as the kernel limits a group by `cpu.cfs_quota_us` or `cpu.max`. They run at
/// full speed, on as many processors as the share begins, until it is used up. Then they stand still until the period ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// Processor time of a period, nanoseconds.
    pub budget_ns: u64,
    /// How long a period is, nanoseconds.
    pub period_ns: u64,
    /// How much of a period is over at time 0, nanoseconds: less than one.
    pub phase_ns: u64,
}

impl Processors {
    /// Those of `workers` processes on `cpus` processors, of which a fraction is a share; as many processors as processes where
    /// none are given.
    #[must_use]
    pub fn of(cpus: Option<f64>, speed: f64, workers: u32) -> Self {
        let processes = workers.max(1);
        let most = f64::from(processes);
        Self {
            processes,
            count: cpus.unwrap_or(most).min(most),
            speed,
            quota: None,
        }
    }

    /// The same where that is by a quota.
    #[must_use]
    pub fn under(self, quota: Quota) -> Self {
        Self {
            quota: Some(quota),
            ..self
        }
    }

    /// Whether processes share processors, because there are fewer of those: a lone one shares with nobody.
    #[must_use]
    pub fn are_shared(self) -> bool {
        self.processes > 1 && self.count < f64::from(self.processes)
    }

    /// Whether what a process has of them depends on what processes do or have done: they share processors, or have a quota.
    pub(crate) fn are_limited(self) -> bool {
        self.are_shared() || self.quota.is_some()
    }

    /// How many run at a time.
    pub(crate) fn at_once(self) -> f64 {
        match self.quota {
            None => self.count,
            Some(_) => self.count.ceil(),
        }
    }

    /// How long what takes a measured processor so long takes a process that shares with nobody, in the mean of all times, seconds.
    pub(crate) fn seconds(self, work_ns: u64) -> f64 {
        work_ns as f64 / 1e9 / (self.speed * self.count.min(1.0))
    }
}

/// What a server does.
#[derive(Clone, Debug)]
pub enum Role {
    /// It sends files from a store.
    Web(Web),
    /// It asks other nodes.
    Proxy(Proxy),
    /// Web nodes have files on it.
    Files(Files),
}

/// A server that sends files by `sendfile`. Waiting for the disk holds up no other request.
#[derive(Clone, Debug)]
pub struct Web {
    /// The stores that it reads.
    pub stores: Arc<[Store]>,
    /// The store of each site, by number; of those beyond, the first.
    pub store_of_site: Arc<[usize]>,
    /// Memory of its page cache, bytes: that of all sites without a group.
    pub memory_bytes: u64,
    /// Bytes of the page cache in the memory group of each site that has one, by number.
    pub groups: Arc<[Option<u64>]>,
    /// Files that are in memory whatever its page caches hold, by number.
    pub held: Arc<[u32]>,
    /// Requests that it has at a time, each until the last byte of its answer is sent; any number where not given.
    pub workers: Option<u32>,
    /// How its workers stay with connections that clients keep: each has one of those in place of a request then. It counts where workers are
    /// limited, and no proxy asks the node.
    pub keep_alive: Option<KeepAlive>,
    /// What is held by the traffic, of the memory that sites without a group share; nothing where what is held stays.
    pub follow: Option<Follow>,
    /// What it takes beside the files of sites.
    pub needs: Needs,
}

impl Web {
    /// The store of a site, by number.
    pub(crate) fn store_of(&self, site: u16) -> usize {
        let store = self.store_of_site.get(usize::from(site));
        store.copied().unwrap_or_default()
    }

    /// Whether it reads the same files from the same stores.
    pub(crate) fn reads_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.stores, &other.stores)
            && Arc::ptr_eq(&self.store_of_site, &other.store_of_site)
            && self.held == other.held
            && self.needs.system == other.needs.system
    }

    /// Whether a file is on a store in memory.
    pub(crate) fn is_in_memory(&self, file: File) -> bool {
        self.stores[self.store_of(file.site)].in_memory
    }

    /// Bytes of each page cache: first of that which sites share that have no group, then of each group's.
    pub(crate) fn page_caches(&self) -> Vec<u64> {
        let groups = self.groups.iter().copied().flatten();
        std::iter::once(self.memory_bytes).chain(groups).collect()
    }

    /// The page cache of each of `files` among those.
    pub(crate) fn page_cache_of(&self, files: &[File]) -> Vec<u32> {
        let mut next = 0;
        let of_site = self.groups.iter().map(|group| match group {
            None => 0,
            Some(_) => {
                next += 1;
                next
            }
        });
        let of_site: Vec<u32> = of_site.collect();
        let of_file = |file: &File| of_site.get(usize::from(file.site)).copied();
        let files = files.iter();
        files
            .map(|file| of_file(file).unwrap_or_default())
            .collect()
    }
}

/// A file server.
#[derive(Clone, Debug)]
pub struct Files {
    /// What web nodes mount of it.
    pub exports: Arc<[Export]>,
    /// Costs of the store that it keeps files on.
    pub profile: Arc<Profile>,
    /// Memory for pages of files, bytes.
    pub memory_bytes: u64,
    /// Processors.
    pub processors: usize,
    /// Threads that answer calls.
    pub threads: usize,
    /// Whether it answers before what is to be on its disk is there (`async`, `man 5 exports`).
    pub is_async: bool,
    /// What calls cost its processors.
    pub costs: CallCosts,
    /// The share of packets that is lost on the way from each node, and as many back, by the nodes' numbers; none of nodes beyond.
    pub losses: Arc<[f64]>,
}

/// A store that each web node mounts from a file server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Export {
    /// The store, by its place in [`Web::stores`].
    pub store: usize,
    /// How web nodes mount it.
    pub mount: Mount,
    /// How its calls travel, the same for all stores of a server.
    pub transport: Transport,
    /// What its calls cost the processors of a web node, of which a measured one has speed 1.
    pub client_costs: CallCosts,
    /// The server's part of it, where several servers have one. Of `mount` the sizes count alone then.
    pub part: Option<Part>,
    /// Bytes of an inode on the server's disks, the same for all stores of a server; nothing where inodes are in memory anyway. It counts where one
    /// server has the store.
    pub inode_bytes: Option<u64>,
}

/// A store that web nodes mount, with the numbers of its servers by their places.
#[derive(Clone, Debug)]
pub(crate) struct Mounted {
    pub servers: Vec<usize>,
    pub export: Export,
}

/// Where files are. Each node that reads it has a disk of its own, unless a node of role [`Role::Files`] exports it.
#[derive(Clone, Debug)]
pub struct Store {
    /// Its name, one of its own.
    pub name: String,
    /// Its costs.
    pub profile: Profile,
    /// Processor time of a request for a file of it, nanoseconds, beside that of its bytes.
    pub request_ns: u64,
    /// Whether its files are in memory, whatever the page cache holds.
    pub in_memory: bool,
}

/// A server that hands requests on and answers back.
#[derive(Clone, Debug)]
pub struct Proxy {
    /// The web nodes behind it, by their place in [`Tiers::nodes`].
    pub upstream: Vec<usize>,
    /// Which of them is asked next.
    pub balance: Balance,
    /// How much of their answers it keeps; nothing where it keeps none.
    pub cache: Option<Kept>,
    /// Processor time of a request, nanoseconds.
    pub request_ns: u64,
    /// Processor time of an answer, nanoseconds, beside that of its bytes.
    pub answer_ns: u64,
    /// Processor time of a byte of an answer, nanoseconds.
    pub ns_per_byte: f64,
}

/// How requests come.
#[derive(Clone, Debug)]
pub enum Arrivals {
    /// Clients take the next request of the traffic when they have the answer to their last one.
    Closed(Vec<ClientClass>),
    /// The same, but each class has requests of its own, and measuring takes a time.
    ByClass(ByClass),
    /// At the traffic's times, by whoever; these nodes are asked in turn, by their places in [`Tiers::nodes`]: with each request, or with each
    /// connection where workers stay with those.
    Open(Vec<usize>),
}

impl Arrivals {
    /// The classes of clients who wait for answers.
    pub(crate) fn classes(&self) -> &[ClientClass] {
        match self {
            Self::Closed(classes) | Self::ByClass(ByClass { classes, .. }) => classes,
            Self::Open(_) => &[],
        }
    }
}

/// Clients of whom each class has requests of its own. Where nothing is simulated but calculated, they are taken to share all requests.
#[derive(Clone, Debug)]
pub struct ByClass {
    /// The classes.
    pub classes: Vec<ClientClass>,
    /// The requests of each class, by their places in the traffic, behind those that warm the caches up: these are made by one client, one
    /// after the other. There are to be more than can be answered in the time, as clients who find none left make no more.
    pub requests: Vec<Range<usize>>,
    /// How long they make requests of their own before these are measured, nanoseconds. Then they leave, whatever they wait for, and as many
    /// others begin with the first requests of their classes.
    pub settling_ns: u64,
    /// How long these are measured, nanoseconds.
    pub measured_ns: u64,
}

/// Clients who behave alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientClass {
    /// The node that they ask, by its place in [`Tiers::nodes`].
    pub asks: usize,
    /// How many there are.
    pub clients: u32,
    /// How long each waits between an answer and its next request, nanoseconds.
    pub think_ns: u64,
    /// How long each waits for a whole answer, nanoseconds, before it closes the connection and counts an error. They wait for ever without.
    pub timeout_ns: Option<u64>,
    /// The node that they are on, by its place in [`Tiers::client_nodes`]; none where they are nearer to the switch than any link.
    pub node: Option<usize>,
}
