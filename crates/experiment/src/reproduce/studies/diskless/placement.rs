//! A web server by where its files are, at the rates of table 2.

use std::path::Path;
use std::sync::Arc;

use hotset_lab::Control;
use hotset_models::tiers::Traffic;
use hotset_outcome::Distribution;
use hotset_scenario::Scenario;
use hotset_trace::Trace;
use serde::{Deserialize, Serialize};

use super::machines::{results, scenario, simulated};
use super::settings::{SEED, TwinSettings, settings, share, twin};
use super::traffic::at_scale;
use crate::ExperimentError;
use crate::clients::at_once;

/// Where the files are, as the table calls it, and the file of the scenario.
const PLACEMENTS: [(&str, &str); 3] = [
    ("local", "local.toml"),
    ("nfs", "nfs.toml"),
    ("dsa", "diskless.toml"),
];
/// The last of them with the swap of the first, at the highest rate: the document asks what it would change (section 6).
pub(crate) const WITH_SWAP: &str = "dsa with swap";
/// "The results reported here [are] for runs during which request logging by the web server was disabled" (section 4).
const WITHOUT_LOG: &str = "olympics98";

/// What came of a workload at a scale.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Placed {
    pub workload: String,
    pub scale: u32,
    /// Where the files are.
    pub node: String,
    /// Time to the first byte, milliseconds: mean, median, and the 95th and 99th percentile.
    pub first_byte_ms: [Option<f64>; 4],
    /// Requests that came in a second, in the mean, and the share of the web server's processor that they took.
    pub per_s: f64,
    pub processor: f64,
    /// How often its workers came to want more memory than there was, and the most that had a request.
    pub shortages: u64,
    pub most_workers: u32,
}

/// A simulation.
struct Case {
    scale: u32,
    node: &'static str,
    scenario: Scenario,
    traffic: Arc<Traffic>,
}

/// What comes of all workloads at their scales, by where the files are.
///
/// # Errors
/// Files that cannot be used, and an interruption.
pub(crate) fn placed(path: &Path, control: &dyn Control) -> Result<Vec<Placed>, ExperimentError> {
    let mut all = Vec::new();
    for (workload, of) in settings(path)? {
        let trace = twin(&workload, of.minutes)?;
        let cases = cases(path, &workload, &of, &trace)?;
        let broken = "a simulation of a diskless web server broke off";
        all.extend(at_once(&cases, broken, |case| {
            of_case(&workload, case, &trace, control)
        })?);
    }
    Ok(all)
}

fn cases(
    path: &Path,
    workload: &str,
    of: &TwinSettings,
    trace: &Trace,
) -> Result<Vec<Case>, ExperimentError> {
    let mut cases = Vec::new();
    let most = of.scales.iter().copied().max();
    for &scale in &of.scales {
        let traffic = at_scale(trace, of.minutes, scale, SEED);
        for (node, file) in PLACEMENTS {
            let mut scenario = scenario(path, file, share(of.minutes))?;
            if workload == WITHOUT_LOG {
                scenario
                    .nodes
                    .iter_mut()
                    .for_each(|it| it.needs.logs = None);
            }
            cases.push(Case {
                scale,
                node,
                scenario,
                traffic: Arc::clone(&traffic),
            });
        }
        if Some(scale) == most
            && let Some(with_swap) = with_swap(&cases)
        {
            cases.push(with_swap);
        }
    }
    Ok(cases)
}

/// The last case with the swap that another has.
fn with_swap(cases: &[Case]) -> Option<Case> {
    let nodes = cases.iter().flat_map(|case| &case.scenario.nodes);
    let swap_bytes = nodes.map(|node| node.needs.swap_bytes).max()?;
    let last = cases.last()?;
    let mut scenario = last.scenario.clone();
    let webs = scenario.nodes.iter_mut().filter(|node| node.reads_store());
    webs.for_each(|web| web.needs.swap_bytes = swap_bytes);
    Some(Case {
        scale: last.scale,
        node: WITH_SWAP,
        scenario,
        traffic: Arc::clone(&last.traffic),
    })
}

fn of_case(
    workload: &str,
    case: &Case,
    trace: &Trace,
    control: &dyn Control,
) -> Result<Placed, ExperimentError> {
    let result = simulated(&case.scenario, trace, &case.traffic, control)?;
    let webs = results(&case.scenario, &result, true)?;
    let web = webs.first().map(|(_, web)| *web);
    let memory = web.and_then(|web| web.memory).unwrap_or_default();
    Ok(Placed {
        workload: workload.to_owned(),
        scale: case.scale,
        node: case.node.to_owned(),
        first_byte_ms: figures_ms(result.total.latencies.first_byte.as_ref()),
        per_s: result.asked_per_s,
        processor: web
            .and_then(|web| web.processors.utilisation)
            .unwrap_or_default(),
        shortages: memory.shortages,
        most_workers: memory.most_workers,
    })
}

fn figures_ms(times: Option<&Distribution>) -> [Option<f64>; 4] {
    let figures = times.map(|it| [it.mean_us, it.p50_us, it.p95_us, it.p99_us]);
    figures.unwrap_or_default().map(|us| us.map(|us| us / 1e3))
}

impl Placed {
    /// Name of its row in the table.
    pub fn name(&self) -> String {
        format!("{} {}x", self.workload, self.scale)
    }
}
