//! Mean value analysis of the whole population alone.

use super::demand::Demand;
use super::network::{
    Network, Order, SHORTEST_S, Seen, Solution, Squares, Station, hold_back, stay_s,
};

/// Rounds until nothing changes any more; most networks need fewer than a hundred.
const MOST_ROUNDS: usize = 20_000;
/// What may still change, as a share.
const TOLERANCE: f64 = 1e-10;
/// How much of a round's result is taken over: all of it may swing to and fro.
const STEP: f64 = 0.5;

/// Solves a network approximately, for any number of customers: one who comes to a station sees of the own class what is there of all
/// of it, less the own share (P. Schweitzer, "Approximate analysis of multiclass closed networks of queues", 1979; Y. Bard, "Some
/// extensions to multiclass queueing network analysis", 1979).
///
/// Of several servers, one as fast as all together has a queue, and the rest of the service is a delay (A. Seidmann, P. Schweitzer and
/// S. Shalev-Oren, "Computerized closed queueing network models of flexible manufacturing systems", 1987).
#[must_use]
pub fn approximate(network: &Network) -> Solution {
    let (single, delays) = with_single_servers(network);
    let mut solution = solve(&single);
    for (stays, delays) in solution.stays.iter_mut().zip(delays) {
        for (stay, delay) in stays.iter_mut().zip(delays) {
            *stay += delay;
        }
    }
    solution
}

/// The network with single servers, and the delays that this leaves: by class and station.
fn with_single_servers(network: &Network) -> (Network, Vec<Vec<f64>>) {
    let mut single = network.clone();
    let mut delays = vec![vec![0.0; network.stations.len()]; network.classes.len()];
    for (at, station) in single.stations.iter_mut().enumerate() {
        let Order::Shared { servers } = station.order else {
            continue;
        };
        let servers = f64::from(servers.max(1));
        station.order = Order::Shared { servers: 1 };
        for (class, demand) in station.demands.iter_mut().enumerate() {
            let queued_s = demand.seconds() / servers;
            delays[class][at] = demand.seconds() - queued_s;
            single.classes[class].delay_s += delays[class][at];
            *demand = Demand::exponential(demand.visits(), queued_s);
        }
    }
    (single, delays)
}

fn solve(network: &Network) -> Solution {
    let squares = Squares::of(network);
    let mut solution = first_guess(network);
    for _ in 0..MOST_ROUNDS {
        let next = round(network, &squares, &solution);
        let change = mix(&mut solution, &next);
        if change < TOLERANCE {
            break;
        }
    }
    solution
}

/// As if nobody waited, and no more than stations can serve.
fn first_guess(network: &Network) -> Solution {
    let classes = network.classes.iter().enumerate();
    let stays = classes.clone().map(|(class, _)| {
        let stations = network.stations.iter();
        stations.map(|it| it.demands[class].seconds()).collect()
    });
    let stays: Vec<Vec<f64>> = stays.collect();
    let per_s = classes.map(|(class, it)| {
        let all_s = it.delay_s + stays[class].iter().sum::<f64>();
        let most = stays[class].iter().copied().fold(SHORTEST_S, f64::max);
        let classes = network.classes.len() as f64;
        (f64::from(it.customers) / all_s.max(SHORTEST_S)).min(1.0 / most / classes)
    });
    Solution {
        per_s: per_s.collect(),
        stays,
    }
}

fn round(network: &Network, squares: &Squares, last: &Solution) -> Solution {
    let (mut per_s, mut all_stays) = (Vec::new(), Vec::new());
    for (class, of) in network.classes.iter().enumerate() {
        let left = |other: usize| match network.classes[other].customers {
            customers if other == class && customers > 0 => 1.0 - 1.0 / f64::from(customers),
            _ => 1.0,
        };
        let stay = |(at, station): (usize, &Station)| {
            let seen = Seen {
                queue: &|other| last.queue(other, at) * left(other),
                per_s: &|other| last.per_s[other] * left(other),
                squares: squares.at(class, at),
                idle: 0.0,
            };
            stay_s(station, class, &seen)
        };
        let stays: Vec<f64> = network.stations.iter().enumerate().map(stay).collect();
        let all_s = of.delay_s + stays.iter().sum::<f64>();
        per_s.push(f64::from(of.customers) / all_s.max(SHORTEST_S));
        all_stays.push(stays);
    }
    let mut solution = Solution {
        per_s,
        stays: all_stays,
    };
    let customers = network.classes.iter().map(|it| f64::from(it.customers));
    hold_back(network, &customers.collect::<Vec<f64>>(), &mut solution);
    solution
}

/// Takes a part of `next` over; the largest change, as a share.
fn mix(solution: &mut Solution, next: &Solution) -> f64 {
    let mut change = 0.0f64;
    let mut take = |old: &mut f64, new: f64| {
        change = change.max((new - *old).abs() / new.abs().max(SHORTEST_S));
        *old += STEP * (new - *old);
    };
    let per_s = solution.per_s.iter_mut().zip(&next.per_s);
    per_s.for_each(|(old, &new)| take(old, new));
    let stays = solution.stays.iter_mut().flatten();
    let stays = stays.zip(next.stays.iter().flatten());
    stays.for_each(|(old, &new)| take(old, new));
    change
}
