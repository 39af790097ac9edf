//! Calculated queues: exact results, the states of small networks one by one, and what holds of all.

use hotset_cache::{PolicyKind, simulate};
use hotset_models::calculate::{
    Class, Demand, Network, Order, Popularity, Solution, Station, Visits, approximate, asymptotic,
    balanced, che, exact, open, second_wait_s,
};
use hotset_petri::Stream;
use proptest::prelude::*;

use crate::support::near;

fn exponential(seconds: f64) -> Demand {
    Demand::exponential(1.0, seconds)
}

fn constant(seconds: f64) -> Demand {
    let mut demand = Demand::default();
    demand.add(1.0, Visits::one(seconds));
    demand
}

fn station(order: Order, demands: impl IntoIterator<Item = Demand>) -> Station {
    Station {
        order,
        demands: demands.into_iter().collect(),
        wait_share: 1.0,
    }
}

fn class(customers: u32, delay_s: f64) -> Class {
    Class { customers, delay_s }
}

#[test]
fn a_queue_of_exponential_services_is_m_m_1() {
    let station = station(Order::InOrder, [exponential(0.2)]);
    let solution = open(&[station], &[4.0]);
    near(solution.stays[0][0], 0.2 / (1.0 - 0.8), 1e-12);
    near(solution.queue(0, 0), 4.0, 1e-12);
}

#[test]
fn a_queue_of_equal_services_is_m_d_1() {
    let solution = open(&[station(Order::InOrder, [constant(0.2)])], &[4.0]);
    near(solution.stays[0][0], 0.2 + 0.8 * 0.2 / (2.0 * 0.2), 1e-12);
}

/// Pollaczek and Khinchine's formula with two lengths of service, and what comes part by part.
#[test]
fn services_that_differ_wait_longer_unless_they_come_in_parts() {
    let stay = |square| {
        let mut demand = Demand::default();
        demand.add(0.5, Visits::one(0.1));
        let longer = Visits {
            square,
            ..Visits::one(0.3)
        };
        demand.add(0.5, longer);
        open(&[station(Order::InOrder, [demand])], &[3.0]).stays[0][0]
    };
    near(
        stay(0.3 * 0.3),
        0.2 + 3.0 * (0.5 * 0.01 + 0.5 * 0.09) / (2.0 * 0.4),
        1e-12,
    );
    near(
        stay(0.3 * 0.3 / 4.0),
        0.2 + 3.0 * (0.5 * 0.01 + 0.5 * 0.0225) / (2.0 * 0.4),
        1e-12,
    );
}

/// Customers of the same service at two stations, one by one. Equal services never wait at the second.
#[test]
fn two_stations_in_a_row_wait_as_they_do_one_by_one() {
    assert!(second_wait_s(&constant(0.2), 0.8) < 1e-12);
    let mut random = Stream::named(6, 0, "in a row");
    for (shares, busy) in [([0.5, 0.5], 0.3), ([0.5, 0.5], 0.7), ([0.9, 0.1], 0.6)] {
        let lengths = [1.0, 4.0];
        let mut demand = Demand::default();
        let both = shares.iter().zip(lengths);
        both.for_each(|(share, length)| demand.add(*share, Visits::one(length)));
        let per_s = busy / demand.seconds();
        let (mut now, mut free, mut waited) = (0.0f64, [0.0f64; 2], 0.0);
        let count = 300_000;
        for _ in 0..count {
            now += random.exponential() / per_s;
            let length = lengths[usize::from(random.unit() > shares[0])];
            free[0] = free[0].max(now) + length;
            let begins = free[1].max(free[0]);
            waited += begins - free[0];
            free[1] = begins + length;
        }
        near(
            second_wait_s(&demand, busy),
            waited / f64::from(count),
            0.04,
        );
    }
}

/// Of two servers, the mean stay is that of one service over 1 - ρ², by Erlang's formula.
#[test]
fn several_servers_are_m_m_c() {
    let solution = open(
        &[station(Order::Shared { servers: 2 }, [exponential(1.0)])],
        &[1.5],
    );
    near(solution.stays[0][0], 1.0 / (1.0 - 0.75 * 0.75), 1e-12);
}

/// Half of the waiting, whoever waits: in an open queue, and in closed ones of very many who are away for very long.
#[test]
fn what_comes_evenly_waits_its_share() {
    for order in [
        Order::InOrder,
        Order::Shared { servers: 1 },
        Order::Shared { servers: 2 },
    ] {
        let even = |wait_share| Station {
            wait_share,
            ..station(order, [exponential(1.0)])
        };
        let per_s = 0.7 * order.servers().unwrap();
        let waits = [1.0, 0.5].map(|share| open(&[even(share)], &[per_s]).stays[0][0] - 1.0);
        near(waits[1], waits[0] / 2.0, 1e-9);
        let closed = |wait_share| {
            let network = Network {
                stations: vec![even(wait_share)],
                classes: vec![class(4_000, 4_000.0 / per_s)],
            };
            exact(&network).unwrap().stays[0][0] - 1.0
        };
        near(closed(1.0), waits[0], 0.02);
        near(closed(0.5), waits[1], 0.02);
    }
}

