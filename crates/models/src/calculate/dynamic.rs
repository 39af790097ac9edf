//! Visits to a site whose pages an application makes with a database, calculated.

use std::collections::BTreeMap;

use hotset_outcome::{Distribution, Latencies, Resource, Score};

use super::approximate::approximate;
use super::bounds::{asymptotic, balanced};
use super::demand::{Demand, Visits};
use super::device::{Devices, Missing};
use super::exact::exact;
use super::network::{Class, Network, Order, SHORTEST_S, Solution, Station};
use super::tiers::{Calculated, ClassBounds, HitRatioMethod, Method, ResourceDemand};
use crate::dynamic::{DynamicSite, Page, Tier};
use crate::tiers::{CacheCounts, NodeResult, Processors, TiersResult};

/// How often what depends on the result is calculated anew: what waits at the disk, among which it chooses.
const ROUNDS: usize = 6;
/// It has settled where a round changes it by less than this part.
const SETTLED: f64 = 0.02;
/// How long a time its counts are of, seconds.
const SECONDS: f64 = 3600.0;
/// What is written of the log for a page that waits for it, bytes: a block, as simulations write it (`innodb_log_write_ahead_size`).
const LOG_BYTES: u64 = 8 << 10;
/// Steps of a search by halves: more than a number of 64 bits has.
const HALVES: usize = 100;
/// No cache is as large as to hold a page for so many looks.
const LONGEST: f64 = 1e15;

/// Pages of tables that are as likely as each other to be looked for.
struct Alike {
    pages: f64,
    /// How often one of them is looked for, of all looks.
    rate: f64,
    is_pinned: bool,
}

/// Where pages of tables are found, as shares of all looks.
#[derive(Clone, Copy, Debug, Default)]
struct Found {
    in_pool: f64,
    /// In the page cache, of those that are not in the pool.
    in_cache: f64,
    on_disk: f64,
}

/// The stations of a site, and what each is called: the machine and the resource.
struct Plant<'s> {
    site: &'s DynamicSite,
    stations: Vec<Planted>,
    devices: Devices,
    /// The device's time to put what it has in a cache of its own on its medium, seconds.
    flush_s: f64,
    found: Found,
}

struct Planted {
    machine: usize,
    name: String,
    order: Order,
    /// What a page asks of it.
    asks: Asks,
}

/// What a page asks of a station.
#[derive(Clone, Copy)]
enum Asks {
    /// Work of the tiers that are on the machine.
    Processors,
    /// What is read and written, of this part of the disk.
    Disk(usize),
}

/// Calculates what a simulation of visits to `site` would come to. `shares` of the pages are of each type, and browsers think for `think_s`
/// seconds on average. The application's number of workers is not followed, nor is what is beside the site.
///
/// Pages of tables are looked for independently of each other. A cache that evicts the least recently used keeps each for its
/// characteristic time (H. Che, Y. Tung and Z. Wang, 2002; see `che.rs`). The page cache sees what the pool lacks.
#[must_use]
pub fn calculate_visits(site: &DynamicSite, shares: &[f64], think_s: f64) -> Calculated {
    let found = found(site);
    let mut waiting = 1.0;
    let mut round = 1;
    loop {
        let plant = Plant::of(site, found, waiting);
        let network = plant.network(shares, think_s);
        let exact = exact(&network);
        let method = match exact.is_some() {
            true => Method::ExactMva,
            false => Method::ApproximateMva,
        };
        let solution = exact.unwrap_or_else(|| approximate(&network));
        let next = plant.waiting(&network, &solution);
        if round == ROUNDS || (next / waiting - 1.0).abs() < SETTLED {
            return plant.calculated(shares, (&network, &solution), method);
        }
        round += 1;
        waiting = next;
    }
}

