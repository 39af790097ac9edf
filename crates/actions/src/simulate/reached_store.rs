//! A store on a file server as simulations in time take it: both machines, and what lies between.

use hotset_cache::PAGE_BYTES;
use hotset_models::remote::nfs::RemoteSystem;
use hotset_models::remote::{CallCosts, ServerMachine, Switched};
use hotset_scenario::{Link, Node, Profile, Scenario, ServerCosts, StoreSpec};
use hotset_topology::{
    FILE_SERVER_THREADS, TopologyError, call_costs_by, check_size, local_profile, on_processors,
};

use super::export::{Export, client, named, not_modelled_events, switched};
use crate::JobError;
use crate::error::refuse;

/// A store that a client reaches over the network.
pub(super) struct ReachedStore<'s> {
    export: Export<'s>,
    client: &'s Node,
    /// Link of each client, and that of the server behind it.
    way: [Option<&'s Link>; 2],
    switched: Option<Switched>,
    clients: usize,
    /// Costs of the client's own memory and processors, and of the store under it.
    pub client_profile: Profile,
    on_profile: Profile,
    /// Memory for pages of files at both, bytes.
    pub client_memory_bytes: u64,
    server_memory_bytes: u64,
    /// What calls cost both, where it was measured.
    client_costs: Option<ServerCosts>,
    server_costs: Option<ServerCosts>,
    not_modelled_events: Option<String>,
}

impl<'s> ReachedStore<'s> {
    /// The store of that name, for so many clients like the scenario's first, with files of so many bytes each.
    ///
    /// # Errors
    /// A store that is not on a file server, and nodes without memory for files.
    pub fn of(
        scenario: &'s Scenario,
        name: &str,
        (clients, files_bytes): (usize, u64),
    ) -> Result<Self, JobError> {
        let all_bytes = files_bytes.saturating_mul(clients as u64);
        let export = Export::of(scenario, name)?;
        let client = client(scenario)?;
        let costs = scenario.server_profile.as_ref();
        Ok(Self {
            client,
            way: export.way(scenario, &client.name, &client.name),
            switched: switched(scenario, (client, clients), &[export.server])?,
            clients,
            client_profile: on_processors(&export.store.profile, client),
            on_profile: on_processors(&local_profile(export.on, all_bytes)?, export.server),
            client_memory_bytes: file_memory(client, files_bytes)?,
            server_memory_bytes: file_memory(export.server, all_bytes)?,
            client_costs: costs.and_then(|it| it.files_client),
            server_costs: costs.and_then(|it| it.files),
            not_modelled_events: not_modelled_events(scenario),
            export,
        })
    }

    /// Refuses a file of so many bytes where the protocol has none as large.
    ///
    /// # Errors
    /// Such a file, with the line of the store.
    pub fn check_size(&self, bytes: u64) -> Result<(), TopologyError> {
        check_size(self.export.store, self.export.mount, bytes)
    }

    /// As the model takes it.
    pub fn system(&self) -> RemoteSystem<'_> {
        let (server, on) = (self.export.server, &self.on_profile);
        let threads = server.workers.unwrap_or(FILE_SERVER_THREADS);
        RemoteSystem {
            mount: self.export.mount,
            clients: self.clients,
            client_costs: call_costs_by(
                self.client_costs,
                CallCosts::ASSUMED,
                (self.client, self.way[0]),
            ),
            client_link: self.way[0].map(named),
            server_link: self.way[1].map(named),
            switched: self.switched.clone(),
            server: ServerMachine {
                name: server.name.clone(),
                profile: on,
                memory_bytes: Some(self.server_memory_bytes),
                processors: on.reading.unwrap_or_default().processors,
                threads: usize::try_from(threads).unwrap_or(usize::MAX),
                is_async: self.export.is_async,
                costs: call_costs_by(
                    self.server_costs,
                    CallCosts::ASSUMED,
                    (server, self.server_link()),
                ),
            },
        }
    }

    /// The link at the server: its own, or the one between both.
    fn server_link(&self) -> Option<&'s Link> {
        self.way[1].or_else(|| self.way[0].filter(|link| link.ends.nodes().len() > 1))
    }

    /// What is told of it.
    pub fn told(&self) -> ToldStore {
        let Export {
            store,
            kind,
            server,
            mount,
            ..
        } = &self.export;
        let of_link = |link: &Link| {
            let keys = [
                ("loss", link.loss > 0.0),
                (link.saying("offload"), link.has_idle_offload()),
            ];
            let said = keys.into_iter().filter(|(_, is_said)| *is_said);
            let ends = link.ends.to_string();
            let said = said.map(move |(key, _)| format!("link.{ends}.{key}"));
            said.collect::<Vec<_>>()
        };
        ToldStore {
            store: store.name.clone(),
            kind: kind.name(),
            client: self.client.name.clone(),
            clients: self.clients,
            server: server.name.clone(),
            read_bytes: mount.read_bytes,
            write_bytes: mount.write_bytes,
            server_memory_bytes: self.server_memory_bytes,
            are_costs_measured: self.client_costs.is_some() && self.server_costs.is_some(),
            not_modelled: {
                let of_links = self.way.into_iter().flatten().flat_map(of_link);
                let of_links = of_links.chain(not_modelled_options(store));
                of_links.chain(self.not_modelled_events.clone()).collect()
            },
            striping: None,
            cluster: None,
        }
    }
}

/// What is told of a store on a file server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ToldStore {
    pub store: String,
    pub kind: &'static str,
    pub client: String,
    pub clients: usize,
    pub server: String,
    pub read_bytes: u64,
    pub write_bytes: u64,
    pub server_memory_bytes: u64,
    pub are_costs_measured: bool,
    pub not_modelled: Vec<String>,
    /// Of a parallel file system.
    pub striping: Option<ToldStriping>,
    /// Of Lustre, GlusterFS and MooseFS.
    pub cluster: Option<ToldCluster>,
}

/// What is told of the servers of a file system whose clients cache.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ToldCluster {
    pub servers: Vec<String>,
    /// None where all have a part of that.
    pub metadata: Option<String>,
    /// The scenario names none, and they are like those that the lab makes.
    pub are_own: bool,
}

/// What is told of where a parallel file system has what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ToldStriping {
    pub servers: Vec<String>,
    pub metadata: String,
    pub strip_bytes: u64,
    pub stripes: u32,
}

/// Options of a mount that jobs and works do not follow: nothing is lost on their way, and no call is sent again.
pub(super) fn not_modelled_options(store: &StoreSpec) -> Vec<String> {
    let options = store.remote.as_ref().map(|it| it.options);
    let options = options.unwrap_or_default();
    let keys = [
        ("timeo", options.timeo.is_some() || options.is_udp),
        ("retrans", options.retrans.is_some()),
        ("soft", options.is_soft),
    ];
    let said = keys.into_iter().filter(|(_, is_said)| *is_said);
    let said = said.map(|(key, _)| format!("store.{}.options.{key}", store.name));
    said.collect()
}

/// Memory of a node for pages of files, where there are files of so many bytes.
pub(super) fn file_memory(node: &Node, files_bytes: u64) -> Result<u64, JobError> {
    let all = node.memory.bytes(files_bytes);
    let server = node.server_memory_bytes.unwrap_or(0);
    let left = all.saturating_sub(server);
    if left < PAGE_BYTES {
        refuse!(
            "node `{}` has {all} bytes of memory, of which its server needs {server}: that leaves no page of {PAGE_BYTES} for files; give \
             it more",
            node.name
        );
    }
    Ok(left)
}
