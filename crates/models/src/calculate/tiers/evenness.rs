//! How evenly requests come to stations, and how much less is waited for that.
//!
//! Requests that are handed on in turn come more evenly than independent ones: of every so many exactly one. How much they vary is the
//! variance of their number over its mean in a long time, 1 of a Poisson process (W. Whitt, "The queueing network analyzer", Bell System
//! Technical Journal 62, 1983: the asymptotic method). Section 4 there has what follows of splitting, of superposing and of waiting.

use hotset_scenario::Balance;

use super::cut_through::{delaying_shares, hidden_shares};
use super::plant::Plant;
use super::shares::Shares;
use super::solved::{Solved, mean};
use super::sums::Sums;
use crate::calculate::tandem::second_wait_s;
use crate::tiers::{Arrivals, Role};

/// Requests that come to a node by one entry.
#[derive(Clone, Copy, Debug)]
struct Stream {
    /// How many, a second.
    per_s: f64,
    /// The share of all requests that ask the entry, and of those the share that comes to the node.
    entry: f64,
    share: f64,
    /// What chance alone has their number vary, for each request of the entry.
    variance: f64,
    /// What they wait for each other, as a share of what they would if they were independent.
    wait_share: f64,
}

/// What is waited at each station, as a share of what it would be if all came independently.
pub(super) fn wait_shares(
    plant: &Plant<'_>,
    sums: &Sums,
    solved: &Solved,
    shares: &Shares,
) -> Vec<f64> {
    let mut wait_shares = vec![1.0; plant.orders.len()];
    for (at, node) in plant.nodes.iter().enumerate() {
        let streams = streams(plant, sums, solved, (at, shares));
        let per_s: f64 = streams.iter().map(|it| it.per_s).sum();
        if per_s <= 0.0 {
            continue;
        }
        let is_open = matches!(plant.tiers.arrivals, Arrivals::Open(_));
        let variability = match is_open {
            true => of_one_source(&streams),
            false => of_sources(&streams, per_s),
        };
        let own = |it: &Stream| (it.per_s / per_s).powi(2);
        let spared = streams.iter().map(|it| own(it) * (1.0 - it.wait_share));
        let chosen = 1.0 - spared.sum::<f64>();
        // As many streams as there would be of equal ones.
        let count = 1.0 / streams.iter().map(own).sum::<f64>();
        for station in node.all() {
            let use_of = Use::of(plant, solved, station, per_s);
            wait_shares[station] = chosen * use_of.wait_share(variability, count);
        }
        // Nothing of answers comes over the link of a proxy that has a link of its own to each node.
        if let (Role::Proxy(proxy), Some([into, out])) = (&plant.tiers.nodes[at].role, node.link)
            && !proxy
                .upstream
                .iter()
                .all(|&it| plant.direct(it, at).is_some())
        {
            wait_shares[out] = wait_shares[into] * sent_on(plant, sums, solved, (at, out));
        }
    }
    let shares = delaying_shares(plant, sums, solved).into_iter();
    for (station, share) in shares.chain(hidden_shares(plant, sums, solved)) {
        wait_shares[station] *= share;
    }
    wait_shares
}

/// What a proxy's link sends has come over it before, as long as it takes now. What is waited for that, as a share of what it would be if
/// it came independently.
fn sent_on(plant: &Plant<'_>, sums: &Sums, solved: &Solved, (at, out): (usize, usize)) -> f64 {
    let entry = plant.tiers.entries().binary_search(&at);
    let Ok(demand) = entry.map(|entry| &sums.entries[entry].demands[out]) else {
        return 1.0;
    };
    let busy = solved.busy(out).0;
    let independent_s = mean(
        busy * demand.square(),
        2.0 * demand.seconds() * (1.0 - busy),
    );
    match independent_s > 0.0 && busy < 1.0 {
        true => second_wait_s(demand, busy) / independent_s,
        false => 1.0,
    }
}