/// What of the looks is found where.
fn found(site: &DynamicSite) -> Found {
    let parts = site.parts(0);
    let alike = parts.iter().map(|part| Alike {
        pages: part.pages as f64,
        rate: part.share / part.pages as f64,
        is_pinned: site.tables[part.table].is_pinned && !site.is_past_cache,
    });
    let alike: Vec<Alike> = alike.collect();
    let looks: f64 = alike.iter().map(|it| it.pages * it.rate).sum();
    if looks <= 0.0 {
        return Found::default();
    }
    let of_pool = stays(&alike, site.pool_pages(0) as f64);
    let missed = alike.iter().map(|it| Alike {
        rate: match it.is_pinned {
            // Pins have memory of their own.
            true => 0.0,
            false => it.rate * (-it.rate * of_pool).exp(),
        },
        ..*it
    });
    let missed: Vec<Alike> = missed.collect();
    let cached_pages = site.memory_bytes / site.cached_page_bytes();
    let of_cache = match site.is_past_cache {
        true => 0.0,
        false => stays(&missed, cached_pages as f64),
    };
    let in_pool: f64 = 1.0 - sum_of(&alike, |it| it.rate * (-it.rate * of_pool).exp());
    let on_disk = sum_of(&missed, |it| it.rate * (-it.rate * of_cache).exp());
    let missed_pool = (1.0 - in_pool).max(0.0);
    Found {
        in_pool,
        in_cache: match missed_pool > 0.0 {
            true => 1.0 - on_disk / missed_pool,
            false => 0.0,
        },
        on_disk,
    }
}

fn sum_of(alike: &[Alike], of: impl Fn(&Alike) -> f64) -> f64 {
    alike.iter().map(|it| it.pages * of(it)).sum()
}

