//! Stores that file servers export, and who mounts them.

use hotset_models::remote::nfs::Mount;
use hotset_models::remote::{Line, NamedLine, Switched};
use hotset_scenario::{
    Link, LinkEnds, NetworkSpec, Node, RemoteSpec, Scenario, ServerSpec, StoreKind, StoreSpec,
    there_are,
};
use hotset_topology::{mount, place_of, topology_of};

use crate::JobError;
use crate::error::refuse;

/// A store that a file server exports.
pub(super) struct Export<'s> {
    pub store: &'s StoreSpec,
    pub kind: StoreKind,
    pub server: &'s Node,
    /// The store under it.
    pub on: &'s StoreSpec,
    pub mount: Mount,
    /// The server answers before what is to be on its disk is there.
    pub is_async: bool,
}

impl<'s> Export<'s> {
    /// The store of that name.
    ///
    /// # Errors
    /// There is none, or it is on no file server.
    pub fn of(scenario: &'s Scenario, name: &str) -> Result<Self, JobError> {
        let store = store_of(scenario, name)?;
        let (Some(kind), Some(remote)) = (store.kind, &store.remote) else {
            let exported = scenario.stores.iter().filter(|it| it.remote.is_some());
            let exported: Vec<&str> = exported.map(|it| it.name.as_str()).collect();
            refuse!(
                "store `{name}` is on no file server; give it kind = \"nfs2\", \"nfs3\" or \"nfs4\", `servers` and `on`, or name a store that \
                 is; {}",
                there_are(name, &exported)
            );
        };
        let (server, on) = Self::ends(scenario, remote)?;
        Ok(Self {
            store,
            kind,
            server,
            on,
            mount: mount(kind, remote.options, server),
            is_async: remote.options.is_async,
        })
    }

    /// The server and the store that it keeps the files on; whoever read the scenario has seen that both are there.
    fn ends(
        scenario: &'s Scenario,
        remote: &RemoteSpec,
    ) -> Result<(&'s Node, &'s StoreSpec), JobError> {
        let is_server = |node: &&Node| remote.servers.first() == Some(&node.name);
        let server = scenario.nodes.iter().find(is_server);
        let on = scenario.stores.iter().find(|it| it.name == remote.on);
        match (server, on) {
            (Some(server), Some(on)) => Ok((server, on)),
            _ => refuse!("store `{}` is not there; add it as [[store]]", remote.on),
        }
    }

    /// What lies between a client and the server: the link between both alone, else that of the client and that of the server to the switch.
    /// One that is no node of the scenario is like the first.
    pub fn way(&self, scenario: &'s Scenario, name: &str, first: &str) -> [Option<&'s Link>; 2] {
        let is_node = scenario.nodes.iter().any(|node| node.name == name);
        let client = if is_node { name } else { first };
        let both = [client.to_owned(), self.server.name.clone()];
        let direct = LinkEnds::Nodes(both);
        let between = scenario.links.iter().find(|it| it.ends.is_same(&direct));
        match between {
            Some(link) => [Some(link), None],
            None => [client, &self.server.name].map(|node| scenario.link_of(node)),
        }
    }

    /// The same as one line.
    pub fn line(&self, scenario: &'s Scenario, name: &str, first: &str) -> Line {
        let way = self.way(scenario, name, first);
        let mut links = way.into_iter().flatten();
        let line = links.clone().fold(Line::default(), behind);
        let is_rdma = links.clone().next().is_some() && links.all(|it| it.rdma_lanes.is_some());
        let line = Line {
            rdma_lanes: is_rdma.then_some(1),
            ..line
        };
        let is_node = scenario.nodes.iter().any(|node| node.name == name);
        let client = if is_node { name } else { first };
        match &scenario.network {
            Some(network) if !way.iter().flatten().any(|link| is_direct(link)) => {
                self.behind_switches(scenario, (client, line), network)
            }
            _ => line,
        }
    }

    /// The same with the links between switches that lie between.
    fn behind_switches(
        &self,
        scenario: &Scenario,
        (client, line): (&str, Line),
        network: &NetworkSpec,
    ) -> Line {
        let topology = topology_of(network.topology);
        let [from, to] = [client, &self.server.name].map(|name| place_of(scenario, name));
        let links = topology.route(from, to).len() as u64;
        if links == 0 {
            return line;
        }
        let rate = line.bits_per_s.unwrap_or(u64::MAX);
        Line {
            bits_per_s: Some(rate.min(network.bits_per_s)),
            delay_ns: line.delay_ns.saturating_add(links * network.delay_ns),
            ..line
        }
    }
}

