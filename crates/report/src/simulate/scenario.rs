//! `hotset simulate scenario`.

use std::ops::Range;

use hotset_outcome::{GroupKind, Interval, Outcome, Resource, Score, Timeline};
use serde::Serialize;

use super::not_modelled::not_modelled;
use crate::{Document, Json, Table, Tone, View, number, printable};

/// The data-centre of a scenario, simulated. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ScenarioView {
    /// The scenario file.
    pub scenario: String,
    /// Seed of every random choice.
    pub seed: u64,
    /// Simulated seconds that were measured, of all replications together.
    pub seconds: f64,
    /// Simulated seconds before that, in which caches warmed up, of all replications together.
    pub warm_up_seconds: f64,
    /// How many times it was simulated, with other random choices each time. Counts are of all of them together.
    pub replications: u32,
    /// Whether chance decides anything in it.
    #[serde(skip)]
    pub is_random: bool,
    /// 95 % interval of requests answered in a second: the mean of all replications, and how far they, or parts of their requests, are apart.
    /// Null of one replication where requests come by the times of a log, or something happens.
    pub throughput_interval: Option<Interval>,
    /// The same of the 95th percentile of all responses, microseconds.
    pub p95_interval: Option<Interval>,
    /// Whether requests are served as fast as they come. Always true where clients wait for each response.
    pub stable: bool,
    /// What saturates first: of resources within 5 points of the busiest, the first in the file. Null where nothing was busy, where requests
    /// wait for ever, and where none was answered.
    pub bottleneck: Option<Limit>,
    /// Requests that were still waiting when nothing was left to do, as what they wait for was down or lost all that was sent: those of the
    /// replication that has the most. Where there are some, nothing is said to saturate.
    pub still_waiting: u64,
    /// Requests a second at which the busiest resource is busy all the time: calculated where more come than it serves. Null where nothing was busy, or
    /// formulas do not tell.
    pub saturation_per_s: Option<f64>,
    /// What was found in memory, cache by cache.
    pub caches: Vec<CacheFigures>,
    /// Calls that nodes made to file servers, by their names; empty where no site's files are on one.
    pub calls: Vec<CallFigures>,
    /// Pages of an application by their types, in the order of its mix; empty where files alone are asked for.
    pub pages: Vec<VisitedPage>,
    /// What limits the requests and what would help, in sentences.
    pub advice: Vec<String>,
    /// Targets of the sites: those that were asked for, else those of the scenario.
    pub targets: Vec<SimulatedTarget>,
    /// Keys of the scenario that the simulation does not follow, by their ways, such as node.front.cache.
    pub not_modelled: Vec<String>,
    /// What is taken for granted, in sentences.
    #[serde(skip)]
    pub assumed: Vec<String>,
    /// One, as `hotset compare` reads it: all requests in its `total`, then each site; processors, disks and links.
    pub outcomes: Vec<Outcome>,
}

/// A resource that limits requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Limit {
    /// What it is: a node's processors, disk or link, or its server's workers where there are more processors. Threads of a file server are
    /// its workers.
    pub kind: LimitKind,
    /// Name of the node.
    pub name: String,
    /// Share of the time in which it was busy, 0 to 1.
    pub utilisation: f64,
}

/// What a resource is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LimitKind {
    /// Processors.
    Processor,
    /// A disk.
    Disk,
    /// A link.
    Link,
    /// Worker processes of a server.
    Workers,
}

impl Limit {
    /// As a part of a sentence.
    #[must_use]
    pub fn in_words(&self) -> String {
        let kind = match self.kind {
            LimitKind::Processor => "processor",
            LimitKind::Disk => "disk",
            LimitKind::Link => "link",
            LimitKind::Workers => "server",
        };
        format!("the {kind} of {}", printable(&self.name))
    }
}

