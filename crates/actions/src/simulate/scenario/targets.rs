//! Targets of sites: what their responses come to, and whether that is as it should be.

use hotset_outcome::Score;
use hotset_report::{ScenarioView, SimulatedTarget, number};
use hotset_scenario::{Measure, Target};

use super::options::Options;
use crate::{Field, JobError};

/// How the targets of each site fare; `scores` are of the sites in their order.
pub(super) fn results(
    targets: &[Vec<Target>],
    sites: &[String],
    scores: &[Score],
) -> Vec<SimulatedTarget> {
    let of_sites = targets.iter().zip(sites).zip(scores);
    let of_sites = of_sites.flat_map(|((targets, site), score)| {
        let result = move |target: &Target| result(site, *target, score);
        targets.iter().map(result)
    });
    of_sites.collect()
}

fn result(site: &str, target: Target, score: &Score) -> SimulatedTarget {
    let simulated_us = measured_us(score, target.measure);
    SimulatedTarget {
        site: site.to_owned(),
        target: target.to_string(),
        below_us: target.below_us,
        simulated_us,
        is_met: simulated_us.is_some_and(|us| us < target.below_us),
    }
}

/// A measure of the responses, microseconds; nothing without any.
fn measured_us(score: &Score, measure: Measure) -> Option<f64> {
    let response = score.latencies.response.as_ref()?;
    match measure {
        Measure::Mean => response.mean_us,
        Measure::P50 => response.p50_us,
        Measure::P95 => response.p95_us,
        Measure::P99 => response.p99_us,
    }
}

/// Whether responses are as the options ask, to be said after the result. Targets that only the scenario has are shown, no more.
///
/// # Errors
/// They are not.
pub fn verdict(options: &Options, simulated: &ScenarioView) -> Result<(), JobError> {
    let is_asked =
        |it: &&SimulatedTarget| options.targets.iter().any(|asked| asked.site == it.site);
    let missed = simulated.targets.iter().filter(is_asked);
    let missed: Vec<String> = missed.filter(|it| !it.is_met).map(in_words).collect();
    if missed.is_empty() {
        return Ok(());
    }
    let message = format!(
        "{}: {}: {}",
        options.scenario.display(),
        Field::Target,
        missed.join(", ")
    );
    Err(JobError::ConditionMet(message.into()))
}

fn in_words(missed: &SimulatedTarget) -> String {
    let SimulatedTarget { site, target, .. } = missed;
    match missed.simulated_us {
        Some(us) => format!("{site} has {} and not {target}", number::duration(us)),
        None => format!("no response of {site} was measured, so {target} is not met"),
    }
}