#[test]
fn what_comes_too_fast_stays_for_ever() {
    let stations = [
        station(Order::InOrder, [exponential(0.5)]),
        station(Order::Shared { servers: 3 }, [exponential(0.5)]),
    ];
    let solution = open(&stations, &[2.5]);
    assert_eq!(solution.stays[0][0], f64::INFINITY);
    assert!(solution.stays[0][1].is_finite());
}

/// Machines that fail and repairmen: the states are how many are broken, and their probabilities those of a birth-death process.
fn machine_repair(machines: u32, repairmen: u32, up_s: f64, repair_s: f64) -> f64 {
    let mut weights = vec![1.0];
    for broken in 1..=machines {
        let fails = f64::from(machines - broken + 1) / up_s;
        let mends = f64::from(broken.min(repairmen)) / repair_s;
        weights.push(weights[broken as usize - 1] * fails / mends);
    }
    let all: f64 = weights.iter().sum();
    let busy = weights.iter().enumerate();
    let busy = busy.map(|(broken, it)| (broken as f64).min(f64::from(repairmen)) * it);
    busy.sum::<f64>() / all / repair_s
}

#[test]
fn machines_and_repairmen_are_a_birth_death_process() {
    for (machines, repairmen) in [(1, 1), (5, 1), (6, 3), (40, 4), (4, 6)] {
        let order = Order::Shared { servers: repairmen };
        let network = Network {
            stations: vec![station(order, [exponential(2.0)])],
            classes: vec![class(machines, 10.0)],
        };
        let expected = machine_repair(machines, repairmen, 10.0, 2.0);
        near(exact(&network).unwrap().per_s[0], expected, 1e-9);
        near(approximate(&network).per_s[0], expected, 0.12);
    }
}

/// The example of chapter 6 of Lazowska et al., "Quantitative System Performance", 1984: three stations, three customers.
#[test]
fn a_textbook_example_comes_out() {
    let stations =
        [0.605, 2.1, 1.35].map(|it| station(Order::Shared { servers: 1 }, [exponential(it)]));
    let network = Network {
        stations: stations.to_vec(),
        classes: vec![class(3, 15.0)],
    };
    let solution = exact(&network).unwrap();
    near(solution.stay_s(0), 4.800, 1e-3);
    near(solution.per_s[0], 0.152, 4e-3);
    let stays = [0.644, 2.605, 1.551];
    for (stay, expected) in solution.stays[0].iter().zip(stays) {
        near(*stay, expected, 1e-3);
    }
}

/// All ways to put so many customers into so many places.
fn ways(customers: u32, places: usize) -> Vec<Vec<u32>> {
    if places == 1 {
        return vec![vec![customers]];
    }
    let mut all = Vec::new();
    for here in 0..=customers {
        for mut rest in ways(customers - here, places - 1) {
            rest.push(here);
            all.push(rest);
        }
    }
    all
}

fn factorial(number: u32) -> f64 {
    (1..=number).map(f64::from).product()
}

/// The normalisation constant of a product-form network by all its states (F. Baskett et al., "Open, closed, and mixed networks of
/// queues with different classes of customers", 1975).
fn constant_of(network: &Network, populations: &[u32]) -> f64 {
    let places = network.stations.len() + 1;
    let mut states: Vec<Vec<Vec<u32>>> = vec![Vec::new()];
    for &customers in populations {
        let of_class = ways(customers, places);
        let longer = states.iter().flat_map(|state| {
            of_class.iter().map(|way| {
                let mut state = state.clone();
                state.push(way.clone());
                state
            })
        });
        states = longer.collect();
    }
    let weight = |state: &Vec<Vec<u32>>| -> f64 {
        let at_station = |place: usize| {
            let mut weight = 1.0;
            let there: u32 = state.iter().map(|class| class[place]).sum();
            for (class, counts) in state.iter().enumerate() {
                let demand = match network.stations.get(place) {
                    Some(station) => station.demands[class].seconds(),
                    None => network.classes[class].delay_s,
                };
                weight *= demand.powi(counts[place] as i32) / factorial(counts[place]);
            }
            match network.stations.get(place).map(|it| it.order) {
                None | Some(Order::Delay) => weight,
                Some(order) => {
                    let servers = order.servers().unwrap();
                    let slower = (1..=there).map(|it| f64::from(it).min(servers));
                    weight * factorial(there) / slower.product::<f64>()
                }
            }
        };
        (0..places).map(at_station).product()
    };
    states.iter().map(weight).sum()
}