/// Switches between so many clients and servers: the first client is the scenario's, and the others have the places behind all nodes. None
/// where clients have a link to a server, or one switch is all there is.
///
/// # Errors
/// More machines than places.
pub(super) fn switched(
    scenario: &Scenario,
    (client, clients): (&Node, usize),
    servers: &[&Node],
) -> Result<Option<Switched>, JobError> {
    let Some(network) = &scenario.network else {
        return Ok(None);
    };
    let is_joined = |server: &&Node| direct(scenario, client, server).is_some();
    if servers.iter().any(is_joined) {
        return Ok(None);
    }
    let (nodes, places) = (scenario.nodes.len(), network.topology.places());
    let machines = nodes + clients.saturating_sub(1);
    if machines > places {
        refuse!(
            "[network]: it has room for {places} machines, and there are {machines}; make it larger, or take fewer clients"
        );
    }
    let own = scenario.link_of(&client.name);
    Ok(Some(Switched {
        topology: topology_of(network.topology),
        line: Line {
            bits_per_s: Some(network.bits_per_s),
            delay_ns: network.delay_ns,
            rdma_lanes: own.and_then(|link| link.rdma_lanes),
            ..Line::default()
        },
        clients: std::iter::once(place_of(scenario, &client.name))
            .chain(nodes..machines)
            .collect(),
        servers: servers
            .iter()
            .map(|server| place_of(scenario, &server.name))
            .collect(),
    }))
}

/// The link between a client and a server alone, if there is one.
pub(super) fn direct<'s>(scenario: &'s Scenario, client: &Node, server: &Node) -> Option<&'s Link> {
    let both = LinkEnds::Nodes([client.name.clone(), server.name.clone()]);
    scenario.links.iter().find(|it| it.ends.is_same(&both))
}

/// Whether a link is between two nodes, and not to a switch.
fn is_direct(link: &Link) -> bool {
    matches!(link.ends, LinkEnds::Nodes(_))
}

/// The store of that name.
///
/// # Errors
/// There is none.
pub(super) fn store_of<'s>(scenario: &'s Scenario, name: &str) -> Result<&'s StoreSpec, JobError> {
    let mut stores = scenario.stores.iter();
    if let Some(store) = stores.find(|store| store.name == name) {
        return Ok(store);
    }
    let names: Vec<&str> = scenario.stores.iter().map(|it| it.name.as_str()).collect();
    refuse!(
        "no [[store]] is called `{name}`; {}",
        there_are(name, &names)
    )
}

/// A link as it stands on the way of calls.
pub(super) fn named(link: &Link) -> NamedLine {
    NamedLine {
        name: link.ends.to_string(),
        line: Line {
            bits_per_s: Some(link.passed_bits_per_s(link.bits_per_s)),
            delay_ns: link.passing_delay_ns(),
            mtu_bytes: link.mtu_bytes,
            rdma_lanes: link.rdma_lanes,
        },
    }
}

/// A line with a link more.
fn behind(line: Line, link: &Link) -> Line {
    let own = link.passed_bits_per_s(link.bits_per_s);
    let slower = line.bits_per_s.map_or(own, |rate| rate.min(own));
    Line {
        bits_per_s: Some(slower),
        delay_ns: line.delay_ns.saturating_add(link.passing_delay_ns()),
        mtu_bytes: line.mtu_bytes.min(link.mtu_bytes),
        rdma_lanes: None,
    }
}

/// Keys of links that jobs on stores other than NFS do not follow, and the switches where these are not followed. Nothing is lost in jobs.
pub(super) fn not_modelled_links(scenario: &Scenario, has_switches: bool) -> Vec<String> {
    let keys = |link: &Link| {
        let keys = [
            ("loss", link.loss > 0.0),
            (link.saying("offload"), link.has_idle_offload()),
            (link.saying("stack"), link.stack.is_some()),
        ];
        let said = keys.into_iter().filter(|(_, is_said)| *is_said);
        let said = said.map(|(key, _)| format!("link.{}.{key}", link.ends));
        said.collect::<Vec<_>>()
    };
    let links = scenario.links.iter().flat_map(keys);
    let network = scenario.network.iter().filter(|_| !has_switches);
    let network = network.map(|_| "network".to_owned());
    let links = links.chain(network);
    links.chain(not_modelled_events(scenario)).collect()
}

/// What happens to machines, if anything does: jobs and works find them as they are at first.
pub(super) fn not_modelled_events(scenario: &Scenario) -> Option<String> {
    let happens = !scenario.events.is_empty();
    happens.then(|| "event".to_owned())
}

/// Whether a node is a file server.
pub(super) fn is_file_server(scenario: &Scenario, name: &str) -> bool {
    let mut nodes = scenario.nodes.iter();
    nodes.any(|node| node.name == name && node.server == ServerSpec::Files)
}

/// The first node that is no file server.
///
/// # Errors
/// There is none.
pub(super) fn client(scenario: &Scenario) -> Result<&Node, JobError> {
    let mut nodes = scenario.nodes.iter();
    match nodes.find(|node| node.server != ServerSpec::Files) {
        Some(node) => Ok(node),
        None => refuse!("no [[node]] is a client; add one without server = \"files\""),
    }
}
