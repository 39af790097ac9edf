//! Which node is asked for which file, and what of it is not in memory.

use std::collections::HashMap;

use hotset_cache::{CacheError, PAGE_BYTES};
use hotset_scenario::{Balance, Reading};

use super::origin::{Origin, origins};
use super::served::{FileServers, Mounted};
use super::shares::{Chosen, Shares};
use super::store;
use super::work::Path;
use crate::calculate::che::{Popularity, che};
use crate::calculate::device::Missing;
use crate::storage::SentFiles;
use crate::tiers::{
    Arrivals, Node, Proxy, ProxyCache, Role, Tiers, TiersError, Traffic, Web, by_hash,
};

/// Where hit ratios come from.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    strum::EnumString,
    strum::IntoStaticStr,
    strum::VariantArray,
)]
#[strum(serialize_all = "kebab-case")]
pub enum HitRatioMethod {
    /// The requests of the log run through the planner's page cache.
    #[default]
    Exact,
    /// Che's approximation, from how often each file is asked for.
    Che,
}

impl HitRatioMethod {
    /// Both.
    pub const ALL: &[Self] = <Self as strum::VariantArray>::VARIANTS;

    /// As results have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// Requests that are alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Alike {
    pub path: Path,
    pub file: u32,
    pub missing: Missing,
    /// Of a store that a file server has.
    pub mounted: Mounted,
}

/// The requests after the caches have warmed up, those that are alike together, and how many they are. `shares` of them are of each
/// origin, where clients ask, and for each node that is asked by how many requests it has.
///
/// # Errors
/// Files that are too large to be followed.
pub(super) fn requests(
    tiers: &Tiers,
    traffic: &Traffic,
    shares: &Shares,
    method: HitRatioMethod,
) -> Result<Vec<(Alike, f64)>, TiersError> {
    let paths = paths(tiers, traffic, shares);
    let mut counted = match method {
        HitRatioMethod::Exact => exact(tiers, traffic, &paths)?,
        HitRatioMethod::Che => approximate(tiers, traffic, &paths),
    };
    counted.sort_unstable_by_key(|&(alike, _)| alike);
    Ok(counted)
}

/// The way of each request.
fn paths(tiers: &Tiers, traffic: &Traffic, shares: &Shares) -> Vec<Path> {
    let origins = origins(tiers);
    let mut credits = vec![0.0; origins.len()];
    let mut fronts: Vec<Front<'_>> = tiers.nodes.iter().map(Front::of).collect();
    for (entry, chosen) in tiers.entries().into_iter().zip(&shares.chosen) {
        fronts[entry].in_parts = chosen.as_deref().map(InParts::of);
    }
    let requests = traffic.requests.iter().enumerate();
    let path = |(row, &file): (usize, &u32)| {
        let Origin { entry, home } = match &tiers.arrivals {
            Arrivals::Open(in_turn) => Origin::at_switch(in_turn[row % in_turn.len()]),
            Arrivals::Closed(_) | Arrivals::ByClass(_) => {
                origins[in_proportion(&mut credits, &shares.origins)]
            }
        };
        let web = fronts[entry].choose(file, traffic.files[file as usize].bytes);
        Path {
            entry,
            web: web.unwrap_or(entry),
            home,
        }
    };
    requests.map(path).collect()
}

/// A node that is asked, as far as it asks others.
struct Front<'t> {
    proxy: Option<&'t Proxy>,
    kept: Option<ProxyCache>,
    /// Whose turn it is.
    turn: usize,
    /// Where nodes are asked by how many requests they have, and that is known.
    in_parts: Option<InParts>,
}

/// Nodes that are asked for their shares of all.
struct InParts {
    nodes: Vec<usize>,
    shares: Vec<f64>,
    credits: Vec<f64>,
}

impl InParts {
    fn of(chosen: &[Chosen]) -> Self {
        Self {
            nodes: chosen.iter().map(|it| it.node).collect(),
            shares: chosen.iter().map(|it| it.share).collect(),
            credits: vec![0.0; chosen.len()],
        }
    }

    fn choose(&mut self) -> usize {
        self.nodes[in_proportion(&mut self.credits, &self.shares)]
    }
}

impl<'t> Front<'t> {
    fn of(node: &'t Node) -> Self {
        let proxy = match &node.role {
            Role::Proxy(proxy) => Some(proxy),
            Role::Web(_) | Role::Files(_) => None,
        };
        let kept = proxy.and_then(|proxy| proxy.cache);
        Self {
            proxy,
            kept: kept.map(ProxyCache::new),
            turn: 0,
            in_parts: None,
        }
    }

