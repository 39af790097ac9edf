//! Mean value analysis over all populations.

use super::network::{Network, Order, SHORTEST_S, Seen, Solution, Squares, hold_back, stay_s};

/// Numbers that are kept at most: 64 MiB of them.
const MOST_NUMBERS: usize = 8 << 20;

/// Solves a network by mean value analysis, population by population: M. Reiser and S. S. Lavenberg, "Mean-value analysis of closed
/// multichain queuing networks", 1980. Nothing where there are too many populations.
///
/// It is exact for shared servers, and for services in order that are exponential and as long for all classes. Others come near it.
#[must_use]
pub fn exact(network: &Network) -> Option<Solution> {
    let mut populations = Populations::of(network)?;
    for point in 1..populations.points {
        populations.solve(point);
    }
    Some(populations.last())
}

/// All populations up to the whole one, and what came of each.
struct Populations<'n> {
    network: &'n Network,
    squares: Squares,
    /// How far the population with one customer less is, by class.
    strides: Vec<usize>,
    points: usize,
    /// By population and class.
    per_s: Vec<f64>,
    /// By population, station and class.
    queues: Vec<f64>,
    /// By population and station of several servers: the probabilities of 0, 1, ... customers there, fewer than servers.
    few: Vec<f64>,
    /// Where a station's are in those of a population, and how many a population has.
    few_at: Vec<usize>,
    few_length: usize,
    /// Of the population that was solved last.
    solution: Solution,
}

impl<'n> Populations<'n> {
    fn of(network: &'n Network) -> Option<Self> {
        let (classes, stations) = (network.classes.len(), network.stations.len());
        let (mut strides, mut points) = (Vec::new(), 1usize);
        for class in &network.classes {
            strides.push(points);
            points = points.checked_mul(class.customers as usize + 1)?;
        }
        let (mut few_at, mut few_length) = (Vec::new(), 0);
        for station in &network.stations {
            few_at.push(few_length);
            few_length += few(station.order);
        }
        let each = classes + stations * classes + few_length;
        if points.checked_mul(each)? > MOST_NUMBERS {
            return None;
        }
        let mut populations = Self {
            network,
            squares: Squares::of(network),
            strides,
            points,
            per_s: vec![0.0; points * classes],
            queues: vec![0.0; points * stations * classes],
            few: vec![0.0; points * few_length],
            few_at,
            few_length,
            solution: Solution {
                per_s: vec![0.0; classes],
                stays: vec![vec![0.0; stations]; classes],
            },
        };
        // Nobody is there at first.
        for (&at, station) in populations.few_at.iter().zip(&network.stations) {
            if few(station.order) > 0 {
                populations.few[at] = 1.0;
            }
        }
        Some(populations)
    }

    fn customers(&self, point: usize, class: usize) -> usize {
        let all = self.network.classes[class].customers as usize;
        point / self.strides[class] % (all + 1)
    }

    fn queue(&self, point: usize, station: usize, class: usize) -> f64 {
        let (classes, stations) = (self.network.classes.len(), self.network.stations.len());
        self.queues[(point * stations + station) * classes + class]
    }

    fn solve(&mut self, point: usize) {
        let (classes, stations) = (self.network.classes.len(), self.network.stations.len());
        let customers = (0..classes).map(|class| self.customers(point, class) as f64);
        let customers: Vec<f64> = customers.collect();
        for (class, &number) in customers.iter().enumerate() {
            let stays = match number > 0.0 {
                true => self.stays_of(class, point - self.strides[class]),
                false => vec![0.0; stations],
            };
            let all_s = self.network.classes[class].delay_s + stays.iter().sum::<f64>();
            self.solution.per_s[class] = number / all_s.max(SHORTEST_S);
            self.solution.stays[class] = stays;
        }
        hold_back(self.network, &customers, &mut self.solution);
        for class in 0..classes {
            self.per_s[point * classes + class] = self.solution.per_s[class];
            for station in 0..stations {
                let place = (point * stations + station) * classes + class;
                self.queues[place] = self.solution.queue(class, station);
            }
        }
        for station in 0..stations {
            self.solve_few(point, station);
        }
    }

    /// Seconds of a request at each station, where the population `before` has one of `class` less.
    fn stays_of(&self, class: usize, before: usize) -> Vec<f64> {
        let classes = self.network.classes.len();
        let stations = self.network.stations.iter().enumerate();
        let stay = |(at, station)| {
            let seen = Seen {
                queue: &|other| self.queue(before, at, other),
                per_s: &|other| self.per_s[before * classes + other],
                squares: self.squares.at(class, at),
                idle: self.idle(before, at),
            };
            stay_s(station, class, &seen)
        };
        stations.map(stay).collect()
    }

    /// The probabilities of few customers at a station.
    fn few(&self, point: usize, station: usize) -> &[f64] {
        let from = point * self.few_length + self.few_at[station];
        &self.few[from..from + few(self.network.stations[station].order)]
    }

    /// Servers that are idle beyond one that is taken by who comes, on average.
    fn idle(&self, point: usize, station: usize) -> f64 {
        let few = self.few(point, station);
        let servers = few.len();
        let idle = few.iter().enumerate();
        let idle = idle.map(|(there, share)| (servers - 1).saturating_sub(there) as f64 * share);
        idle.sum()
    }

    /// The probabilities of few customers, from those with one customer less.
    fn solve_few(&mut self, point: usize, station: usize) {
        let servers = few(self.network.stations[station].order);
        if servers == 0 {
            return;
        }
        let classes = self.network.classes.len();
        let demands = &self.network.stations[station].demands;
        let mut shares = vec![0.0; servers];
        let mut busy = 0.0;
        for (class, demand) in demands.iter().enumerate() {
            if self.customers(point, class) == 0 {
                continue;
            }
            let erlangs = self.per_s[point * classes + class] * demand.seconds();
            busy += erlangs;
            let before = self.few(point - self.strides[class], station);
            for (there, share) in shares.iter_mut().enumerate().skip(1) {
                *share += erlangs * before[there - 1] / there as f64;
            }
        }
        let more = shares.iter().enumerate().skip(1);
        let more: f64 = more.map(|(there, it)| (servers - there) as f64 * it).sum();
        // What rounding makes of a share of nearly nothing may be below zero.
        shares[0] = (1.0 - (busy + more) / servers as f64).max(0.0);
        let from = point * self.few_length + self.few_at[station];
        self.few[from..from + servers].copy_from_slice(&shares);
    }

    fn last(self) -> Solution {
        self.solution
    }
}

/// How many probabilities of few customers a station needs: one for each server, of several.
fn few(order: Order) -> usize {
    match order {
        Order::Shared { servers } if servers > 1 => servers as usize,
        _ => 0,
    }
}