/// What a cache had of what was asked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CacheFigures {
    /// Name of its node.
    pub node: String,
    /// What it is: page-cache; proxy-cache, the answers that a proxy keeps; held-files, which are in memory whatever the page cache holds;
    /// buffer-pool, pages of tables that a database has in its own memory.
    pub kind: String,
    /// Requests that found all in it / requests that came to it, 0 to 1; of held files, requests for them / requests to the node; of a file
    /// server, reads that calls had it do. Null without requests.
    pub hit_ratio: Option<f64>,
    /// The same by bytes of files; null without bytes.
    pub byte_hit_ratio: Option<f64>,
}

/// Calls of a name that a node made to file servers.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct CallFigures {
    /// Name of the node that made them.
    pub node: String,
    /// As nfsstat -c prints it. A compound of version 4 goes by its main operation.
    pub call: String,
    /// How many were answered.
    pub count: u64,
    /// Mean time until the node was done with the answer, microseconds.
    pub mean_us: f64,
}

/// Pages of a type that were visited.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct VisitedPage {
    /// Name of the type.
    pub page: String,
    /// Pages that were answered.
    pub count: u64,
    /// Mean time from asking for a page to its answer, microseconds; null where none was answered.
    pub mean_us: Option<f64>,
    /// 95th percentile of the same; null of a calculation too.
    pub p95_us: Option<f64>,
}

/// A target of a site, and what the simulation says of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SimulatedTarget {
    /// The site.
    pub site: String,
    /// The target, such as `p99 < 20 ms`.
    pub target: String,
    /// The time that it bounds the responses by, in microseconds.
    pub below_us: f64,
    /// What the simulated responses come to; null where none of the site was measured.
    pub simulated_us: Option<f64>,
    /// Whether they are below that; false where none of the site was measured.
    pub is_met: bool,
}

impl View for ScenarioView {
    /// What each site gets, what was busy, and what would help.
    fn document(&self) -> Document<'_> {
        let tone = match self.stable && self.still_waiting == 0 {
            true => Tone::Strong,
            false => Tone::Warning,
        };
        let mut to = Document::new(self.headline(), tone);
        self.findings(&mut to);
        self.basis(&mut to);
        to
    }

    fn value(&self) -> impl Json {
        self
    }
}