/// What comes to the node `at`.
fn streams(
    plant: &Plant<'_>,
    sums: &Sums,
    solved: &Solved,
    (at, shares): (usize, &Shares),
) -> Vec<Stream> {
    let mut streams = Vec::new();
    let all: f64 = solved.solution.per_s.iter().sum();
    let entries = plant.tiers.entries();
    for (number, (&entry, of)) in entries.iter().zip(&sums.entries).enumerate() {
        let per_s = solved.entry_per_s(number);
        let mut add = |share: f64, variance: f64, wait_share: f64| {
            streams.push(Stream {
                per_s: per_s * share,
                entry: mean(per_s, all),
                share,
                variance,
                wait_share,
            });
        };
        if entry == at {
            add(1.0, 0.0, 1.0);
        }
        let asked = of.behind[at].requests;
        if asked <= 0.0 {
            continue;
        }
        let handed_on: f64 = of.behind.iter().map(|it| it.requests).sum();
        let (goes_on, part) = (mean(handed_on, of.requests), mean(asked, handed_on));
        let share = goes_on * part;
        let chosen = shares.chosen[number].as_ref();
        let chosen = chosen.and_then(|it| it.iter().find(|it| it.node == at));
        match (chosen, &plant.tiers.nodes[entry].role) {
            (Some(chosen), _) => add(share, share * (1.0 - share), chosen.wait_share),
            // What goes on is chance, whose turn it is then is not.
            (None, Role::Proxy(proxy)) if proxy.balance != Balance::Hash => {
                add(share, share * part * (1.0 - goes_on), 1.0);
            }
            _ => add(share, share * (1.0 - share), 1.0),
        }
    }
    streams
}

/// How much numbers of requests vary that are all of one Poisson process, of which entries have their turns.
fn of_one_source(streams: &[Stream]) -> f64 {
    let share: f64 = streams.iter().map(|it| it.entry * it.share).sum();
    let variance: f64 = streams.iter().map(|it| it.entry * it.variance).sum();
    share + mean(variance, share)
}

/// The same where those of each entry are a Poisson process of their own.
fn of_sources(streams: &[Stream], per_s: f64) -> f64 {
    let each = streams.iter().map(|it| {
        let variability = it.share + mean(it.variance, it.share);
        it.per_s / per_s * variability
    });
    each.sum()
}

/// How a station is used, all classes together.
struct Use {
    /// The share of the node's requests that come there.
    visited: f64,
    /// Busy share of a server.
    busy: f64,
    /// Squared coefficient of variation of what a request takes that comes there.
    services: f64,
}

impl Use {
    fn of(plant: &Plant<'_>, solved: &Solved, station: usize, per_s: f64) -> Self {
        let demands = &solved.network.stations[station].demands;
        let (mut visits, mut seconds, mut square) = (0.0, 0.0, 0.0);
        for (demand, per_s) in demands.iter().zip(&solved.solution.per_s) {
            visits += per_s * demand.visits();
            seconds += per_s * demand.seconds();
            square += per_s * demand.square();
        }
        let coming_per_s = visits.min(per_s);
        Self {
            visited: coming_per_s / per_s,
            busy: mean(seconds, plant.orders[station].servers().unwrap_or(0.0)),
            services: (mean(square * coming_per_s, seconds * seconds) - 1.0).max(0.0),
        }
    }

    /// What is waited where the node's requests vary so much in the long run, and are of so many streams. Streams that are superposed look
    /// independent where little is waited, and by chance, some requests come to the station (W. Whitt, 1983, equations 29 and 33).
    ///
    /// Of those, two that find each other have come to the node soon after each other. So where little is waited, it is what it would be if
    /// all came to the station. Between that and a busy station it is interpolated (W. Whitt, "An interpolation approximation for the mean
    /// workload in a GI/G/1 queue", Operations Research 37, 1989).
    fn wait_share(&self, variability: f64, streams: f64) -> f64 {
        let busy = self.busy.min(1.0);
        let free = 1.0 - busy;
        let long_run = 1.0 / (1.0 + 4.0 * free * free * (streams - 1.0).max(0.0));
        let of_node = 1.0 + long_run * (variability - 1.0);
        let arrivals = 1.0 + self.visited * (of_node - 1.0);
        let node_busy = mean(busy, self.visited).min(1.0);
        let few = against_independent(of_node, self.services, node_busy);
        let many = against_independent(arrivals, self.services, busy);
        free * few + busy * many
    }
}

/// What is waited in a queue, as a share of what it would be if `arrivals` were 1. That is the squared coefficient of variation of the
/// times between arrivals (W. Kraemer and M. Langenbach-Belz, "Approximate formulae for the delay in the queueing system GI/G/1", 1976).
fn against_independent(arrivals: f64, services: f64, busy: f64) -> f64 {
    if arrivals >= 1.0 {
        return 1.0;
    }
    let both = arrivals.max(0.0) + services;
    let apart = (1.0 - arrivals) * (1.0 - arrivals);
    let rarely = 2.0 * (1.0 - busy).max(0.0) * apart / (3.0 * busy * both);
    let rarely = if rarely.is_nan() { 0.0 } else { rarely };
    both / (1.0 + services) * (-rarely).exp()
}
