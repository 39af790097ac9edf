//! The network of stations, solved.

use super::origin::{Origin, origins};
use super::plant::Plant;
use super::sums::Sums;
use crate::calculate::approximate::approximate;
use crate::calculate::demand::Demand;
use crate::calculate::exact::exact;
use crate::calculate::network::{Class, Network, Order, Solution, Station, beyond_line};
use crate::calculate::open::open;
use crate::tiers::{Arrivals, ClientClass, Traffic};

/// How a network was solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum Method {
    /// Mean value analysis over all populations.
    ExactMva,
    /// Mean value analysis of the whole population alone.
    ApproximateMva,
    /// Queues that requests come to at a rate.
    OpenQueues,
}

impl Method {
    /// As results have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}

/// What requests find at a station beside their own service.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wait {
    /// For each visit, seconds.
    pub per_visit_s: f64,
    /// For each second of service.
    pub per_second: f64,
}

/// The network and what came of it.
pub(super) struct Solved {
    pub method: Method,
    pub network: Network,
    pub solution: Solution,
    /// By class, the number of the entry that it asks, and that of its origin.
    entry_of: Vec<usize>,
    origin_of: Vec<usize>,
    /// Requests made in a second.
    pub asked_per_s: f64,
}

impl Solved {
    /// At each station, `wait_shares` of what independent arrivals wait are waited; all where these are not given.
    pub fn of(plant: &Plant<'_>, traffic: &Traffic, sums: &Sums, wait_shares: &[f64]) -> Self {
        match &plant.tiers.arrivals {
            Arrivals::Open(_) => Self::open(plant, traffic, sums, wait_shares),
            closed => Self::closed(plant, sums, closed.classes(), wait_shares),
        }
    }

    fn closed(
        plant: &Plant<'_>,
        sums: &Sums,
        classes: &[ClientClass],
        wait_shares: &[f64],
    ) -> Self {
        let origins = origins(plant.tiers);
        let origin = |class: &ClientClass| {
            let of = Origin::of(plant.tiers, class);
            origins.binary_search(&of).unwrap_or_default()
        };
        let origin_of: Vec<usize> = classes.iter().map(origin).collect();
        let demands = demands(sums);
        let class = |(class, &origin): (&ClientClass, &usize)| {
            let sums = &sums.origins[origin].all;
            let all_s: f64 = demands[origin].iter().map(Demand::seconds).sum();
            let alone_s = mean(sums.response_s, sums.requests);
            Class {
                customers: class.clients,
                // Services of one request overlap, and links take time to pass that is no service.
                delay_s: class.think_ns as f64 / 1e9 + alone_s - all_s,
            }
        };
        let network = Network {
            stations: stations(plant, &demands, &origin_of, wait_shares),
            classes: classes.iter().zip(&origin_of).map(class).collect(),
        };
        let (method, solution) = match exact(&network) {
            Some(solution) => (Method::ExactMva, solution),
            None => (Method::ApproximateMva, approximate(&network)),
        };
        let asked_per_s = solution.per_s.iter().sum();
        Self {
            method,
            network,
            solution,
            entry_of: entries_of(plant, sums, &origin_of),
            origin_of,
            asked_per_s,
        }
    }

    fn open(plant: &Plant<'_>, traffic: &Traffic, sums: &Sums, wait_shares: &[f64]) -> Self {
        let origin_of: Vec<usize> = (0..sums.origins.len()).collect();
        let network = Network {
            stations: stations(plant, &demands(sums), &origin_of, wait_shares),
            classes: Vec::new(),
        };
        let asked_per_s = rate_per_s(traffic);
        let share = |it: &usize| mean(sums.origins[*it].all.requests, sums.requests());
        let per_s: Vec<f64> = origin_of.iter().map(|it| share(it) * asked_per_s).collect();
        Self {
            method: Method::OpenQueues,
            solution: open(&network.stations, &per_s),
            network,
            entry_of: entries_of(plant, sums, &origin_of),
            origin_of,
            asked_per_s,
        }
    }

    /// The share of the requests of each origin.
    pub fn shares(&self, sums: &Sums) -> Vec<f64> {
        let mut shares = vec![0.0; sums.origins.len()];
        let all: f64 = self.solution.per_s.iter().sum();
        for (&origin, per_s) in self.origin_of.iter().zip(&self.solution.per_s) {
            shares[origin] += mean(*per_s, all);
        }
        shares
    }

    /// Requests that ask an entry, a second.
    pub fn entry_per_s(&self, entry: usize) -> f64 {
        self.making(&self.entry_of, entry).map(|it| it.1).sum()
    }

    /// Classes that have a number, with their throughput.
    fn making(&self, numbers: &[usize], number: usize) -> impl Iterator<Item = (usize, f64)> {
        let classes = numbers.iter().zip(&self.solution.per_s).enumerate();
        classes
            .filter(move |(_, (of, _))| **of == number)
            .map(|(class, (_, &per_s))| (class, per_s))
    }