impl ScenarioView {
    /// What limits the requests, what each site gets, and what was busy.
    pub(crate) fn findings<'a>(&'a self, to: &mut Document<'a>) {
        to.sentence(self.failed());
        for advice in &self.advice {
            to.sentence(advice.clone());
        }
        to.sentence(self.replicated());
        to.table(move |_| self.sites()).heading("Responses");
        to.table(move |_| self.pages()).heading("Pages");
        to.table(move |_| self.targets()).heading("Targets");
        to.table(move |_| self.caches()).heading("Caches");
        to.table(move |_| self.calls()).heading("Calls");
        to.table(move |_| self.resources()).heading("Busy");
        to.table(move |_| self.links()).heading("Links");
        to.table(move |_| self.over_time()).heading("Over time");
    }

    /// What is left out and taken for granted.
    pub(crate) fn basis(&self, to: &mut Document<'_>) {
        to.paragraph([not_modelled(&self.not_modelled), self.assumed.join(" ")].concat());
    }

    fn headline(&self) -> String {
        let seconds = number::duration(self.seconds * 1e6);
        format!("{}, in {seconds} of simulated time", self.answered())
    }

    /// How fast requests are answered.
    pub(crate) fn answered(&self) -> String {
        let total = self.outcomes.first().map(|it| &it.total);
        let throughput = total.and_then(|it| it.throughput_per_s).unwrap_or(0.0);
        let most = self.saturation_per_s.map_or_else(String::new, |most| {
            format!(", and at {} at most", number::per_second(most))
        });
        format!(
            "{}: requests are answered at {}{most}",
            printable(&self.scenario),
            number::per_second(throughput)
        )
    }

    /// How often it was simulated, and how well its figures are known by that.
    fn replicated(&self) -> Option<String> {
        let often = match (self.is_random, self.replications) {
            (false, 1) => "Nothing in it is left to chance, so it was simulated once.".to_owned(),
            (false, _) => return None,
            (true, 1) => "It was simulated once.".to_owned(),
            (true, times) => format!("It was simulated {times} times."),
        };
        let known = self.throughput_interval.zip(self.p95_interval);
        let known = known.map(|(throughput, p95)| {
            format!(
                " With 95 % confidence, requests are answered at {} to {}, and the p95 of all responses is {} to {}.",
                number::per_second(throughput.low),
                number::per_second(throughput.high),
                number::duration(p95.low),
                number::duration(p95.high)
            )
        });
        Some(often + &known.unwrap_or_default())
    }

    /// All together, where there are several sites, and each site.
    fn scores(&self) -> impl Iterator<Item = (&str, &Score)> {
        let outcome = self.outcomes.first();
        let sites = outcome
            .into_iter()
            .flat_map(|it| it.of_kind(GroupKind::Site));
        let sites: Vec<(&str, &Score)> =
            sites.map(|it| (it.key.name.as_str(), &it.score)).collect();
        let all = outcome
            .filter(|_| sites.len() != 1)
            .map(|it| ("all", &it.total));
        sites.into_iter().chain(all)
    }

    fn sites(&self) -> impl Into<Table> {
        let first_byte = |score: &Score| score.latencies.first_byte.clone().unwrap_or_default();
        let response = |score: &Score| score.latencies.response.clone().unwrap_or_default();
        let rows = self.scores();
        let rows = rows.map(|(site, it)| (site, it, first_byte(it), response(it)));
        Table::of(rows.collect::<Vec<_>>())
            .flexible("site", |it| it.0)
            .per_second("requests", |it| it.1.throughput_per_s)
            .percent("hits", |it| it.1.hit_ratio())
            .duration("first byte p50", |it| it.2.p50_us)
            .duration("p95", |it| it.2.p95_us)
            .duration("response", |it| it.3.mean_us)
            .duration("p50", |it| it.3.p50_us)
            .duration("p95", |it| it.3.p95_us)
            .duration("p99", |it| it.3.p99_us)
            .without_unknown_columns()
    }

    fn pages(&self) -> impl Into<Table> {
        let visited = self.pages.iter().filter(|page| page.count > 0);
        Table::of(visited.collect::<Vec<_>>())
            .flexible("page", |it| &it.page)
            .count("pages", |it| it.count)
            .duration("mean", |it| it.mean_us)
            .duration("p95", |it| it.p95_us)
            .without_unknown_columns()
    }

    fn targets(&self) -> impl Into<Table> {
        Table::of(&self.targets)
            .flexible("site", |it| &it.site)
            .text("target", |it| &it.target)
            .duration("simulated", |it| it.simulated_us)
            .text("met", |it| if it.is_met { "yes" } else { "no" })
    }

    fn caches(&self) -> impl Into<Table> {
        Table::of(&self.caches)
            .flexible("node", |it| &it.node)
            .text("cache", |it| it.kind.replace('-', " "))
            .percent("hits", |it| it.hit_ratio)
            .percent("bytes", |it| it.byte_hit_ratio)
    }

    fn calls(&self) -> impl Into<Table> {
        Table::of(&self.calls)
            .flexible("node", |it| &it.node)
            .text("call", |it| &it.call)
            .count("calls", |it| it.count)
            .duration("mean", |it| Some(it.mean_us))
    }

    fn resources(&self) -> impl Into<Table> {
        let outcome = self.outcomes.first();
        Table::of(outcome.map_or(&[][..], |it| &it.resources))
            .flexible("resource", |it| &it.name)
            .percent("busy", |it| it.utilisation)
            .plain("waiting or served", |it| it.mean_queue_length)
    }

    fn links(&self) -> impl Into<Table> {
        let outcome = self.outcomes.first();
        Table::of(outcome.map_or(&[][..], |it| &it.links))
            .flexible("node", |it| &it.name)
            .bytes("received", |it| it.received_bytes)
            .count("packets", |it| it.received_packets)
            .bytes("sent", |it| it.sent_bytes)
            .count("packets", |it| it.sent_packets)
            .without_unknown_columns()
    }

    /// How many requests failed, where some may.
    fn failed(&self) -> Option<String> {
        let total = &self.outcomes.first()?.total;
        let (errors, answered) = (total.errors?, total.requests?);
        let all = number::counted(errors + answered, "request", "requests");
        Some(format!("{} of {all} failed.", number::count(errors)))
    }

    /// Requests, errors and the busiest of each kind over time, where something happens in it: of the first replication.
    fn over_time(&self) -> impl Into<Table> {
        let total = self.outcomes.first().map(|it| &it.total);
        let timeline = total.filter(|it| it.errors.is_some());
        let timeline = timeline.and_then(|it| it.timeline.as_ref());
        let resources = self.outcomes.first().map_or(&[][..], |it| &it.resources);
        let spans = timeline.map_or_else(Vec::new, |it| spans(it, resources, MOST_SPANS));
        Table::of(spans)
            .duration("until", |it| it.end_s * 1e6)
            .per_second("requests", |it| it.requests_per_s)
            .per_second("errors", |it| it.errors_per_s)
            .percent("busiest processor", |it| it.busiest[0])
            .percent("disk", |it| it.busiest[1])
            .percent("link", |it| it.busiest[2])
            .without_unknown_columns()
    }
}

