//! The nodes and clients of a scenario as those of the model.

use std::sync::Arc;

use hotset_cache::PAGE_BYTES;
use hotset_lab::Quota as LabQuota;
use hotset_lab::server::{KEPT_RESPONSES, KEPT_SHARE, WORKERS};
use hotset_models::tiers::{
    Arrivals, ClientClass, ClientNode, DirectLink, Follow, Kept, Link, Needs, Node as Machine,
    NodeStack, Processors, Proxy, Quota, Role, Switches, SystemFiles, Tiers, Web,
};
use hotset_scenario::{
    Balance, Client, Link as LinkSpec, LinkEnds, Node, RemoteSpec, Scenario, ServerSpec,
};

use crate::TopologyError;
use crate::error::refuse;
use crate::events::events;
use crate::file_servers::{FILE_SERVER_THREADS, file_server, link_stack};
use crate::numbers::Numbers;
use crate::servers::{ProxyCosts, ServedStores, Servers};
use crate::stores::Stores;
use crate::switches::{place_of, topology_of};

/// Bytes of the largest packet where no link says so: those of Ethernet.
const USUAL_MTU: u64 = 1500;
/// More clients than this are taken for a typing error: each is a token.
const MOST_CLIENTS: u64 = 1_000_000;

/// What is held on a node, and the memory groups of its sites.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// The files that are held, by number.
    pub files: Arc<[u32]>,
    /// Bytes of whole pages that they take, with those that the traffic does not ask for.
    pub bytes: u64,
    /// Bytes of the page cache in the memory group of each site, by number; nothing for a site without.
    pub groups: Arc<[Option<u64>]>,
    /// What is held by the traffic beside the files above, in the memory that sites without a group share.
    pub follow: Option<Follow>,
}

/// What the nodes serve.
#[derive(Clone, Copy)]
pub struct Content<'c> {
    /// The stores of the sites.
    pub stores: &'c Stores,
    /// What is held of them on each node.
    pub held: &'c dyn Fn(&Node) -> Held,
    /// Bytes of all files of the traffic.
    pub files_bytes: u64,
    /// What requests cost the servers.
    pub servers: &'c Servers,
}

/// The nodes that requests come to, and file servers that have the sites' files.
pub struct Nodes<'s> {
    scenario: &'s Scenario,
    /// In the order of the file.
    pub nodes: Vec<&'s Node>,
    /// Those that clients are on. Their numbers follow.
    pub of_clients: Vec<&'s Node>,
    /// Those of the file that no request comes to, and none from.
    pub unasked: Vec<&'s Node>,
    /// Names of those that are asked by whoever is no node.
    entries: Vec<&'s str>,
}

impl<'s> Nodes<'s> {
    /// Those that clients or proxies ask.
    ///
    /// # Errors
    /// No node that reads a store, and too many clients.
    pub fn of(scenario: &'s Scenario) -> Result<Self, TopologyError> {
        if !scenario.nodes.iter().any(Node::reads_store) {
            refuse!("no [[node]] reads a store; add one with server = \"nginx\"");
        }
        let clients = scenario.clients.iter();
        let clients = clients.fold(0u64, |sum, it| sum.saturating_add(it.clients));
        if clients > MOST_CLIENTS {
            refuse!("there are {clients} clients; at most {MOST_CLIENTS} are simulated");
        }
        let entries = entries(scenario);
        let is_entry = |node: &Node| entries.contains(&node.name.as_str());
        let asks =
            |proxy: &Node, node: &Node| upstream(proxy).is_some_and(|it| it.contains(&node.name));
        let is_asked = |node: &&Node| {
            let mut proxies = scenario.nodes.iter().filter(|proxy| is_entry(proxy));
            is_entry(node) || proxies.any(|proxy| asks(proxy, node)) || has_files(scenario, node)
        };
        let (nodes, others): (_, Vec<&Node>) = scenario.nodes.iter().partition(is_asked);
        let has_clients = |node: &&Node| {
            let mut clients = scenario.clients.iter();
            clients.any(|client| client.node.as_ref() == Some(&node.name))
        };
        let (of_clients, unasked) = others.into_iter().partition(has_clients);
        Ok(Self {
            scenario,
            nodes,
            of_clients,
            unasked,
            entries,
        })
    }

