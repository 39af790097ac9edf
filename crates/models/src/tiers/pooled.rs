//! Several runs that are alike but for chance, as one.

use std::collections::BTreeMap;

use hotset_outcome::{Distribution, Resource, Score};

use super::batches::{interval, mean_by_batch};
use super::result::{CacheCounts, LinkCounts, MemoryCounts, NodeResult, OtherLink, TiersResult};
use crate::remote::nfs::CallResult;

impl TiersResult {
    /// Several runs as one that took as long as all of them: counts are sums, shares of time are of the whole time, and each mean has
    /// its interval. What is over time, and batches, are of the first run. A single run stays as it is; nothing of none.
    #[must_use]
    pub fn pooled(mut runs: Vec<TiersResult>) -> Option<TiersResult> {
        if runs.len() < 2 {
            return runs.pop();
        }
        let seconds: f64 = runs.iter().map(|run| run.seconds).sum();
        let weights: Vec<f64> = match seconds > 0.0 {
            true => runs.iter().map(|run| run.seconds / seconds).collect(),
            false => vec![1.0 / runs.len() as f64; runs.len()],
        };
        let has_batches = runs.iter().all(|run| !run.batches.is_empty());
        let of_site = |site: usize| {
            let scores: Vec<&Score> = runs.iter().map(|run| &run.sites[site]).collect();
            score(&scores, seconds, has_batches)
        };
        let totals: Vec<&Score> = runs.iter().map(|run| &run.total).collect();
        let of_node = |at: usize| {
            let nodes: Vec<&NodeResult> = runs.iter().map(|run| &run.nodes[at]).collect();
            node(&nodes, &weights)
        };
        let first = &runs[0];
        let other_link = |place: usize| {
            let counts = runs.iter().map(|run| &run.other_links[place].counts);
            OtherLink {
                name: first.other_links[place].name.clone(),
                counts: link(&counts.collect::<Vec<_>>(), &weights),
            }
        };
        Some(TiersResult {
            seconds,
            warm_up_seconds: runs.iter().map(|run| run.warm_up_seconds).sum(),
            total: score(&totals, seconds, has_batches),
            sites: (0..first.sites.len()).map(of_site).collect(),
            nodes: (0..first.nodes.len()).map(of_node).collect(),
            other_links: (0..first.other_links.len()).map(other_link).collect(),
            asked_per_s: mean(&weights, runs.iter().map(|run| run.asked_per_s)),
            under_way: runs.iter().map(|run| run.under_way).sum(),
            asked: runs.iter().map(|run| run.asked).sum(),
            ended: runs.iter().map(|run| run.ended).sum(),
            has_warmed_up: runs.iter().all(|run| run.has_warmed_up),
            stuck: runs.iter().map(|run| run.stuck).max().unwrap_or_default(),
            received_bytes: runs.iter().map(|run| run.received_bytes).sum(),
            firings: runs.iter().map(|run| run.firings).sum(),
            batches: first.batches.clone(),
        })
    }
}

/// A mean with these weights, which are one together.
fn mean(weights: &[f64], values: impl Iterator<Item = f64>) -> f64 {
    let weighted = weights.iter().zip(values);
    weighted.map(|(weight, value)| weight * value).sum()
}

/// Scores of runs as one, of so many seconds. Intervals of means regard how far batches of requests are apart, where there are some.
fn score(runs: &[&Score], seconds: f64, has_batches: bool) -> Score {
    let mut score = Score::pooled(runs);
    score.timeline = runs[0].timeline.clone();
    score.throughput_per_s = score.requests.map(|it| it as f64 / seconds.max(1e-9));
    let means = |of: fn(&Score) -> Option<&Distribution>| {
        let times: Vec<&Distribution> = runs.iter().filter_map(|run| of(run)).collect();
        let means: Vec<f64> = times.iter().filter_map(|it| it.mean_us).collect();
        let batches: Vec<Vec<f64>> = match has_batches {
            true => times.iter().map(|it| mean_by_batch(it)).collect(),
            false => Vec::new(),
        };
        interval(&means, &batches)
    };
    if let Some(response) = &mut score.latencies.response {
        response.mean_interval = means(|it| it.latencies.response.as_ref());
    }
    if let Some(first_byte) = &mut score.latencies.first_byte {
        first_byte.mean_interval = means(|it| it.latencies.first_byte.as_ref());
    }
    score
}