/// Throughput of a class by two constants.
fn by_states(network: &Network, class: usize) -> f64 {
    let all: Vec<u32> = network.classes.iter().map(|it| it.customers).collect();
    let mut fewer = all.clone();
    fewer[class] -= 1;
    constant_of(network, &fewer) / constant_of(network, &all)
}

/// Networks with a product form: few classes, stations of all kinds.
fn product_forms() -> impl Strategy<Value = Network> {
    let order = prop_oneof![
        Just(Order::Delay),
        (1u32..4).prop_map(|servers| Order::Shared { servers })
    ];
    let stations = prop::collection::vec((order, 0.01f64..2.0, 0.0f64..2.0), 1..4);
    let classes = (1u32..4, 0u32..4, 0.0f64..5.0, 0.1f64..5.0);
    (stations, classes).prop_map(|(stations, (first, second, think, other))| Network {
        stations: stations
            .into_iter()
            .map(|(order, one, other)| station(order, [exponential(one), exponential(other)]))
            .collect(),
        classes: vec![class(first, think), class(second, other)],
    })
}

/// Networks with one class.
fn one_class() -> impl Strategy<Value = Network> {
    let stations = prop::collection::vec(0.0f64..2.0, 1..6);
    (stations, 1u32..60, 0.0f64..20.0).prop_map(|(stations, customers, think)| Network {
        stations: stations
            .into_iter()
            .map(|it| station(Order::Shared { servers: 1 }, [exponential(it)]))
            .chain([station(Order::InOrder, [exponential(0.01)])])
            .collect(),
        classes: vec![class(customers, think)],
    })
}

