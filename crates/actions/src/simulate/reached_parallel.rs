//! A parallel file system as simulations in time take it: all machines, and what lies between.

use hotset_models::remote::pvfs::{OrangeFs, Protocol, PvfsServer, PvfsSystem, Striping};
use hotset_models::remote::{CallCosts, ServerMachine, Switched};
use hotset_scenario::{
    Link, Node, ParallelOptions, Profile, Scenario, ServerCosts, StoreKind, StoreSpec,
};
use hotset_topology::{call_costs, local_profile, on_processors, parallel_protocol, striping};

use super::export::{client, direct, named, not_modelled_links, store_of, switched};
use super::reached_store::{ToldStore, ToldStriping, file_memory};
use crate::JobError;
use crate::error::refuse;

/// A parallel file system that clients reach over the network.
pub(super) struct ReachedParallel<'s> {
    store: &'s StoreSpec,
    kind: StoreKind,
    options: &'s ParallelOptions,
    client: &'s Node,
    clients: usize,
    client_link: Option<&'s Link>,
    /// Those with data, then the one with the metadata where that is another.
    servers: Vec<ReachedServer<'s>>,
    data_servers: usize,
    metadata: usize,
    /// Costs of the client's own memory and processors.
    pub client_profile: Profile,
    /// Its memory for pages of files, bytes, of which none is used.
    pub client_memory_bytes: u64,
    /// What calls cost both ends, where it was measured.
    client_costs: Option<ServerCosts>,
    server_costs: Option<ServerCosts>,
    switched: Option<Switched>,
    not_modelled: Vec<String>,
}

/// A server.
struct ReachedServer<'s> {
    node: &'s Node,
    link: Option<&'s Link>,
    /// That link is between clients and it alone.
    is_joined: bool,
    profile: Profile,
    memory_bytes: u64,
}

