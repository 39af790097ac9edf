//! Figures of a cell, measured and simulated, and how far they are apart.

use hotset_outcome::{Distribution, Outcome};
use serde::Serialize;

use crate::deviation::{percent_beyond, points_beyond};
use crate::quantile::median;

/// A run of a cell, measured and simulated.
#[derive(Clone, Copy)]
pub(super) struct Pair<'p> {
    pub measured: Run<'p>,
    pub simulated: Run<'p>,
}

/// What a run came to.
#[derive(Clone, Copy)]
pub(super) struct Run<'p> {
    pub outcome: &'p Outcome,
    /// Bytes that all disks read, where that is known.
    pub disk_read_bytes: Option<u64>,
}

impl Run<'_> {
    fn response(&self) -> Option<&Distribution> {
        Some(self.outcome.total.response()?.1)
    }

    /// How busy a resource was. The parts of a simulated disk are called by its name and one of their own, and the busiest counts.
    fn utilisation(&self, name: &str) -> Option<f64> {
        let is_own = |other: &str| {
            let rest = other.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(','))
        };
        let own = self.outcome.resources.iter().filter(|it| is_own(&it.name));
        own.filter_map(|it| it.utilisation).reduce(f64::max)
    }

    fn figure(&self, metric: TiersMetric, subject: &str) -> Option<f64> {
        let total = &self.outcome.total;
        match metric {
            TiersMetric::RequestsPerS => total.throughput_per_s,
            TiersMetric::MeanUs => self.response()?.mean_us,
            TiersMetric::P50Us => self.response()?.p50_us,
            TiersMetric::P95Us => self.response()?.p95_us,
            TiersMetric::FirstByteUs => total.latencies.first_byte.as_ref()?.mean_us,
            TiersMetric::DiskBytes => {
                let bytes = total.bytes.filter(|&bytes| bytes > 0)?;
                Some(self.disk_read_bytes? as f64 / bytes as f64)
            }
            TiersMetric::Processors | TiersMetric::Disk | TiersMetric::Link => {
                self.utilisation(subject)
            }
        }
    }
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum TiersMetric {
    /// Requests answered in a second.
    RequestsPerS,
    /// Mean response, microseconds.
    MeanUs,
    /// Median response, microseconds.
    P50Us,
    /// 95th percentile of the responses, microseconds.
    P95Us,
    /// Mean time to the first byte, microseconds.
    FirstByteUs,
    /// Bytes that the disks read, of the bytes that clients got: what caches had is the rest.
    DiskBytes,
    /// The share of the time in which a node's processors, as many as it has, were busy.
    Processors,
    /// The share of the time in which a node's disk was busy.
    Disk,
    /// The share of the time in which one way of a node's link was busy.
    Link,
}

impl TiersMetric {
    const OF_REQUESTS: [Self; 6] = [
        Self::RequestsPerS,
        Self::MeanUs,
        Self::P50Us,
        Self::P95Us,
        Self::FirstByteUs,
        Self::DiskBytes,
    ];
    /// Those of resources.
    pub(super) const UTILISATIONS: [Self; 3] = [Self::Processors, Self::Disk, Self::Link];

    /// That of a resource, by its name as it is measured.
    fn of_resource(name: &str) -> Option<Self> {
        if name.ends_with(" processors") {
            Some(Self::Processors)
        } else if name.ends_with(" disk") {
            Some(Self::Disk)
        } else if name.ends_with(" link in") || name.ends_with(" link out") {
            Some(Self::Link)
        } else {
            None
        }
    }

    /// Whether errors are in points and not in percent of what was measured, which may well be 0.
    fn is_share(self) -> bool {
        matches!(
            self,
            Self::DiskBytes | Self::Processors | Self::Disk | Self::Link
        )
    }
}

/// A figure of all runs of a cell, measured and simulated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct TiersFigure {
    /// Which figure.
    pub metric: TiersMetric,
    /// The resource, where it is of one.
    pub resource: Option<String>,
    /// Median of the runs.
    pub measured: f64,
    /// The least of the runs.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// Median of the simulated runs.
    pub simulated: f64,
    /// How far the simulation is above the median, below it with a minus. Of shares in points; else in percent of the median, and null
    /// where that is 0.
    pub error: Option<f64>,
    /// How far it is from the nearer end of what was measured, 0 inside: percent of that end; of shares in points.
    pub beyond: f64,
}

impl TiersFigure {
    /// Of these runs; nothing where one of them does not have it.
    fn of<'p>(metric: TiersMetric, resource: Option<&str>, pairs: &[Pair<'p>]) -> Option<Self> {
        let subject = resource.unwrap_or_default();
        let values = |run: fn(&Pair<'p>) -> Run<'p>| -> Option<Vec<f64>> {
            let values = pairs.iter().map(|pair| run(pair).figure(metric, subject));
            values.collect()
        };
        let measured = values(|pair| pair.measured)?;
        let simulated = median(values(|pair| pair.simulated)?)?;
        let low = measured.iter().copied().reduce(f64::min)?;
        let high = measured.iter().copied().reduce(f64::max)?;
        let middle = median(measured)?;
        let (error, beyond) = match metric.is_share() {
            true => (
                100.0 * (simulated - middle),
                points_beyond(simulated, [low, high]),
            ),
            false => (
                100.0 * (simulated / middle - 1.0),
                percent_beyond(simulated, [low, high]),
            ),
        };
        Some(Self {
            metric,
            resource: resource.map(str::to_owned),
            measured: middle,
            low,
            high,
            simulated,
            error: Some(error).filter(|error| error.is_finite()),
            beyond,
        })
    }
}

/// What the model says of a point beside its outcome.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct TiersPrediction {
    /// Figures of all runs of the cell, the same for each of them.
    pub figures: Vec<TiersFigure>,
}

/// All figures of the runs of a cell.
pub(super) fn figures(pairs: &[Pair<'_>]) -> Vec<TiersFigure> {
    let of_requests = TiersMetric::OF_REQUESTS.iter();
    let of_requests = of_requests.filter_map(|&metric| TiersFigure::of(metric, None, pairs));
    let first = pairs.first().map(|pair| &pair.measured.outcome.resources);
    let of_resources = first.into_iter().flatten().filter_map(|it| {
        let metric = TiersMetric::of_resource(&it.name)?;
        TiersFigure::of(metric, Some(&it.name), pairs)
    });
    of_requests.chain(of_resources).collect()
}
