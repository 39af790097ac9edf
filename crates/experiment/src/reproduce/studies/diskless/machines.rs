//! The document's machines, and what they make of requests.

use std::path::Path;
use std::sync::Arc;

use hotset_lab::Control;
use hotset_models::tiers::{NodeResult, TiersResult, Traffic, simulate};
use hotset_scenario::{
    Device, DeviceKind, LinkEnds, MemorySize, Node, Scenario, ServerSpec, StoreSpec,
};
use hotset_topology::{Content, Held, Nodes, Servers, Stores};
use hotset_trace::Trace;

use super::settings::SEED;
use crate::ExperimentError;

/// The scenario in the file of this name beside the settings. A part of a day has a part of its files, so machines have that part of their memory and
/// disks, and what servers take has it too.
///
/// # Errors
/// A file that cannot be used.
pub(super) fn scenario(
    settings: &Path,
    name: &str,
    share: f64,
) -> Result<Scenario, ExperimentError> {
    let mut scenario = Scenario::load(&settings.with_file_name(name))?;
    scenario
        .nodes
        .iter_mut()
        .for_each(|node| shrink(node, share));
    for store in &mut scenario.stores {
        shrink_disk(store, share);
    }
    Ok(scenario)
}

fn part(bytes: u64, share: f64) -> u64 {
    (bytes as f64 * share).round() as u64
}

fn shrink(node: &mut Node, share: f64) {
    if let MemorySize::Bytes(bytes) = node.memory {
        node.memory = MemorySize::Bytes(part(bytes, share));
    }
    node.server_memory_bytes = node.server_memory_bytes.map(|bytes| part(bytes, share));
    let needs = &mut node.needs;
    let sizes = [
        &mut needs.system_bytes,
        &mut needs.worker_memory_bytes,
        &mut needs.swap_bytes,
    ];
    for bytes in sizes {
        *bytes = part(*bytes, share);
    }
}

/// Files take as much of the disk as all of them take of all of it, so seeks are as long.
fn shrink_disk(store: &mut StoreSpec, share: f64) {
    if let Some(Device {
        kind: DeviceKind::Drive(drive),
        ..
    }) = &mut store.profile.device
    {
        drive.capacity_bytes = part(drive.capacity_bytes, share);
    }
}

/// The same with so many web servers like its own.
pub(super) fn with_servers(scenario: &Scenario, servers: u32) -> Scenario {
    let mut scenario = scenario.clone();
    let webs: Vec<Node> = scenario
        .nodes
        .iter()
        .filter(|it| it.reads_store())
        .cloned()
        .collect();
    for web in webs {
        let link = scenario.link_of(&web.name).cloned();
        for number in 1..servers {
            let name = format!("{}{number}", web.name);
            scenario.links.extend(link.clone().map(|mut link| {
                link.ends = LinkEnds::Switch(name.clone());
                link
            }));
            scenario.nodes.push(Node {
                name,
                ..web.clone()
            });
        }
    }
    scenario
}

/// What the requests come to on the machines of a scenario.
///
/// # Errors
/// What cannot be simulated, and an interruption.
pub(super) fn simulated(
    scenario: &Scenario,
    trace: &Trace,
    traffic: &Arc<Traffic>,
    control: &dyn Control,
) -> Result<TiersResult, ExperimentError> {
    let nodes = Nodes::of(scenario)?;
    let held = |_: &Node| Held::default();
    let tiers = nodes.tiers(Content {
        stores: &Stores::of(scenario, trace)?,
        held: &held,
        files_bytes: trace.objects.size.iter().sum(),
        servers: &Servers::of(scenario),
    })?;
    Ok(simulate(&tiers, traffic, SEED, &|| !control.interrupted())?)
}

/// The results of the nodes of a scenario that are web servers, or else of its file servers, with their names.
pub(super) fn results<'r>(
    scenario: &Scenario,
    result: &'r TiersResult,
    are_webs: bool,
) -> Result<Vec<(String, &'r NodeResult)>, ExperimentError> {
    let nodes = Nodes::of(scenario)?;
    let pairs = nodes.nodes.iter().zip(&result.nodes);
    let wanted = pairs.filter(|(node, _)| (node.server != ServerSpec::Files) == are_webs);
    Ok(wanted.map(|(node, it)| (node.name.clone(), it)).collect())
}

/// What of a node is busiest, and for which share of the time.
pub(super) fn busiest(node: &NodeResult) -> Option<(String, f64)> {
    let link = node.link.iter().flat_map(|link| &link.ways);
    let link = link.map(|way| (format!("link {}", way.name), way.utilisation));
    let own = [&node.processors].into_iter().chain(&node.workers);
    let own = own.chain(&node.disks);
    let own = own.map(|it| (it.name.clone(), it.utilisation));
    let all = own
        .chain(link)
        .filter_map(|(name, share)| Some((name, share?)));
    all.max_by(|one, other| one.1.total_cmp(&other.1))
}
