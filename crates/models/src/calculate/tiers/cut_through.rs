//! What is waited on a link for answers that come over other links: on a proxy's, and on that of a node that clients are on.
//!
//! An answer goes on the proxy's link when its first packet has come, and has passed no sooner than its last one has come. Where the link
//! that it comes over is slower, it may wait for as long as that takes longer, and is there no later. Answers of one node come one
//! after the other. So they find each other on the proxy's link only as far as their own link is faster.

use super::plant::{Leg, Plant, Way};
use super::solved::{Solved, mean};
use super::sums::{Behind, EntrySums, OriginSums, Sums};

/// The station of what each proxy's link receives, and the share of its waits that delay a message.
pub(super) fn delaying_shares(
    plant: &Plant<'_>,
    sums: &Sums,
    solved: &Solved,
) -> Vec<(usize, f64)> {
    let entries = plant.tiers.entries().into_iter().zip(&sums.entries);
    let shares = entries.filter_map(|(at, entry)| {
        let (link, [into, _]) = (plant.tiers.nodes[at].link?, plant.nodes[at].link?);
        let busy = solved.busy(into).0;
        let asking = sums.origins.iter().filter(|it| it.of.entry == at);
        let by_switch = asking.filter(|it| {
            let way = plant.leg(it.of.home, Some(at)).into;
            way.is_some_and(|way| way.station == into)
        });
        let asked: f64 = by_switch.map(|it| it.all.requests).sum();
        let link = (into, link.bits_per_s as f64, busy);
        let entry: &EntrySums = entry;
        let share = delaying_share(plant, (at, entry), asked, link);
        Some((into, share))
    });
    shares.collect()
}

