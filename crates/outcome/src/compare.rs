//! Outcomes laid side by side: several against the first of them.

use serde::Serialize;

use crate::group::{self, WrittenSite};
use crate::{
    Bootstrap, Distribution, FIRST_BYTE_LINE_US, Group, GroupKey, GroupKind, Interval, LatencyKind,
    Link, Outcome, Provenance, ProvenanceKind, Resource, Score, mean_interval, ratio_interval,
};

/// Outcomes laid beside the first of them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(into = "Written")]
pub struct Compared {
    /// Name of the outcome; with its file where two have the same.
    pub name: String,
    /// How it came about.
    pub provenance: Provenance,
    /// Whether it served the requests that the baseline did; left out for the baseline, and where too little is
    /// known.
    pub same_traffic: Option<bool>,
    /// All requests together.
    pub total: Figures,
    /// Size by size, job by job, store by store; left out without any.
    pub groups: Vec<Group<Figures>>,
    /// Groups that only it or only the baseline has, of the kinds that both have: the totals then are of different
    /// traffic.
    pub not_shared: Vec<GroupKey>,
    /// Resources that another outcome has as well; left out without any.
    pub resources: Vec<Resource>,
    /// Links that another outcome has as well; left out without any.
    pub links: Vec<Link>,
}

/// One outcome beside the baseline as documents have it.
#[derive(Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
struct Written {
    /// Name of the outcome; with its file where two have the same.
    name: String,
    /// How it came about.
    provenance: Provenance,
    /// Whether it served the requests that the baseline did; left out for the baseline, and where too little is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_traffic: Option<bool>,
    /// All requests together.
    total: Figures,
    /// Site by site.
    sites: Vec<WrittenSite<Figures>>,
    /// Size by size, job by job, store by store; left out without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups: Vec<Group<Figures>>,
    /// Sites that only it or only the baseline has, where both have sites.
    sites_not_shared: Vec<String>,
    /// Other groups that only it or only the baseline has, where both have groups of the kind; left out without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    groups_not_shared: Vec<GroupKey>,
    /// Resources that another outcome has as well; left out without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    resources: Vec<Resource>,
    /// Links that another outcome has as well; left out without any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    links: Vec<Link>,
}

impl From<Compared> for Written {
    fn from(compared: Compared) -> Written {
        let (sites, groups) = group::written(compared.groups);
        let is_site = |key: &GroupKey| key.kind == GroupKind::Site;
        let (sites_not_shared, groups_not_shared) = compared
            .not_shared
            .into_iter()
            .partition::<Vec<_>, _>(is_site);
        Written {
            name: compared.name,
            provenance: compared.provenance,
            same_traffic: compared.same_traffic,
            total: compared.total,
            sites,
            groups,
            sites_not_shared: sites_not_shared.into_iter().map(|key| key.name).collect(),
            groups_not_shared,
            resources: compared.resources,
            links: compared.links,
        }
    }
}

/// What is worth laying side by side of a score; what is not known is absent.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Figures {
    /// Requests answered; null where not known.
    pub requests: Option<u64>,
    /// Requests that failed; null where not known.
    pub errors: Option<u64>,
    /// Requests answered in a second; null where not known.
    pub throughput_per_s: Option<f64>,
    /// Share of the requests served from memory, 0 to 1; null where not known.
    pub hit_ratio: Option<f64>,
    /// The time that mean_us is the mean of.
    pub mean_of: Option<LatencyKind>,
    /// Mean, microseconds; null where not known.
    pub mean_us: Option<f64>,
    /// Interval of the mean, microseconds; null where it cannot be given.
    pub mean_interval: Option<Interval>,
    /// The time that the percentiles are of: first_byte where it was taken.
    pub percentiles_of: Option<LatencyKind>,
    /// Median, microseconds; null where not known.
    pub p50_us: Option<f64>,
    /// 95th percentile, microseconds; null where not known.
    pub p95_us: Option<f64>,
    /// 99th percentile, microseconds; null where not known.
    pub p99_us: Option<f64>,
    /// Longest, microseconds; null where not known.
    pub max_us: Option<f64>,
    /// Share of those times within 0.5 s, 0 to 1; null without a histogram.
    pub within_half_a_second: Option<f64>,
    /// Against the baseline; null for the baseline itself and for a site that it lacks.
    pub against_baseline: Option<ScoreComparison>,
    /// The distribution that the percentiles are of, for plots.
    #[serde(skip)]
    pub distribution: Option<Distribution>,
}

