//! Which node a proxy asks that asks whoever has the fewest of its requests.
//!
//! How many requests each node behind it has, and whose turn it is, is the state of a Markov chain. Requests come to the proxy as a Poisson
//! process. A node that has some answers as many a second as in a closed circle of so many: it is a flow-equivalent server (K. M. Chandy,
//! U. Herzog and L. Woo, "Parametric analysis of queuing networks", 1975). Of nodes that have equally few, the next one behind the one that
//! was asked last is asked, as in simulations.

use hotset_scenario::Balance;

use super::plant::Plant;
use super::shares::Chosen;
use super::solved::{Solved, mean};
use super::sums::{EntrySums, Sums};
use crate::calculate::network::SHORTEST_S;
use crate::tiers::{Proxy, Role};

/// States of a chain at most, beside whose turn it is. Four nodes have up to four requests each, two up to 26.
const MOST_STATES: usize = 729;
/// Nodes of a chain at most: of more, each has too few states.
const MOST_NODES: usize = 4;
/// Requests of a node that has no others beside it to go to, at most.
const MOST_REQUESTS: usize = 64;
/// Rounds until the probabilities of states change no more, and what may still change of them together.
const MOST_ROUNDS: usize = 400;
const TOLERANCE: f64 = 1e-5;

/// By entry: the nodes that it asks by how many requests they have, where there are few enough of them to follow.
pub(super) fn chosen(plant: &Plant<'_>, sums: &Sums, solved: &Solved) -> Vec<Option<Vec<Chosen>>> {
    let entries = plant.tiers.entries().into_iter().enumerate();
    let chosen = entries.map(|(number, at)| match &plant.tiers.nodes[at].role {
        Role::Proxy(proxy) => chosen_by(plant, sums, solved, (number, at, proxy)),
        Role::Web(_) | Role::Files(_) => None,
    });
    chosen.collect()
}

fn chosen_by(
    plant: &Plant<'_>,
    sums: &Sums,
    solved: &Solved,
    (number, at, proxy): (usize, usize, &Proxy),
) -> Option<Vec<Chosen>> {
    let mut nodes = proxy.upstream.clone();
    nodes.sort_unstable();
    nodes.dedup();
    if proxy.balance != Balance::LeastConnections || !(2..=MOST_NODES).contains(&nodes.len()) {
        return None;
    }
    let entry = &sums.entries[number];
    let handed_on: f64 = entry.behind.iter().map(|it| it.requests).sum();
    let per_s = solved.entry_per_s(number) * mean(handed_on, entry.requests);
    // A node that nobody asked is not known.
    let is_known = nodes.iter().all(|&node| entry.behind[node].requests > 0.0);
    if !is_known || per_s <= 0.0 {
        return None;
    }
    let into_proxy = plant.nodes[at].link.map(|[into, _]| into);
    let back_s = into_proxy.map_or(0.0, |into| {
        let wait = solved.wait(number, into);
        wait.per_visit_s + wait.per_second * entry.demands[into].each_s()
    });
    let back_s = if back_s.is_finite() { back_s } else { 0.0 };
    let stays = nodes.iter().map(|&node| {
        let others = others(plant, sums, solved, (number, node));
        // A link of their own is one of the node's stations.
        let back_s = match plant.direct(node, at) {
            Some(_) => 0.0,
            None => back_s,
        };
        stays(plant, entry, node, (back_s, others))
    });
    let stays: Vec<Vec<f64>> = stays.collect();
    let chain = Chain::of(per_s, &stays);
    let states = chain.solve();
    let each = nodes.iter().enumerate();
    let each =
        each.map(|(place, &node)| chain.chosen(&states, place, (node, stays[place].as_slice())));
    Some(each.collect())
}

/// Requests of other proxies that a node has, on average.
fn others(plant: &Plant<'_>, sums: &Sums, solved: &Solved, (own, node): (usize, usize)) -> f64 {
    let rates = sums.entries.iter().enumerate().map(|(number, entry)| {
        let behind = entry.behind[node];
        let per_s = solved.entry_per_s(number) * mean(behind.requests, entry.requests);
        (number, per_s, mean(behind.alone_s, behind.requests))
    });
    let (mut own_per_s, mut all_per_s, mut alone) = (0.0, 0.0, 0.0);
    for (number, per_s, alone_s) in rates {
        all_per_s += per_s;
        alone += per_s * alone_s;
        if number == own {
            own_per_s = per_s;
        }
    }
    let waiting = plant.nodes[node].all().into_iter().map(|station| {
        let (busy, there) = solved.busy(station);
        let servers = plant.orders[station].servers().unwrap_or(0.0);
        (there - busy * servers).clamp(0.0, MOST_REQUESTS as f64)
    });
    let there = alone + waiting.sum::<f64>();
    (there * (1.0 - mean(own_per_s, all_per_s))).clamp(0.0, MOST_REQUESTS as f64)
}

