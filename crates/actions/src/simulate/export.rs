//! Stores that file servers export, and who mounts them.

use hotset_models::remote::nfs::Mount;
use hotset_models::remote::{Line, NamedLine};
use hotset_scenario::{
    Link, LinkEnds, Node, RemoteSpec, Scenario, ServerSpec, StoreKind, StoreSpec, there_are,
};
use hotset_topology::mount;

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
        let links = self.way(scenario, name, first).into_iter().flatten();
        links.fold(Line::default(), behind)
    }
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
            bits_per_s: Some(link.bits_per_s),
            delay_ns: link.delay_ns,
            mtu_bytes: link.mtu_bytes,
        },
    }
}

/// A line with a link more.
fn behind(line: Line, link: &Link) -> Line {
    let slower = line
        .bits_per_s
        .map_or(link.bits_per_s, |rate| rate.min(link.bits_per_s));
    Line {
        bits_per_s: Some(slower),
        delay_ns: line.delay_ns.saturating_add(link.delay_ns),
        mtu_bytes: line.mtu_bytes.min(link.mtu_bytes),
    }
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
