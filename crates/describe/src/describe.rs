//! From a trace to its description.

use hotset_cache::Stop;
use hotset_trace::read::{NotFound, NotFoundPath};
use hotset_trace::{Trace, TraceOrigin, Zone};
use rayon::prelude::*;
use std::cmp::Reverse;

use crate::{
    ClientCounts, CurvePoint, Description, HotFile, Lists, RequestRate, SiteCounts,
    SiteDescription, SliceCounts, TOTAL, TimeSpan, TopClient,
    connections::Connections,
    curve::Curves,
    popularity::{CountedFile, Ranking},
    rates::RateSeries,
    sizes,
    zipf::{self, NoZipf, ZipfFit},
};

/// What a description needs beside the trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DescribeOptions<'a> {
    /// Log lines that could not be read, as the reader counted them.
    pub rejected_lines: u64,
    /// The connection of each request, where they were rebuilt already; rebuilt where not given.
    pub connections: Option<&'a [u32]>,
    /// How many of the most accessed files to list for each site, and as many clients and paths answered 404.
    pub hottest: usize,
    /// How many of them to list in [`Description::lists`].
    pub listed: usize,
    /// What clients are called.
    pub client_names: ClientNames,
    /// Paths answered 404, as the reader counted them.
    pub not_found: Option<&'a NotFound>,
    /// Cache sizes at which to take the miss-ratio curve; 0 for no curve.
    pub curve_points: usize,
    /// The zone of hours and days.
    pub zone: &'a Zone,
    /// Whoever asks it gets a description without the curves, soon.
    pub stop: Option<&'a Stop>,
}

static UTC: Zone = Zone::UTC;

impl Default for DescribeOptions<'_> {
    fn default() -> Self {
        Self {
            rejected_lines: 0,
            connections: None,
            hottest: 20,
            listed: 1_000,
            client_names: ClientNames::default(),
            not_found: None,
            curve_points: 100,
            zone: &UTC,
            stop: None,
        }
    }
}

/// What clients are called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientNames {
    /// `client 1`, `client 2` and so on in the order of their first appearance, which tells nothing of who they are.
    #[default]
    Numbered,
    /// As the trace has them.
    OfTrace,
}

impl ClientNames {
    /// Those of logs whose clients are kept as logged, or not.
    pub fn of_logs(keeps_clients: bool) -> ClientNames {
        match keeps_clients {
            true => ClientNames::OfTrace,
            false => ClientNames::Numbered,
        }
    }
}

/// Describes `trace`, site by site and in total.
pub fn describe(trace: &Trace, options: &DescribeOptions<'_>) -> Description {
    let (counts, (connections, curves)) = rayon::join(
        || SliceCounts::of(trace, 0..trace.requests.len()),
        || {
            (
                Connections::of(trace, options.connections),
                Curves::take(trace, options.curve_points, options.stop),
            )
        },
    );
    describe_counts(trace, &counts, connections, curves, options)
}

/// Describes what was counted of a trace, whose requests are no longer looked at.
pub(crate) fn describe_counts(
    trace: &Trace,
    counts: &SliceCounts,
    connections: Connections,
    curves: Curves,
    options: &DescribeOptions<'_>,
) -> Description {
    let rankings = rankings(trace, counts);
    let total_counts = counts.total();
    let total_ranking = Ranking::new(
        rankings
            .iter()
            .flat_map(Ranking::objects)
            .copied()
            .collect(),
    );
    let view = View {
        trace,
        options,
        span: total_counts.span,
    };
    let site = |id: usize| {
        let ordered = OrderFigures {
            connections: connections.sites.get(id).copied(),
            curve: curves.sites.get(id).cloned().unwrap_or_default(),
        };
        view.describe(&trace.sites[id], &counts.sites[id], &rankings[id], ordered)
    };
    let ordered = OrderFigures {
        connections: connections.total,
        curve: curves.total,
    };
    let (sites, total): (Vec<_>, _) = rayon::join(
        || (0..trace.sites.len()).into_par_iter().map(site).collect(),
        || view.describe(TOTAL, &total_counts, &total_ranking, ordered),
    );
    let (zipf, zipf_missing_because) = explained(zipf_of_all(&sites, total.zipf));
    Description {
        time_zone: options.zone.clone(),
        lists: Lists {
            hottest: view.hottest(&total_ranking, options.listed),
            top_clients: view.top_clients(&total_counts, options.listed),
            not_found: view.not_found(None, options.listed).paths,
        },
        sites,
        total: SiteDescription {
            rejected_lines: options.rejected_lines,
            not_found: view.not_found(None, options.hottest),
            zipf,
            zipf_missing_because,
            ..total
        },
        span: view.timed_span(),
        left_out: Vec::new(),
    }
}

