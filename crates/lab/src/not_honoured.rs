//! Keys of a scenario that the lab does not follow.

use hotset_scenario::{
    Change, DiskSpec, Event, Link, Node, Offload, Scenario, ServerSpec, StoreKind, StoreSpec,
};

/// Keys of nodes, links, writers, databases and events that say something which the lab does not follow, by their ways. The kernel of the machine may have
/// nothing that delays or loses packets.
#[must_use]
pub fn not_honoured(scenario: &Scenario) -> Vec<String> {
    let nodes = scenario.nodes.iter().flat_map(of_node);
    let links = scenario.links.iter().flat_map(of_link);
    let writers = scenario.writers.iter();
    let writers = writers.map(|it| format!("writer.{}", it.name));
    let databases = scenario.databases.iter();
    let databases = databases.map(|it| format!("database.{}", it.name));
    let events = scenario.events.iter();
    let events = events.filter_map(|event| of_event(scenario, event));
    let stores = scenario.stores.iter().filter_map(of_store);
    let network = scenario.network.iter().map(|_| "network".to_owned());
    let all = nodes.chain(links).chain(network).chain(stores);
    let all = all.chain(writers).chain(databases);
    let mut keys: Vec<String> = all.chain(events).collect();
    keys.dedup();
    keys
}

/// The keys of a table's item that are said.
fn said<const KEYS: usize>(item: &str, keys: [(&str, bool); KEYS]) -> Vec<String> {
    let said = keys.into_iter().filter(|(_, is_said)| *is_said);
    said.map(|(key, _)| format!("{item}.{key}")).collect()
}

fn of_node(node: &Node) -> Vec<String> {
    let has_workers = node.server == ServerSpec::Apache && node.workers.is_some();
    let keys = [
        ("cpu_speed", node.cpu_speed != 1.0),
        ("workers", has_workers),
        ("system", node.needs.system.is_some()),
        ("logs", node.needs.logs.is_some()),
        ("keep_alive", node.needs.keep_alive.is_some()),
        ("worker_memory", node.needs.worker_memory_bytes > 0),
        ("swap", node.needs.swap_bytes > 0),
    ];
    said(&format!("node.{}", node.name), keys)
}

fn of_link(link: &Link) -> Vec<String> {
    let item = format!("link.{}", link.ends);
    let has_offload = matches!(link.offload, Offload::Checksum | Offload::Full);
    let keys = [
        (link.saying("delay"), link.delay_ns > 0),
        ("loss", link.loss > 0.0),
        (link.saying("offload"), has_offload),
        (link.saying("stack"), link.stack.is_some()),
        (link.saying("virtual_lanes"), link.rdma_lanes.is_some()),
    ];
    let mut all: Vec<String> = Vec::new();
    for key in said(&item, keys) {
        if !all.contains(&key) {
            all.push(key);
        }
    }
    all
}

/// Options that mounts would have to be told, and where the master of MooseFS is: on the first server.
fn of_store(store: &StoreSpec) -> Option<String> {
    let options = store.cluster.as_ref()?;
    let first = store.remote.as_ref().and_then(|it| it.servers.first());
    let is_elsewhere = options.metadata.is_some() && options.metadata.as_ref() != first;
    let is_moose = store.kind == Some(StoreKind::MooseFs);
    let is_said = is_elsewhere
        || options.cache_s.is_some()
        || options.entry_cache_s.is_some()
        || options.quick_read_bytes.is_some_and(|it| it > 0)
        || is_moose && options.read_ahead_bytes.is_some();
    is_said.then(|| format!("store.{}.options", store.name))
}

fn of_event(scenario: &Scenario, event: &Event) -> Option<String> {
    match &event.change {
        Change::StoreSpeed { name, .. } => {
            let mut stores = scenario.stores.iter();
            let store = stores.find(|store| store.name == *name)?;
            (!has_speed(store)).then(|| format!("event.store.{name}"))
        }
        // The lab makes no file servers of its own.
        Change::Node { name, .. } => {
            let mut nodes = scenario.nodes.iter();
            let node = nodes.find(|node| node.name == *name)?;
            (node.server == ServerSpec::Files).then(|| format!("event.node.{name}"))
        }
        Change::Link { .. } | Change::LinkRate { .. } => None,
    }
}

/// Whether the lab makes disks for it that can be slowed down.
fn has_speed(store: &StoreSpec) -> bool {
    match store.kind {
        None | Some(StoreKind::Tmpfs | StoreKind::Ramfs) => false,
        Some(_) => store.disk != DiskSpec::Plain,
    }
}