/// One score against a baseline.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ScoreComparison {
    /// [time of the outcome, time of the baseline] that are compared; null where either has none.
    pub latencies: Option<(LatencyKind, LatencyKind)>,
    /// Mean divided by the baseline's: below 1 is faster; null where not known.
    pub mean_ratio: Option<f64>,
    /// Interval of the ratio; null where it cannot be given.
    pub mean_ratio_interval: Option<Interval>,
    /// How the interval was had: paired for the same requests in the same order, independent from the intervals of
    /// both means.
    pub mean_ratio_method: Option<RatioMethod>,
    /// Hit ratio minus the baseline's; null where not known.
    pub hit_ratio_gain: Option<f64>,
    /// Throughput divided by the baseline's: above 1 is more; null where not known.
    pub throughput_ratio: Option<f64>,
}

impl ScoreComparison {
    /// Whether the means may differ by chance alone: the interval of their ratio has 1 in it. False where it cannot be given.
    #[must_use]
    pub fn may_be_chance(&self) -> bool {
        let interval = self.mean_ratio_interval;
        interval.is_some_and(|ends| ends.contains(1.0))
    }
}

/// How the interval of a ratio of means was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RatioMethod {
    /// Both served the same requests in the same order: runs of requests are resampled together.
    Paired,
    /// From the intervals of the two means, as of runs that have nothing to do with each other.
    Independent,
}

/// Outcomes could not be laid side by side.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CompareError {
    /// Fewer than two.
    #[error("{} to compare: name at least two", match .0 { None => "no outcome".to_owned(), Some(name) => format!("only the outcome `{name}`") })]
    TooFew(Option<String>),
    /// Two that have groups of one kind, but none of them in common.
    #[error(
        "`{name}` ({kind}s {groups}) and `{baseline}` ({kind}s {baseline_groups}) have no {kind} in common: \
         compare outcomes of the same {kind}s"
    )]
    NothingInCommon {
        /// Of what kind.
        kind: &'static str,
        /// An outcome.
        name: String,
        /// Its groups of that kind.
        groups: String,
        /// The baseline.
        baseline: String,
        /// The baseline's groups of that kind.
        baseline_groups: String,
    },
}

/// Lays `outcomes` beside the first of them.
///
/// Scores of as many requests and bytes of the same traffic, with their costs in order, are taken to have served the same
/// requests in the same order; others are compared as independent.
///
/// # Errors
/// See [`CompareError`].
pub fn compare(outcomes: &[Outcome], bootstrap: &Bootstrap) -> Result<SideBySide, CompareError> {
    let [baseline, others @ ..] = outcomes else {
        return Err(CompareError::TooFew(None));
    };
    if others.is_empty() {
        return Err(CompareError::TooFew(Some(baseline.name.clone())));
    }
    let mut sides = vec![compared(baseline, None, outcomes, bootstrap)];
    for outcome in others {
        shares_groups(outcome, baseline)?;
        sides.push(compared(outcome, Some(baseline), outcomes, bootstrap));
    }
    Ok(SideBySide {
        baseline: baseline.name.clone(),
        seed: bootstrap.seed,
        compared: sides,
    })
}

/// Refuses outcomes that both have groups of a kind, none of them in common.
fn shares_groups(outcome: &Outcome, baseline: &Outcome) -> Result<(), CompareError> {
    for kind in GroupKind::ALL {
        let shared = |group: &Group| baseline.score_of(&group.key).is_some();
        let both_have = [outcome, baseline]
            .iter()
            .all(|of| of.of_kind(kind).next().is_some());
        if both_have && !outcome.of_kind(kind).any(shared) {
            return Err(CompareError::NothingInCommon {
                kind: kind.name(),
                name: outcome.name.clone(),
                groups: names(outcome, kind),
                baseline: baseline.name.clone(),
                baseline_groups: names(baseline, kind),
            });
        }
    }
    Ok(())
}