/// For how many looks a cache of so many pages keeps one that is not looked for again.
fn stays(alike: &[Alike], pages: f64) -> f64 {
    let held = |looks: f64| sum_of(alike, |it| 1.0 - (-it.rate * looks).exp());
    if held(LONGEST) <= pages {
        return LONGEST;
    }
    let (mut low, mut high) = (0.0, LONGEST);
    for _ in 0..HALVES {
        let middle = (low + high) / 2.0;
        match held(middle) <= pages {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// Servers of processors: a fraction that is left slows all alike.
fn servers(processors: Processors) -> u32 {
    processors.count.ceil().clamp(1.0, f64::from(u32::MAX)) as u32
}

impl<'s> Plant<'s> {
    /// At the disk so many requests wait when it chooses one.
    fn of(site: &'s DynamicSite, found: Found, waiting: f64) -> Self {
        let tables = site.tables.iter().map(|it| it.bytes);
        let devices = Devices::of(&site.store, tables.sum(), waiting);
        let machines = site.machines.iter().enumerate();
        let processors = machines.map(|(machine, of)| Planted {
            machine,
            name: "processors".to_owned(),
            order: Order::Shared {
                servers: servers(of.processors),
            },
            asks: Asks::Processors,
        });
        let parts = devices.parts.iter().enumerate();
        let disk = parts.map(|(number, part)| Planted {
            machine: site.machine_of(Tier::Database),
            name: format!("disk, {}", part.name.trim_start_matches("device, ")),
            order: part.order,
            asks: Asks::Disk(number),
        });
        Self {
            site,
            stations: processors.chain(disk).collect(),
            flush_s: site.store.flush_us.unwrap_or(0.0) / 1e6,
            devices,
            found,
        }
    }

    /// Pages of tables that a page reads from the disk.
    fn disk_reads(&self, page: &Page) -> f64 {
        page.reads * self.found.on_disk
    }

    fn table_page(&self) -> Missing {
        Missing {
            bytes: self.site.table_page_bytes,
            gaps: 1,
        }
    }

    fn log_block() -> Missing {
        Missing {
            bytes: LOG_BYTES,
            gaps: 1,
        }
    }

    /// What a page asks of a station.
    fn demand(&self, station: &Planted, page: &Page) -> Demand {
        match station.asks {
            Asks::Processors => {
                let own = Tier::ALL.into_iter();
                let own = own.filter(|tier| self.site.machine_of(*tier) == station.machine);
                let ns: u64 = own.map(|tier| page.work_ns[tier as usize]).sum();
                let processors = self.site.machines[station.machine].processors;
                let slowed = f64::from(servers(processors)) / processors.count;
                let seconds = ns as f64 / 1e9 / processors.speed * slowed;
                Demand::exponential(1.0, seconds)
            }
            Asks::Disk(part) => {
                let mut demand = Demand::default();
                let visits = |missing| self.devices.visits(missing).nth(part);
                if let Some(read) = visits(self.table_page()) {
                    demand.add(self.disk_reads(page), read);
                }
                if let Some(written) = visits(Self::log_block()) {
                    let written = Visits {
                        seconds: written.seconds + if part == 0 { self.flush_s } else { 0.0 },
                        ..written
                    };
                    let square = written.seconds * written.seconds;
                    demand.add(page.flushes, Visits { square, ..written });
                }
                demand
            }
        }
    }

    /// What reading takes beside the parts of the disk, of a page alone, seconds.
    fn beside_s(&self, page: &Page) -> f64 {
        let ready_s = self.devices.ready_s(self.table_page(), 1.0);
        let parts = self.devices.visits(self.table_page());
        let parts_s: f64 = parts.map(|it| it.number * it.seconds).sum();
        self.disk_reads(page) * (ready_s - parts_s).max(0.0)
    }

    fn network(&self, shares: &[f64], think_s: f64) -> Network {
        let stations = self.stations.iter().map(|station| {
            let mut sum = Demand::default();
            let (mut seconds, mut is_shared) = (0.0, false);
            for (page, share) in self.site.pages.iter().zip(shares) {
                let demand = self.demand(station, page);
                match station.asks {
                    Asks::Processors => {
                        is_shared = true;
                        seconds += share * demand.seconds();
                    }
                    Asks::Disk(_) => sum.merge(&demand.of_each(1.0 / share.max(SHORTEST_S))),
                }
            }
            Station {
                order: station.order,
                demands: vec![match is_shared {
                    true => Demand::exponential(1.0, seconds),
                    false => sum,
                }],
                wait_share: 1.0,
            }
        });
        let beside = self.site.pages.iter().zip(shares);
        let beside_s: f64 = beside
            .map(|(page, share)| share * self.beside_s(page))
            .sum();
        Network {
            stations: stations.collect(),
            classes: vec![Class {
                customers: self.site.browsers,
                delay_s: think_s + beside_s,
            }],
        }
    }

    /// Requests among which the disk chooses.
    fn waiting(&self, network: &Network, solution: &Solution) -> f64 {
        let disk = self.stations.iter().enumerate();
        let mut disk = disk.filter(|(_, it)| matches!(it.asks, Asks::Disk(0)));
        let Some((place, _)) = disk.next() else {
            return 1.0;
        };
        let busy = solution.utilisation(&network.stations[place]);
        let there = solution.queue(0, place);
        match busy > 0.0 {
            true => ((there - busy) / busy).max(1.0),
            false => 1.0,
        }
    }

    fn calculated(
        &self,
        shares: &[f64],
        (network, solution): (&Network, &Solution),
        method: Method,
    ) -> Calculated {
        Calculated {
            result: self.result(shares, network, solution),
            method,
            hit_ratio_method: HitRatioMethod::Che,
            demands: self.demands(),
            bounds: vec![ClassBounds {
                asymptotic: asymptotic(network, 0),
                balanced: balanced(network),
            }],
        }
    }

    /// By type of page, where there are any.
    fn demands(&self) -> Vec<ResourceDemand> {
        let mut demands = Vec::new();
        for station in &self.stations {
            for (number, page) in self.site.pages.iter().enumerate() {
                let demand = self.demand(station, page);
                if demand.seconds() > 0.0 {
                    demands.push(ResourceDemand {
                        node: self.site.machines[station.machine].name.clone(),
                        resource: station.name.clone(),
                        site: number,
                        visits: demand.visits(),
                        seconds: demand.seconds(),
                    });
                }
            }
        }
        demands
    }

    /// How long a page is under way: as much longer at each station than it is served as all pages are on average.
    fn response_s(&self, page: &Page, network: &Network, solution: &Solution) -> f64 {
        let stations = self.stations.iter().enumerate();
        let there_s = stations.map(|(place, station)| {
            let all = &network.stations[place].demands[0];
            let stay_s = solution.stays[0][place];
            let own_s = self.demand(station, page).seconds();
            match all.seconds() > 0.0 {
                true => own_s * stay_s / all.seconds(),
                false => 0.0,
            }
        });
        there_s.sum::<f64>() + self.beside_s(page)
    }

    fn result(&self, shares: &[f64], network: &Network, solution: &Solution) -> TiersResult {
        let per_s = solution.per_s[0];
        let pages = self.site.pages.iter().zip(shares);
        let scores = pages.map(|(page, share)| {
            let response_s = self.response_s(page, network, solution);
            (score(per_s * share, response_s), share * response_s)
        });
        let scores: Vec<(Score, f64)> = scores.collect();
        let response_s: f64 = scores.iter().map(|it| it.1).sum();
        let machines = 0..self.site.machines.len();
        let pages = (per_s * SECONDS).round() as usize;
        let node = |machine| self.node(machine, shares, (network, solution));
        TiersResult {
            seconds: SECONDS,
            warm_up_seconds: 0.0,
            total: score(per_s, response_s),
            sites: scores.into_iter().map(|it| it.0).collect(),
            nodes: machines.map(node).collect(),
            other_links: Vec::new(),
            asked_per_s: per_s,
            under_way: 0,
            asked: pages,
            ended: pages,
            has_warmed_up: true,
            stuck: 0,
            received_bytes: 0,
            firings: 0,
            batches: Vec::new(),
        }
    }

    fn node(
        &self,
        machine: usize,
        shares: &[f64],
        (network, solution): (&Network, &Solution),
    ) -> NodeResult {
        let resources = self.stations.iter().enumerate();
        let own = resources.filter(|(_, it)| it.machine == machine);
        let own = own.map(|(place, it)| Resource {
            name: it.name.clone(),
            utilisation: Some(solution.utilisation(&network.stations[place]).min(1.0)),
            mean_queue_length: Some(solution.queue(0, place)),
            timeline: None,
        });
        // Each machine has processors, which come first.
        let mut own: Vec<Resource> = own.collect();
        let processors = own.remove(0);
        let has_database = self.site.machine_of(Tier::Database) == machine;
        let looks = self.site.pages.iter().zip(shares);
        let looks: f64 = looks.map(|(page, share)| page.reads * share).sum();
        let looks = looks * solution.per_s[0] * SECONDS;
        let missed = looks * (1.0 - self.found.in_pool);
        let counts = |looks: f64, share: f64| CacheCounts {
            files: looks.round() as u64,
            hits: (looks * share).round() as u64,
            bytes: (looks * self.site.table_page_bytes as f64) as u64,
            hit_bytes: (looks * share * self.site.table_page_bytes as f64) as u64,
            device_bytes: 0,
        };
        NodeResult {
            memory: None,
            processors,
            workers: None,
            disks: own,
            link: None,
            cache: has_database.then(|| counts(missed, self.found.in_cache)),
            proxy_cache: None,
            held: None,
            calls: BTreeMap::new(),
            pool: has_database.then(|| counts(looks, self.found.in_pool)),
            tiers: Vec::new(),
        }
    }
}

/// What pages get of which so many are answered in a second, after so long a time.
fn score(per_s: f64, response_s: f64) -> Score {
    let count = (per_s * SECONDS).round() as u64;
    let response = (count > 0).then(|| Distribution {
        count: Some(count),
        ..Distribution::of_mean(response_s * 1e6)
    });
    Score {
        requests: Some(count),
        throughput_per_s: Some(per_s),
        latencies: Latencies {
            response,
            ..Latencies::default()
        },
        ..Score::default()
    }
}
