//! What all requests take together: by who asks which node, by that node alone, and by their site.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::calls::AlikeCalls;
use super::hits::Alike;
use super::origin::{Origin, origins};
use super::plant::Plant;
use super::store;
use super::work::Path;
use crate::calculate::demand::Demand;
use crate::tiers::{CacheCounts, Node, Role, Traffic};

/// What the requests take that ask one node.
#[derive(Clone, Debug)]
pub(super) struct EntrySums {
    pub requests: f64,
    /// By station.
    pub demands: Vec<Demand>,
    pub response_s: f64,
    /// By node: what is handed on to it.
    pub behind: Vec<Behind>,
}

impl EntrySums {
    fn merge(&mut self, other: &Self) {
        self.requests += other.requests;
        self.response_s += other.response_s;
        for (own, other) in self.demands.iter_mut().zip(&other.demands) {
            own.merge(other);
        }
        for (own, other) in self.behind.iter_mut().zip(&other.behind) {
            own.requests += other.requests;
            own.alone_s += other.alone_s;
        }
    }
}

/// What the requests take that clients in one place make of one node.
#[derive(Clone, Debug)]
pub(super) struct OriginSums {
    pub of: Origin,
    pub all: Rc<EntrySums>,
    /// By site.
    pub sites: Vec<SiteSums>,
}

/// Requests that a proxy hands on to a node.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Behind {
    pub requests: f64,
    /// From handing on to the last byte back, where each is alone, seconds.
    pub alone_s: f64,
}

/// What the requests of a site take.
#[derive(Clone, Debug, Default)]
pub(super) struct SiteSums {
    pub requests: f64,
    pub hits: f64,
    pub bytes: f64,
    pub hit_bytes: f64,
    /// Where each is alone.
    pub response_s: f64,
    pub first_byte_s: f64,
    /// By station.
    pub visits: Vec<f64>,
    pub seconds: Vec<f64>,
}

/// What a node has to do with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct NodeSums {
    /// Of a web node.
    pub page_cache: CacheSums,
    /// Files that are in memory whatever that holds.
    pub held: CacheSums,
    /// Of a proxy: all that it was asked for, and what of that it has kept.
    pub proxy_cache: CacheSums,
}

/// Calls of one name that a node makes of file servers.
#[derive(Clone, Debug, Default)]
pub(super) struct CallSums {
    pub number: f64,
    /// Where each is alone, seconds.
    pub alone_s: f64,
    /// Visits and seconds, by station.
    pub at: BTreeMap<usize, (f64, f64)>,
}

/// What passes a link.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LinkSums {
    /// Bytes that its node receives and sends.
    pub passed: [f64; 2],
    /// Packets of those, with the acknowledgements of what comes the other way.
    pub packets: [f64; 2],
}

/// What a cache had of what was asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CacheSums {
    files: f64,
    hits: f64,
    bytes: f64,
    hit_bytes: f64,
    device_bytes: f64,
}

impl CacheSums {
    fn add(&mut self, requests: f64, hits: f64, bytes: f64) {
        self.files += requests;
        self.hits += hits;
        self.bytes += requests * bytes;
        self.hit_bytes += hits * bytes;
    }

    /// In whole numbers.
    pub fn counts(&self) -> CacheCounts {
        let whole = |number: f64| number.round() as u64;
        CacheCounts {
            files: whole(self.files),
            hits: whole(self.hits.min(self.files)),
            bytes: whole(self.bytes),
            hit_bytes: whole(self.hit_bytes.min(self.bytes)),
            device_bytes: whole(self.device_bytes),
        }
    }
}