/// The first few groups by name.
fn names(outcome: &Outcome, kind: GroupKind) -> String {
    const SHOWN: usize = 4;
    let mut names: Vec<String> = outcome.of_kind(kind).map(|of| of.key.to_string()).collect();
    if names.len() > SHOWN {
        names.truncate(SHOWN);
        names.push("…".to_owned());
    }
    names.join(", ")
}

fn compared(
    outcome: &Outcome,
    baseline: Option<&Outcome>,
    all: &[Outcome],
    bootstrap: &Bootstrap,
) -> Compared {
    let same_traffic = baseline.and_then(|baseline| same_traffic(outcome, baseline));
    let figures = |score: &Score, baseline: Option<&Score>| {
        let against = baseline.map(|baseline| Baseline {
            score: baseline,
            may_pair: same_traffic != Some(false),
        });
        figures(score, against, bootstrap)
    };
    let groups = outcome.groups.iter().map(|Group { key, score }| Group {
        key: key.clone(),
        score: figures(score, baseline.and_then(|of| of.score_of(key))),
    });
    let total = baseline.map(|baseline| &baseline.total);
    Compared {
        name: outcome.name.clone(),
        provenance: outcome.provenance.clone(),
        same_traffic,
        total: figures(&outcome.total, total),
        groups: groups.collect(),
        not_shared: baseline.map_or_else(Vec::new, |of| not_shared(outcome, of)),
        resources: shared(outcome, all, |of| &of.resources, |of| &of.name),
        links: shared(outcome, all, |of| &of.links, |of| &of.name),
    }
}

/// Whether two outcomes served the same requests. They differ if they come from different logs. Models serve what they are
/// given: two of them differ if they served other numbers of requests or bytes. A server that is measured may not.
fn same_traffic(outcome: &Outcome, baseline: &Outcome) -> Option<bool> {
    let of = |outcome: &Outcome| outcome.provenance.traffic.clone();
    let same_log = of(outcome).zip(of(baseline)).map(|(a, b)| a == b);
    let is_simulated = |of: &Outcome| of.provenance.kind == ProvenanceKind::Simulated;
    let differ = |of: fn(&Score) -> Option<u64>| {
        let counts = of(&outcome.total).zip(of(&baseline.total));
        counts.is_some_and(|(own, against)| own != against)
    };
    let counts_differ = differ(|score| score.requests) || differ(|score| score.bytes);
    match is_simulated(outcome) && is_simulated(baseline) && counts_differ {
        true => Some(false),
        false => same_log,
    }
}

/// The resources or links of an outcome that another outcome has as well.
fn shared<T: Clone>(
    outcome: &Outcome,
    all: &[Outcome],
    parts: fn(&Outcome) -> &[T],
    name: fn(&T) -> &str,
) -> Vec<T> {
    let has = |of: &Outcome, part: &T| parts(of).iter().any(|other| name(other) == name(part));
    let is_shared = |part: &&T| all.iter().filter(|of| has(of, part)).count() > 1;
    parts(outcome).iter().filter(is_shared).cloned().collect()
}

/// Groups that one of two outcomes has and the other lacks, although it has groups of that kind.
fn not_shared(a: &Outcome, b: &Outcome) -> Vec<GroupKey> {
    let lacking = |of: &Outcome, other: &Outcome| {
        let lacks = |key: &&GroupKey| {
            other.of_kind(key.kind).next().is_some() && other.score_of(key).is_none()
        };
        let keys = of.groups.iter().map(|group| &group.key);
        keys.filter(lacks).cloned().collect::<Vec<_>>()
    };
    [lacking(a, b), lacking(b, a)].concat()
}

/// The score that another is held against.
#[derive(Clone, Copy)]
struct Baseline<'a> {
    score: &'a Score,
    /// Whether both may have served the same requests.
    may_pair: bool,
}

