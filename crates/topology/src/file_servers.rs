//! File servers that sites' stores are on: the machine that answers calls, and what these cost both ends.

use std::sync::Arc;

use hotset_cache::PAGE_BYTES;
use hotset_models::remote::{CallCosts, LinkStack};
use hotset_models::tiers::{Export, Files};
use hotset_scenario::{CostLine, Link, Node, Profile, Reading, ServerCosts, ServerProfile};

use crate::TopologyError;
use crate::error::{refuse, refused};
use crate::remote_stores::RemoteStore;
use crate::several_servers::{threads_of, usual_costs};
use crate::stores::local_profile;

/// Threads of the kernel's file server (`RPCNFSDCOUNT` and `rpc.nfsd` of nfs-utils).
pub const FILE_SERVER_THREADS: u64 = 8;

/// A profile on the processors that a node may use, where it says how many.
#[must_use]
pub fn on_processors(profile: &Profile, node: &Node) -> Profile {
    let mut profile = profile.clone();
    if let Some(cpus) = node.whole_cpus() {
        profile.reading = Some(Reading {
            processors: usize::try_from(cpus).unwrap_or(usize::MAX),
            ..profile.reading.unwrap_or_default()
        });
    }
    profile
}

/// What calls cost the processors of a node: what was measured, or else `usual`. A share of a processor is a slower one.
#[must_use]
pub fn call_costs(measured: Option<ServerCosts>, usual: CallCosts, node: &Node) -> CallCosts {
    call_costs_by(measured, usual, (node, None))
}

/// The same of calls that pass a link, with what its network stack adds.
#[must_use]
pub fn call_costs_by(
    measured: Option<ServerCosts>,
    usual: CallCosts,
    (node, link): (&Node, Option<&Link>),
) -> CallCosts {
    let share = node.cpus.map_or(1.0, |cpus| cpus / cpus.ceil());
    let costs = measured_costs(measured, usual);
    let costs = match link.and_then(link_stack) {
        Some(stack) => costs.with_stack(&stack),
        None => costs,
    };
    costs.at_speed(node.cpu_speed * share)
}

/// The same of processors as they were measured.
#[must_use]
pub fn measured_costs(measured: Option<ServerCosts>, usual: CallCosts) -> CallCosts {
    measured.map_or(usual, |it| CallCosts {
        call_ns: (it.request_us * 1e3) as u64,
        ns_per_byte: it.ns_per_byte,
        stack_ns_per_byte: [0.0; 2],
    })
}

/// What messages that pass a link cost the processors at its ends, where it says so.
#[must_use]
pub fn link_stack(link: &Link) -> Option<LinkStack> {
    Some(LinkStack {
        costs: link.stack?,
        offload: link.offload,
        mtu_bytes: link.mtu_bytes,
    })
}

/// The file server on `node`, which has some of `stores`. Files of the traffic have so many bytes in all. Packets are lost on the way from
/// nodes as `losses` says by their numbers. All calls pass a link that costs its processors what `link` does.
///
/// # Errors
/// Files on several stores of the server, parts of several stores, mounts that differ in how calls travel, and a server without memory for files.
pub(crate) fn file_server(
    node: &Node,
    stores: &[RemoteStore],
    (files_bytes, costs): (u64, &ServerProfile),
    (losses, link): (Arc<[f64]>, Option<&Link>),
) -> Result<Files, TopologyError> {
    let own = stores.iter().filter(|it| it.servers.contains(&node.name));
    let own: Vec<&RemoteStore> = own.collect();
    let Some(first) = own.first() else {
        return Ok(idle(node, costs));
    };
    if let Some(other) = own.iter().find(|it| it.on.name != first.on.name) {
        refuse!(
            "file server `{}` has sites' files on the stores `{}` and `{}`; one is simulated so far: have both stores name the same `on`",
            node.name,
            first.on.name,
            other.on.name
        );
    }
    if own.len() > 1 && own.iter().any(|it| it.part.is_some()) {
        refuse!(
            "file server `{}` has several stores of the sites, one of which is on several servers; one is simulated so far: have the sites live on one",
            node.name
        );
    }
    let pages = own
        .iter()
        .fold(0, |sum: u64, it| sum.saturating_add(it.pages));
    let on = local_profile(&first.on, pages.saturating_mul(PAGE_BYTES))?;
    let inode_bytes = on.file_system.as_ref().and_then(|it| it.inode_bytes);
    let part = |it: &RemoteStore| {
        let place = it.servers.iter().position(|name| *name == node.name)?;
        Some(it.part?.at(place))
    };
    let (client_costs, server_costs) = usual_costs(first.part.as_ref());
    let client_costs = measured_costs(costs.files_client, client_costs);
    let exports = own.iter().map(|it| Export {
        store: it.store,
        mount: it.mount,
        transport: it.transport,
        client_costs,
        part: part(it),
        inode_bytes: inode_bytes.filter(|_| it.part.is_none()),
    });
    let usual_threads = first.part.as_ref().map(threads_of);
    Ok(Files {
        exports: exports.collect(),
        memory_bytes: memory_bytes(node, files_bytes)?,
        losses,
        threads: match (node.workers, usual_threads) {
            (None, Some(threads)) => threads,
            (workers, _) => threads(workers),
        },
        is_async: own.iter().any(|it| it.is_async),
        costs: call_costs_by(costs.files, server_costs, (node, link)),
        ..machine(node, on_processors(&on, node), costs)
    })
}

/// One that has none of the sites' files.
fn idle(node: &Node, costs: &ServerProfile) -> Files {
    let unused = CostLine {
        fixed_us: 0.0,
        bytes_per_us: 1.0,
    };
    let profile = Profile::of_lines("unused", unused, unused, "");
    machine(node, profile, costs)
}

/// One that exports nothing so far.
fn machine(node: &Node, profile: Profile, costs: &ServerProfile) -> Files {
    Files {
        exports: Arc::from([]),
        memory_bytes: PAGE_BYTES,
        processors: profile.reading.unwrap_or_default().processors,
        profile: Arc::new(profile),
        threads: threads(node.workers),
        is_async: false,
        costs: call_costs(costs.files, CallCosts::ASSUMED, node),
        losses: Arc::from([]),
    }
}

fn threads(workers: Option<u64>) -> usize {
    usize::try_from(workers.unwrap_or(FILE_SERVER_THREADS)).unwrap_or(usize::MAX)
}

fn memory_bytes(node: &Node, files_bytes: u64) -> Result<u64, TopologyError> {
    let all = node.memory.bytes(files_bytes);
    let server = node.server_memory_bytes.unwrap_or(0);
    let left = all.saturating_sub(server);
    match left < PAGE_BYTES {
        false => Ok(left),
        true => Err(refused(format!(
            "file server `{}` has {all} bytes of memory, of which its server needs {server}: that leaves no page of {PAGE_BYTES} for \
             files; give it more",
            node.name
        ))),
    }
}