/// Seconds of a request of `entry` at a node where 0, 1, ... are of its own, by mean value analysis of the node alone. `others` are there
/// all the time, and its answers wait for `back_s` on their way back.
fn stays(
    plant: &Plant<'_>,
    entry: &EntrySums,
    node: usize,
    (back_s, others): (f64, f64),
) -> Vec<f64> {
    let behind = entry.behind[node];
    let stations = plant.nodes[node].all().into_iter().map(|station| {
        let seconds = mean(entry.demands[station].seconds(), behind.requests);
        let servers = plant.orders[station].servers();
        (seconds, servers.unwrap_or(f64::INFINITY), 0.0)
    });
    // Seconds, servers, and who is there.
    let mut stations: Vec<(f64, f64, f64)> = stations.collect();
    let all_s: f64 = stations.iter().map(|it| it.0).sum();
    let elsewhere_s = mean(behind.alone_s, behind.requests) + back_s - all_s;
    let mut of_all = vec![elsewhere_s + all_s];
    for requests in 1..=MOST_REQUESTS + others.ceil() as usize {
        // Several servers: one as fast as all, and the rest of the service as a delay.
        let stay = |&(seconds, servers, there): &(f64, f64, f64)| seconds * (1.0 + there / servers);
        let each: Vec<f64> = stations.iter().map(stay).collect();
        let response_s = elsewhere_s + each.iter().sum::<f64>();
        let per_s = requests as f64 / response_s.max(SHORTEST_S);
        for (station, stay_s) in stations.iter_mut().zip(&each) {
            let (seconds, servers, _) = *station;
            // Who waits or is served by the one that is as fast as all.
            station.2 = per_s * (stay_s - seconds * (1.0 - 1.0 / servers));
        }
        of_all.push(response_s);
    }
    let with_others = |own: usize| {
        let there = own as f64 + others;
        let (below, part) = (there.floor() as usize, there.fract());
        let above = (below + 1).min(of_all.len() - 1);
        (of_all[below] * (1.0 - part) + of_all[above] * part).max(SHORTEST_S)
    };
    (0..=MOST_REQUESTS).map(with_others).collect()
}

/// How many requests each node has and whose turn it is, as the states of a Markov chain. States of one turn follow each other.
struct Chain {
    nodes: usize,
    /// A node has fewer than this.
    levels: usize,
    /// How far the state is where a node has one more, by node.
    strides: Vec<usize>,
    /// Requests a second that come to all of them.
    per_s: f64,
    /// By numbers of requests, whosever turn it is, and node: requests of the node.
    counts: Vec<usize>,
    /// By state: the node that the next request comes to; nothing where all nodes have as many as are followed.
    asked: Vec<Option<usize>>,
    /// By node and number of requests: those that it answers, a second.
    answers: Vec<Vec<f64>>,
}

impl Chain {
    /// Of nodes that requests stay at for so long, by how many there are.
    fn of(per_s: f64, stays: &[Vec<f64>]) -> Self {
        let nodes = stays.len();
        let mut levels = 2usize;
        while (levels + 1).pow(nodes as u32) <= MOST_STATES && levels < MOST_REQUESTS {
            levels += 1;
        }
        let strides: Vec<usize> = (0..nodes).map(|node| levels.pow(node as u32)).collect();
        let states = levels.pow(nodes as u32);
        let counts: Vec<usize> = (0..states)
            .flat_map(|state| strides.iter().map(move |stride| state / stride % levels))
            .collect();
        let asked = (0..nodes).flat_map(|turn| {
            let of_states = counts.chunks(nodes);
            of_states.map(move |counts| asked(counts, turn, levels))
        });
        let asked = asked.collect();
        let answered = |stays: &Vec<f64>| {
            let counts = stays.iter().take(levels).enumerate();
            let each = counts.map(|(count, stay_s)| count as f64 / stay_s);
            each.collect::<Vec<f64>>()
        };
        Self {
            nodes,
            levels,
            per_s,
            strides,
            counts,
            asked,
            answers: stays.iter().map(answered).collect(),
        }
    }

