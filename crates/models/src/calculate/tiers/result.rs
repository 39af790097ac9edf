//! What was calculated, as a simulation would have it.

use std::collections::BTreeMap;

use hotset_outcome::{Distribution, Latencies, Resource, Score};

use super::hits::HitRatioMethod;
use super::plant::{DiskStations, Plant};
use super::solved::{Method, Solved, Wait, mean};
use super::store;
use super::sums::{CallSums, LinkSums, NodeSums, SiteSums, Sums};
use crate::calculate::bounds::{Bounds, asymptotic, balanced};
use crate::remote::nfs::CallResult;
use crate::tiers::{LinkCounts, NodeResult, OtherLink, Role, TiersResult, Traffic};

/// What was calculated.
#[derive(Clone, Debug)]
pub struct Calculated {
    /// As a simulation would have it, with means alone of times. Nothing fires.
    pub result: TiersResult,
    /// How.
    pub method: Method,
    /// Where hit ratios come from.
    pub hit_ratio_method: HitRatioMethod,
    /// Service demands by node, resource and site, where there are any.
    pub demands: Vec<ResourceDemand>,
    /// Of each class of clients.
    pub bounds: Vec<ClassBounds>,
}

/// What a request of a site asks of a resource, on average.
#[derive(Clone, Debug, PartialEq)]
pub struct ResourceDemand {
    /// The name of the node; of a link that is no node's with a server, as results have it.
    pub node: String,
    /// As its results are called: `processors`, `workers` of a file server, which are its threads, a part of a disk, `link in`, `link out`.
    pub resource: String,
    /// The site, by number.
    pub site: usize,
    /// How often it is asked.
    pub visits: f64,
    /// Service of all visits, seconds.
    pub seconds: f64,
}

/// Bounds of a class's throughput.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassBounds {
    /// Whatever stations ask.
    pub asymptotic: Bounds,
    /// As if all asked alike, where there is one class and no more than one processor of a node.
    pub balanced: Option<Bounds>,
}

impl Calculated {
    pub(super) fn of(
        plant: &Plant<'_>,
        traffic: &Traffic,
        sums: &Sums,
        solved: &Solved,
        hit_ratio_method: HitRatioMethod,
    ) -> Self {
        let classes = 0..solved.network.classes.len();
        let bounds = classes.map(|class| ClassBounds {
            asymptotic: asymptotic(&solved.network, class),
            balanced: balanced(&solved.network),
        });
        Self {
            result: result(plant, traffic, sums, solved),
            method: solved.method,
            hit_ratio_method,
            demands: demands(plant, sums),
            bounds: bounds.collect(),
        }
    }
}

/// Names of a node's stations, and their numbers.
fn names(plant: &Plant<'_>, node: usize) -> Vec<(String, usize)> {
    let stations = &plant.nodes[node];
    let mut names = vec![("processors".to_owned(), stations.processors)];
    names.extend(stations.threads.map(|it| ("workers".to_owned(), it)));
    names.extend(disk_names(plant, node));
    let ways = ["link in", "link out"].map(str::to_owned);
    names.extend(ways.into_iter().zip(stations.link.into_iter().flatten()));
    names
}

/// The same of its disks alone, as simulations call them.
fn disk_names(plant: &Plant<'_>, node: usize) -> Vec<(String, usize)> {
    let mut names = Vec::new();
    for (store, disk) in plant.nodes[node].disks.iter().enumerate() {
        let Some(disk) = disk else { continue };
        let of = match &plant.tiers.nodes[node].role {
            Role::Web(web) => store::disk_name(web, store),
            Role::Files(_) | Role::Proxy(_) => "disk".to_owned(),
        };
        let parts = disk.devices.parts.iter().zip(disk.stations());
        names.extend(parts.map(|(part, station)| {
            let part = part.name.trim_start_matches("device, ");
            (format!("{of}, {part}"), station)
        }));
    }
    names
}

/// Names of the stations of links that are no node's with a server, and their numbers.
fn other_names(plant: &Plant<'_>) -> Vec<(String, String, usize)> {
    let mut names = Vec::new();
    for (number, node) in plant.tiers.other_links() {
        let stations = plant.link(number).map(|it| it.stations);
        let ways = ["link in", "link out"].into_iter();
        let ways = ways.zip(stations.into_iter().flatten());
        names.extend(ways.map(|(way, station)| (node.clone(), way.to_owned(), station)));
    }
    names
}

fn demands(plant: &Plant<'_>, sums: &Sums) -> Vec<ResourceDemand> {
    let mut demands = Vec::new();
    let nodes = plant.tiers.nodes.iter().enumerate();
    let of_nodes = nodes.flat_map(|(at, node)| {
        let names = names(plant, at).into_iter();
        names.map(move |(resource, station)| (node.name.clone(), resource, station))
    });
    for (node, resource, station) in of_nodes.chain(other_names(plant)) {
        let of_station = demands_of(sums, (node.as_str(), resource.as_str()), station);
        demands.extend(of_station);
    }
    demands
}

