//! What a plan says.

use std::time::{Duration, Instant};

use hotset_outcome::Outcome;
use hotset_scenario::{Objective, Reason};
use serde::Serialize;

use super::curve_point::CurvePoint;
use super::targets::TargetResult;
use super::traffic_shift::ClosedLoop;
use super::writer_effect::WriterEffect;
use crate::backtest::candidates::choice::Validation;
use crate::backtest::candidates::memory_use::{GroupSize, HeldAmount, Lever};
use crate::backtest::candidates::starvation::RejectedCandidate;
#[cfg(doc)]
use crate::backtest::options::{PageCacheModel, PlanOptions};
use crate::backtest::scoring::arms::HeldOutScores;
use crate::backtest::scoring::reversals::Reversal;
use crate::select::Bound;

/// The plan for one site.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SitePlan {
    /// Its name.
    pub site: String,
    /// Its weight.
    pub weight: f64,
    /// Bytes of memory it reserves.
    pub reservation_bytes: u64,
    /// Accesses to its files that the plan learnt from.
    pub training_accesses: u64,
    /// Its held files.
    pub held_objects: u64,
    /// Bytes of its held files.
    pub held_bytes: u64,
    /// The site's memory group on all nodes together; left out where the plan has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<GroupSize>,
    /// How the site's targets fare; left out where it has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<TargetResult>,
    /// The site if all clients wait for answers before they ask again; left out where that changes no site's share by
    /// much.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub closed_loop: Option<ClosedLoop>,
    /// What the plan buys it on accesses the planner has not seen.
    pub held_out: HeldOutScores,
}

/// The plan for all sites.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct TotalPlan {
    /// What the plan buys on accesses the planner has not seen.
    pub held_out: HeldOutScores,
}

/// One held object.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldObject {
    /// Its id.
    pub object: u32,
    /// Why it is held.
    pub reason: Reason,
}

/// The plan for one node.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct NodePlan {
    /// Memory asked for, in bytes; whole pages of it are used.
    pub memory_bytes: u64,
    /// What is held.
    pub held: HeldAmount,
    /// Memory that remains for the page cache, in bytes.
    pub page_cache_bytes: u64,
    /// Share of memory given to held files at most, chosen by validation inside the training part.
    pub share: f64,
    /// Accesses that the plan learnt from.
    pub training_accesses: u64,
    /// What the plan buys on the node's accesses that the planner has not seen.
    pub held_out: HeldOutScores,
    /// Sites' memory groups, in the order of the sites; empty where the plan has none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<GroupSize>,
    /// Programs that write beside its server.
    #[serde(skip)]
    pub writers: Vec<WriterEffect>,
    /// Held objects, the most valuable first.
    #[serde(skip)]
    pub objects: Vec<HeldObject>,
}

/// How long the parts of planning took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timings {
    /// Name of each part and its duration, in the order they were done.
    pub parts: Vec<(&'static str, Duration)>,
}

impl Timings {
    /// Does `work` and notes how long it took as `part`.
    pub(crate) fn time<T>(&mut self, part: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let done = work();
        self.parts.push((part, start.elapsed()));
        done
    }
}

/// Which objects to hold, and what that buys; sums and means are of all nodes together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Plan {
    /// Memory asked for, in bytes; whole pages of it are used.
    pub memory_bytes: u64,
    /// What it is made for.
    pub objective: Objective,
    /// What the plan uses memory for: on all nodes the same if they agree, else files and groups.
    pub lever: Lever,
    /// What is held.
    pub held: HeldAmount,
    /// What the best plan found would hold, where it was given up because it does no better on the held-out accesses
    /// than what remains; the arm `plan` has its scores. Left out where no plan was given up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub given_up: Option<HeldAmount>,
    /// What does better by the objective and was not chosen, because it would starve a site with a weight or a target
    /// once its clients wait for answers. Left out where nothing was rejected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected: Option<RejectedCandidate>,
    /// Memory that remains for the page cache, in bytes.
    pub page_cache_bytes: u64,
    /// What of the memory stays page cache whatever is held, bytes; 0 with --page-cache whole-files.
    pub page_cache_floor_bytes: u64,
    /// Share of memory given to held files at most, chosen by validation inside the training part.
    pub share: f64,
    /// What validation inside the training part says of the choice.
    pub validated: Validation,
    /// How far the held set can be from the best one of its size, by the training part's counts.
    pub bound: Bound,
    /// Accesses that the plan learnt from.
    pub training_accesses: u64,
    /// Bytes to read to get there from what was held before.
    pub moved_bytes: u64,
    /// Seed of the intervals.
    pub seed: u64,
    /// Site by site.
    pub sites: Vec<SitePlan>,
    /// All sites together.
    pub total: TotalPlan,
    /// Arms of all sites together that change places with --page-cache whole-files; left out where none do.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reversals: Vec<Reversal>,
    /// Gain against memory.
    pub curve: Vec<CurvePoint>,
    /// Memory at the knee of the plan's curve, bytes: the point farthest below the chord from the first point to the
    /// fastest, both axes scaled to 0 to 1 (Kneedle). Null for a curve that does not bend that way.
    pub knee_memory_bytes: Option<u64>,
    /// Page cache alone, plan and clairvoyant on the accesses held out, to be laid beside other outcomes.
    pub outcomes: Vec<Outcome>,
    /// Node by node.
    #[serde(skip)]
    pub nodes: Vec<NodePlan>,
    /// How long each part took.
    #[serde(skip)]
    pub timings: Timings,
}