    /// Those that are simulated, by their numbers.
    pub fn numbers(&self) -> Numbers<'_> {
        Numbers {
            scenario: self.scenario,
            nodes: &self.nodes,
            of_clients: &self.of_clients,
        }
    }

    /// The scenario that they are of.
    pub(crate) fn scenario(&self) -> &'s Scenario {
        self.scenario
    }

    /// Whether requests come by the clock, as no clients are named.
    pub fn are_open(&self) -> bool {
        self.scenario.clients.is_empty()
    }

    /// Clients, where some are named.
    pub fn clients(&self) -> u64 {
        self.scenario.clients.iter().map(|it| it.clients).sum()
    }

    /// The model of them, with what they serve.
    ///
    /// # Errors
    /// A node without memory for files.
    pub fn tiers(&self, content: Content<'_>) -> Result<Tiers, TopologyError> {
        let mut stores = ServedStores::new(&content.stores.stores);
        let machine = |node: &&Node| self.machine(node, content, &mut stores);
        let nodes = self.nodes.iter().map(machine);
        let (numbers, of_clients) = (self.numbers(), self.of_clients.iter());
        let direct_links = numbers.direct_links().map(|(link, between)| DirectLink {
            between,
            link: cable(link),
        });
        Ok(Tiers {
            nodes: nodes.collect::<Result<_, TopologyError>>()?,
            arrivals: self.arrivals(),
            events: events(numbers, content.stores),
            client_nodes: of_clients.map(|node| self.client_node(node)).collect(),
            direct_links: direct_links.collect(),
            stacks: self.stacks(),
            switches: self.switches(),
        })
    }

    /// The switches between the nodes. What passes the links between them is in packets as the smallest of the nodes' links has them.
    fn switches(&self) -> Option<Switches> {
        let network = self.scenario.network.as_ref()?;
        let mtus = self.scenario.links.iter().map(|link| link.mtu_bytes);
        let nodes = self.nodes.iter().chain(&self.of_clients);
        Some(Switches {
            topology: topology_of(network.topology),
            link: Link {
                bits_per_s: network.bits_per_s,
                delay_ns: network.delay_ns,
                mtu_bytes: mtus.min().unwrap_or(USUAL_MTU),
            },
            places: nodes
                .map(|node| place_of(self.scenario, &node.name))
                .collect(),
        })
    }

    /// What messages cost the nodes with a server, by link.
    fn stacks(&self) -> Vec<NodeStack> {
        let numbers = self.numbers();
        let of_link = |link: &LinkSpec| {
            let stack = link_stack(link);
            let number = |name: &String| numbers.of(name);
            let ends: Vec<(Option<usize>, Option<usize>)> = match &link.ends {
                LinkEnds::Switch(node) => vec![(number(node), None)],
                LinkEnds::Nodes([one, other]) => match (number(one), number(other)) {
                    (one @ Some(_), other @ Some(_)) => vec![(one, other), (other, one)],
                    _ => Vec::new(),
                },
            };
            let stacks = ends.into_iter().filter_map(move |(node, other)| {
                let node = node?;
                let stack = stack?;
                Some(NodeStack { node, other, stack })
            });
            stacks.collect::<Vec<_>>()
        };
        let links = self.scenario.links.iter().flat_map(of_link);
        links.filter(|it| it.node < self.nodes.len()).collect()
    }

    /// The link whose network stack the file server of this name uses for calls: that to the switch, or else the first that has one.
    fn link_of_calls(&self, server: &str) -> Option<&'s LinkSpec> {
        let to_switch = self.scenario.link_of(server);
        to_switch.filter(|it| it.stack.is_some()).or_else(|| {
            let mut between = self.scenario.links_between();
            let found = between.find(|(link, names)| {
                link.stack.is_some() && names.iter().any(|name| name == server)
            });
            found.map(|(link, _)| link)
        })
    }

    fn client_node(&self, node: &Node) -> ClientNode {
        ClientNode {
            name: node.name.clone(),
            link: self.scenario.link_of(&node.name).map(cable),
        }
    }

    fn place(&self, name: &str) -> usize {
        let place = self.nodes.iter().position(|node| node.name == name);
        place.unwrap_or_default()
    }

    fn arrivals(&self) -> Arrivals {
        if self.are_open() {
            let entries = self.entries.iter();
            return Arrivals::Open(entries.map(|name| self.place(name)).collect());
        }
        let class = |client: &Client| ClientClass {
            asks: self.place(&client.asks),
            clients: client.clients as u32,
            think_ns: client.think_ns.unwrap_or_default(),
            timeout_ns: client.timeout_ns,
            node: client.node.as_ref().and_then(|name| {
                let mut nodes = self.of_clients.iter();
                nodes.position(|node| node.name == *name)
            }),
        };
        Arrivals::Closed(self.scenario.clients.iter().map(class).collect())
    }

    fn machine(
        &self,
        node: &Node,
        content: Content<'_>,
        stores: &mut ServedStores<'_>,
    ) -> Result<Machine, TopologyError> {
        let opens = self.opens_connections(node, content.servers);
        let role = match &node.server {
            ServerSpec::NginxProxy {
                cache,
                upstream,
                balance,
            } => Role::Proxy(Proxy {
                cache: cache.then(|| content.kept(node)),
                ..self.proxy(upstream, *balance, content.servers.proxy(node, opens))
            }),
            ServerSpec::Files => {
                let costs = (content.files_bytes, &content.servers.profile);
                let way = (self.losses(&node.name), self.link_of_calls(&node.name));
                Role::Files(file_server(node, &content.stores.remote, costs, way)?)
            }
            _ => Role::Web(Web {
                stores: stores.by(content.servers.web(node, opens)),
                ..content.web(node)?
            }),
        };
        Ok(Machine {
            name: node.name.clone(),
            link: self.scenario.link_of(&node.name).map(cable),
            processors: processors(node, self.place(&node.name)),
            role,
        })
    }

    /// Whether each request of those who are no nodes, and ask this one, has a connection of its own.
    fn opens_connections(&self, node: &Node, servers: &Servers) -> bool {
        let is_entry = self.entries.contains(&node.name.as_str());
        let mut clients = self.scenario.clients.iter();
        let opens = clients.any(|it| it.asks == node.name && it.opens_connections);
        is_entry && (servers.opens_connections || opens)
    }

    /// By node, the share of packets that is lost on the way to the node of this name: by the link between both, or those of both.
    fn losses(&self, to: &str) -> Arc<[f64]> {
        let between = |name: &str| {
            let ends = LinkEnds::Nodes([name.to_owned(), to.to_owned()]);
            let mut links = self.scenario.links.iter();
            links.find(|link| link.ends.is_same(&ends))
        };
        let loss = |node: &&Node| {
            let passed = match between(&node.name) {
                Some(link) => 1.0 - link.loss,
                None => {
                    let ends = [node.name.as_str(), to];
                    let links = ends.into_iter().filter_map(|it| self.scenario.link_of(it));
                    links.map(|link| 1.0 - link.loss).product::<f64>()
                }
            };
            1.0 - passed
        };
        self.nodes.iter().map(loss).collect()
    }

    fn proxy(&self, upstream: &[String], balance: Balance, costs: ProxyCosts) -> Proxy {
        let ns = |us: f64| (us * 1e3) as u64;
        Proxy {
            upstream: upstream.iter().map(|name| self.place(name)).collect(),
            balance,
            cache: None,
            request_ns: ns(costs.request_us),
            answer_ns: ns(costs.answer_us),
            ns_per_byte: costs.ns_per_byte,
        }
    }
}

