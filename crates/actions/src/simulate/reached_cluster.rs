//! Lustre, GlusterFS and MooseFS as simulations in time take them: all machines, and what lies between.

use hotset_models::remote::cluster::{ClusterProtocol, ClusterSystem, GlusterFs, Lustre, MooseFs};
use hotset_models::remote::pvfs::PvfsServer;
use hotset_models::remote::{CallCosts, NamedLine, ServerMachine, Switched};
use hotset_scenario::{
    ClusterOptions, Link, Node, Profile, RemoteSpec, Scenario, ServerCosts, StoreKind, StoreSpec,
};
use hotset_topology::{call_costs, cluster_protocol, local_profile, measured_costs, on_processors};

use super::export::{client, direct, named, not_modelled_links, store_of, switched};
use super::reached_store::{ToldCluster, ToldStore, file_memory};
use crate::JobError;
use crate::error::refuse;

/// What is under the disks of servers that the scenario does not name, where its `disk` does not say it. Assumed.
const OWN_PROFILE: &str = "ssd";

/// A file system on several servers whose clients cache, as clients reach it over the network.
pub(super) struct ReachedCluster<'s> {
    store: &'s StoreSpec,
    kind: StoreKind,
    options: &'s ClusterOptions,
    client: &'s Node,
    clients: usize,
    client_link: Option<&'s Link>,
    /// Those with data, then the one with the metadata where that is another.
    servers: Vec<ReachedServer<'s>>,
    data_servers: usize,
    metadata: usize,
    /// Costs of the client's own memory and processors.
    pub client_profile: Profile,
    /// Its memory for pages of files, bytes, and all of its memory.
    pub client_memory_bytes: u64,
    all_memory_bytes: u64,
    /// What calls cost both ends, where it was measured.
    client_costs: Option<ServerCosts>,
    server_costs: Option<ServerCosts>,
    switched: Option<Switched>,
    not_modelled: Vec<String>,
}

/// A server: a node of the scenario, or one of the store's own.
struct ReachedServer<'s> {
    name: String,
    node: Option<&'s Node>,
    link: Option<NamedLine>,
    /// That link is between clients and it alone.
    is_joined: bool,
    profile: Profile,
    /// None where all fits.
    memory_bytes: Option<u64>,
}

impl<'s> ReachedCluster<'s> {
    /// The store of that name, for so many clients like the scenario's first, with files of so many bytes each.
    ///
    /// # Errors
    /// A store of another kind, and nodes without memory for files.
    pub fn of(
        scenario: &'s Scenario,
        name: &str,
        (clients, files_bytes): (usize, u64),
    ) -> Result<Self, JobError> {
        let store = store_of(scenario, name)?;
        let kind = store.kind.filter(|kind| kind.is_cluster());
        let (Some(kind), Some(options)) = (kind, store.cluster.as_ref()) else {
            refuse!(
                "store `{name}` is on no file servers; give it kind = \"lustre\", \"glusterfs\" or \"moosefs\""
            );
        };
        let client = client(scenario)?;
        let copies = u64::from(options.copies.unwrap_or(1));
        let all_bytes = files_bytes.saturating_mul(clients as u64);
        let stored_bytes = all_bytes.saturating_mul(copies);
        let mut servers = match &store.remote {
            Some(remote) => named_servers(scenario, remote, client, stored_bytes)?,
            None => own_servers(scenario, store, client, stored_bytes)?,
        };
        let data_servers = servers.len();
        let metadata = match (&options.metadata, &store.remote) {
            (Some(name), Some(remote)) => match servers.iter().position(|it| it.name == *name) {
                Some(place) => place,
                None => {
                    let server = named_server(scenario, (remote, name), client, stored_bytes)?;
                    servers.push(server);
                    data_servers
                }
            },
            _ => 0,
        };
        // Servers of the store's own have no place.
        let nodes: Option<Vec<&Node>> = servers.iter().map(|it| it.node).collect();
        let switched = match nodes {
            Some(nodes) => switched(scenario, (client, clients), &nodes)?,
            None => None,
        };
        let costs = scenario.server_profile.as_ref();
        Ok(Self {
            client_link: scenario.link_of(&client.name),
            client_profile: on_processors(&store.profile, client),
            client_memory_bytes: file_memory(client, files_bytes)?,
            all_memory_bytes: client.memory.bytes(files_bytes),
            client_costs: costs.and_then(|it| it.files_client),
            server_costs: costs.and_then(|it| it.files),
            not_modelled: not_modelled_links(scenario, switched.is_some()),
            switched,
            store,
            kind,
            options,
            client,
            clients,
            servers,
            data_servers,
            metadata,
        })
    }