/// What requests of each site ask of a station, where they ask anything.
fn demands_of(sums: &Sums, (node, resource): (&str, &str), station: usize) -> Vec<ResourceDemand> {
    let sites = sums.origins.first().map_or(0, |it| it.sites.len());
    let demand = |site: usize| {
        let of_site = |of: fn(&SiteSums, usize) -> f64| -> f64 {
            let origins = sums.origins.iter();
            origins.map(|it| of(&it.sites[site], station)).sum()
        };
        let requests = of_site(|it, _| it.requests);
        ResourceDemand {
            node: node.to_owned(),
            resource: resource.to_owned(),
            site,
            visits: mean(of_site(|it, station| it.visits[station]), requests),
            seconds: mean(of_site(|it, station| it.seconds[station]), requests),
        }
    };
    let all = (0..sites).map(demand);
    all.filter(|it| it.seconds > 0.0).collect()
}

fn result(plant: &Plant<'_>, traffic: &Traffic, sums: &Sums, solved: &Solved) -> TiersResult {
    let stations = 0..plant.orders.len();
    let busiest = stations.map(|it| solved.busy(it).0).fold(0.0, f64::max);
    // Of what comes too fast, as much is served as the busiest station can.
    let served = if busiest > 1.0 { 1.0 / busiest } else { 1.0 };
    let per_s = solved.asked_per_s * served;
    let waits = waits(plant, sums, solved);
    let of_sites = |sites: &[usize]| score(sums, &waits, sites, per_s);
    let all_sites: Vec<usize> = (0..traffic.sites.len()).collect();
    let link = |number: usize| {
        let stations = plant.link(number)?.stations;
        Some(link_counts(&sums.links[number], solved, stations, served))
    };
    let nodes = (0..plant.nodes.len()).map(|at| NodeResult {
        link: link(at),
        calls: calls(sums, &waits, at),
        ..node(plant, &sums.nodes[at], solved, at, served)
    });
    let others = plant.tiers.other_links().into_iter();
    let others = others.filter_map(|(number, name)| {
        let counts = link(number)?;
        Some(OtherLink { name, counts })
    });
    let requests = traffic.requests.len() - traffic.warm_up;
    TiersResult {
        seconds: requests as f64 / per_s.max(1e-9),
        warm_up_seconds: traffic.warm_up as f64 / per_s.max(1e-9),
        total: of_sites(&all_sites),
        sites: all_sites.iter().map(|&site| of_sites(&[site])).collect(),
        nodes: nodes.collect(),
        other_links: others.collect(),
        asked_per_s: solved.asked_per_s,
        under_way: 0,
        asked: requests,
        ended: requests,
        has_warmed_up: true,
        stuck: 0,
        received_bytes: 0,
        firings: 0,
        batches: Vec::new(),
    }
}

/// What is found at each station, by origin.
fn waits(plant: &Plant<'_>, sums: &Sums, solved: &Solved) -> Vec<Vec<Wait>> {
    let of_origin = |origin| {
        let stations = 0..plant.orders.len();
        stations
            .map(|station| solved.wait_of_origin(origin, station))
            .collect()
    };
    (0..sums.origins.len()).map(of_origin).collect()
}

/// Calls of a node, by name, with what they wait.
fn calls(sums: &Sums, waits: &[Vec<Wait>], at: usize) -> BTreeMap<&'static str, CallResult> {
    let own = sums.calls.iter().filter(|((node, _), _)| *node == at);
    let result = |((_, name), calls): (&(usize, &'static str), &CallSums)| {
        let waiting = calls.at.iter().map(|(&station, &(visits, seconds))| {
            let wait = mean_wait(sums, waits, station);
            visits * wait.per_visit_s + seconds * wait.per_second
        });
        let all_s = calls.alone_s + waiting.sum::<f64>();
        let of_name = CallResult {
            count: calls.number.round() as u64,
            mean_us: mean(all_s, calls.number) * 1e6,
        };
        (*name, of_name)
    };
    own.map(result).collect()
}

/// What is found at a station, on average over all requests.
fn mean_wait(sums: &Sums, waits: &[Vec<Wait>], station: usize) -> Wait {
    let mut wait = Wait::default();
    for (origin, of_origin) in sums.origins.iter().zip(waits) {
        let share = mean(origin.all.requests, sums.requests());
        wait.per_visit_s += share * of_origin[station].per_visit_s;
        wait.per_second += share * of_origin[station].per_second;
    }
    wait
}

