//! Several outcomes against the first of them.

use serde::Serialize;

use crate::{
    Bootstrap, Distribution, Interval, LatencyKind, Outcome, Provenance, Score, ScoreComparison,
    compare_scores,
};

/// A first byte within half a second: the line that "A Study of the Performance of Diskless Web Servers",
/// section 3.4, draws into its plots of that time. Microseconds.
pub const FIRST_BYTE_LINE_US: f64 = 500_000.0;

/// Outcomes laid beside the first of them.
#[derive(Clone, Debug, Serialize)]
pub struct SideBySide {
    /// Name of the outcome that the others are held against.
    pub baseline: String,
    /// Seed of the intervals.
    pub seed: u64,
    /// The baseline and the others, in the order given.
    pub compared: Vec<Compared>,
}

/// One outcome beside the baseline.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// Its name.
    pub name: String,
    /// How it came about.
    pub provenance: Provenance,
    /// All sites together.
    pub total: Figures,
    /// Site by site.
    pub sites: Vec<SiteFigures>,
    /// Sites that only it or only the baseline has: the totals then are of different traffic.
    pub sites_not_shared: Vec<String>,
}

/// The figures of one site.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SiteFigures {
    /// Site name.
    pub site: String,
    /// Its figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// What is worth laying side by side of a score; what is not known is absent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// Requests answered.
    pub requests: Option<u64>,
    /// Requests that failed.
    pub errors: Option<u64>,
    /// Requests answered in a second.
    pub throughput_per_s: Option<f64>,
    /// Share of the requests served from memory.
    pub hit_ratio: Option<f64>,
    /// Whose mean `mean_us` is.
    pub mean_of: Option<LatencyKind>,
    /// Mean in microseconds.
    pub mean_us: Option<f64>,
    /// Interval of the mean.
    pub mean_interval: Option<Interval>,
    /// Whose percentiles follow: the first byte's where it was taken.
    pub percentiles_of: Option<LatencyKind>,
    /// Median in microseconds.
    pub p50_us: Option<f64>,
    /// 95th percentile in microseconds.
    pub p95_us: Option<f64>,
    /// 99th percentile in microseconds.
    pub p99_us: Option<f64>,
    /// Longest in microseconds.
    pub max_us: Option<f64>,
    /// Share within [`FIRST_BYTE_LINE_US`].
    pub within_half_a_second: Option<f64>,
    /// Against the baseline; absent for the baseline itself and where it lacks the site.
    pub against_baseline: Option<ScoreComparison>,
    /// The distribution that the percentiles are of, for plots.
    #[serde(skip)]
    pub distribution: Option<Distribution>,
}

/// Outcomes could not be laid side by side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// Fewer than two.
    #[error("{} to compare: name at least two", match .0 { None => "no outcome".to_owned(), Some(name) => format!("only the outcome `{name}`") })]
    TooFew(Option<String>),
    /// Two that have sites, but none in common.
    #[error(
        "`{name}` (sites {sites}) and `{baseline}` (sites {baseline_sites}) have no site in common: \
         compare outcomes of the same sites"
    )]
    NoCommonSite {
        /// An outcome.
        name: String,
        /// Its sites.
        sites: String,
        /// The baseline.
        baseline: String,
        /// The baseline's sites.
        baseline_sites: String,
    },
}

/// Lays `outcomes` beside the first of them.
///
/// # Errors
/// See [`CompareError`].
pub fn side_by_side(
    outcomes: &[Outcome],
    bootstrap: &Bootstrap,
) -> Result<SideBySide, CompareError> {
    let [baseline, _, ..] = outcomes else {
        let only = outcomes.first().map(|only| only.name.clone());
        return Err(CompareError::TooFew(only));
    };
    let others = &outcomes[1..];
    others
        .iter()
        .try_for_each(|outcome| shares_a_site(outcome, baseline))?;
    let others = others
        .iter()
        .map(|outcome| compared(outcome, Some(baseline), bootstrap));
    Ok(SideBySide {
        baseline: baseline.name.clone(),
        seed: bootstrap.seed,
        compared: [compared(baseline, None, bootstrap)]
            .into_iter()
            .chain(others)
            .collect(),
    })
}