fn node(runs: &[&NodeResult], weights: &[f64]) -> NodeResult {
    let first = runs[0];
    let disk = |number: usize| resource(runs.iter().map(|run| &run.disks[number]), weights);
    let tier = |number: usize| resource(runs.iter().map(|run| &run.tiers[number]), weights);
    let workers: Option<Vec<&Resource>> = runs.iter().map(|run| run.workers.as_ref()).collect();
    let links: Option<Vec<&LinkCounts>> = runs.iter().map(|run| run.link.as_ref()).collect();
    let cache = |of: fn(&NodeResult) -> Option<CacheCounts>| {
        let caches = runs.iter().filter_map(|run| of(run));
        caches.reduce(CacheCounts::and)
    };
    NodeResult {
        processors: resource(runs.iter().map(|run| &run.processors), weights),
        workers: workers.map(|workers| resource(workers.into_iter(), weights)),
        disks: (0..first.disks.len()).map(disk).collect(),
        link: links.map(|links| link(&links, weights)),
        cache: cache(|it| it.cache),
        proxy_cache: cache(|it| it.proxy_cache),
        held: cache(|it| it.held),
        memory: runs
            .iter()
            .filter_map(|run| run.memory)
            .reduce(MemoryCounts::and),
        calls: calls(runs),
        pool: cache(|it| it.pool),
        tiers: (0..first.tiers.len()).map(tier).collect(),
    }
}

/// Calls of all runs by name.
fn calls(runs: &[&NodeResult]) -> BTreeMap<&'static str, CallResult> {
    let mut calls: BTreeMap<&'static str, CallResult> = BTreeMap::new();
    for (&name, of_run) in runs.iter().flat_map(|run| &run.calls) {
        let all = calls.entry(name).or_default();
        let (before, more) = (all.count as f64, of_run.count as f64);
        let sum_us = all.mean_us * before + of_run.mean_us * more;
        all.count += of_run.count;
        all.mean_us = sum_us / (before + more).max(1.0);
    }
    calls
}

fn resource<'r>(runs: impl Iterator<Item = &'r Resource>, weights: &[f64]) -> Resource {
    let runs: Vec<&Resource> = runs.collect();
    let mean = |of: fn(&Resource) -> Option<f64>| {
        let values: Option<Vec<f64>> = runs.iter().map(|run| of(run)).collect();
        values.map(|values| mean(weights, values.into_iter()))
    };
    Resource {
        name: runs[0].name.clone(),
        utilisation: mean(|it| it.utilisation),
        mean_queue_length: mean(|it| it.mean_queue_length),
        timeline: runs[0].timeline.clone(),
    }
}

fn link(runs: &[&LinkCounts], weights: &[f64]) -> LinkCounts {
    let way = |number: usize| resource(runs.iter().map(|run| &run.ways[number]), weights);
    let all_bytes = |number: usize| runs.iter().map(|run| run.all_bytes[number]).sum();
    LinkCounts {
        received_bytes: runs.iter().map(|run| run.received_bytes).sum(),
        sent_bytes: runs.iter().map(|run| run.sent_bytes).sum(),
        received_packets: runs.iter().map(|run| run.received_packets).sum(),
        sent_packets: runs.iter().map(|run| run.sent_packets).sum(),
        ways: [way(0), way(1)],
        all_bytes: [all_bytes(0), all_bytes(1)],
    }
}

impl MemoryCounts {
    /// What workers took in two runs.
    fn and(self, other: Self) -> Self {
        Self {
            most_workers: self.most_workers.max(other.most_workers),
            least_cache_bytes: self.least_cache_bytes.min(other.least_cache_bytes),
            most_swapped_bytes: self.most_swapped_bytes.max(other.most_swapped_bytes),
            shortages: self.shortages + other.shortages,
        }
    }
}

impl CacheCounts {
    /// What two runs had.
    fn and(self, other: CacheCounts) -> CacheCounts {
        CacheCounts {
            files: self.files + other.files,
            hits: self.hits + other.hits,
            bytes: self.bytes + other.bytes,
            hit_bytes: self.hit_bytes + other.hit_bytes,
            device_bytes: self.device_bytes + other.device_bytes,
        }
    }
}
