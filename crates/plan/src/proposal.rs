//! Sizes of memory that are worth asking for, where nobody has named one.

use hotset_scenario::Objective;
use serde::Serialize;

use crate::backtest::{Arm, ArmScore, CurvePoint, Plan};

/// What memory there is for files, what all of them take, and sizes that are worth asking for.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Proposal {
    /// The memory group whose limit leaves no more; null where it is the machine.
    pub group: Option<String>,
    /// Memory that is free here for files, bytes: what is not used, and the page cache, which can be evicted. The plan is made
    /// for it.
    pub free_bytes: u64,
    /// What all files that were read take in whole pages, bytes.
    pub all_files_bytes: u64,
    /// Where all files fit: the bytes of other files that have to be read between two reads of a file before the page cache alone
    /// can lose it. Null where they do not fit.
    pub scan_bytes: Option<u64>,
    /// Sizes, ascending.
    pub sizes: Vec<ProposedSize>,
}

/// A size of memory, and what a plan for it buys on accesses that the planner has not seen.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ProposedSize {
    /// The size, bytes.
    pub memory_bytes: u64,
    /// Why it is worth asking for; at least one reason.
    pub reasons: Vec<SizeReason>,
    /// What the page cache alone does.
    pub page_cache: ArmScore,
    /// What the plan does.
    pub plan: ArmScore,
}

/// Why a size is worth asking for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SizeReason {
    /// The least of the curve with which the plan meets all targets on the part of the traffic that it learns from.
    Targets,
    /// The least found whose plan gains as much as was asked for.
    Gain,
    /// Up to there each further byte saves more time than the average over the curve.
    Knee,
    /// It is free here.
    Free,
}

/// The bytes of other files that have to be read between two reads of a file before a page cache of `free_bytes` can lose it;
/// nothing where the files do not fit.
///
/// What is evicted first is what was used longest ago, or was used once. Before a file goes, everything that is not one of these
/// files goes. Linux keeps files longer that were read twice, so it may take more.
pub fn scan_bytes(free_bytes: u64, all_files_bytes: u64) -> Option<u64> {
    free_bytes.checked_sub(all_files_bytes)
}

impl Plan {
    /// Sizes to choose from: the plan's own, which is free in the memory `group` or else on the machine, and others of its curve;
    /// `gain` is the point with the gain that was asked for.
    pub fn proposal(
        &self,
        group: Option<String>,
        all_files_bytes: u64,
        gain: Option<&CurvePoint>,
    ) -> Proposal {
        let own = &self.total.held_out;
        let free = ProposedSize {
            memory_bytes: self.memory_bytes,
            reasons: vec![SizeReason::Free],
            page_cache: own[Arm::PageCache].clone(),
            plan: own[Arm::Plan].clone(),
        };
        let knee = |point: &&CurvePoint| Some(point.memory_bytes) == self.knee_memory_bytes;
        let of_curve = [
            (SizeReason::Targets, self.meets_targets()),
            (SizeReason::Gain, gain),
            (SizeReason::Knee, self.curve.iter().find(knee)),
        ];
        let of_curve = of_curve.into_iter().filter_map(|(reason, point)| {
            let point = point?;
            Some(ProposedSize {
                memory_bytes: point.memory_bytes,
                reasons: vec![reason],
                page_cache: point.page_cache.clone(),
                plan: point.plan.clone(),
            })
        });
        let mut sizes: Vec<ProposedSize> = of_curve.chain([free]).collect();
        sizes.sort_by_key(|size| size.memory_bytes);
        sizes.dedup_by(|next, size| {
            let is_same = next.memory_bytes == size.memory_bytes;
            if is_same {
                size.reasons.append(&mut next.reasons);
            }
            is_same
        });
        Proposal {
            group,
            free_bytes: self.memory_bytes,
            all_files_bytes,
            scan_bytes: scan_bytes(self.memory_bytes, all_files_bytes),
            sizes,
        }
    }

    /// The least memory of the curve with which all targets are met, where there are some.
    fn meets_targets(&self) -> Option<&CurvePoint> {
        let has_targets = self.sites.iter().any(|site| !site.targets.is_empty());
        let mut points = self.curve.iter();
        let met = points.find(|point| point.validated.missed_targets == 0);
        met.filter(|_| has_targets && self.objective == Objective::Targets)
    }
}