/// The exponent of all sites together, `pooled`, where it is that of one population.
fn zipf_of_all(sites: &[SiteDescription], pooled: Option<ZipfFit>) -> Result<ZipfFit, NoZipf> {
    let read: Vec<_> = sites.iter().filter(|site| site.accesses > 0).collect();
    let of_sites: Vec<_> = read.iter().flat_map(|site| &site.zipf).collect();
    if read.len() > 1 && of_sites.is_empty() {
        return Err(NoZipf::NotEstimable);
    }
    if read.len() > 1 && !zipf::agree(of_sites.into_iter().chain(&pooled)) {
        return Err(NoZipf::SeveralPopulations);
    }
    pooled.ok_or(NoZipf::NotEstimable)
}

/// An exponent, or why there is none, as a description has them.
fn explained(zipf: Result<ZipfFit, NoZipf>) -> (Option<ZipfFit>, Option<NoZipf>) {
    match zipf {
        Ok(fit) => (Some(fit), None),
        Err(why) => (None, Some(why)),
    }
}

/// Figures that depend on the order of requests, which parts do not keep.
struct OrderFigures {
    connections: Option<u64>,
    curve: Vec<CurvePoint>,
}

/// Accessed objects of each site.
fn rankings(trace: &Trace, counts: &SliceCounts) -> Vec<Ranking> {
    let mut sites = vec![Vec::new(); trace.sites.len()];
    for (object, &accesses) in counts
        .accesses
        .iter()
        .enumerate()
        .filter(|(_, accesses)| **accesses > 0)
    {
        if let Some(objects) = sites.get_mut(usize::from(trace.objects.site[object])) {
            objects.push(CountedFile {
                object: object as u32,
                accesses,
                size: trace.objects.size[object],
            });
        }
    }
    sites.into_iter().map(Ranking::new).collect()
}

/// What all sites of a description share.
struct View<'a> {
    trace: &'a Trace,
    options: &'a DescribeOptions<'a>,
    span: Option<TimeSpan>,
}