/// Of the link of the node `at`, over which it is asked so often.
fn delaying_share(
    plant: &Plant<'_>,
    (at, entry): (usize, &EntrySums),
    asked: f64,
    (into, bits_per_s, busy): (usize, f64, f64),
) -> f64 {
    let demand = &entry.demands[into];
    // Answers of nodes that have a link of their own to it do not come over this one.
    let behind = entry.behind.iter().enumerate();
    let behind = behind.filter(|(node, _)| plant.direct(*node, at).is_none());
    let behind: Vec<(usize, &Behind)> = behind.collect();
    let answers: f64 = behind.iter().map(|(_, it)| it.requests).sum();
    let messages = demand.sum_over(|_| 1.0);
    let requests = asked.min(messages);
    if answers <= 0.0 || messages <= requests || busy >= 1.0 {
        return 1.0;
    }
    let free = (1.0 - busy).max(0.0);
    // What is left of the service that is found, on average.
    let left_s = mean(demand.square(), 2.0 * demand.seconds());
    let each = behind.iter().map(|&(node, behind)| {
        let share = behind.requests / answers;
        let rate = plant.tiers.nodes[node].link.map(|it| it.bits_per_s as f64);
        // How many times as long an answer takes on the link that it comes over.
        let slower = rate.map_or(0.0, |rate| bits_per_s / rate);
        // The share of the work that an answer does not find: those of its own node have passed, but for what their link is faster.
        let own = share * (slower * slower).min(1.0);
        // Behind each of them is a gap where their link is slower, in which others pass.
        let gap = (slower - 1.0).clamp(0.0, 1.0);
        let others_free = 1.0 - busy * (1.0 - own * gap);
        let waits = free / others_free;
        let answer_waits = waits - own * (gap * waits + (1.0 - gap) * free);
        // Who waits at all waits for this long on average, and is taken to for an exponential time: as in M/M/1.
        let spared = (slower - 1.0).max(0.0) * others_free / left_s;
        // Requests are hardly longer than a packet: nothing of their waits is hidden.
        let all = demand.sum_over(|seconds| (-seconds * spared).exp());
        let delayed = ((all - requests) / (messages - requests)).clamp(0.0, 1.0);
        (share * waits, share * answer_waits * delayed)
    });
    let both = each.fold((0.0, 0.0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
    (requests * both.0 + (messages - requests) * both.1) / messages
}

/// The stations of other links that answers pass behind some, and the share of what is waited there that is not hidden. They are those of nodes
/// that clients are on, and of proxies that have links of their own to others.
///
/// Links in a row that pass an answer on at once keep it no longer than the slowest of them alone would. Answers that came over no link before
/// would all wait for each other at this one. What they have waited for each other before is left out of that.
pub(super) fn hidden_shares(plant: &Plant<'_>, sums: &Sums, solved: &Solved) -> Vec<(usize, f64)> {
    let clients = 0..plant.tiers.client_nodes.len();
    let into_clients = clients.filter_map(|place| {
        let home = plant.tiers.nodes.len() + place;
        let link = plant.link(home)?;
        let [into, _] = link.stations;
        let at = (link.bits_per_s(), solved.busy(into).0);
        Some((into, before_clients(plant, sums, (home, into), at)))
    });
    let entries = plant.tiers.entries().into_iter().zip(&sums.entries);
    let out_of_proxies = entries.filter_map(|(proxy, entry)| {
        let link = plant.link(proxy)?;
        let [_, out] = link.stations;
        let at = (link.bits_per_s(), solved.busy(out).0);
        let before = before_proxy(plant, proxy, entry)?;
        Some((out, not_hidden(&before, at)))
    });
    into_clients.chain(out_of_proxies).collect()
}

/// Answers that come over one link: how many, and its bits a second; an infinite rate where they come over none.
type Before = (f64, f64);

/// What is not hidden on the link of the node `home`, whose station is `into`. Answers may have waited for each other on the links of nodes
/// that clients ask, or on those of nodes behind: where more is hidden.
fn before_clients(
    plant: &Plant<'_>,
    sums: &Sums,
    (home, into): (usize, usize),
    at: (f64, f64),
) -> f64 {
    let (mut last, mut all) = (Vec::new(), Vec::new());
    for origin in sums.origins.iter().filter(|it| it.of.home == Some(home)) {
        let leg = plant.leg(Some(origin.of.entry), Some(home));
        if leg.into.is_some_and(|it| it.station == into) {
            last.push((origin.all.requests, slowest(&[leg.out])));
            all.extend(before_entry(plant, origin, leg));
        }
    }
    not_hidden(&last, at).min(not_hidden(&all, at))
}

/// Answers by the node that has them; over the slowest link of their way to the clients' one.
fn before_entry(plant: &Plant<'_>, origin: &OriginSums, last: Leg) -> Vec<Before> {
    let entry = origin.of.entry;
    let behind = origin.all.behind.iter().enumerate();
    let asked = behind.filter(|(_, it)| it.requests > 0.0);
    let mut before: Vec<Before> = asked
        .map(|(node, it)| {
            let leg = plant.leg(Some(node), Some(entry));
            (it.requests, slowest(&[leg.out, leg.into, last.out]))
        })
        .collect();
    let handed_on: f64 = before.iter().map(|it| it.0).sum();
    let own = (origin.all.requests - handed_on).max(0.0);
    before.push((own, slowest(&[last.out])));
    before
}

/// Bits that the slowest of these links passes in a second.
fn slowest(ways: &[Option<Way>]) -> f64 {
    let rates = ways.iter().flatten().map(|way| way.link.bits_per_s as f64);
    rates.fold(f64::INFINITY, f64::min)
}

/// What comes to a proxy by links of its own to all nodes behind it; nothing where some have none.
fn before_proxy(plant: &Plant<'_>, at: usize, entry: &EntrySums) -> Option<Vec<Before>> {
    let behind = entry.behind.iter().enumerate();
    let asked = behind.filter(|(_, it)| it.requests > 0.0);
    let before = asked.map(|(node, it)| {
        let direct = plant.direct(node, at)?;
        Some((it.requests, direct.link.bits_per_s as f64))
    });
    let mut before: Vec<Before> = before.collect::<Option<_>>()?;
    let handed_on: f64 = before.iter().map(|it| it.0).sum();
    // Answers that it has kept.
    before.push(((entry.requests - handed_on).max(0.0), f64::INFINITY));
    Some(before)
}

/// Answers of a source are the share s of all. Their own link takes k times as long for each, and k is 1 at most. It is busy for s k ρ of the
/// time where this one is for ρ. What they wait there is k² s (1 − ρ) / (1 − s k ρ) of what is waited here: both as in M/G/1.
fn not_hidden(before: &[Before], (bits_per_s, busy): (f64, f64)) -> f64 {
    let all: f64 = before.iter().map(|it| it.0).sum();
    let busy = busy.min(1.0);
    let hidden = before.iter().map(|&(answers, rate)| {
        let share = mean(answers, all);
        let longer = (bits_per_s / rate).min(1.0);
        let free = 1.0 - share * longer * busy;
        // All come over one link that is as slow, or slower: nothing is waited here.
        let waits = if free > 0.0 { (1.0 - busy) / free } else { 1.0 };
        share * share * longer * longer * waits
    });
    (1.0 - hidden.sum::<f64>()).max(0.0)
}