/// Rows of what happens over time.
const MOST_SPANS: usize = 24;

/// A span of time.
struct Span {
    end_s: f64,
    requests_per_s: f64,
    errors_per_s: f64,
    /// The share of it in which the busiest processor, disk and link was busy.
    busiest: [Option<f64>; 3],
}

/// A timeline in so many spans at most, each of as many points, with what was busy in them.
fn spans(timeline: &Timeline, resources: &[Resource], most: usize) -> Vec<Span> {
    let points = timeline.seconds.len().div_ceil(most).max(1);
    let starts = (0..timeline.seconds.len()).step_by(points);
    let spans = starts.map(|start| {
        let end = (start + points).min(timeline.seconds.len());
        let end_s = timeline.seconds[end - 1];
        let start_s = start.checked_sub(1).map_or(0.0, |it| timeline.seconds[it]);
        let per_s = |counts: &[u64]| {
            let counts = counts.get(start..end).unwrap_or_default();
            counts.iter().sum::<u64>() as f64 / (end_s - start_s)
        };
        Span {
            end_s,
            requests_per_s: per_s(&timeline.requests),
            errors_per_s: per_s(&timeline.errors),
            busiest: [is_processor, is_disk, is_link].map(|is_one| {
                busiest(
                    resources.iter().filter(is_one),
                    &timeline.seconds,
                    start..end,
                )
            }),
        }
    });
    spans.collect()
}

fn is_processor(resource: &&Resource) -> bool {
    resource.name.ends_with(" processors")
}

fn is_link(resource: &&Resource) -> bool {
    [" link in", " link out"]
        .iter()
        .any(|end| resource.name.ends_with(end))
}

fn is_disk(resource: &&Resource) -> bool {
    let others = [" workers", " tier"];
    let is_other = others.iter().any(|end| resource.name.ends_with(end));
    !is_processor(resource) && !is_link(resource) && !is_other
}

/// How busy the busiest of some resources was in a range of points that end at `seconds`. Nothing where their points are others.
fn busiest<'r>(
    resources: impl Iterator<Item = &'r Resource>,
    seconds: &[f64],
    points: Range<usize>,
) -> Option<f64> {
    let timelines = resources.filter_map(|it| it.timeline.as_ref());
    let alike = timelines.filter(|it| it.seconds == seconds);
    let shares = alike.filter_map(|it| it.utilisation.get(points.clone()));
    let of_whole = shares.map(|shares| shares.iter().sum::<f64>() / shares.len() as f64);
    of_whole.reduce(f64::max)
}
