//! Keys of a scenario that nothing in a simulation follows.

use hotset_scenario::{
    Client, JournalSpec, Link, Node, PageKeeping, Scenario, ServerSpec, Site, StoreKind, StoreSpec,
};
use hotset_topology::Nodes;

use super::events;
use super::options::Options;
use crate::error::refuse;
use crate::{Field, JobError};

/// Their ways, in the order of the tables.
pub(super) fn not_modelled(
    options: &Options,
    scenario: &Scenario,
    nodes: &Nodes<'_>,
) -> Vec<String> {
    let unasked = nodes
        .unasked
        .iter()
        .map(|node| format!("node.{}", node.name));
    let of_nodes = nodes.nodes.iter();
    let of_nodes = of_nodes.flat_map(|node| of_node(scenario, node, options));
    let of_sites = scenario.sites.iter();
    let of_sites = of_sites.flat_map(|site| of_site(site, options));
    let idle = scenario.clients.iter();
    let idle = idle.filter(|it| has_idle_connections(scenario, it));
    let idle = idle.map(|it| format!("client.{}.connections", it.name));
    let of_clients = nodes.of_clients.iter();
    let of_clients = of_clients.flat_map(|node| of_client_node(node));
    let of_stores = scenario.stores.iter();
    let of_stores = of_stores.flat_map(|store| of_store(scenario, store));
    let of_links = scenario
        .links
        .iter()
        .flat_map(|link| of_link(scenario, link));
    let unused = unused_links(scenario, nodes).into_iter();
    let writers = scenario.writers.iter();
    let writers = writers.map(|it| format!("writer.{}", it.name));
    let databases = scenario.databases.iter();
    let databases = databases.filter(|_| options.sessions.is_none());
    let databases = databases.map(|it| format!("database.{}", it.name));
    let all = unasked.chain(of_nodes).chain(of_clients).chain(idle);
    let all = all.chain(of_sites);
    let all = all.chain(of_stores);
    let all = all.chain(of_links).chain(unused).chain(writers);
    let all = all.chain(databases);
    all.chain(events::not_followed(nodes.numbers())).collect()
}

/// Links between two nodes of which one is not simulated.
fn unused_links(scenario: &Scenario, nodes: &Nodes<'_>) -> Vec<String> {
    let is_there = |name: &String| nodes.numbers().of(name).is_some();
    let links = scenario.links_between();
    let unused = links.filter(|(_, between)| !between.iter().all(is_there));
    unused
        .map(|(link, _)| format!("link.{}", link.ends))
        .collect()
}

/// Refuses keys that nothing follows.
///
/// # Errors
/// There are some.
pub(in crate::simulate) fn refuse_any(keys: &[String]) -> Result<(), JobError> {
    match keys {
        [] => Ok(()),
        keys => refuse!(
            "nothing here follows {}; take that out, or leave {} out",
            keys.join(", "),
            Field::StrictKeys
        ),
    }
}

/// The keys of a table's item that say something which is not followed.
fn of(list: &str, name: &str, keys: &[(&str, bool)]) -> Vec<String> {
    let said = keys.iter().filter(|(_, is_said)| *is_said);
    said.map(|(key, _)| format!("{list}.{name}.{key}"))
        .collect()
}

/// Whether a proxy asks a node: which connections proxies keep to it is not followed.
fn is_behind_proxy(scenario: &Scenario, node: &Node) -> bool {
    let mut nodes = scenario.nodes.iter();
    nodes.any(|proxy| match &proxy.server {
        ServerSpec::NginxProxy { upstream, .. } => upstream.contains(&node.name),
        _ => false,
    })
}

/// A log on a local store is not written, and `hotset run` gives held files what workers take. Only the room of swap is followed, not the time
/// that it takes.
fn of_node(scenario: &Scenario, node: &Node, options: &Options) -> Vec<String> {
    let needs = node.needs;
    let log = needs.logs.and_then(|place| scenario.stores.get(place));
    let has_workers = needs.worker_memory_bytes > 0 && options.run.is_some();
    let keys = [
        ("logs", log.is_some_and(|store| store.remote.is_none())),
        (
            "keep_alive",
            needs.keep_alive.is_some() && is_behind_proxy(scenario, node),
        ),
        ("worker_memory", has_workers),
        ("swap", needs.swap_bytes > 0),
    ];
    of("node", &node.name, &keys)
}

/// Keys that only simulations of sites follow, neither calculations nor visits: what nodes' servers take beside the files of sites, clients
/// who give up, switches, and targets.
pub(super) fn only_of_sites(scenario: &Scenario, nodes: &Nodes<'_>) -> Vec<String> {
    let needs = nodes.nodes.iter().flat_map(|node| of_needs(node));
    let impatient = scenario.clients.iter();
    let impatient = impatient.filter(|client| client.timeout_ns.is_some());
    let impatient = impatient.map(|client| format!("client.{}.timeout", client.name));
    let network = scenario.network.iter().map(|_| "network".to_owned());
    let targets = scenario.sites.iter().filter(|it| !it.targets.is_empty());
    let targets = targets.map(|site| format!("site.{}.target", site.name));
    let all = needs.chain(impatient).chain(network);
    all.chain(targets).collect()
}

