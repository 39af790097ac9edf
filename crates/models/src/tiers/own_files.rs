//! Which files a web node can be asked for: few of them where proxies choose among many nodes by the file.

use std::sync::Arc;

use hotset_scenario::Balance;

use super::balancer::by_hash;
use super::system::{Proxy, Role, Tiers};

/// A node that can be asked for more than this share of the files follows all of them: looking one up takes less than finding it among its own.
const MOST: f64 = 1.0 / 16.0;

/// The number in a node's storage of a file, where it is there: its place in `own`, or its own number where these may be all.
pub(crate) fn number_of(own: Option<&Arc<[u32]>>, file: u32) -> Option<u32> {
    match own {
        None => Some(file),
        Some(own) => own.binary_search(&file).ok().map(|place| place as u32),
    }
}

/// For each node of `tiers` the numbers, rising, of those of so many files that it can be asked for; nothing where these may be all, or many.
pub(crate) fn own_files(tiers: &Tiers, files: usize) -> Vec<Option<Arc<[u32]>>> {
    // Where a node may go down, others are asked for its files.
    if !tiers.events.is_empty() {
        return vec![None; tiers.nodes.len()];
    }
    let mut own: Vec<Option<Vec<u32>>> = vec![Some(Vec::new()); tiers.nodes.len()];
    for entry in tiers.entries() {
        own[entry] = None;
    }
    let proxies = tiers.nodes.iter().filter_map(|node| match &node.role {
        Role::Proxy(proxy) => Some(proxy),
        Role::Web(_) | Role::Files(_) => None,
    });
    for proxy in proxies {
        add(proxy, files, &mut own);
    }
    let few = |mut own: Vec<u32>| {
        own.sort_unstable();
        own.dedup();
        (own.len() as f64 <= files as f64 * MOST).then(|| own.into())
    };
    own.into_iter().map(|own| own.and_then(few)).collect()
}

/// Adds what the nodes behind `proxy` can be asked for.
fn add(proxy: &Proxy, files: usize, own: &mut [Option<Vec<u32>>]) {
    if proxy.balance != Balance::Hash {
        for &node in &proxy.upstream {
            own[node] = None;
        }
        return;
    }
    for file in 0..files as u32 {
        let node = proxy.upstream[by_hash(file, proxy.upstream.len())];
        if let Some(own) = &mut own[node] {
            own.push(file);
        }
    }
}