fn figures(score: &Score, against: Option<Baseline>, bootstrap: &Bootstrap) -> Figures {
    let against = against.map(|against| compare_scores(score, against, bootstrap));
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
        mean_interval: mean.and_then(|(_, of)| interval_of_mean(of, bootstrap)),
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

fn compare_scores(score: &Score, against: Baseline, bootstrap: &Bootstrap) -> ScoreComparison {
    let baseline = against.score;
    let gain = score.hit_ratio().zip(baseline.hit_ratio());
    let throughput = score
        .throughput_per_s
        .zip(baseline.throughput_per_s.filter(|&rate| rate > 0.0));
    let unknown = ScoreComparison {
        hit_ratio_gain: gain.map(|(a, b)| a - b),
        throughput_ratio: throughput.map(|(a, b)| a / b),
        ..ScoreComparison::default()
    };
    let Some(((of, a), (beside, b))) = like_with_like(score, baseline) else {
        return unknown;
    };
    let same_requests = against.may_pair && served_the_same(score, baseline);
    let paired = same_requests.then(|| paired(a, b, bootstrap));
    let found = match paired.flatten() {
        Some(interval) => Some((interval, RatioMethod::Paired)),
        None => independent(a, b, bootstrap).map(|found| (found, RatioMethod::Independent)),
    };
    ScoreComparison {
        latencies: Some((of, beside)),
        mean_ratio: mean_ratio(a, b),
        mean_ratio_interval: found.map(|(interval, _)| interval),
        mean_ratio_method: found.map(|(_, method)| method),
        ..unknown
    }
}

type NamedDistribution<'a> = (LatencyKind, &'a Distribution);

/// The first kind of time that both have, else what stands for the response of each.
fn like_with_like<'a>(
    score: &'a Score,
    baseline: &'a Score,
) -> Option<(NamedDistribution<'a>, NamedDistribution<'a>)> {
    let whole = |score: &'a Score| {
        [LatencyKind::Response, LatencyKind::Total]
            .into_iter()
            .find_map(|kind| Some((kind, score.latencies.get(kind)?)))
    };
    let same = |kind| {
        Some((
            (kind, score.latencies.get(kind)?),
            (kind, baseline.latencies.get(kind)?),
        ))
    };
    whole(score)
        .zip(whole(baseline))
        .or_else(|| LatencyKind::ALL.into_iter().find_map(same))
        .or_else(|| score.response().zip(baseline.response()))
}

fn mean_ratio(a: &Distribution, b: &Distribution) -> Option<f64> {
    Some(a.mean_us? / b.mean_us.filter(|&us| us > 0.0)?)
}

fn served_the_same(a: &Score, b: &Score) -> bool {
    let bytes = a.bytes.zip(b.bytes);
    a.requests == b.requests && bytes.is_none_or(|(a, b)| a == b)
}

fn paired(a: &Distribution, b: &Distribution, bootstrap: &Bootstrap) -> Option<Interval> {
    ratio_interval(a.series.as_ref()?, b.series.as_ref()?, bootstrap)
}

/// Interval of the mean: by block bootstrap of the values in order, else as it was given.
fn interval_of_mean(of: &Distribution, bootstrap: &Bootstrap) -> Option<Interval> {
    let series = of.series.as_ref();
    let resampled = series.and_then(|series| mean_interval(series, bootstrap));
    resampled.or(of.mean_interval)
}

/// Interval of the ratio of two independent means from the interval of each, on the logarithm: the ends
/// of each are its own distance from its mean (the method of variance estimates recovery, A. Donner and
/// G. Y. Zou, "Closed-form confidence intervals for functions of the normal mean and standard
/// deviation", Statistical Methods in Medical Research 21 (2012) 347-359).
fn independent(a: &Distribution, b: &Distribution, bootstrap: &Bootstrap) -> Option<Interval> {
    let (above, below) = (
        interval_of_mean(a, bootstrap)?,
        interval_of_mean(b, bootstrap)?,
    );
    let (mean_a, mean_b, ratio) = (a.mean_us?, b.mean_us?, mean_ratio(a, b)?);
    let spread = |x: f64, y: f64| x.ln().hypot(y.ln());
    let interval = Interval {
        low: ratio * (-spread(mean_a / above.low, below.high / mean_b)).exp(),
        high: ratio * spread(above.high / mean_a, mean_b / below.low).exp(),
        level: above.level,
    };
    let usable =
        above.level == below.level && interval.low.is_finite() && interval.high.is_finite();
    usable.then_some(interval)
}