fn of_needs(node: &Node) -> Vec<String> {
    let needs = node.needs;
    let keys = [
        ("system", needs.system.is_some()),
        ("logs", needs.logs.is_some()),
        ("keep_alive", needs.keep_alive.is_some()),
        ("worker_memory", needs.worker_memory_bytes > 0),
        ("swap", needs.swap_bytes > 0),
    ];
    of("node", &node.name, &keys)
}

/// Whether clients open connections for their requests, of which nobody has measured what one costs the server, or of which workers would keep hold.
fn has_idle_connections(scenario: &Scenario, client: &Client) -> bool {
    let mut nodes = scenario.nodes.iter();
    let Some(node) = nodes.find(|node| node.name == client.asks) else {
        return false;
    };
    let profile = scenario.server_profile.as_ref();
    let is_measured = profile.is_some_and(|it| it.costs(&node.server).is_some());
    client.opens_connections && (!is_measured || node.needs.keep_alive.is_some())
}

/// Clients have no processors, and are as many as they are.
fn of_client_node(node: &Node) -> Vec<String> {
    let keys = [
        ("cpus", node.cpus.is_some()),
        ("cpu_speed", node.cpu_speed != 1.0),
        ("workers", node.workers.is_some()),
        ("server_memory", node.server_memory_bytes.is_some()),
    ];
    of("node", &node.name, &keys)
}

/// Whether something is written to a store, or to one that a file server keeps on it: logs of web servers, and what databases have.
fn is_written(scenario: &Scenario, store: &StoreSpec) -> bool {
    let logs = scenario.nodes.iter().filter_map(|node| node.needs.logs);
    let databases = scenario.databases.iter().map(|it| it.store);
    let places = logs.chain(databases);
    let mut written = places.filter_map(|place| scenario.stores.get(place));
    written.any(|it| {
        let on = it.remote.as_ref().map(|it| &it.on);
        it.name == store.name || on == Some(&store.name)
    })
}

/// Sites are only read, and logs alone are written. Each open asks for attributes anew, so how long they hold has no effect. What daemons read ahead is not followed, nor
/// receive buffers of PVFS 1 and buffers of flows of OrangeFS. The page cache keeps what was
/// read, whatever a mount has it do.
fn of_store(scenario: &Scenario, store: &StoreSpec) -> Vec<String> {
    let ahead_bytes = store.cluster.as_ref().and_then(|it| it.read_ahead_bytes);
    let has_daemon = store.kind != Some(StoreKind::Lustre);
    let mount = store.remote.as_ref().map(|it| it.options);
    let is_written = is_written(scenario, store);
    let unwritten = mount.filter(|_| !is_written).unwrap_or_default();
    let holds_attributes = mount.is_some_and(|it| it.attributes_s.is_some());
    let parallel = store.remote.as_ref().and_then(|it| it.parallel.clone());
    let parallel = parallel.unwrap_or_default();
    let keys = [
        (
            "options.read_ahead",
            has_daemon && ahead_bytes.is_some_and(|bytes| bytes > 0),
        ),
        ("options.actimeo", holds_attributes),
        ("options.wsize", unwritten.write_bytes.is_some()),
        ("options.sync", unwritten.sync),
        ("options.export", unwritten.is_async),
        (
            "disk.write_cache",
            !is_written && store.write_cache_bytes > 0,
        ),
        ("options.receive_buffers", parallel.has_linear_buffers),
        ("options.flow_buffer", parallel.flow_buffer_bytes.is_some()),
        ("options.flow_buffers", parallel.flow_buffers.is_some()),
        ("journal", store.journal != JournalSpec::default()),
        ("dirty_limit", store.dirty_limit_bytes.is_some()),
        (
            "profile.mount.keeps",
            store.profile.page_keeping() != PageKeeping::Kept,
        ),
    ];
    of("store", &store.name, &keys)
}

/// What a site reserves is kept from held files of others: a plan has heeded it, and a run does. Logs become requests of nobody, so no client
/// has a share of them.
fn of_site(site: &Site, options: &Options) -> Vec<String> {
    let has_held = options.plan.is_some() || options.run.is_some();
    let has_share = site.client_share != Site::CLIENT_SHARE;
    let keys = [
        ("reservation", site.reservation_bytes > 0 && !has_held),
        ("client_share", has_share && options.run.is_some()),
    ];
    of("site", &site.name, &keys)
}

/// Whether a link is of a node that clients are on, who have no processors.
fn costs_clients(scenario: &Scenario, link: &Link) -> bool {
    let mut nodes = scenario.nodes.iter();
    nodes.any(|node| !node.has_server() && link.ends.nodes().contains(&node.name))
}

/// Lost packets are followed of calls to file servers, and not of requests.
fn of_link(scenario: &Scenario, link: &Link) -> Vec<String> {
    let is_file_server = |name: &String| {
        let mut nodes = scenario.nodes.iter();
        nodes.any(|node| node.name == *name && node.server == ServerSpec::Files)
    };
    let has_requests = !link.ends.nodes().iter().any(is_file_server);
    let keys = [
        ("loss", link.loss > 0.0 && has_requests),
        (link.saying("offload"), link.has_idle_offload()),
        (
            link.saying("stack"),
            link.stack.is_some() && costs_clients(scenario, link),
        ),
        (link.saying("virtual_lanes"), link.rdma_lanes.is_some()),
    ];
    let mut keys = of("link", &link.ends.to_string(), &keys);
    keys.dedup();
    keys
}
