//! What saturates first, whether the rest is stable, and what to change.

use hotset_models::tiers::{CacheCounts, LinkCounts, NodeResult, TiersResult};
use hotset_outcome::Resource;
use hotset_report::{CacheFigures, CallFigures, Limit, LimitKind, number};
use hotset_scenario::{Change, Node, Scenario, ServerSpec};
use hotset_topology::{Nodes, workers};

/// Of resources that are busy within so much of the busiest, the first in the file is named.
const ALIKE: f64 = 0.05;
/// What is busy for less than this limits nothing.
const IDLE: f64 = 0.5;
/// Where a larger share of the requests fails, how busy something was says little.
const MANY_FAILURES: f64 = 0.1;

/// What saturates first, whether the rest is stable, and what to change.
pub(super) struct Findings {
    pub bottleneck: Option<Limit>,
    /// Requests a second at which the busiest resource is busy all the time.
    pub saturation_per_s: Option<f64>,
    pub is_stable: bool,
    pub advice: Vec<String>,
}

impl Findings {
    /// `by_formulas` calculates the same, where this was simulated: of requests that pile up, few are answered, and what would be served at
    /// most does not follow from them.
    pub fn of(
        nodes: &Nodes<'_>,
        simulated: &TiersResult,
        by_formulas: Option<&dyn Fn() -> Option<Self>>,
    ) -> Self {
        let unfinished = unfinished(nodes, simulated);
        if !unfinished.is_empty() {
            return Self {
                bottleneck: None,
                saturation_per_s: None,
                is_stable: !nodes.are_open(),
                advice: unfinished,
            };
        }
        let pairs = nodes.nodes.iter().zip(&simulated.nodes);
        let servers: Vec<Limit> = (pairs.clone())
            .flat_map(|(node, it)| of_node(node, it))
            .collect();
        let links = pairs.clone().filter_map(|(node, it)| {
            let link = it.link.as_ref()?;
            Some(of_link(&node.name, link))
        });
        let others = simulated.other_links.iter();
        let links = links.chain(others.map(|it| of_link(&it.name, &it.counts)));
        let workers = pairs.filter_map(|(node, it)| of_workers(node, it));
        let limits = servers.into_iter().chain(links).chain(workers);
        let limits: Vec<Limit> = limits.collect();
        let busiest = limits.iter().map(|it| it.utilisation).fold(0.0, f64::max);
        let mut limits = limits.into_iter();
        let bottleneck = limits.find(|it| busiest > 0.0 && it.utilisation >= busiest - ALIKE);
        let throughput = simulated.total.throughput_per_s;
        let saturation = throughput.filter(|_| busiest > 0.0).map(|it| it / busiest);
        let asked_per_s = simulated.asked_per_s;
        let is_stable = !nodes.are_open() || saturation.is_none_or(|most| asked_per_s <= most);
        let saturation = match by_formulas {
            Some(calculated) if !is_stable => calculated()
                .filter(|it| kind_of(&it.bottleneck) == kind_of(&bottleneck))
                .and_then(|it| it.saturation_per_s)
                .filter(|most| *most < asked_per_s),
            _ => saturation,
        };
        let mut findings = Self {
            bottleneck,
            saturation_per_s: saturation,
            is_stable,
            advice: Vec::new(),
        };
        let failed = simulated.total.errors.unwrap_or_default();
        let answered = simulated.total.requests.unwrap_or_default();
        let advice = match failed as f64 > MANY_FAILURES * (failed + answered) as f64 {
            false => findings.advise(nodes, asked_per_s),
            true => Some(failures(nodes.numbers().scenario, failed)),
        };
        findings.advice = advice.into_iter().collect();
        findings.advice.extend(shortages(nodes, simulated));
        findings
    }

    /// What each page cache had, and what was in memory beside it.
    pub fn caches(&self, nodes: &Nodes<'_>, simulated: &TiersResult) -> Vec<CacheFigures> {
        let pairs = nodes.nodes.iter().zip(&simulated.nodes);
        pairs.flat_map(|(node, it)| caches_of(node, it)).collect()
    }

