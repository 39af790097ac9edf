//! A network of stations, what classes of customers ask of them, and what comes of that.

use super::demand::Demand;

/// How a station serves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Order {
    /// Nobody waits.
    Delay,
    /// Whoever is there shares so many servers.
    Shared {
        /// Servers, at least one.
        servers: u32,
    },
    /// One server, first come, first served.
    InOrder,
    /// One server with a short line, which is first come, first served. Whoever has no room in it shares the room that comes free.
    Line {
        /// How long what is in line is served at most, seconds.
        room_s: f64,
    },
}

impl Order {
    /// How so many servers of one queue serve.
    #[must_use]
    pub fn of_servers(servers: usize) -> Self {
        match servers {
            0 | 1 => Self::InOrder,
            servers => Self::Shared {
                servers: u32::try_from(servers).unwrap_or(u32::MAX),
            },
        }
    }

    /// Servers; nothing where nobody waits.
    #[must_use]
    pub fn servers(self) -> Option<f64> {
        match self {
            Self::Delay => None,
            Self::Shared { servers } => Some(f64::from(servers.max(1))),
            Self::InOrder | Self::Line { .. } => Some(1.0),
        }
    }
}

/// A station.
#[derive(Clone, Debug, PartialEq)]
pub struct Station {
    /// How it serves.
    pub order: Order,
    /// What a request of each class asks of it.
    pub demands: Vec<Demand>,
    /// What is waited there, as a share of what would be if all came independently of each other (as a Poisson process). It is below 1
    /// where they come more evenly, and above 1 where they come in bursts.
    pub wait_share: f64,
}

/// Customers who behave alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// How many there are.
    pub customers: u32,
    /// Seconds between a response and the next request, and of a request at no station. Where services of a request overlap, what they
    /// do is taken off, so that it may be negative; a request alone takes more than no time all the same.
    pub delay_s: f64,
}

/// A closed network.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Network {
    /// Its stations; each has a demand for each class.
    pub stations: Vec<Station>,
    /// Its classes.
    pub classes: Vec<Class>,
}

/// What comes of a network.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Requests a second, by class.
    pub per_s: Vec<f64>,
    /// Seconds of a request at each station, waiting or served: by class, and by station within.
    pub stays: Vec<Vec<f64>>,
}

impl Solution {
    /// Mean number of customers of a class at a station, by Little's law.
    #[must_use]
    pub fn queue(&self, class: usize, station: usize) -> f64 {
        self.per_s[class] * self.stays[class][station]
    }

    /// Seconds of a request at all stations.
    #[must_use]
    pub fn stay_s(&self, class: usize) -> f64 {
        self.stays[class].iter().sum()
    }

    /// Share of the time in which a server of the station is busy, by the utilisation law.
    #[must_use]
    pub fn utilisation(&self, station: &Station) -> f64 {
        let busy = station.demands.iter().zip(&self.per_s);
        let busy: f64 = busy.map(|(demand, per_s)| demand.seconds() * per_s).sum();
        station
            .order
            .servers()
            .map_or(0.0, |servers| busy / servers)
    }
}

/// No request takes less than this, so that nothing is divided by no time.
pub(super) const SHORTEST_S: f64 = 1e-12;

/// Squares of service times as they are seen at stations: by the class that sees them, by station, by the class that is served.
pub(super) struct Squares(Vec<Vec<Vec<f64>>>);

impl Squares {
    pub fn of(network: &Network) -> Self {
        let seen_by = |class: usize| {
            let stations = network.stations.iter();
            let all_s: f64 = stations.map(|it| it.demands[class].seconds()).sum();
            let at = |station: &Station| {
                let own_s = station.demands[class].seconds();
                let away_s = network.classes[class].delay_s + all_s - own_s;
                let demands = station.demands.iter();
                demands.map(|it| it.seen_square(away_s)).collect()
            };
            network.stations.iter().map(at).collect()
        };
        Self((0..network.classes.len()).map(seen_by).collect())
    }

    pub fn at(&self, class: usize, station: usize) -> &[f64] {
        &self.0[class][station]
    }
}

