//! What an arm's accesses cost, site by site, and what that gains.

use hotset_outcome::{
    Bootstrap, CostSeries, Distribution, Interval, Outcome, Provenance, Score, ratio_interval,
};
use serde::Serialize;

use super::spread::Spread;
use crate::backtest::judgement::Judgement;
use crate::backtest::prepare::Backtest;
use crate::value::{AccessResult, Traffic};

/// How one way of using the memory did on the held-out accesses.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ArmScore {
    /// Share of accesses served from memory, held or page cache; NaN (`null` in JSON) without accesses.
    pub hit_ratio: f64,
    /// Mean response in microseconds; NaN (`null` in JSON) without accesses.
    pub mean_us: f64,
    /// Mean response by weight of the sites, microseconds: what the plan minimises; null without accesses.
    pub weighted_mean_us: f64,
    /// Median response in microseconds; nothing without accesses and for a point of a curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p50_us: Option<f64>,
    /// Response that 95 % of the accesses do not exceed, as `p50_us`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p95_us: Option<f64>,
    /// Response that 99 % of the accesses do not exceed, as `p50_us`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p99_us: Option<f64>,
    /// 1 - mean response / that of the page cache alone; nothing for the page cache itself and without accesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// 95 % interval of the gain by block bootstrap; nothing for fewer than two accesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain_interval: Option<Interval>,
    /// 1 - weighted mean response / that of the page cache alone: the gain in what the plan minimises; nothing where
    /// there is no `gain`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weighted_gain: Option<f64>,
    /// Its interval, as that of gain; left out likewise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weighted_gain_interval: Option<Interval>,
    /// Bytes read to change what is held during the held-out part; only for the renewed plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_bytes: Option<u64>,
    /// Where its accesses found their objects.
    #[serde(skip)]
    pub traffic: Traffic,
}

impl ArmScore {
    /// The score of no access.
    pub fn of_no_access() -> Self {
        Costs::default().score(None, &Bootstrap::seeded(0))
    }
}

/// Costs of the accesses of a site or of all sites, in order.
#[derive(Clone, Default)]
struct Costs {
    traffic: Traffic,
    us: f64,
    weighted_us: f64,
    weight: f64,
    series: CostSeries,
    /// The costs by weight of the sites, where weights differ.
    weighted_series: Option<CostSeries>,
    /// The responses, where their distribution is asked for.
    spread: Option<Spread>,
    /// Bytes moved in the held-out part, where what is held changes.
    moved_bytes: Option<u64>,
}

impl Costs {
    fn add(&mut self, served: AccessResult, bytes: u64, us: f64, weight: f64) {
        self.traffic.add(served, bytes);
        self.us += us;
        self.weighted_us += us * weight;
        self.weight += weight;
        self.series.push(us);
        if let Some(series) = &mut self.weighted_series {
            series.push(us * weight);
        }
        if let Some(spread) = &mut self.spread {
            spread.add(us);
        }
    }

    /// With those of another node that was asked in turn with this one.
    fn and(self, other: Self) -> Self {
        Self {
            traffic: self.traffic.and(other.traffic),
            us: self.us + other.us,
            weighted_us: self.weighted_us + other.weighted_us,
            weight: self.weight + other.weight,
            series: CostSeries::interleaved(&self.series, &other.series),
            weighted_series: both(self.weighted_series, other.weighted_series, |one, other| {
                CostSeries::interleaved(&one, &other)
            }),
            spread: both(self.spread, other.spread, Spread::and),
            moved_bytes: both(self.moved_bytes, other.moved_bytes, u64::saturating_add),
        }
    }

    fn tally(&self) -> Tally {
        Tally {
            accesses: self.traffic.accesses() as f64,
            misses: self.traffic.miss.accesses as f64,
            us: self.us,
            weighted_us: self.weighted_us,
            weight: self.weight,
        }
    }