    fn advise(&self, nodes: &Nodes<'_>, asked_per_s: f64) -> Option<String> {
        let limit = self.bottleneck.as_ref()?;
        let busy = number::percent(limit.utilisation);
        let what = limit.in_words();
        if !self.is_stable {
            let beyond = match self.saturation_per_s {
                Some(most) => format!("which is {} times what", number::plain(asked_per_s / most)),
                None => "more than".to_owned(),
            };
            return Some(format!(
                "Requests come at {}, {beyond} {what} can serve: what waits for it grows without end. {}",
                number::per_second(asked_per_s),
                remedy(limit.kind)
            ));
        }
        if limit.utilisation < IDLE {
            return Some(match nodes.are_open() {
                true => format!(
                    "Nothing limits these requests: {what} is the busiest, {busy} of the time."
                ),
                false => match waited_for(nodes.numbers().scenario) {
                    Some(waited) => format!(
                        "Nothing was busy for long: {what} is the busiest, {busy} of the time. Requests may have waited for {waited}, which more clients do not change."
                    ),
                    None => format!(
                        "Nothing but the clients limits these requests: {what} is the busiest, {busy} of the time. More clients would get more."
                    ),
                },
            });
        }
        Some(format!(
            "{} is busy {busy} of the time and saturates first. {}",
            first_upper(&what),
            remedy(limit.kind)
        ))
    }
}

/// Of which kind a limit is. Of several alike, formulas and a simulation may name different ones.
fn kind_of(limit: &Option<Limit>) -> Option<LimitKind> {
    limit.as_ref().map(|it| it.kind)
}

/// Why this tells of no limit: caches never got warm, requests wait for ever, or none was answered. Empty where it may tell of one.
fn unfinished(nodes: &Nodes<'_>, simulated: &TiersResult) -> Vec<String> {
    let mut reasons = Vec::new();
    if !simulated.has_warmed_up {
        reasons.push(
            "Warm-up never ended: requests that should warm the caches up got no answer, so nothing was measured."
                .to_owned(),
        );
    } else if simulated.total.requests == Some(0) {
        reasons.push("No request was answered while it was measured.".to_owned());
    }
    if simulated.stuck > 0 {
        let requests = number::counted(simulated.stuck as u64, "request was", "requests were");
        let down = down_at_the_end(nodes.numbers().scenario).join(" and ");
        reasons.push(match down.is_empty() {
            true => format!("{requests} still waiting at the end."),
            false => format!("{requests} still waiting for {down} at the end."),
        });
    }
    reasons
}

/// Nodes and links that are down after the last event, which is in the order of time. Requests wait for file servers: others are left out
/// where such a one is down.
fn down_at_the_end(scenario: &Scenario) -> Vec<String> {
    let mut down: Vec<(String, bool)> = Vec::new();
    for event in &scenario.events {
        let (name, nodes, is_up) = match &event.change {
            Change::Node { name, is_up } => (name.clone(), std::slice::from_ref(name), *is_up),
            Change::Link { link, is_up } => (format!("the link of {link}"), link.nodes(), *is_up),
            Change::LinkRate { .. } | Change::StoreSpeed { .. } => continue,
        };
        down.retain(|(known, _)| *known != name);
        if !is_up {
            let is_file_server =
                |node: &Node| node.server == ServerSpec::Files && nodes.contains(&node.name);
            down.push((name, scenario.nodes.iter().any(is_file_server)));
        }
    }
    let has_file_server = down.iter().any(|(_, of_files)| *of_files);
    let down = down.into_iter();
    let down = down.filter(|(_, of_files)| *of_files || !has_file_server);
    down.map(|(name, _)| name).collect()
}

/// What requests may wait for that is not busy.
fn waited_for(scenario: &Scenario) -> Option<&'static str> {
    let goes_down = |change: &Change| match change {
        Change::Node { is_up, .. } | Change::Link { is_up, .. } => !is_up,
        Change::LinkRate { .. } | Change::StoreSpeed { .. } => false,
    };
    let is_down = scenario.events.iter().any(|it| goes_down(&it.change));
    let has_loss = scenario.links.iter().any(|link| link.loss > 0.0);
    match (is_down, has_loss) {
        (true, true) => Some("what was down and for lost packets"),
        (true, false) => Some("what was down"),
        (false, true) => Some("lost packets"),
        (false, false) => None,
    }
}

/// What is said in place of a limit where many requests failed.
fn failures(scenario: &Scenario, failed: u64) -> String {
    let requests = number::counted(failed, "request", "requests");
    let why = match scenario.events.is_empty() {
        true => "failed",
        false => "failed, while something was down or clients gave up",
    };
    format!("{requests} {why}: this does not tell what limits the others.")
}