fn cable(link: &LinkSpec) -> Link {
    Link {
        bits_per_s: link.passed_bits_per_s(link.bits_per_s),
        delay_ns: link.passing_delay_ns(),
        mtu_bytes: link.mtu_bytes,
    }
}

/// Requests that Apache works on at a time where its configuration does not say: 16 processes of 25 threads (`MaxRequestWorkers` of Apache
/// 2.4). The lab's does not.
const APACHE_WORKERS: u64 = 400;

/// Processes of a node's server, or threads that each have one request or call.
pub fn workers(node: &Node) -> u32 {
    let usual = match node.server {
        ServerSpec::Apache => APACHE_WORKERS,
        ServerSpec::Files => FILE_SERVER_THREADS,
        _ => WORKERS as u64,
    };
    u32::try_from(node.workers.unwrap_or(usual)).unwrap_or(u32::MAX)
}

/// Workers that each have one request until its answer is sent; nothing of a server whose processes have any number.
fn limited_workers(node: &Node) -> Option<u32> {
    matches!(node.server, ServerSpec::Apache).then(|| workers(node))
}

/// Where no number of processors is given, there are as many as nginx would have processes. A fraction is a quota, as in the lab.
fn processors(node: &Node, place: usize) -> Processors {
    let usual = limited_workers(node).map(|_| WORKERS as f64);
    let processors = Processors::of(node.cpus.or(usual), node.cpu_speed, workers(node));
    match processors.count.fract() > 0.0 {
        true => processors.under(quota(processors.count, place)),
        false => processors,
    }
}

/// The lab's quota of so many processors. The kernel has the periods of each group begin at a time of its own, by chance
/// (`init_cfs_bandwidth` in kernel/sched/fair.c). Here they are spread by the golden ratio, so that no chance is needed.
pub(crate) fn quota(processors: f64, place: usize) -> Quota {
    const GOLDEN: f64 = 0.618_033_988_749_895;
    let LabQuota {
        quota_us,
        period_us,
    } = LabQuota::of(processors);
    let period_ns = period_us * 1000;
    Quota {
        budget_ns: quota_us * 1000,
        period_ns,
        phase_ns: ((place as f64 * GOLDEN).fract() * period_ns as f64) as u64,
    }
}