    fn score(&self, page_cache: Option<&Costs>, bootstrap: &Bootstrap) -> ArmScore {
        let responses = self.spread.as_ref().map(Spread::histogram);
        let responses = responses.filter(|responses| !responses.is_empty());
        let quantile = |share: f64| Some(responses.as_ref()?.value_at_quantile(share) as f64);
        let gain = |of: fn(&Costs) -> f64| {
            let gain = page_cache.map(|base| 1.0 - of(self) / of(base));
            gain.filter(|gain| gain.is_finite())
        };
        let gain_interval =
            page_cache.and_then(|base| gain_interval(&self.series, &base.series, bootstrap));
        ArmScore {
            hit_ratio: self.traffic.hit_ratio(),
            mean_us: self.us / self.traffic.accesses() as f64,
            weighted_mean_us: self.weighted_us / self.weight,
            p50_us: quantile(0.5),
            p95_us: quantile(0.95),
            p99_us: quantile(0.99),
            gain: gain(|costs| costs.us),
            gain_interval,
            weighted_gain: gain(|costs| costs.weighted_us),
            weighted_gain_interval: match self.weighted_series {
                None => gain_interval,
                Some(_) => page_cache.and_then(|base| self.weighted_gain_interval(base, bootstrap)),
            },
            moved_bytes: self.moved_bytes,
            traffic: self.traffic,
        }
    }

    fn weighted_gain_interval(&self, base: &Costs, bootstrap: &Bootstrap) -> Option<Interval> {
        let series = self.weighted_series.as_ref();
        let (series, base) = series.zip(base.weighted_series.as_ref())?;
        gain_interval(series, base, bootstrap)
    }

    /// What an outcome takes; nothing where the distribution was not asked for.
    fn outcome_score(&self) -> Option<Score> {
        let response = Distribution::of(&self.spread.as_ref()?.histogram())
            .with_mean(self.us / self.traffic.accesses() as f64)
            .with_series(self.series.clone());
        Some(self.traffic.score(response))
    }
}

/// Sums over accesses.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub accesses: f64,
    /// Those that memory did not serve, or not all of it.
    pub misses: f64,
    pub us: f64,
    pub weighted_us: f64,
    pub weight: f64,
}

impl Tally {
    /// Mean response by weight of the sites, in microseconds; NaN without accesses.
    pub fn weighted_mean_us(&self) -> f64 {
        self.weighted_us / self.weight
    }

    /// Mean response in microseconds; NaN without accesses.
    pub fn mean_us(&self) -> f64 {
        self.us / self.accesses
    }

    /// Share of the accesses that memory did not serve; NaN without accesses.
    pub fn miss_ratio(&self) -> f64 {
        self.misses / self.accesses
    }
}

/// Of all of them.
impl FromIterator<Tally> for Tally {
    fn from_iter<I: IntoIterator<Item = Tally>>(tallies: I) -> Self {
        tallies.into_iter().fold(Self::default(), |sum, of| Self {
            accesses: sum.accesses + of.accesses,
            misses: sum.misses + of.misses,
            us: sum.us + of.us,
            weighted_us: sum.weighted_us + of.weighted_us,
            weight: sum.weight + of.weight,
        })
    }
}

/// Runs of nodes that are asked in turn as those of one: each node has one of each stretch.
pub(crate) fn of_nodes(nodes: Vec<Vec<ArmRun>>) -> Vec<ArmRun> {
    let and = |one: Vec<ArmRun>, other: Vec<ArmRun>| {
        let stretches = one.into_iter().zip(other);
        stretches.map(|(one, other)| one.and(other)).collect()
    };
    nodes.into_iter().reduce(and).unwrap_or_default()
}

/// Two values as one, where both are there.
fn both<T>(one: Option<T>, other: Option<T>, join: impl Fn(T, T) -> T) -> Option<T> {
    one.zip(other).map(|(one, other)| join(one, other))
}

/// The interval of 1 - mean of `series` / mean of `base`; nothing for fewer than two accesses.
fn gain_interval(
    series: &CostSeries,
    base: &CostSeries,
    bootstrap: &Bootstrap,
) -> Option<Interval> {
    let ratio = ratio_interval(series, base, bootstrap)?;
    Some(Interval {
        low: 1.0 - ratio.high,
        high: 1.0 - ratio.low,
        ..ratio
    })
}

/// The held-out accesses as one arm served them.
#[derive(Clone)]
pub(crate) struct ArmRun {
    /// None where the total says it all: of a single site, or because no more is asked for.
    sites: Vec<Costs>,
    total: Costs,
}

impl ArmRun {
    /// A run of no access.
    pub fn new(test: &Backtest) -> Self {
        let spread = Some(Spread::new());
        Self::of(
            test,
            Costs {
                spread,
                ..Costs::default()
            },
        )
    }

    /// A run that keeps no distribution.
    pub fn of_means(test: &Backtest) -> Self {
        Self::of(test, Costs::default())
    }