fn shares_a_site(outcome: &Outcome, baseline: &Outcome) -> Result<(), CompareError> {
    let (sites, baseline_sites) = (&outcome.sites, &baseline.sites);
    let shared = sites
        .iter()
        .any(|site| score_of(baseline, &site.site).is_some());
    if shared || sites.is_empty() || baseline_sites.is_empty() {
        return Ok(());
    }
    Err(CompareError::NoCommonSite {
        name: outcome.name.clone(),
        sites: names(outcome),
        baseline: baseline.name.clone(),
        baseline_sites: names(baseline),
    })
}

/// The first few sites by name.
fn names(outcome: &Outcome) -> String {
    const SHOWN: usize = 4;
    let mut names: Vec<&str> = outcome
        .sites
        .iter()
        .map(|site| site.site.as_str())
        .collect();
    if names.len() > SHOWN {
        names.truncate(SHOWN);
        names.push("…");
    }
    names.join(", ")
}

fn score_of<'a>(outcome: &'a Outcome, site: &str) -> Option<&'a Score> {
    let found = outcome.sites.iter().find(|other| other.site == site);
    found.map(|site| &site.score)
}

fn compared(outcome: &Outcome, baseline: Option<&Outcome>, bootstrap: &Bootstrap) -> Compared {
    let sites = outcome.sites.iter().map(|site| {
        let against = baseline.and_then(|baseline| score_of(baseline, &site.site));
        SiteFigures {
            site: site.site.clone(),
            figures: figures(&site.score, against, bootstrap),
        }
    });
    Compared {
        name: outcome.name.clone(),
        provenance: outcome.provenance.clone(),
        total: figures(
            &outcome.total,
            baseline.map(|baseline| &baseline.total),
            bootstrap,
        ),
        sites: sites.collect(),
        sites_not_shared: baseline.map_or_else(Vec::new, |baseline| not_shared(outcome, baseline)),
    }
}

/// Sites that one of two outcomes has and the other lacks, unless one has totals alone.
fn not_shared(a: &Outcome, b: &Outcome) -> Vec<String> {
    if a.sites.is_empty() || b.sites.is_empty() {
        return Vec::new();
    }
    let lacking = |of: &Outcome, other: &Outcome| {
        let lacks = |site: &&crate::SiteScore| score_of(other, &site.site).is_none();
        let sites = of.sites.iter().filter(lacks);
        sites.map(|site| site.site.clone()).collect::<Vec<_>>()
    };
    [lacking(a, b), lacking(b, a)].concat()
}

fn figures(score: &Score, baseline: Option<&Score>, bootstrap: &Bootstrap) -> Figures {
    let against = baseline.map(|baseline| compare_scores(score, baseline, bootstrap));
    let same_kind = against.and_then(|against| {
        let kind = against.latencies?.0;
        Some((kind, score.latencies.get(kind)?))
    });
    let mean = same_kind.or_else(|| score.response());
    let first_byte = score.latencies.get(LatencyKind::FirstByte);
    let spread = first_byte
        .map(|distribution| (LatencyKind::FirstByte, distribution))
        .or_else(|| score.response());
    let of_spread = |value: fn(&Distribution) -> Option<f64>| value(spread?.1);
    Figures {
        requests: score.requests,
        errors: score.errors,
        throughput_per_s: score.throughput_per_s,
        hit_ratio: score.hit_ratio(),
        mean_of: mean.map(|(kind, _)| kind),
        mean_us: mean.and_then(|(_, distribution)| distribution.mean_us),
        mean_interval: mean.and_then(|(_, distribution)| distribution.interval_of_mean(bootstrap)),
        percentiles_of: spread.map(|(kind, _)| kind),
        p50_us: of_spread(|distribution| distribution.p50_us),
        p95_us: of_spread(|distribution| distribution.p95_us),
        p99_us: of_spread(|distribution| distribution.p99_us),
        max_us: of_spread(|distribution| distribution.max_us),
        within_half_a_second: of_spread(|distribution| {
            distribution.share_within(FIRST_BYTE_LINE_US)
        }),
        against_baseline: against,
        distribution: spread.map(|(_, distribution)| distribution.clone()),
    }
}