impl<'s> ReachedParallel<'s> {
    /// The store of that name, for so many clients like the scenario's first, with files of so many bytes each.
    ///
    /// # Errors
    /// A store that is in no strips, and nodes without memory for files.
    pub fn of(
        scenario: &'s Scenario,
        name: &str,
        (clients, files_bytes): (usize, u64),
    ) -> Result<Self, JobError> {
        let all_bytes = files_bytes.saturating_mul(clients as u64);
        let store = store_of(scenario, name)?;
        let kind = store.kind.filter(|kind| kind.is_parallel());
        let remote = store.remote.as_ref();
        let parallel = remote.and_then(|it| Some((it, it.parallel.as_ref()?)));
        let (Some(kind), Some((remote, options))) = (kind, parallel) else {
            refuse!(
                "store `{name}` is no parallel file system; give it kind = \"pvfs1\" or \"orangefs\""
            );
        };
        let Some(on) = scenario.stores.iter().find(|it| it.name == remote.on) else {
            refuse!("store `{}` is not there; add it as [[store]]", remote.on);
        };
        let client = client(scenario)?;
        let mut names: Vec<&'s str> = remote.servers.iter().map(String::as_str).collect();
        let data_servers = names.len();
        let metadata = match &options.metadata {
            None => 0,
            Some(name) => match names.iter().position(|it| it == name) {
                Some(place) => place,
                None => {
                    names.push(name);
                    data_servers
                }
            },
        };
        let servers = names.into_iter().map(|name| {
            let files = (on, all_bytes);
            reached_server(scenario, name, client, files)
        });
        let servers = servers.collect::<Result<Vec<_>, JobError>>()?;
        let nodes: Vec<&Node> = servers.iter().map(|it| it.node).collect();
        let switched = switched(scenario, (client, clients), &nodes)?;
        let costs = scenario.server_profile.as_ref();
        Ok(Self {
            client_link: scenario.link_of(&client.name),
            client_profile: on_processors(&store.profile, client),
            client_memory_bytes: file_memory(client, files_bytes)?,
            client_costs: costs.and_then(|it| it.files_client),
            server_costs: costs.and_then(|it| it.files),
            not_modelled: {
                let mut all = not_modelled_links(scenario, switched.is_some());
                let read_size = options.read_bytes.map(|_| "options.read_size");
                all.extend(read_size.map(|key| format!("store.{}.{key}", store.name)));
                all
            },
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
    pub fn system(&self) -> PvfsSystem<'_> {
        let (client, server) = self.usual_costs();
        let ready = |of: &ReachedServer<'_>| {
            let threads = of.node.workers.map_or(self.usual_threads(), |it| {
                usize::try_from(it).unwrap_or(usize::MAX)
            });
            (threads, call_costs(self.server_costs, server, of.node))
        };
        PvfsSystem {
            protocol: self.protocol(),
            striping: self.striping(),
            clients: self.clients,
            client_costs: call_costs(self.client_costs, client, self.client),
            client_link: self.client_link.map(named),
            switched: self.switched.clone(),
            servers: self
                .servers
                .iter()
                .map(|of| {
                    let (threads, costs) = ready(of);
                    PvfsServer {
                        machine: ServerMachine {
                            name: of.node.name.clone(),
                            profile: &of.profile,
                            memory_bytes: Some(of.memory_bytes),
                            processors: of.profile.reading.unwrap_or_default().processors,
                            threads,
                            is_async: true,
                            costs,
                        },
                        link: of.link.map(named),
                        is_joined: of.is_joined,
                    }
                })
                .collect(),
            data_servers: self.data_servers,
            metadata: self.metadata,
            one_machine: None,
        }
    }

    /// What calls cost a client and a server where it was not measured.
    fn usual_costs(&self) -> (CallCosts, CallCosts) {
        match self.kind {
            StoreKind::OrangeFs => (OrangeFs::CLIENT_COSTS, OrangeFs::SERVER_COSTS),
            _ => (CallCosts::ASSUMED, CallCosts::ASSUMED),
        }
    }

    /// Threads of a server: a daemon of PVFS 1 does one thing at a time.
    fn usual_threads(&self) -> usize {
        match self.kind {
            StoreKind::OrangeFs => OrangeFs::SERVER_THREADS,
            _ => 1,
        }
    }

    fn protocol(&self) -> Protocol {
        parallel_protocol(self.kind, self.options)
    }

    fn striping(&self) -> Striping {
        striping(self.options, self.data_servers)
    }

    /// What is told of it.
    pub fn told(&self) -> ToldStore {
        let with_data = self.servers.iter().take(self.data_servers);
        let names: Vec<String> = with_data.map(|it| it.node.name.clone()).collect();
        let memory = self.servers.iter().map(|it| it.memory_bytes);
        let striping = self.striping();
        let metadata = self.servers.get(self.metadata);
        ToldStore {
            store: self.store.name.clone(),
            kind: self.kind.name(),
            client: self.client.name.clone(),
            clients: self.clients,
            server: names.join(", "),
            read_bytes: 0,
            write_bytes: 0,
            server_memory_bytes: memory.take(self.data_servers).fold(0, u64::saturating_add),
            are_costs_measured: self.client_costs.is_some() && self.server_costs.is_some(),
            not_modelled: self.not_modelled.clone(),
            striping: Some(ToldStriping {
                servers: names,
                metadata: metadata.map_or_else(String::new, |it| it.node.name.clone()),
                strip_bytes: striping.strip_bytes,
                stripes: striping.stripes,
            }),
            cluster: None,
        }
    }
}

/// The server of that name, which has files of so many bytes on a store.
fn reached_server<'s>(
    scenario: &'s Scenario,
    name: &str,
    client: &Node,
    (on, bytes): (&StoreSpec, u64),
) -> Result<ReachedServer<'s>, JobError> {
    let Some(node) = scenario.nodes.iter().find(|node| node.name == name) else {
        refuse!("node `{name}` is not there; add it as [[node]]");
    };
    let joined = direct(scenario, client, node);
    Ok(ReachedServer {
        node,
        link: joined.or_else(|| scenario.link_of(name)),
        is_joined: joined.is_some(),
        profile: on_processors(&local_profile(on, bytes)?, node),
        memory_bytes: file_memory(node, bytes)?,
    })
}