/// Nodes whose workers came to want more memory than there is.
fn shortages(nodes: &Nodes<'_>, simulated: &TiersResult) -> Vec<String> {
    let pairs = nodes.nodes.iter().zip(&simulated.nodes);
    let short = pairs.filter_map(|(node, result)| {
        let memory = result.memory.filter(|it| it.shortages > 0)?;
        let workers = u64::from(memory.most_workers);
        Some(format!(
            "The workers of {} wanted more memory than it has, with {} busy at a time: its kernel would have killed some. Give it more memory, \
             swap, or fewer workers.",
            node.name,
            number::counted(workers, "worker", "workers")
        ))
    });
    short.collect()
}

/// Calls that nodes made to file servers.
pub(super) fn calls(nodes: &Nodes<'_>, simulated: &TiersResult) -> Vec<CallFigures> {
    let pairs = nodes.nodes.iter().zip(&simulated.nodes);
    let calls = pairs.flat_map(|(node, result)| {
        let calls = result.calls.iter();
        calls.map(move |(name, of_name)| CallFigures {
            node: node.name.clone(),
            call: (*name).to_owned(),
            count: of_name.count,
            mean_us: of_name.mean_us,
        })
    });
    calls.collect()
}

fn first_upper(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|it| it.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}

fn remedy(kind: LimitKind) -> &'static str {
    match kind {
        LimitKind::Processor => "More or faster processors would help, or another node beside it.",
        LimitKind::Disk => "More memory for files would help, or a faster disk.",
        LimitKind::Link => "A faster link would help, or another node beside it.",
        LimitKind::Workers => "More workers would help: requests wait for one.",
    }
}

fn caches_of(node: &Node, result: &NodeResult) -> Vec<CacheFigures> {
    let figures = |kind: &str, hit_ratio, byte_hit_ratio| CacheFigures {
        node: node.name.clone(),
        kind: kind.to_owned(),
        hit_ratio,
        byte_hit_ratio,
    };
    let of_counts =
        |kind: &str, it: CacheCounts| figures(kind, it.hit_ratio(), it.byte_hit_ratio());
    let page_cache = result.cache.map(|it| of_counts("page-cache", it));
    // Each file that is held is found, so the share is of all that the node was asked for.
    let held = result.held.map(|held| {
        let others = result.cache.unwrap_or_default();
        let share = |held: u64, others: u64| {
            let all = held + others;
            (all > 0).then(|| held as f64 / all as f64)
        };
        figures(
            "held-files",
            share(held.files, others.files),
            share(held.bytes, others.bytes),
        )
    });
    let proxy_cache = result.proxy_cache.map(|it| of_counts("proxy-cache", it));
    let pool = result.pool.map(|it| of_counts("buffer-pool", it));
    let all = [page_cache, held, proxy_cache, pool];
    all.into_iter().flatten().collect()
}

/// How busy the busiest of these is.
fn busiest<'r>(resources: impl IntoIterator<Item = &'r Resource>) -> f64 {
    let busy = resources.into_iter().filter_map(|it| it.utilisation);
    busy.fold(0.0, f64::max)
}

fn of_node(node: &Node, result: &NodeResult) -> Vec<Limit> {
    let lacks_workers = node
        .cpus
        .is_some_and(|cpus| cpus > f64::from(workers(node)));
    let processors = Limit {
        kind: match lacks_workers {
            true => LimitKind::Workers,
            false => LimitKind::Processor,
        },
        name: node.name.clone(),
        utilisation: busiest([&result.processors]),
    };
    let disk = (!result.disks.is_empty()).then(|| Limit {
        kind: LimitKind::Disk,
        name: node.name.clone(),
        utilisation: busiest(&result.disks),
    });
    std::iter::once(processors).chain(disk).collect()
}

/// Its workers, where requests have one until they are answered: they are busy as well when what a request waits for is.
fn of_workers(node: &Node, result: &NodeResult) -> Option<Limit> {
    let workers = result.workers.as_ref()?;
    Some(Limit {
        kind: LimitKind::Workers,
        name: node.name.clone(),
        utilisation: busiest([workers]),
    })
}

fn of_link(name: &str, link: &LinkCounts) -> Limit {
    Limit {
        kind: LimitKind::Link,
        name: name.to_owned(),
        utilisation: busiest(&link.ways),
    }
}