/// What one sees who comes to a station.
pub(super) struct Seen<'s> {
    /// Customers there, by class.
    pub queue: &'s dyn Fn(usize) -> f64,
    /// Throughput, by class.
    pub per_s: &'s dyn Fn(usize) -> f64,
    /// Squares of services, by class.
    pub squares: &'s [f64],
    /// Of several servers, how many are idle beyond the one that is taken, on average.
    pub idle: f64,
}

/// Seconds of a request of `class` at a station, by what it sees there.
///
/// Shared servers: the arrival theorem (M. Reiser and S. S. Lavenberg, "Mean-value analysis of closed multichain queuing networks",
/// 1980), with several servers as there. In order: whoever waits is served first, and what is left of the service under way, which is
/// half its square over its length on average (M. Reiser, "A queueing network analysis of computer communication networks with window
/// flow control", 1979). With exponential services of one length for all, that is the arrival theorem again.
///
/// With a line: as in order for the part of the waiting that is in line, and as shared for the rest.
///
/// Of what one finds at work, as much counts as the station's `wait_share` says.
pub(super) fn stay_s(station: &Station, class: usize, seen: &Seen<'_>) -> f64 {
    let own = &station.demands[class];
    match station.order {
        Order::Delay => own.seconds(),
        Order::Shared { servers } => {
            let servers = f64::from(servers.max(1));
            let [there, erlangs] = present(station, seen);
            // The share of those who come that finds all servers busy.
            let held_up = (1.0 + erlangs + seen.idle - servers).max(0.0);
            let spared = (1.0 - station.wait_share) * held_up;
            own.seconds() / servers * (1.0 + there + seen.idle - spared)
        }
        Order::InOrder => own.seconds() + own.visits() * ahead_s(station, seen),
        Order::Line { room_s } => {
            let ahead_s = ahead_s(station, seen);
            let [there, erlangs] = present(station, seen);
            let sharing = (there - (1.0 - station.wait_share) * erlangs).max(0.0);
            let beyond = beyond_line(room_s, erlangs, ahead_s);
            let in_line_s = own.visits() * ahead_s;
            own.seconds() * (1.0 + beyond * sharing) + (1.0 - beyond) * in_line_s
        }
    }
}

/// Customers who are there, and servers that they keep busy.
fn present(station: &Station, seen: &Seen<'_>) -> [f64; 2] {
    let mut present = [0.0; 2];
    for (class, demand) in station.demands.iter().enumerate() {
        present[0] += (seen.queue)(class);
        present[1] += (seen.per_s)(class) * demand.seconds();
    }
    present
}

/// How long those take who are there when one comes, first come, first served.
fn ahead_s(station: &Station, seen: &Seen<'_>) -> f64 {
    let others = station.demands.iter().enumerate();
    let ahead_s = others.map(|(other, demand)| {
        let per_s = (seen.per_s)(other);
        let waiting = ((seen.queue)(other) - per_s * demand.seconds()).max(0.0);
        waiting * demand.each_s() + station.wait_share * per_s * seen.squares[other] / 2.0
    });
    ahead_s.sum()
}

/// The share of the work that is found, so long on average, that is beyond a line. Who finds any finds an exponential time of it, as in
/// M/M/1, of which the formulas for both orders are the same.
pub(super) fn beyond_line(room_s: f64, busy: f64, found_s: f64) -> f64 {
    match found_s > 0.0 {
        true => (-room_s * busy.min(1.0) / found_s).exp(),
        false => 0.0,
    }
}

/// Keeps stations from being busier than always, as services that differ little would have them: at the busiest one, whoever asks it
/// waits as much longer. `customers` are those of each class.
pub(super) fn hold_back(network: &Network, customers: &[f64], solution: &mut Solution) {
    let stations = network.stations.iter().enumerate();
    let busy = stations.map(|(at, station)| (at, solution.utilisation(station)));
    let busiest = busy.max_by(|one, other| one.1.total_cmp(&other.1));
    let Some((at, busy)) = busiest.filter(|it| it.1 > 1.0) else {
        return;
    };
    for (class, demand) in network.stations[at].demands.iter().enumerate() {
        if demand.seconds() > 0.0 && solution.per_s[class] > 0.0 {
            solution.per_s[class] /= busy;
            let cycle_s = customers[class] / solution.per_s[class];
            let elsewhere_s = solution.stay_s(class) - solution.stays[class][at];
            solution.stays[class][at] = cycle_s - network.classes[class].delay_s - elsewhere_s;
        }
    }
}