    /// As the model takes it.
    pub fn system(&self) -> ClusterSystem<'_> {
        let usual = CallCosts::ASSUMED;
        ClusterSystem {
            protocol: self.protocol(),
            clients: self.clients,
            client_costs: call_costs(self.client_costs, usual, self.client),
            client_link: self.client_link.map(named),
            switched: self.switched.clone(),
            servers: self.servers.iter().map(|it| self.server(it)).collect(),
            data_servers: self.data_servers,
            metadata: self.metadata,
        }
    }

    fn server<'r>(&self, of: &'r ReachedServer<'_>) -> PvfsServer<'r> {
        let usual = CallCosts::ASSUMED;
        PvfsServer {
            machine: ServerMachine {
                name: of.name.clone(),
                profile: &of.profile,
                memory_bytes: of.memory_bytes,
                processors: of.profile.reading.unwrap_or_default().processors,
                threads: self.threads(of),
                is_async: true,
                costs: match of.node {
                    Some(node) => call_costs(self.server_costs, usual, node),
                    None => measured_costs(self.server_costs, usual),
                },
            },
            link: of.link.clone(),
            is_joined: of.is_joined,
        }
    }

    fn threads(&self, of: &ReachedServer<'_>) -> usize {
        let said = of.node.and_then(|node| node.workers);
        match (said, self.kind) {
            (Some(threads), _) => usize::try_from(threads).unwrap_or(usize::MAX),
            (None, StoreKind::Lustre) => Lustre::SERVER_THREADS,
            (None, StoreKind::MooseFs) => MooseFs::SERVER_THREADS,
            (None, _) => GlusterFs::SERVER_THREADS,
        }
    }

    fn protocol(&self) -> ClusterProtocol {
        cluster_protocol(self.kind, self.options, self.all_memory_bytes)
    }

    /// What is told of it.
    pub fn told(&self) -> ToldStore {
        let with_data = self.servers.iter().take(self.data_servers);
        let names: Vec<String> = with_data.map(|it| it.name.clone()).collect();
        let memory = self.servers.iter().take(self.data_servers);
        let memory: Option<Vec<u64>> = memory.map(|it| it.memory_bytes).collect();
        let memory = memory.map(|all| all.into_iter().fold(0, u64::saturating_add));
        let metadata = self.servers.get(self.metadata);
        let has_metadata = self.kind != StoreKind::GlusterFs;
        ToldStore {
            store: self.store.name.clone(),
            kind: self.kind.name(),
            client: self.client.name.clone(),
            clients: self.clients,
            server: names.join(", "),
            read_bytes: 0,
            write_bytes: 0,
            server_memory_bytes: memory.unwrap_or(0),
            are_costs_measured: self.client_costs.is_some() && self.server_costs.is_some(),
            not_modelled: self.not_modelled.clone(),
            striping: None,
            cluster: Some(ToldCluster {
                servers: names,
                metadata: metadata.filter(|_| has_metadata).map(|it| it.name.clone()),
                are_own: self.store.remote.is_none(),
            }),
        }
    }
}

/// The servers that the scenario names.
fn named_servers<'s>(
    scenario: &'s Scenario,
    remote: &RemoteSpec,
    client: &Node,
    files_bytes: u64,
) -> Result<Vec<ReachedServer<'s>>, JobError> {
    let names = remote.servers.iter();
    let each = names.map(|name| named_server(scenario, (remote, name), client, files_bytes));
    each.collect()
}

fn named_server<'s>(
    scenario: &'s Scenario,
    (remote, name): (&RemoteSpec, &str),
    client: &Node,
    files_bytes: u64,
) -> Result<ReachedServer<'s>, JobError> {
    let Some(node) = scenario.nodes.iter().find(|node| node.name == name) else {
        refuse!("node `{name}` is not there; add it as [[node]]");
    };
    let Some(on) = scenario.stores.iter().find(|it| it.name == remote.on) else {
        refuse!("store `{}` is not there; add it as [[store]]", remote.on);
    };
    let joined = direct(scenario, client, node);
    let link = joined.or_else(|| scenario.link_of(name));
    Ok(ReachedServer {
        name: name.to_owned(),
        node: Some(node),
        link: link.map(named),
        is_joined: joined.is_some(),
        profile: on_processors(&local_profile(on, files_bytes)?, node),
        memory_bytes: Some(file_memory(node, files_bytes)?),
    })
}

/// As many as the lab makes where the scenario names none. Each has the store's own disk under xfs, a link like the client's, and memory for all.
fn own_servers<'s>(
    scenario: &'s Scenario,
    store: &StoreSpec,
    client: &Node,
    files_bytes: u64,
) -> Result<Vec<ReachedServer<'s>>, JobError> {
    let usual = Profile::builtin(OWN_PROFILE);
    let disk = StoreSpec {
        kind: Some(StoreKind::Xfs),
        profile: usual.unwrap_or_else(|| store.profile.clone()),
        remote: None,
        cluster: None,
        ..store.clone()
    };
    let profile = local_profile(&disk, files_bytes)?;
    let link = scenario.link_of(&client.name).map(named);
    let server = |number: usize| {
        let name = format!("{}-files{number}", store.name);
        ReachedServer {
            node: None,
            link: link.as_ref().map(|it| NamedLine {
                name: name.clone(),
                ..it.clone()
            }),
            is_joined: false,
            profile: profile.clone(),
            memory_bytes: None,
            name,
        }
    };
    Ok((0..StoreKind::OWN_SERVERS).map(server).collect())
}
