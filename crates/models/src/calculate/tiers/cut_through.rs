//! What is waited on a proxy's link for answers that come over the links of other nodes.
//!
//! An answer goes on the proxy's link when its first packet has come, and has passed no sooner than its last one has come. Where the link
//! that it comes over is slower, it may wait for as long as that takes longer, and is there no later. Answers of one node come one
//! after the other. So they find each other on the proxy's link only as far as their own link is faster.

use super::plant::Plant;
use super::solved::{Solved, mean};
use super::sums::{EntrySums, Sums};

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
        let share = delaying_share(plant, entry, (into, link.bits_per_s as f64, busy));
        Some((into, share))
    });
    shares.collect()
}

fn delaying_share(
    plant: &Plant<'_>,
    entry: &EntrySums,
    (into, bits_per_s, busy): (usize, f64, f64),
) -> f64 {
    let demand = &entry.demands[into];
    let answers: f64 = entry.behind.iter().map(|it| it.requests).sum();
    let messages = demand.sum_over(|_| 1.0);
    let requests = entry.requests.min(messages);
    if answers <= 0.0 || messages <= requests || busy >= 1.0 {
        return 1.0;
    }
    let free = (1.0 - busy).max(0.0);
    // What is left of the service that is found, on average.
    let left_s = mean(demand.square(), 2.0 * demand.seconds());
    let each = entry.behind.iter().enumerate().map(|(node, behind)| {
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
