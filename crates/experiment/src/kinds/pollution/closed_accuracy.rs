//! Figures of closed loops, measured and simulated, and how far they are apart.

use hotset_models::tiers::TiersResult;
use hotset_outcome::{GroupKey, GroupKind};
use serde::Serialize;

use super::result::{CellResult, Throughput};
use super::workload::SITES;
use crate::deviation::percent_beyond;
use crate::quantile::median;

/// While others use more of the processors than this, what closed loops come to is theirs too.
const NOISE: f64 = 0.1;

/// What the simulation says of the closed loops of a way of using the memory, beside all runs of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct ClosedPrediction {
    /// Runs that were measured, without those that others disturbed if there are others.
    pub runs: u64,
    /// Whether others left them alone; figures are not counted where they did not.
    pub is_quiet: bool,
    /// Processors that the servers are taken to have.
    pub cpus: f64,
    /// Whether what requests cost the servers was measured; else it is assumed.
    pub has_measured_costs: bool,
    /// The sites that are asked.
    pub sites: Vec<ClosedSite>,
    /// The share of the processors that is busy.
    pub processors: Option<f64>,
    /// Bytes that the disk reads in a second.
    pub disk_bytes_per_s: f64,
}

/// A site that clients ask in closed loops.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct ClosedSite {
    /// The site.
    pub site: String,
    /// Requests answered in a second.
    pub rate: ClosedFigure,
    /// Mean response, microseconds.
    pub response: Option<ClosedFigure>,
}

/// A figure of all runs, measured and simulated.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub(crate) struct ClosedFigure {
    /// Median of the runs.
    pub measured: f64,
    /// The least of the runs.
    pub low: f64,
    /// The greatest.
    pub high: f64,
    /// What the simulation says.
    pub simulated: f64,
    /// How far it is from the nearer end of what was measured, 0 inside: percent of that end; nothing where that end is 0.
    pub beyond: Option<f64>,
}

impl ClosedFigure {
    /// Of these runs; nothing of none.
    fn of(values: Vec<f64>, simulated: f64) -> Option<Self> {
        let low = values.iter().copied().reduce(f64::min)?;
        let high = values.iter().copied().reduce(f64::max)?;
        let beyond = percent_beyond(simulated, [low, high]);
        Some(Self {
            measured: median(values)?,
            low,
            high,
            simulated,
            beyond: Some(beyond).filter(|it| it.is_finite()),
        })
    }
}

/// What servers are taken to have and to cost.
#[derive(Clone, Copy)]
pub(crate) struct Assumed {
    pub cpus: f64,
    pub has_measured_costs: bool,
}

impl ClosedPrediction {
    /// Of the kept `runs` of a way of using the memory, which were simulated once.
    pub fn of(runs: &[&CellResult], result: &TiersResult, assumed: Assumed) -> Self {
        let (quiet, noisy): (Vec<&CellResult>, Vec<_>) =
            runs.iter().copied().partition(|run| is_quiet(run));
        let is_quiet = !quiet.is_empty();
        let counted = if is_quiet { quiet } else { noisy };
        let sites = SITES.iter().enumerate();
        let sites = sites.filter_map(|(number, site)| {
            let score = result.sites.get(number)?;
            let rates = counted.iter().filter_map(|run| rate(run, number));
            let rates: Vec<f64> = rates.collect();
            let simulated = score.throughput_per_s?;
            let is_asked = simulated > 0.0 || rates.iter().any(|&rate| rate > 0.0);
            let means = counted.iter().filter_map(|run| mean_us(run, site));
            Some(ClosedSite {
                site: (*site).to_owned(),
                rate: ClosedFigure::of(rates, simulated).filter(|_| is_asked)?,
                response: score
                    .mean_us()
                    .and_then(|simulated| ClosedFigure::of(means.collect(), simulated)),
            })
        });
        let read = result.nodes.iter().filter_map(|node| node.cache);
        let read_bytes: u64 = read.map(|cache| cache.device_bytes).sum();
        Self {
            runs: counted.len() as u64,
            is_quiet,
            cpus: assumed.cpus,
            has_measured_costs: assumed.has_measured_costs,
            sites: sites.collect(),
            processors: result
                .nodes
                .first()
                .and_then(|node| node.processors.utilisation),
            disk_bytes_per_s: read_bytes as f64 / result.seconds.max(1e-9),
        }
    }
}

fn is_quiet(run: &CellResult) -> bool {
    let quietness = run.measured.quietness.as_ref();
    quietness.is_none_or(|it| it.others_cpu_share <= NOISE)
}

/// The rate of a site by number.
fn rate(run: &CellResult, site: usize) -> Option<f64> {
    let throughput = run.measured.detail.throughput.as_ref()?;
    let rates = [throughput.foreground_per_s, throughput.background_per_s];
    rates.get(site).copied()
}

fn mean_us(run: &CellResult, site: &str) -> Option<f64> {
    let name = format!("{}, throughput", run.point);
    let mut outcomes = run.measured.outcomes.iter();
    let outcome = outcomes.find(|outcome| outcome.name == name)?;
    outcome
        .score_of(&GroupKey::new(GroupKind::Site, site))?
        .mean_us()
}

/// Processors that servers were given in closed loops.
pub(super) fn given_cpus(throughput: &Throughput) -> f64 {
    let counts = &throughput.counts;
    counts.server_cpu_us as f64 / 1e6 / counts.seconds.max(1e-9)
}