    /// What a request that asks `entry` finds at a station, on average over the classes that do.
    pub fn wait(&self, entry: usize, station: usize) -> Wait {
        self.wait_of(&self.entry_of, entry, station)
    }

    /// The same of the requests of an origin.
    pub fn wait_of_origin(&self, origin: usize, station: usize) -> Wait {
        self.wait_of(&self.origin_of, origin, station)
    }

    fn wait_of(&self, numbers: &[usize], number: usize, station: usize) -> Wait {
        let of = &self.network.stations[station];
        let all_per_s: f64 = self.making(numbers, number).map(|it| it.1).sum();
        let mut wait = Wait::default();
        for (class, per_s) in self.making(numbers, number) {
            let demand = &of.demands[class];
            let beyond_s = self.solution.stays[class][station] - demand.seconds();
            let share = mean(per_s, all_per_s);
            match of.order {
                Order::InOrder => wait.per_visit_s += share * mean(beyond_s, demand.visits()),
                Order::Line { room_s } => {
                    let each_s = mean(beyond_s, demand.visits());
                    let beyond = beyond_line(room_s, self.busy(station).0, each_s);
                    wait.per_second += share * beyond * mean(beyond_s, demand.seconds());
                    if beyond < 1.0 {
                        wait.per_visit_s += share * (1.0 - beyond) * each_s;
                    }
                }
                _ => wait.per_second += share * mean(beyond_s, demand.seconds()),
            }
        }
        wait
    }

    /// Busy share of a station, and how many are there.
    pub fn busy(&self, station: usize) -> (f64, f64) {
        let utilisation = self.solution.utilisation(&self.network.stations[station]);
        let classes = 0..self.solution.per_s.len();
        let there = classes.map(|class| match self.solution.per_s[class] > 0.0 {
            true => self.solution.queue(class, station),
            false => 0.0,
        });
        (utilisation, there.sum())
    }

    /// How many requests wait at the disks of each store of each node when they choose one: one at least.
    pub fn waiting(&self, plant: &Plant<'_>) -> Vec<Vec<f64>> {
        let of_disk = |first: usize| {
            let (busy, there) = self.busy(first);
            match busy > 0.0 && busy < 1.0 && there.is_finite() {
                true => ((there - busy) / busy).max(1.0),
                // Whatever waits there grows without end.
                false if busy >= 1.0 => f64::from(u16::MAX),
                false => 1.0,
            }
        };
        let nodes = plant.nodes.iter();
        let waiting = nodes.map(|node| {
            let disks = node.disks.iter();
            disks
                .map(|disk| disk.as_ref().map_or(1.0, |it| of_disk(it.first)))
                .collect()
        });
        waiting.collect()
    }
}

/// A share of a whole; nothing of nothing.
pub(super) fn mean(sum: f64, count: f64) -> f64 {
    if count > 0.0 { sum / count } else { 0.0 }
}

/// The number of the entry of each origin.
fn entries_of(plant: &Plant<'_>, sums: &Sums, origins: &[usize]) -> Vec<usize> {
    let entries = plant.tiers.entries();
    let of_origin = |origin: &usize| {
        let entry = sums.origins[*origin].of.entry;
        entries.binary_search(&entry).unwrap_or_default()
    };
    origins.iter().map(of_origin).collect()
}

/// What a request of each origin takes of each station.
fn demands(sums: &Sums) -> Vec<Vec<Demand>> {
    let origins = sums.origins.iter();
    let each = origins.map(|origin| {
        let demands = origin.all.demands.iter();
        let requests = origin.all.requests;
        demands.map(|it| it.of_each(requests)).collect()
    });
    each.collect()
}

fn stations(
    plant: &Plant<'_>,
    demands: &[Vec<Demand>],
    origin_of: &[usize],
    wait_shares: &[f64],
) -> Vec<Station> {
    let orders = plant.orders.iter().enumerate();
    let station = |(at, &order): (usize, &Order)| Station {
        order,
        demands: origin_of
            .iter()
            .map(|&origin| demands[origin][at].clone())
            .collect(),
        wait_share: wait_shares.get(at).copied().unwrap_or(1.0),
    };
    orders.map(station).collect()
}

/// Requests made in a second once caches have warmed up.
fn rate_per_s(traffic: &Traffic) -> f64 {
    let times = &traffic.times_ns[traffic.warm_up.min(traffic.times_ns.len())..];
    let (Some(first), Some(last)) = (times.first(), times.last()) else {
        return 0.0;
    };
    let seconds = (last - first) as f64 / 1e9;
    // Between so many requests there is one gap less.
    (times.len() - 1) as f64 / seconds.max(1e-9)
}