    /// The node that it asks for a file of so many bytes; nothing where it has the answer itself. Where it asks whoever has the fewest
    /// requests, each has its share of them, or is asked in turn where that is not known.
    fn choose(&mut self, file: u32, bytes: u64) -> Option<usize> {
        let proxy = self.proxy?;
        if let Some(kept) = &mut self.kept {
            if kept.look_up(file, bytes) {
                return None;
            }
            kept.keep(file, bytes);
        }
        if let Some(in_parts) = &mut self.in_parts {
            return Some(in_parts.choose());
        }
        let count = proxy.upstream.len();
        let chosen = match proxy.balance {
            Balance::Hash => by_hash(file, count),
            Balance::RoundRobin | Balance::LeastConnections => self.turn,
        };
        self.turn = (chosen + 1) % count;
        Some(proxy.upstream[chosen])
    }
}

/// The next in turn, such that each has its share.
fn in_proportion(credits: &mut [f64], shares: &[f64]) -> usize {
    for (credit, share) in credits.iter_mut().zip(shares) {
        *credit += share;
    }
    let most = |best: usize, at: usize| match credits[at] > credits[best] {
        true => at,
        false => best,
    };
    let chosen = (1..credits.len()).fold(0, most);
    credits[chosen] -= 1.0;
    chosen
}

/// Web nodes that are asked, by their places.
fn readers(tiers: &Tiers) -> impl Iterator<Item = (usize, &Web)> {
    let nodes = tiers.nodes.iter().enumerate();
    nodes.filter_map(|(at, node)| match &node.role {
        Role::Web(web) => Some((at, web)),
        Role::Proxy(_) | Role::Files(_) => None,
    })
}

/// Bytes of each file in each page cache of a node, which has nothing to do with files of others and with what is in memory anyway.
fn cached_bytes(web: &Web, traffic: &Traffic) -> Vec<Vec<u64>> {
    let are_held = store::in_memory(web, &traffic.files);
    let caches = web.page_cache_of(&traffic.files);
    let bytes_in = |cache: u32| {
        let files = traffic.files.iter().zip(&caches).zip(&are_held);
        let bytes = files.map(|((file, of), is_held)| match *of == cache && !is_held {
            true => file.bytes,
            false => 0,
        });
        bytes.collect()
    };
    (0..web.page_caches().len() as u32).map(bytes_in).collect()
}

/// Runs all requests through the page caches.
fn exact(
    tiers: &Tiers,
    traffic: &Traffic,
    paths: &[Path],
) -> Result<Vec<(Alike, f64)>, TiersError> {
    let mut counted: HashMap<Alike, u64> = HashMap::new();
    // Servers are asked by all nodes in turn, so what these lack is needed in the order of requests.
    let mut lacking = match tiers.has_mounts() {
        true => vec![Missing::default(); paths.len()],
        false => Vec::new(),
    };
    for (at, web) in readers(tiers) {
        let mut caches = page_caches(web, traffic).map_err(|error| TiersError::Storage {
            node: tiers.nodes[at].name.clone(),
            source: error.into(),
        })?;
        let cache_of = web.page_cache_of(&traffic.files);
        let rows = paths.iter().enumerate().filter(|(_, path)| path.web == at);
        for (row, &path) in rows {
            let file = traffic.requests[row];
            let read = caches[cache_of[file as usize] as usize].send(file);
            let missing = Missing {
                bytes: read.pages * PAGE_BYTES,
                gaps: read.gaps,
            };
            if let Some(lacking) = lacking.get_mut(row) {
                *lacking = missing;
            } else if row >= traffic.warm_up {
                let alike = Alike {
                    missing,
                    ..kept(path, file)
                };
                *counted.entry(alike).or_default() += 1;
            }
        }
    }
    if !lacking.is_empty() {
        count_mounted(tiers, traffic, (paths, &lacking), &mut counted)?;
    }
    for (row, &path) in paths.iter().enumerate().skip(traffic.warm_up) {
        if let Role::Proxy(_) = &tiers.nodes[path.web].role {
            *counted
                .entry(kept(path, traffic.requests[row]))
                .or_default() += 1;
        }
    }
    let counted = counted.into_iter();
    Ok(counted
        .map(|(alike, requests)| (alike, requests as f64))
        .collect())
}