/// Threads of a file server: each is busy as long as its call is at processors and disks, waiting or served.
fn threads(plant: &Plant<'_>, solved: &Solved, at: usize) -> Option<Resource> {
    let stations = &plant.nodes[at];
    let own = stations.threads?;
    let disks = stations.disks.iter().flatten();
    let inside = disks.flat_map(DiskStations::stations);
    let inside = inside.chain([stations.processors]);
    let there: f64 = inside.map(|station| solved.busy(station).1).sum();
    let servers = plant.orders[own].servers().unwrap_or(1.0);
    let (busy, all) = solved.busy(own);
    let waiting = (all - busy * servers).max(0.0);
    Some(Resource {
        name: "workers".to_owned(),
        utilisation: Some((there / servers).min(1.0)).filter(|it| it.is_finite()),
        mean_queue_length: Some(there + waiting).filter(|it| it.is_finite()),
        timeline: None,
    })
}

/// What requests of some sites get, where `all_per_s` of all sites are answered in a second.
fn score(sums: &Sums, waits: &[Vec<Wait>], sites: &[usize], all_per_s: f64) -> Score {
    let mut all = SiteSums::default();
    let mut waiting_s = 0.0;
    for (origin, waits) in sums.origins.iter().zip(waits) {
        for site in sites.iter().map(|&site| &origin.sites[site]) {
            all.requests += site.requests;
            all.hits += site.hits;
            all.bytes += site.bytes;
            all.hit_bytes += site.hit_bytes;
            all.response_s += site.response_s;
            all.first_byte_s += site.first_byte_s;
            waiting_s += waiting(site, waits);
        }
    }
    let count = |number: f64| Some(number.round() as u64);
    let requests = all.requests.round() as u64;
    let time = |seconds: f64| {
        let mean_us = mean(seconds + waiting_s, all.requests) * 1e6;
        let is_known = requests > 0 && mean_us.is_finite();
        is_known.then(|| Distribution {
            count: Some(requests),
            ..Distribution::of_mean(mean_us)
        })
    };
    Score {
        requests: Some(requests),
        hits: count(all.hits.min(all.requests)),
        bytes: count(all.bytes),
        hit_bytes: count(all.hit_bytes),
        throughput_per_s: Some(all_per_s * mean(all.requests, sums.requests())),
        latencies: Latencies {
            first_byte: time(all.first_byte_s),
            response: time(all.response_s),
            ..Latencies::default()
        },
        ..Score::default()
    }
}

/// How long the requests of a site wait, all together.
fn waiting(site: &SiteSums, waits: &[Wait]) -> f64 {
    let both = site.visits.iter().zip(&site.seconds).zip(waits);
    let waiting = both.map(|((visits, seconds), wait)| {
        let by_visits = if *visits > 0.0 {
            visits * wait.per_visit_s
        } else {
            0.0
        };
        let by_seconds = if *seconds > 0.0 {
            seconds * wait.per_second
        } else {
            0.0
        };
        by_visits + by_seconds
    });
    waiting.sum()
}

/// A station as a resource, where the share `served` of what comes is served.
fn resource(solved: &Solved, name: &str, station: usize, served: f64) -> Resource {
    let (busy, there) = solved.busy(station);
    Resource {
        name: name.to_owned(),
        utilisation: Some((busy * served).min(1.0)),
        mean_queue_length: Some(there).filter(|it| it.is_finite()),
        timeline: None,
    }
}

fn link_counts(
    sums: &LinkSums,
    solved: &Solved,
    [into, out]: [usize; 2],
    served: f64,
) -> LinkCounts {
    let [received_bytes, sent_bytes] = sums.passed.map(|it| it.round() as u64);
    let [received_packets, sent_packets] = sums.packets.map(|it| it.round() as u64);
    let way = |name: &str, station: usize| resource(solved, name, station, served);
    LinkCounts {
        received_bytes,
        sent_bytes,
        received_packets,
        sent_packets,
        ways: [way("in", into), way("out", out)],
        all_bytes: [received_bytes, sent_bytes],
    }
}

/// A node without its link.
fn node(plant: &Plant<'_>, sums: &NodeSums, solved: &Solved, at: usize, served: f64) -> NodeResult {
    let stations = &plant.nodes[at];
    let disks = disk_names(plant, at).into_iter();
    let disks = disks.map(|(name, station)| resource(solved, &name, station, served));
    let (reads, keeps) = match &plant.tiers.nodes[at].role {
        Role::Web(_) | Role::Files(_) => (true, false),
        Role::Proxy(proxy) => (false, proxy.cache.is_some()),
    };
    let held = sums.held.counts();
    NodeResult {
        processors: resource(solved, "processors", stations.processors, served),
        workers: threads(plant, solved, at),
        disks: disks.collect(),
        link: None,
        cache: reads.then(|| sums.page_cache.counts()),
        proxy_cache: keeps.then(|| sums.proxy_cache.counts()),
        held: Some(held).filter(|it| it.files > 0),
        memory: None,
        calls: BTreeMap::new(),
        pool: None,
        tiers: Vec::new(),
    }
}