    /// The probabilities of the states, by C. F. Gauss and P. L. Seidel's method: states rising and falling in turn.
    fn solve(&self) -> Vec<f64> {
        let states = self.asked.len();
        let first = |counts: &[usize]| 0.5f64.powi(counts.iter().sum::<usize>() as i32);
        let of_a_turn: Vec<f64> = self.counts.chunks(self.nodes).map(first).collect();
        let mut shares = of_a_turn.repeat(self.nodes);
        for round in 0..MOST_ROUNDS {
            let before = shares.clone();
            for step in 0..states {
                let state = if round % 2 == 0 {
                    step
                } else {
                    states - 1 - step
                };
                shares[state] = self.balanced(&shares, state);
            }
            let all: f64 = shares.iter().sum();
            shares.iter_mut().for_each(|it| *it /= all);
            let change = shares.iter().zip(&before);
            let change: f64 = change.map(|(now, before)| (now - before).abs()).sum();
            if change < TOLERANCE {
                break;
            }
        }
        shares
    }

    /// States of a turn.
    fn of_a_turn(&self) -> usize {
        self.asked.len() / self.nodes
    }

    /// The probability of a state by those of its neighbours: it is entered as often as it is left.
    fn balanced(&self, shares: &[f64], state: usize) -> f64 {
        let of_a_turn = self.of_a_turn();
        let (turn, numbers) = (state / of_a_turn, state % of_a_turn);
        let (mut entered, mut left) = (0.0, 0.0);
        if self.asked[state].is_some() {
            left += self.per_s;
        }
        for node in 0..self.nodes {
            let (stride, count) = (self.strides[node], self.counts[numbers * self.nodes + node]);
            if count > 0 {
                left += self.answers[node][count];
            }
            if count + 1 < self.levels {
                entered += shares[state + stride] * self.answers[node][count + 1];
            }
        }
        // The one before it was asked last, whosever turn it was.
        let last = (turn + self.nodes - 1) % self.nodes;
        if self.counts[numbers * self.nodes + last] > 0 {
            let fewer = numbers - self.strides[last];
            for before in (0..self.nodes).map(|turn| turn * of_a_turn + fewer) {
                if self.asked[before] == Some(last) {
                    entered += shares[before] * self.per_s;
                }
            }
        }
        // Some states are never entered.
        if left > 0.0 { entered / left } else { 0.0 }
    }

    /// What comes of it for a node, where requests stay for so long by how many there are.
    fn chosen(&self, shares: &[f64], place: usize, (node, stays): (usize, &[f64])) -> Chosen {
        let (mut per_s, mut there, mut all_per_s) = (0.0, 0.0, 0.0);
        for (state, share) in shares.iter().enumerate() {
            let numbers = state % self.of_a_turn();
            there += share * self.counts[numbers * self.nodes + place] as f64;
            if let Some(asked) = self.asked[state] {
                all_per_s += share * self.per_s;
                per_s += if asked == place {
                    share * self.per_s
                } else {
                    0.0
                };
            }
        }
        let wait_s = there / per_s - stays[1];
        let independent_s = stay_of_independent(per_s, stays) - stays[1];
        let is_known = independent_s > 1e-9 * stays[1];
        Chosen {
            node,
            share: per_s / all_per_s,
            wait_share: match is_known {
                true => (wait_s / independent_s).clamp(0.0, 1.0),
                false => 1.0,
            },
        }
    }
}

/// The node with the fewest requests; of several, the first from `turn` on.
fn asked(counts: &[usize], turn: usize, levels: usize) -> Option<usize> {
    let nodes = (0..counts.len()).map(|step| (turn + step) % counts.len());
    let fewest = nodes.min_by_key(|&node| counts[node])?;
    (counts[fewest] + 1 < levels).then_some(fewest)
}

/// Mean seconds of requests that come independently of each other and stay for so long by how many there are: a birth-death process.
fn stay_of_independent(per_s: f64, stays: &[f64]) -> f64 {
    let (mut share, mut there, mut came) = (1.0, 0.0, 1.0);
    for (count, stay_s) in stays.iter().enumerate().skip(1) {
        share *= per_s * stay_s / count as f64;
        there += share * count as f64;
        if count + 1 < stays.len() {
            came += share;
        }
    }
    there / (per_s * came)
}