impl View<'_> {
    fn describe(
        &self,
        site: &str,
        counts: &SiteCounts,
        ranking: &Ranking,
        ordered: OrderFigures,
    ) -> SiteDescription {
        let timed = self.trace.origin == TraceOrigin::Timed;
        let connections = ordered.connections.filter(|&connections| connections > 0);
        let per_connection = connections.map(|n| counts.requests as f64 / n as f64);
        let series = |series: RateSeries| if timed { series } else { RateSeries::default() };
        let fit = zipf::fit(&ranking.spectrum()).ok_or(NoZipf::NotEstimable);
        let (zipf, zipf_missing_because) = explained(fit);
        SiteDescription {
            site: site.to_owned(),
            requests: counts.requests,
            accesses: ranking.accesses(),
            not_file_requests: counts.not_file_requests,
            not_modified_requests: counts.not_modified_requests,
            not_modified_without_file: counts.not_modified_without_file,
            rejected_lines: 0,
            clients: (!self.trace.clients.is_empty()).then_some(counts.clients.len() as u64),
            connections: ordered.connections,
            requests_per_connection: per_connection,
            objects: ranking.objects().len() as u64,
            object_bytes: ranking.bytes(),
            response_bytes: counts.response_bytes,
            requests_per_second: self.rate(counts),
            requests_by_hour_of_day: if timed {
                counts.minutes.by_hour_of_day(self.options.zone)
            } else {
                Vec::new()
            },
            requests_per_hour: series(counts.minutes.per_hour(self.options.zone)),
            requests_per_minute: series(counts.minutes.per_minute()),
            status_classes: counts.status_classes,
            methods: counts.methods,
            status_codes: counts.status_codes.clone(),
            object_size_bytes: sizes::quantiles(ranking.objects(), |_| 1),
            access_size_bytes: sizes::quantiles(ranking.objects(), |entry| entry.accesses),
            bytes_for_percent_of_requests: ranking.bytes_for_percent(),
            one_timers: ranking.one_timers(),
            zipf,
            zipf_missing_because,
            miss_ratio_curve: ordered.curve,
            hottest: self.hottest(ranking, self.options.hottest),
            top_clients: self.top_clients(counts, self.options.hottest),
            not_found: self.not_found(Some(site), self.options.hottest),
        }
    }

    /// First and last request of a trace with times.
    fn timed_span(&self) -> Option<TimeSpan> {
        self.span
            .filter(|_| self.trace.origin == TraceOrigin::Timed)
    }

    fn rate(&self, counts: &SiteCounts) -> RequestRate {
        let Some(seconds) = self
            .timed_span()
            .map(TimeSpan::seconds)
            .filter(|&seconds| seconds > 0.0)
        else {
            return RequestRate::default();
        };
        let mean = counts.requests as f64 / seconds;
        RequestRate {
            mean: Some(mean),
            peak_minute: Some(mean.max(counts.minutes.peak() as f64 / 60.0)),
        }
    }

    fn hottest(&self, ranking: &Ranking, most: usize) -> Vec<HotFile> {
        let file = |entry: &CountedFile| HotFile {
            site: self.site_of(entry.object),
            path: self.trace.objects.display_path(entry.object),
            accesses: entry.accesses,
            size_bytes: entry.size,
        };
        ranking.objects().iter().take(most).map(file).collect()
    }

    fn top_clients(&self, counts: &SiteCounts, most: usize) -> Vec<TopClient> {
        let clients = counts.clients.iter();
        let mut clients: Vec<(u32, ClientCounts)> = clients.map(|(id, of)| (*id, *of)).collect();
        clients.sort_unstable_by_key(|&(id, of)| (Reverse(of.requests), id));
        let named = |(id, of): (u32, ClientCounts)| TopClient {
            client: self.client_name(id),
            requests: of.requests,
            response_bytes: of.response_bytes,
        };
        clients.into_iter().take(most).map(named).collect()
    }

    fn client_name(&self, id: u32) -> String {
        match self.options.client_names {
            ClientNames::OfTrace if (id as usize) < self.trace.clients.len() => {
                self.trace.clients.display(id as usize)
            }
            _ => format!("client {}", u64::from(id) + 1),
        }
    }

    /// The paths of a site, or of all, that were answered 404.
    fn not_found(&self, site: Option<&str>, most: usize) -> NotFound {
        let Some(all) = self.options.not_found else {
            return NotFound::default();
        };
        let of_site = |path: &&NotFoundPath| site.is_none_or(|site| path.site == site);
        NotFound {
            count_error: all.count_error,
            paths: all
                .paths
                .iter()
                .filter(of_site)
                .take(most)
                .cloned()
                .collect(),
        }
    }

    fn site_of(&self, object: u32) -> String {
        let site = self.trace.objects.site[object as usize];
        self.trace
            .sites
            .get(usize::from(site))
            .cloned()
            .unwrap_or_default()
    }
}
