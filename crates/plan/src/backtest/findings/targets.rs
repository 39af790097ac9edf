//! Targets of sites: whether memory can meet them at all, and whether the plan does.

use hotset_cache::PAGE_BYTES;
use hotset_scenario::{Measure, Target};
use serde::Serialize;

use crate::PlanError;
use crate::backtest::candidates::choice::Choice;
use crate::backtest::candidates::groups::needed_pages;
use crate::backtest::scoring::arm::Arm;
use crate::backtest::scoring::arms::HeldOutScores;

/// A target of a site, on accesses that the planner has not seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TargetResult {
    /// The target, such as `p99 < 20 ms`.
    pub target: String,
    /// The time that it bounds the responses by, in microseconds.
    pub below_us: f64,
    /// What the page cache alone does; nothing without accesses.
    pub page_cache_us: Option<f64>,
    /// What the plan does; nothing without accesses.
    pub plan_us: Option<f64>,
    /// Whether the plan meets it.
    pub is_met: bool,
    /// The least bytes of a memory group of the site's own with which the training part would have met it; nothing where it is
    /// met, or where no memory is enough because files are read for the first time too often.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needed_bytes: Option<u64>,
}

/// How the targets of site `site` fare.
pub(crate) fn results(
    choices: &[Choice],
    site: usize,
    targets: &[Target],
    held_out: &HeldOutScores,
) -> Result<Vec<TargetResult>, PlanError> {
    let result = |target: &Target| {
        let plan_us = held_out[Arm::Plan].measured_us(target.measure);
        let is_met = plan_us.is_none_or(|us| us < target.below_us);
        Ok(TargetResult {
            target: target.to_string(),
            below_us: target.below_us,
            page_cache_us: held_out[Arm::PageCache].measured_us(target.measure),
            plan_us,
            is_met,
            needed_bytes: match is_met {
                true => None,
                false => needed_bytes(choices, site, *target)?,
            },
        })
    };
    targets.iter().map(result).collect()
}

/// Of all nodes together.
fn needed_bytes(choices: &[Choice], site: usize, target: Target) -> Result<Option<u64>, PlanError> {
    let mut pages = 0;
    for choice in choices {
        match needed_pages(choice.test, site, target)? {
            Some(more) => pages += more,
            None => return Ok(None),
        }
    }
    Ok(Some(pages * PAGE_BYTES))
}

impl crate::backtest::scoring::score::ArmScore {
    /// The measure of its responses, in microseconds; nothing without accesses.
    pub fn measured_us(&self, measure: Measure) -> Option<f64> {
        match measure {
            Measure::Mean => Some(self.mean_us).filter(|us| us.is_finite()),
            Measure::P50 => self.p50_us,
            Measure::P95 => self.p95_us,
            Measure::P99 => self.p99_us,
        }
    }
}