/// What all requests take.
pub(super) struct Sums {
    /// In the order of [`origins`].
    pub origins: Vec<OriginSums>,
    /// By entry, in the order of [`crate::tiers::Tiers::entries`]. Of one that is asked from one place, they are those of the origin: with many
    /// nodes they are large.
    pub entries: Vec<Rc<EntrySums>>,
    /// By node.
    pub nodes: Vec<NodeSums>,
    /// By the number of the link.
    pub links: Vec<LinkSums>,
    /// By node and name.
    pub calls: BTreeMap<(usize, &'static str), CallSums>,
    /// By web node and file: whether it is in memory whatever page caches hold.
    are_held: Vec<Vec<bool>>,
}

impl Sums {
    pub fn of(plant: &Plant<'_>, traffic: &Traffic, requests: &[(Alike, f64)]) -> Self {
        let origins = origins(plant.tiers);
        let stations = plant.orders.len();
        let are_held = |node: &Node| match &node.role {
            Role::Web(web) => store::in_memory(web, &traffic.files),
            Role::Proxy(_) | Role::Files(_) => Vec::new(),
        };
        let site = SiteSums {
            visits: vec![0.0; stations],
            seconds: vec![0.0; stations],
            ..SiteSums::default()
        };
        let none = EntrySums {
            requests: 0.0,
            demands: vec![Demand::default(); stations],
            response_s: 0.0,
            behind: vec![Behind::default(); plant.nodes.len()],
        };
        let of_origins = origins.iter().map(|&of| OriginSums {
            of,
            all: Rc::new(none.clone()),
            sites: vec![site.clone(); traffic.sites.len()],
        });
        let mut sums = Self {
            origins: of_origins.collect(),
            entries: Vec::new(),
            nodes: vec![NodeSums::default(); plant.nodes.len()],
            links: vec![LinkSums::default(); plant.tiers.links_count()],
            calls: BTreeMap::new(),
            are_held: plant.tiers.nodes.iter().map(are_held).collect(),
        };
        for &(alike, requests) in requests {
            let origin = origins.binary_search(&alike.path.origin());
            sums.add(
                plant,
                traffic,
                origin.unwrap_or_default(),
                (alike, requests),
            );
        }
        sums.add_up(&plant.tiers.entries());
        sums
    }

    /// What asks one node, wherever from.
    fn add_up(&mut self, entries: &[usize]) {
        for &entry in entries {
            let mut own = self.origins.iter().filter(|it| it.of.entry == entry);
            let Some(first) = own.next() else { continue };
            let mut sums = Rc::clone(&first.all);
            own.for_each(|it| Rc::make_mut(&mut sums).merge(&it.all));
            self.entries.push(sums);
        }
    }

    fn add(
        &mut self,
        plant: &Plant<'_>,
        traffic: &Traffic,
        origin: usize,
        (alike, requests): (Alike, f64),
    ) {
        let file = traffic.files[alike.file as usize];
        let work = plant.work(alike.path, file, (alike.missing, alike.mounted));
        let hits = if alike.missing.is_none() {
            requests
        } else {
            0.0
        };
        let bytes = file.bytes as f64;
        let origin = &mut self.origins[origin];
        let entry = Rc::make_mut(&mut origin.all);
        entry.requests += requests;
        entry.response_s += requests * work.response_s;
        let site = &mut origin.sites[usize::from(file.site)];
        site.requests += requests;
        site.hits += hits;
        site.bytes += requests * bytes;
        site.hit_bytes += hits * bytes;
        site.response_s += requests * work.response_s;
        site.first_byte_s += requests * work.first_byte_s;
        for (station, visits) in work.visits {
            entry.demands[station].add(requests, visits);
            site.visits[station] += requests * visits.number;
            site.seconds[station] += requests * visits.number * visits.seconds;
        }
        for (link, way, wire) in work.passed {
            let sums = &mut self.links[link];
            sums.passed[way] += requests * wire.bytes as f64;
            sums.packets[way] += requests * wire.packets as f64;
            sums.packets[1 - way] += requests * wire.acks as f64;
        }
        let Path {
            entry: asked, web, ..
        } = alike.path;
        if asked != web {
            entry.behind[web].requests += requests;
            entry.behind[web].alone_s += requests * work.behind_s;
        }
        if let Some(server) = work.server {
            let cache = &mut self.nodes[server.at].page_cache;
            cache.add(requests * server.reads, requests * server.hits, 0.0);
            cache.device_bytes += requests * server.device_bytes;
        }
        self.add_calls(web, requests, &work.calls);
        let found = if asked == web { requests } else { 0.0 };
        self.nodes[asked].proxy_cache.add(requests, found, bytes);
        let is_held = self.are_held[web].get(alike.file as usize);
        let node = &mut self.nodes[web];
        let cache = match is_held {
            Some(true) => &mut node.held,
            _ => &mut node.page_cache,
        };
        cache.add(requests, hits, bytes);
        cache.device_bytes += requests * alike.missing.bytes as f64;
    }

    /// Calls of so many requests at the node `web`.
    fn add_calls(&mut self, web: usize, requests: f64, calls: &[AlikeCalls]) {
        for alike in calls {
            let number = requests * alike.number;
            let sums = self.calls.entry((web, alike.name)).or_default();
            sums.number += number;
            sums.alone_s += number * alike.alone_s;
            for (station, visits) in &alike.visits {
                let at = sums.at.entry(*station).or_default();
                at.0 += number * visits.number;
                at.1 += number * visits.number * visits.seconds;
            }
        }
    }

    /// All requests.
    pub fn requests(&self) -> f64 {
        self.entries.iter().map(|it| it.requests).sum()
    }
}
