//! What a store of a file server costs the nodes that mount it, where nothing else is under way.

use hotset_cache::PAGE_BYTES;

use super::plant::Plant;
use super::served::Mounted;
use crate::calculate::device::Missing;
use crate::tiers::{File, Files, PIECE_BYTES, Role, Tiers, Traffic, Web};

/// A large read: a window of read-ahead.
const LARGE_BYTES: u64 = 2 * PIECE_BYTES;

/// What a store of a file server costs a node that mounts it, on average over those that do. All in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MountPrice {
    /// Opening a file that was opened before.
    pub open_us: f64,
    /// Reading what the node lacks, beside each byte.
    pub read_us: f64,
    /// Each of these bytes.
    pub byte_us: f64,
}

impl MountPrice {
    fn add(self, other: Self, share: f64) -> Self {
        Self {
            open_us: self.open_us + share * other.open_us,
            read_us: self.read_us + share * other.read_us,
            byte_us: self.byte_us + share * other.byte_us,
        }
    }
}

/// The prices of stores, of which each has files of so many bytes in all; nothing of one that no file server has. A server has as much of
/// its files in memory as that holds, as if all were asked for equally often.
#[must_use]
pub fn mount_prices(tiers: &Tiers, bytes_by_store: &[u64]) -> Vec<Option<MountPrice>> {
    let webs: Vec<(usize, &Web)> = webs(tiers).collect();
    let Some((_, first)) = webs.first() else {
        return vec![None; bytes_by_store.len()];
    };
    let traffic = one_file_each(first, bytes_by_store);
    let plant = Plant::of(tiers, &traffic, &|_, _| 1.0);
    let price = |store: usize| {
        let (server, _) = plant.mount(store)?;
        let Role::Files(files) = &tiers.nodes[server].role else {
            return None;
        };
        let own = |(number, bytes): (usize, &u64)| {
            let mount = plant.mount(number);
            mount.filter(|it| it.0 == server).map_or(0, |_| *bytes)
        };
        let own = bytes_by_store.iter().enumerate().map(own);
        let in_memory = share_in_memory(files, own.fold(0, u64::saturating_add));
        let share = 1.0 / webs.len() as f64;
        let mut mean = MountPrice::default();
        for &(web, _) in &webs {
            mean = mean.add(plant.price((web, store), in_memory)?, share);
        }
        Some(mean)
    };
    (0..bytes_by_store.len()).map(price).collect()
}

fn webs(tiers: &Tiers) -> impl Iterator<Item = (usize, &Web)> {
    let nodes = tiers.nodes.iter().enumerate();
    nodes.filter_map(|(at, node)| match &node.role {
        Role::Web(web) => Some((at, web)),
        Role::Proxy(_) | Role::Files(_) => None,
    })
}

/// A file on each store that a site lives on, as large as all of its files.
fn one_file_each(web: &Web, bytes_by_store: &[u64]) -> Traffic {
    let sites = web.store_of_site.len() as u16;
    let files = (0..=sites).filter_map(|site| {
        let store = web.store_of(site);
        let is_first = (0..site).all(|other| web.store_of(other) != store);
        let bytes = bytes_by_store.get(store).copied()?;
        is_first.then_some(File { site, bytes })
    });
    Traffic {
        sites: Vec::new(),
        files: files.collect(),
        requests: Vec::new(),
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: 0,
    }
}

fn share_in_memory(files: &Files, bytes: u64) -> f64 {
    match bytes {
        0 => 1.0,
        bytes => (files.memory_bytes as f64 / bytes as f64).min(1.0),
    }
}

impl Plant<'_> {
    /// What a store costs the node `web`, where the server has such a share of its files in memory.
    fn price(&self, (web, store): (usize, usize), in_memory: f64) -> Option<MountPrice> {
        let opening = self.calls((web, store), Missing::default(), Mounted::default())?;
        let reading_us = |bytes: u64| {
            let missing = Missing { bytes, gaps: 1 };
            let us = |lacks: Missing| {
                let mounted = Mounted {
                    is_first: false,
                    missing: lacks,
                };
                let calls = self.calls((web, store), missing, mounted)?;
                Some(calls.ready_s(1.0) * 1e6)
            };
            let (memory_us, disk_us) = (us(Missing::default())?, us(missing)?);
            Some(memory_us + (1.0 - in_memory) * (disk_us - memory_us))
        };
        let (page_us, large_us) = (reading_us(PAGE_BYTES)?, reading_us(LARGE_BYTES)?);
        let byte_us = (large_us - page_us) / (LARGE_BYTES - PAGE_BYTES) as f64;
        Some(MountPrice {
            open_us: opening.opening_s * 1e6,
            read_us: page_us - byte_us * PAGE_BYTES as f64,
            byte_us,
        })
    }
}