/// Little's law over all, and no server that is busier than always.
fn laws_hold(network: &Network, solution: &Solution) -> Result<(), TestCaseError> {
    for (at, of) in network.classes.iter().enumerate() {
        let all = solution.per_s[at] * (of.delay_s + solution.stay_s(at));
        prop_assert!((all - f64::from(of.customers)).abs() < 1e-6 * all.max(1.0));
    }
    for station in &network.stations {
        prop_assert!(solution.utilisation(station) <= 1.0 + 1e-6);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn exact_results_are_those_of_all_states(network in product_forms()) {
        let solution = exact(&network).unwrap();
        for at in 0..2 {
            if network.classes[at].customers > 0 {
                let expected = by_states(&network, at);
                prop_assert!((solution.per_s[at] / expected - 1.0).abs() < 1e-9, "{solution:?}");
            }
        }
        laws_hold(&network, &solution)?;
    }

    #[test]
    fn the_approximation_keeps_the_laws_and_is_near(network in product_forms()) {
        let (near, exact) = (approximate(&network), exact(&network).unwrap());
        laws_hold(&network, &near)?;
        for (near, exact) in near.per_s.iter().zip(&exact.per_s) {
            prop_assert!(*exact == 0.0 || (near / exact - 1.0).abs() < 0.35, "{near} {exact}");
        }
    }

    #[test]
    fn results_lie_within_their_bounds(network in one_class()) {
        let per_s = exact(&network).unwrap().per_s[0];
        for bounds in [asymptotic(&network, 0), balanced(&network).unwrap()] {
            prop_assert!(per_s >= bounds.low_per_s * (1.0 - 1e-9), "{per_s} {bounds:?}");
            prop_assert!(per_s <= bounds.high_per_s * (1.0 + 1e-9), "{per_s} {bounds:?}");
        }
        laws_hold(&network, &exact(&network).unwrap())?;
    }
}

/// Clients who think and one queue of services of any length: busy periods in closed form (L. Takács, "Introduction to the theory of
/// queues", 1962, chapter 5), by the transform φ of the lengths at multiples of 1/z.
fn finite_source(services: &[f64], customers: u32, think_s: f64) -> f64 {
    let count = services.len() as f64;
    let mean = services.iter().sum::<f64>() / count;
    let phi = |at: f64| services.iter().map(|it| (-at * it).exp()).sum::<f64>() / count;
    let (mut period, mut term) = (1.0, 1.0);
    for number in 1..customers {
        let left = phi(f64::from(number) / think_s);
        term *= (1.0 - left) / left * f64::from(customers - number) / f64::from(number);
        period += term;
    }
    let busy_s = mean * period;
    busy_s / (busy_s + think_s / f64::from(customers)) / mean
}

#[test]
fn long_services_hold_up_those_who_would_come() {
    let mut random = Stream::named(4, 0, "services");
    // Lognormal, of a mean near one and a variance of more than three times its square.
    let normal = |random: &mut Stream| {
        let radius = (2.0 * random.exponential()).sqrt();
        radius * (std::f64::consts::TAU * random.unit()).cos()
    };
    let services: Vec<f64> = (0..2_000)
        .map(|_| (1.3 * normal(&mut random) - 0.8).exp())
        .collect();
    let mut demand = Demand::default();
    services
        .iter()
        .for_each(|&it| demand.add(1.0, Visits::one(it)));
    let demand = demand.of_each(services.len() as f64);
    for (customers, think_s) in [(2, 2.0), (4, 4.0), (16, 30.0), (64, 80.0)] {
        let network = Network {
            stations: vec![station(Order::InOrder, [demand.clone()])],
            classes: vec![class(customers, think_s)],
        };
        let expected = finite_source(&services, customers, think_s);
        near(exact(&network).unwrap().per_s[0], expected, 0.06);
        near(approximate(&network).per_s[0], expected, 0.08);
    }
}

#[test]
fn equal_services_are_no_busier_than_always() {
    for customers in [2, 16, 60] {
        let network = Network {
            stations: vec![station(Order::InOrder, [constant(1.0)])],
            classes: vec![class(customers, 10.0)],
        };
        let expected = finite_source(&[1.0; 4], customers, 10.0);
        for solution in [exact(&network).unwrap(), approximate(&network)] {
            assert!(solution.per_s[0] <= 1.0 + 1e-12, "{solution:?}");
            near(solution.per_s[0], expected, 0.03);
            let all = solution.per_s[0] * (10.0 + solution.stay_s(0));
            near(all, f64::from(customers), 1e-6);
        }
    }
}

/// Processor sharing has each service take 1/(1 - ρ) times as long, whatever the others are.
#[test]
fn a_line_is_in_order_where_all_has_room_and_shared_where_nothing_has() {
    let demands = || [constant(0.2), exponential(0.1)];
    let open = |order| open(&[station(order, demands())], &[2.0, 3.0]).stays;
    let closed = |order| {
        let network = Network {
            stations: vec![station(order, demands())],
            classes: vec![class(3, 1.0), class(2, 0.5)],
        };
        [exact(&network).unwrap(), approximate(&network)].map(|it| it.stays)
    };
    for (room_s, order) in [(1e9, Order::InOrder), (0.0, Order::Shared { servers: 1 })] {
        let line = Order::Line { room_s };
        let all = |order| closed(order).into_iter().chain([open(order)]).flatten();
        for (stays, expected) in all(line).zip(all(order)) {
            near(stays[0], expected[0], 1e-6);
        }
    }
    let shared = open(Order::Line { room_s: 0.0 });
    near(shared[0][0], 0.2 / (1.0 - 0.7), 1e-9);
    near(shared[1][0], 0.1 / (1.0 - 0.7), 1e-9);
}

#[test]
fn a_network_too_large_to_be_exact_is_said_to_be() {
    let network = |customers| Network {
        stations: vec![station(
            Order::InOrder,
            [exponential(1.0), exponential(1.0)],
        )],
        classes: vec![class(customers, 1.0); 2],
    };
    assert!(exact(&network(100)).is_some());
    assert!(exact(&network(1_000_000)).is_none());
    let solution = approximate(&network(1_000_000));
    near(solution.per_s[0] + solution.per_s[1], 1.0, 1e-3);
}

/// Independent requests for files by Zipf's law, through the very cache.
#[test]
fn che_hits_as_the_least_recently_used_cache_does() {
    let mut random = Stream::named(2, 0, "requests");
    let files = 2_000usize;
    let mut sum = 0.0;
    let until: Vec<f64> = (1..=files)
        .map(|rank| {
            sum += 1.0 / (rank as f64).powf(0.9);
            sum
        })
        .collect();
    let draw = |_| {
        let at = random.unit() * sum;
        until.partition_point(|it| *it < at) as u32
    };
    let requests: Vec<u32> = (0..300_000).map(draw).collect();
    let sizes: Vec<u64> = (0..files as u64).map(|it| 1 + it * 7 % 31).collect();
    let all: u64 = sizes.iter().sum();
    let mut popularity: Vec<Popularity> = sizes
        .iter()
        .map(|&bytes| Popularity { requests: 0, bytes })
        .collect();
    requests
        .iter()
        .for_each(|&file| popularity[file as usize].requests += 1);
    for share in [20, 5, 2] {
        let counts = simulate(
            PolicyKind::Lru,
            all / share,
            &requests,
            &sizes,
            None,
            |_, _| {},
        )
        .unwrap();
        let hits = che(&popularity, all / share, requests.len() as f64);
        let hits = hits.iter().zip(&popularity);
        let hits: f64 = hits.map(|(hit, file)| hit * file.requests as f64).sum();
        near(hits, counts.hits as f64, 0.02);
    }
    // What was asked for once cannot hit, and what fits misses once.
    let once = [Popularity {
        requests: 1,
        bytes: 1,
    }; 10];
    assert!(che(&once, 100, 10.0).iter().all(|hit| *hit == 0.0));
}
