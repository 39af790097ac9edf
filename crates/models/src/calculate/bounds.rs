//! What throughput cannot be below or above, whatever the order of service.

use super::network::{Network, Order, SHORTEST_S};

/// Ends of a range of throughput, requests a second.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// No less.
    pub low_per_s: f64,
    /// No more.
    pub high_per_s: f64,
}

/// Asymptotic bounds of a class (Lazowska et al., "Quantitative System Performance", 1984, section 5.2). At most, nobody waits, or the
/// busiest server is busy all the time. At least, everybody else is ahead at every station; with several classes, for services of a
/// length that is the same or exponential.
#[must_use]
pub fn asymptotic(network: &Network, class: usize) -> Bounds {
    let of = network.classes[class];
    let customers = f64::from(of.customers);
    let stations = network.stations.iter();
    let alone_s: f64 = of.delay_s + stations.map(|it| it.demands[class].seconds()).sum::<f64>();
    let stations = network.stations.iter();
    let served = stations.filter_map(|it| Some(it.order.servers()? / it.demands[class].seconds()));
    let most = served.fold(f64::INFINITY, f64::min);
    let waiting_s: f64 = (0..network.stations.len())
        .map(|station| behind_all_s(network, class, station))
        .sum();
    Bounds {
        low_per_s: customers / (alone_s + waiting_s).max(SHORTEST_S),
        high_per_s: most.min(customers / alone_s.max(SHORTEST_S)),
    }
}

/// How long a request waits at a station where everybody else is ahead of it.
fn behind_all_s(network: &Network, class: usize, station: usize) -> f64 {
    let station = &network.stations[station];
    let own = &station.demands[class];
    let others = network.classes.iter().enumerate().map(|(other, it)| {
        let customers = it.customers.saturating_sub(u32::from(other == class));
        (f64::from(customers), &station.demands[other])
    });
    let (count, ahead_s) = others.fold((0.0, 0.0), |(count, seconds), (customers, it)| {
        (count + customers, seconds + customers * it.each_s())
    });
    let (shared_s, in_order_s) = (count * own.seconds(), own.visits() * ahead_s);
    match station.order {
        Order::Delay => 0.0,
        Order::Shared { .. } => shared_s,
        Order::InOrder => in_order_s,
        Order::Line { .. } => shared_s.max(in_order_s),
    }
}

/// Balanced bounds of a network with one class: stations that all ask as much as the busiest one, or as their mean, get less and
/// more (J. Zahorjan et al., "Balanced job bound analysis of queueing networks", 1982; with thinking as in Lazowska et al., "Quantitative
/// System Performance", 1984, section 5.4). Nothing for several classes or servers.
#[must_use]
pub fn balanced(network: &Network) -> Option<Bounds> {
    let [class] = network.classes[..] else {
        return None;
    };
    let queues = |order: &Order| order.servers().is_none_or(|servers| servers == 1.0);
    if class.customers == 0 || !network.stations.iter().all(|it| queues(&it.order)) {
        return None;
    }
    let (mut think_s, mut all_s, mut most_s, mut count) = (class.delay_s, 0.0, 0.0f64, 0.0);
    for station in &network.stations {
        let seconds = station.demands[0].seconds();
        match station.order {
            Order::Delay => think_s += seconds,
            _ if seconds > 0.0 => {
                all_s += seconds;
                most_s = most_s.max(seconds);
                count += 1.0;
            }
            _ => {}
        }
    }
    if count == 0.0 || think_s < 0.0 {
        return None;
    }
    let customers = f64::from(class.customers);
    let others = customers - 1.0;
    let slow_s = others * most_s / (1.0 + think_s / (customers * all_s));
    let quick_s = others * all_s / count / (1.0 + think_s / all_s);
    Some(Bounds {
        low_per_s: customers / (all_s + think_s + slow_s),
        high_per_s: (customers / (all_s + think_s + quick_s)).min(1.0 / most_s),
    })
}
