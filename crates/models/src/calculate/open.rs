//! Stations to which requests come at a rate, whatever becomes of earlier ones.

use super::network::{Order, Solution, Station, beyond_line};

/// Solves stations that classes come to at these rates, each second, as a Poisson process. Where they come more evenly, the station's
/// `wait_share` of the waiting is left. A station that cannot serve them all has endless stays.
///
/// In order: F. Pollaczek and A. Khinchine's mean wait of M/G/1. Shared by several servers: M/M/c (A. K. Erlang's formula of waiting). One
/// server that is shared is M/G/1 with processor sharing: a service takes 1/(1 - ρ) times as long, whatever the others are (L. Kleinrock,
/// "Time-shared Systems: A theoretical treatment", 1967). With a line: both, each for its part of the waiting.
#[must_use]
pub fn open(stations: &[Station], per_s: &[f64]) -> Solution {
    let of_class = |class: usize| {
        let stay = |station| open_stay_s(station, per_s, class);
        stations.iter().map(stay).collect()
    };
    Solution {
        per_s: per_s.to_vec(),
        stays: (0..per_s.len()).map(of_class).collect(),
    }
}

fn open_stay_s(station: &Station, per_s: &[f64], class: usize) -> f64 {
    let own = &station.demands[class];
    let all = || station.demands.iter().zip(per_s);
    let erlangs: f64 = all().map(|(it, per_s)| it.seconds() * per_s).sum();
    let servers = station.order.servers().unwrap_or(f64::INFINITY);
    if own.seconds() == 0.0 && own.visits() == 0.0 {
        return 0.0;
    }
    if erlangs >= servers {
        return f64::INFINITY;
    }
    match station.order {
        Order::Delay => own.seconds(),
        Order::Shared { servers } => {
            let free = f64::from(servers.max(1)) - erlangs;
            let waits = station.wait_share * waiting_share(servers.max(1), erlangs);
            own.seconds() * (1.0 + waits / free)
        }
        Order::InOrder => own.seconds() + own.visits() * wait_s(station, per_s, erlangs),
        Order::Line { room_s } => {
            let wait_s = wait_s(station, per_s, erlangs);
            let beyond = beyond_line(room_s, erlangs, wait_s);
            let sharing = station.wait_share * erlangs / (1.0 - erlangs);
            let in_line_s = own.visits() * wait_s;
            own.seconds() * (1.0 + beyond * sharing) + (1.0 - beyond) * in_line_s
        }
    }
}

/// How long one visit waits for those before it, first come, first served.
fn wait_s(station: &Station, per_s: &[f64], erlangs: f64) -> f64 {
    let all = station.demands.iter().zip(per_s);
    let ahead_s = all.map(|(it, per_s)| per_s * it.square() / 2.0);
    station.wait_share * ahead_s.sum::<f64>() / (1.0 - erlangs)
}

/// Share of those who wait, of so many servers that are offered so many erlangs, fewer than servers. The recursion over servers is that
/// of Erlang's formula of loss.
fn waiting_share(servers: u32, erlangs: f64) -> f64 {
    let lost = (1..=servers).fold(1.0, |lost: f64, number| {
        erlangs * lost / (f64::from(number) + erlangs * lost)
    });
    let servers = f64::from(servers);
    servers * lost / (servers - erlangs * (1.0 - lost))
}