    /// A run of which only the sum of all sites is kept.
    pub fn of_total(test: &Backtest) -> Self {
        Self {
            sites: Vec::new(),
            total: Self::total(test, Costs::default()),
        }
    }

    fn of(test: &Backtest, empty: Costs) -> Self {
        let sites = test.workload.files.sites.len();
        Self {
            sites: vec![empty.clone(); if sites == 1 { 0 } else { sites }],
            total: Self::total(test, empty),
        }
    }

    fn total(test: &Backtest, empty: Costs) -> Costs {
        Costs {
            weighted_series: (!test.values.weighs_alike()).then(CostSeries::default),
            ..empty
        }
    }

    fn of_site(&self, site: usize) -> &Costs {
        self.sites.get(site).unwrap_or(&self.total)
    }

    /// Counts an access to `object`.
    pub fn add(&mut self, test: &Backtest, object: u32, served: AccessResult) {
        let (site, weight) = (test.values.site(object), test.values.weight(object));
        let (bytes, us) = (test.size(object), test.values.response_us(object, served));
        if let Some(costs) = self.sites.get_mut(site) {
            costs.add(served, bytes, us, weight);
        }
        self.total.add(served, bytes, us, weight);
    }

    /// Sums over the accesses of all sites.
    pub fn tally(&self) -> Tally {
        self.total.tally()
    }

    /// Sums over the accesses of site `site`.
    pub fn site_tally(&self, site: usize) -> Tally {
        self.of_site(site).tally()
    }

    /// Mean response of site `site`, in microseconds; NaN without accesses.
    pub fn site_mean_us(&self, site: usize) -> f64 {
        let costs = self.of_site(site);
        costs.us / costs.traffic.accesses() as f64
    }

    /// Where the accesses of site `site` found their objects.
    pub fn site_traffic(&self, site: usize) -> &Traffic {
        &self.of_site(site).traffic
    }

    /// Weighted mean response of all sites, in microseconds; NaN without accesses.
    pub fn weighted_mean_us(&self) -> f64 {
        self.total.weighted_us / self.total.weight
    }

    /// How it did, by the mean alone; none without accesses.
    pub fn judgement(&self) -> Option<Judgement> {
        Judgement::of_mean(self.total.weighted_us, self.total.weight)
    }

    /// The same in less memory, for one that is done.
    pub fn packed(mut self) -> Self {
        for costs in self.sites.iter_mut().chain([&mut self.total]) {
            costs.spread = costs.spread.take().map(Spread::packed);
        }
        self
    }

    /// Notes how many bytes of each site were moved in the held-out part.
    pub fn set_moved(&mut self, bytes: &[u64]) {
        let total = bytes.iter().fold(0u64, |sum, &of| sum.saturating_add(of));
        self.total.moved_bytes = Some(total);
        for (costs, &bytes) in self.sites.iter_mut().zip(bytes) {
            costs.moved_bytes = Some(bytes);
        }
    }

    /// With the run of another node that was asked in turn with this one.
    pub fn and(self, other: Self) -> Self {
        let sites = self.sites.into_iter().zip(other.sites);
        Self {
            sites: sites.map(|(one, other)| one.and(other)).collect(),
            total: self.total.and(other.total),
        }
    }

    /// The outcome called `name`; nothing of a run [`ArmRun::of_total`].
    pub fn outcome(&self, name: &str, provenance: Provenance, sites: &[String]) -> Option<Outcome> {
        let outcome = Outcome::new(name, provenance, self.total.outcome_score()?);
        let mut sites = sites.iter().enumerate();
        sites.try_fold(outcome, |outcome, (index, site)| {
            Some(outcome.with_site(site, self.of_site(index).outcome_score()?))
        })
    }

    /// Score of site `site` beside the page cache alone.
    pub fn site_score(
        &self,
        site: usize,
        page_cache: Option<&ArmRun>,
        bootstrap: &Bootstrap,
    ) -> ArmScore {
        let page_cache = page_cache.map(|run| run.of_site(site));
        self.of_site(site).score(page_cache, bootstrap)
    }

    /// Score of all sites beside the page cache alone.
    pub fn total_score(&self, page_cache: Option<&ArmRun>, bootstrap: &Bootstrap) -> ArmScore {
        self.total
            .score(page_cache.map(|run| &run.total), bootstrap)
    }
}