/// Whether a node is a file server that has a store which requests use.
fn has_files(scenario: &Scenario, node: &Node) -> bool {
    let mut stores = scenario.stores.iter().enumerate();
    stores.any(|(place, store)| {
        let remote = store.remote.as_ref();
        let of_cluster = store.cluster.as_ref().and_then(|it| it.metadata.as_ref());
        let parallel = remote.and_then(|it| it.parallel.as_ref());
        let metadata = of_cluster.or(parallel.and_then(|it| it.metadata.as_ref()));
        let has_part = |it: &RemoteSpec| it.servers.contains(&node.name);
        let is_there = remote.is_some_and(has_part) || metadata == Some(&node.name);
        is_there && scenario.uses_store(place)
    })
}

fn upstream(node: &Node) -> Option<&[String]> {
    match &node.server {
        ServerSpec::NginxProxy { upstream, .. } => Some(upstream),
        _ => None,
    }
}

/// The nodes that are asked by whoever is no node: those that clients name, else the proxies, else those that read a store.
fn entries(scenario: &Scenario) -> Vec<&str> {
    let named: Vec<&str> = scenario.clients.iter().map(|it| it.asks.as_str()).collect();
    if !named.is_empty() {
        return named;
    }
    let nodes = scenario.nodes.iter();
    let nodes = nodes.filter(|node| node.has_server());
    let (readers, proxies): (Vec<&Node>, Vec<&Node>) = nodes.partition(|node| node.reads_store());
    let first = if proxies.is_empty() { readers } else { proxies };
    first.into_iter().map(|node| node.name.as_str()).collect()
}

impl Content<'_> {
    /// The server of a node that reads the stores, with the costs that are assumed.
    fn web(self, node: &Node) -> Result<Web, TopologyError> {
        let Held {
            files,
            bytes,
            groups,
            follow,
        } = (self.held)(node);
        let held_bytes = self.stores.held_bytes.saturating_add(bytes);
        let left = self.left_bytes(node, held_bytes)?;
        let in_groups = groups.iter().copied().flatten();
        let in_groups = in_groups.fold(0, u64::saturating_add);
        if in_groups > left {
            refuse!(
                "node `{}` has {left} bytes of memory for page caches, and the plan's groups want {in_groups}; give it more, or plan \
                 for this memory",
                node.name
            );
        }
        Ok(Web {
            stores: Arc::clone(&self.stores.stores),
            store_of_site: Arc::clone(&self.stores.of_site),
            memory_bytes: left - in_groups,
            groups,
            held: files,
            workers: limited_workers(node),
            keep_alive: node.needs.keep_alive,
            follow,
            needs: self.needs(node),
        })
    }

    /// What a node's server takes beside the files of sites.
    fn needs(self, node: &Node) -> Needs {
        let needs = node.needs;
        let number = |place: Option<usize>| self.stores.number(place?);
        Needs {
            system: number(needs.system).map(|store| SystemFiles {
                store,
                bytes: needs.system_bytes,
            }),
            log: number(needs.logs).filter(|store| self.stores.is_remote(*store)),
            worker_bytes: needs.worker_memory_bytes,
            swap_bytes: needs.swap_bytes,
        }
    }

    /// What a proxy keeps of answers: as much as in the lab, and no more than stays in its memory.
    fn kept(self, node: &Node) -> Kept {
        let all = node.memory.bytes(self.files_bytes);
        let left = all.saturating_sub(node.server_memory_bytes.unwrap_or(0));
        Kept {
            bytes: (all / KEPT_SHARE).min(left),
            answers: KEPT_RESPONSES,
        }
    }

    /// What is left of a node's memory for page caches beside files of so many bytes that are in memory anyway.
    fn left_bytes(self, node: &Node, held_bytes: u64) -> Result<u64, TopologyError> {
        let all = node.memory.bytes(self.files_bytes);
        let server = node.server_memory_bytes.unwrap_or(0);
        let left = all.saturating_sub(server).saturating_sub(held_bytes);
        if left < PAGE_BYTES {
            let held = match held_bytes {
                0 => String::new(),
                held => format!(" and files in memory take {held}"),
            };
            refuse!(
                "node `{}` has {all} bytes of memory, of which its server needs {server}{held}: that leaves no page of {PAGE_BYTES} \
                 for other files; give it more",
                node.name
            );
        }
        Ok(left)
    }
}
