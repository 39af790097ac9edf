//! Operations on files of a file server, simulated call by call.

use std::path::PathBuf;

use hotset_models::files::{FilesResult, Mounted, Work, simulate};
use hotset_models::remote::Line;
use hotset_models::remote::nfs::{Mount, Version};
use hotset_report::FilesView;
use hotset_scenario::{
    Link, LinkEnds, MemorySize, MountOptions, Node, RemoteSpec, Scenario, ServerSpec, StoreKind,
    StoreSpec,
};

use crate::error::refuse;
use crate::{JobError, Watch};

/// Which work, and on what.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Work: a text file with an operation a line.
    pub work: PathBuf,
    /// Scenario with the client, the file server and the store.
    pub scenario: PathBuf,
    /// Name of the store.
    pub store: String,
}

/// A work and what it came to.
#[derive(Debug)]
pub struct FilesAnswer {
    store: String,
    kind: &'static str,
    mount: Mount,
    result: FilesResult,
}

impl FilesAnswer {
    /// What reports show.
    pub fn view(&self) -> FilesView<'_> {
        FilesView {
            store: &self.store,
            kind: self.kind,
            read_bytes: self.mount.read_bytes,
            write_bytes: self.mount.write_bytes,
            result: &self.result,
        }
    }
}

/// Simulates the work.
///
/// # Errors
/// A work or a scenario that cannot be used, and a store that is not on a file server.
pub fn run(options: &Options, watch: &dyn Watch) -> Result<FilesAnswer, JobError> {
    let scenario = Scenario::load(&options.scenario)?;
    let work = Work::load(&options.work)?;
    let export = Export::of(&scenario, &options.store)?;
    let client = client(&scenario)?;
    for name in &work.others {
        if is_file_server(&scenario, name) {
            refuse!(
                "{}: `{name}:` is a file server of {}; name a node without server = \"files\", or another name",
                options.work.display(),
                options.scenario.display()
            );
        }
    }
    let line = |name: &str| export.line(&scenario, name, &client.name);
    let mounted = Mounted {
        mount: export.mount,
        client: &client.name,
        line: &line,
        profile: &export.on.profile,
    };
    let result = simulate(&work, &mounted, &|| !watch.stops())?;
    Ok(FilesAnswer {
        store: export.store.name.clone(),
        kind: export.kind.name(),
        mount: export.mount,
        result,
    })
}

/// A store that a file server exports.
struct Export<'s> {
    store: &'s StoreSpec,
    kind: StoreKind,
    server: &'s Node,
    /// The store under it.
    on: &'s StoreSpec,
    mount: Mount,
}

impl<'s> Export<'s> {
    fn of(scenario: &'s Scenario, name: &str) -> Result<Self, JobError> {
        let mut stores = scenario.stores.iter();
        let Some(store) = stores.find(|store| store.name == name) else {
            let names: Vec<&str> = scenario.stores.iter().map(|it| it.name.as_str()).collect();
            refuse!(
                "no [[store]] is called `{name}`; there are: {}",
                names.join(", ")
            );
        };
        let (Some(kind), Some(remote)) = (store.kind, &store.remote) else {
            refuse!(
                "store `{name}` is on no file server; give it kind = \"nfs3\" or \"nfs4\", `servers` and `on`"
            );
        };
        let (server, on) = Self::ends(scenario, remote)?;
        Ok(Self {
            store,
            kind,
            server,
            on,
            mount: mount(kind, remote.options, server)?,
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

    /// What lies between a client and the server: the link between both, else that of each to the switch. One that is no node of the
    /// scenario is like the first.
    fn line(&self, scenario: &Scenario, name: &str, first: &str) -> Line {
        let is_node = scenario.nodes.iter().any(|node| node.name == name);
        let client = if is_node { name } else { first };
        let both = [client.to_owned(), self.server.name.clone()];
        let direct = LinkEnds::Nodes(both);
        let between = scenario.links.iter().find(|it| it.ends.is_same(&direct));
        let own = [client, &self.server.name].map(|node| scenario.link_of(node));
        let on_the_way = match between {
            Some(link) => vec![link],
            None => own.into_iter().flatten().collect(),
        };
        on_the_way.into_iter().fold(Line::default(), behind)
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

fn is_file_server(scenario: &Scenario, name: &str) -> bool {
    let mut nodes = scenario.nodes.iter();
    nodes.any(|node| node.name == name && node.server == ServerSpec::Files)
}

/// The first node that is no file server.
fn client(scenario: &Scenario) -> Result<&Node, JobError> {
    let mut nodes = scenario.nodes.iter();
    match nodes.find(|node| node.server != ServerSpec::Files) {
        Some(node) => Ok(node),
        None => refuse!("no [[node]] is a client; add one without server = \"files\""),
    }
}

fn mount(kind: StoreKind, options: MountOptions, server: &Node) -> Result<Mount, JobError> {
    let version = match (kind, options.minor_version) {
        (StoreKind::Nfs4, Some(0)) => {
            refuse!("`minorversion = 0` in [store.options]: is not simulated yet; write 1 or 2")
        }
        (StoreKind::Nfs4, minor) => Version::V4 {
            minor: minor.unwrap_or(2),
        },
        _ => Version::V3,
    };
    let most_bytes = message_bytes(server.memory);
    Ok(Mount {
        version,
        read_bytes: options.read_bytes.unwrap_or(most_bytes).min(most_bytes),
        write_bytes: options.write_bytes.unwrap_or(most_bytes).min(most_bytes),
        attributes_s: options.attributes_s,
        sync: options.sync,
    })
}

/// The kernel and what it keeps for itself take so much of a machine's memory: the rest is what it counts. Assumed.
const KERNEL_SHARE: f64 = 0.03;

/// Most bytes that Linux's server takes in a message: the power of two up to a 4096th of its memory, from 8 KiB to 1 MiB
/// (`nfsd_get_default_max_blksize`, `fs/nfsd/nfssvc.c` of Linux 6.1).
fn message_bytes(memory: MemorySize) -> u64 {
    let MemorySize::Bytes(memory_bytes) = memory else {
        return 1 << 20;
    };
    let target_bytes = (memory_bytes as f64 * (1.0 - KERNEL_SHARE)) as u64 >> 12;
    let mut bytes = 1 << 20;
    while bytes > target_bytes && bytes >= 2 * (8 << 10) {
        bytes /= 2;
    }
    bytes
}