/// Runs what web nodes lack through the page caches of file servers.
fn count_mounted(
    tiers: &Tiers,
    traffic: &Traffic,
    (paths, lacking): (&[Path], &[Missing]),
    counted: &mut HashMap<Alike, u64>,
) -> Result<(), TiersError> {
    let mut servers = FileServers::of(tiers, traffic)?;
    for (row, (&path, &missing)) in paths.iter().zip(lacking).enumerate() {
        let Role::Web(web) = &tiers.nodes[path.web].role else {
            continue;
        };
        let file = traffic.requests[row];
        let store = web.store_of(traffic.files[file as usize].site);
        let mounted = servers.read((path.web, store), file, missing);
        if row >= traffic.warm_up {
            let alike = Alike {
                missing,
                mounted,
                ..kept(path, file)
            };
            *counted.entry(alike).or_default() += 1;
        }
    }
    Ok(())
}

/// A request of which the proxy has kept the answer.
fn kept(path: Path, file: u32) -> Alike {
    Alike {
        path,
        file,
        missing: Missing::default(),
        mounted: Mounted::default(),
    }
}

/// The page caches of a node.
fn page_caches(web: &Web, traffic: &Traffic) -> Result<Vec<SentFiles>, CacheError> {
    let readings = web.stores.iter();
    let readings = readings.map(|store| store.profile.reading.unwrap_or_default());
    let readings: Vec<Reading> = readings.collect();
    let stores = traffic.files.iter().map(|file| web.store_of(file.site));
    let stores: Vec<usize> = stores.collect();
    let caches = web.page_caches().into_iter();
    let caches = caches.zip(cached_bytes(web, traffic));
    caches
        .map(|(bytes, sizes)| {
            let files = sizes.into_iter().zip(stores.iter().copied());
            SentFiles::of_stores(bytes, files.collect(), readings.clone())
        })
        .collect()
}

/// By Che's approximation, of each page cache alone.
fn approximate(tiers: &Tiers, traffic: &Traffic, paths: &[Path]) -> Vec<(Alike, f64)> {
    let mut counted = Vec::new();
    for (at, web) in readers(tiers) {
        let asked = Asked::of(at, traffic, paths);
        let mut hits = vec![1.0; traffic.files.len()];
        let caches = web.page_caches().into_iter();
        for (capacity_bytes, bytes) in caches.zip(cached_bytes(web, traffic)) {
            let files = bytes.iter().zip(&asked.requests);
            let files: Vec<Popularity> = files
                .map(|(bytes, &requests)| Popularity {
                    requests: if *bytes > 0 { requests } else { 0 },
                    bytes: bytes.next_multiple_of(PAGE_BYTES),
                })
                .collect();
            let of_cache: u64 = files.iter().map(|file| file.requests).sum();
            let seen = asked.seen_share * of_cache as f64;
            let of_files = che(&files, capacity_bytes, seen).into_iter().zip(bytes);
            for (hit, (of_file, bytes)) in hits.iter_mut().zip(of_files) {
                if bytes > 0 {
                    *hit = of_file;
                }
            }
        }
        for ((path, file), requests) in asked.measured {
            let (requests, hit) = (requests as f64, hits[file as usize]);
            let bytes = traffic.files[file as usize].bytes;
            let all = Missing {
                bytes: bytes.next_multiple_of(PAGE_BYTES),
                gaps: 1,
            };
            counted.push((kept(path, file), requests * hit));
            let missed = Alike {
                missing: all,
                ..kept(path, file)
            };
            counted.push((missed, requests * (1.0 - hit)));
        }
    }
    let kept_rows = paths.iter().enumerate().skip(traffic.warm_up);
    let kept_rows =
        kept_rows.filter(|(_, path)| matches!(tiers.nodes[path.web].role, Role::Proxy(_)));
    counted.extend(kept_rows.map(|(row, &path)| (kept(path, traffic.requests[row]), 1.0)));
    counted.retain(|&(_, requests)| requests > 0.0);
    counted
}

/// What a web node is asked for.
struct Asked {
    /// Requests of each file, from the very beginning.
    requests: Vec<u64>,
    /// Those after the caches have warmed up.
    measured: HashMap<(Path, u32), u64>,
    /// Of all requests, the share that has been made when one of those is, on average.
    seen_share: f64,
}

impl Asked {
    fn of(at: usize, traffic: &Traffic, paths: &[Path]) -> Self {
        let mut asked = Self {
            requests: vec![0; traffic.files.len()],
            measured: HashMap::new(),
            seen_share: 0.0,
        };
        let (mut before, mut after) = (0.0, 0.0);
        let rows = paths.iter().enumerate().filter(|(_, path)| path.web == at);
        for (row, &path) in rows {
            let file = traffic.requests[row];
            asked.requests[file as usize] += 1;
            match row < traffic.warm_up {
                true => before += 1.0,
                false => {
                    after += 1.0;
                    *asked.measured.entry((path, file)).or_default() += 1;
                }
            }
        }
        asked.seen_share = (before + after / 2.0) / f64::max(before + after, 1.0);
        asked
    }
}
