//! What an arm's accesses cost, site by site, and what that gains.

use hdrhistogram::Histogram;
use hotset_outcome::{
    Bootstrap, CostSeries, Distribution, HISTOGRAM_DIGITS, Interval, Latencies, Outcome,
    Provenance, Score, add_to_histogram, ratio_interval,
};
use serde::Serialize;

use super::prepare::Backtest;
use crate::value::{Served, Traffic};

/// How one way of using the memory did on the held-out accesses.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ArmScore {
    /// Share of accesses served from memory, held or page cache; NaN (`null` in JSON) without accesses.
    pub hit_ratio: f64,
    /// Mean response in microseconds; NaN (`null` in JSON) without accesses.
    pub mean_us: f64,
    /// Mean response by weight of the sites, in microseconds: what the plan minimises. The same as `mean_us` for a site.
    pub weighted_mean_us: f64,
    /// 1 - mean response / that of the page cache alone; nothing for the page cache itself and without accesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<f64>,
    /// 95 % interval of the gain by block bootstrap; nothing for fewer than two accesses.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain_interval: Option<Interval>,
    /// Bytes read to change what is held during the held-out part; only for the renewed plan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_bytes: Option<u64>,
    /// Where its accesses found their objects.
    #[serde(skip)]
    pub traffic: Traffic,
}

/// Costs of the accesses of a site or of all sites, in order.
#[derive(Clone, Default)]
struct Costs {
    traffic: Traffic,
    us: f64,
    weighted_us: f64,
    weight: f64,
    series: CostSeries,
}

impl Costs {
    fn add(&mut self, served: Served, bytes: u64, us: f64, weight: f64) {
        self.traffic.add(served, bytes);
        self.us += us;
        self.weighted_us += us * weight;
        self.weight += weight;
        self.series.push(us);
    }

    /// With those of another node that was asked in turn with this one.
    fn and(self, other: Self) -> Self {
        Self {
            traffic: self.traffic.and(other.traffic),
            us: self.us + other.us,
            weighted_us: self.weighted_us + other.weighted_us,
            weight: self.weight + other.weight,
            series: CostSeries::interleaved(&self.series, &other.series),
        }
    }

    fn score(&self, page_cache: Option<&Costs>, bootstrap: &Bootstrap) -> ArmScore {
        let mean_us = self.us / self.traffic.accesses() as f64;
        let gain = page_cache
            .map(|base| 1.0 - self.us / base.us)
            .filter(|gain| gain.is_finite());
        let ratio =
            page_cache.and_then(|base| ratio_interval(&self.series, &base.series, bootstrap));
        ArmScore {
            hit_ratio: self.traffic.hit_ratio(),
            mean_us,
            weighted_mean_us: self.weighted_us / self.weight,
            gain,
            gain_interval: ratio.map(|ratio| Interval {
                low: 1.0 - ratio.high,
                high: 1.0 - ratio.low,
                ..ratio
            }),
            moved_bytes: None,
            traffic: self.traffic,
        }
    }

    fn outcome_score(&self, histogram: &Histogram<u64>) -> Score {
        let (held, hit) = (self.traffic.held, self.traffic.hit);
        let accesses = self.traffic.accesses();
        let response = Distribution::of(histogram)
            .with_mean(self.us / accesses as f64)
            .with_series(self.series.clone());
        Score {
            requests: Some(accesses),
            hits: Some(held.accesses + hit.accesses),
            bytes: Some(self.traffic.bytes()),
            hit_bytes: Some(held.bytes.saturating_add(hit.bytes)),
            latencies: Latencies {
                response: Some(response),
                ..Latencies::default()
            },
            ..Score::default()
        }
    }
}

/// The held-out accesses as one arm served them.
#[derive(Clone)]
pub(super) struct ArmRun {
    sites: Vec<Costs>,
    total: Costs,
    /// Bytes of each site moved in the held-out part.
    pub moved_bytes: Option<Vec<u64>>,
    /// Responses in microseconds site by site and, last, of all sites, where their distribution is asked for.
    histograms: Option<Vec<Histogram<u64>>>,
}

impl ArmRun {
    pub fn new(test: &Backtest) -> Self {
        Self {
            sites: vec![Costs::default(); test.workload.files.sites.len()],
            total: Costs::default(),
            moved_bytes: None,
            histograms: None,
        }
    }

    /// A run that keeps what its outcome takes.
    pub fn detailed(test: &Backtest) -> Self {
        let empty = Histogram::new(HISTOGRAM_DIGITS).ok();
        Self {
            histograms: empty.map(|empty| vec![empty; test.workload.files.sites.len() + 1]),
            ..Self::new(test)
        }
    }

    /// Counts an access to `object`.
    pub fn add(&mut self, test: &Backtest, object: u32, served: Served) {
        let (site, weight) = (test.values.site(object), test.values.weight(object));
        let bytes = test.workload.files.sizes[object as usize];
        let us = test.values.response_us(object, served);
        self.sites[site].add(served, bytes, us, weight);
        self.total.add(served, bytes, us, weight);
        if let Some(histograms) = &mut self.histograms {
            for index in [site, histograms.len() - 1] {
                add_to_histogram(&mut histograms[index], us.round() as u64, 1);
            }
        }
    }

    /// With the run of another node that was asked in turn with this one.
    pub fn and(self, other: Self) -> Self {
        let sites = self.sites.into_iter().zip(other.sites);
        let moved = self.moved_bytes.zip(other.moved_bytes);
        let histograms = self.histograms.zip(other.histograms);
        Self {
            sites: sites.map(|(one, other)| one.and(other)).collect(),
            total: self.total.and(other.total),
            moved_bytes: moved.map(|(one, other)| each(one, other, u64::saturating_add)),
            histograms: histograms.map(|(one, other)| each(one, other, |sum, of| sum + of)),
        }
    }

    /// The outcome called `name`; nothing unless the run is [`ArmRun::detailed`].
    pub fn outcome(&self, name: &str, provenance: Provenance, sites: &[String]) -> Option<Outcome> {
        let (total, of_each) = self.histograms.as_ref()?.split_last()?;
        let outcome = Outcome::new(name, provenance, self.total.outcome_score(total));
        let of_sites = sites.iter().zip(&self.sites).zip(of_each);
        Some(
            of_sites.fold(outcome, |outcome, ((site, costs), histogram)| {
                outcome.with_site(site, costs.outcome_score(histogram))
            }),
        )
    }

    /// Score of site `site` beside the page cache alone.
    pub fn site_score(
        &self,
        site: usize,
        page_cache: Option<&ArmRun>,
        bootstrap: &Bootstrap,
    ) -> ArmScore {
        ArmScore {
            moved_bytes: self.moved_bytes.as_ref().map(|moved| moved[site]),
            ..self.sites[site].score(page_cache.map(|run| &run.sites[site]), bootstrap)
        }
    }

    /// Score of all sites beside the page cache alone.
    pub fn total_score(&self, page_cache: Option<&ArmRun>, bootstrap: &Bootstrap) -> ArmScore {
        ArmScore {
            moved_bytes: self.moved_bytes.as_ref().map(|moved| {
                moved
                    .iter()
                    .fold(0u64, |sum, &bytes| sum.saturating_add(bytes))
            }),
            ..self
                .total
                .score(page_cache.map(|run| &run.total), bootstrap)
        }
    }
}

/// One result for every pair.
fn each<T>(one: Vec<T>, other: Vec<T>, sum: impl Fn(T, T) -> T) -> Vec<T> {
    let pairs = one.into_iter().zip(other);
    pairs.map(|(one, other)| sum(one, other)).collect()
}
