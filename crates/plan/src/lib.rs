//! Which objects to hold in memory, and what that buys on accesses the planner has not seen.
//!
//! Four parts, each usable by itself:
//! - `value` and `select`: what files cost and what holding them saves ([`Values`]), and which to hold within a [`Budget`]
//!   by their heat ([`select`]). They need a [`Catalogue`] of files and no trace.
//! - `online`: what accesses say as they come, for a program that keeps running ([`Online`]).
//! - `baseline`: what the page cache alone would have had of the same accesses, for such a program ([`Baseline`]).
//! - `backtest`: plans made from the first part of a trace and scored on the rest ([`plan`]), and the learner above driven
//!   over the same trace.
//!
//! Memory is split between a held set and the page cache that remains. The first 70 % of the accesses
//! train: objects are ranked by what holding them would have saved for each page, and the split is
//! chosen by validation nested inside them. The rest of the accesses scores the plan beside the page
//! cache alone and other ways of using the same memory.
//!
//! | deed | place |
//! | --- | --- |
//! | what a file is worth; what fits | `value`, `select` |
//! | what a read of a file costs | `value/response.rs`; the lines are the scenario's profiles |
//! | heat, experts, hysteresis | `online` |
//! | the page cache alone, followed on a sample of the files | `baseline` |
//! | a plan and its scores | the table in `backtest` |
//! | whether there is something to do | `verdict` |
//! | sizes of memory to choose from | `proposal` |
//! | memory between files and database servers | `databases` |
//! | where a curve bends | `knee` |
//!
//! ```
//! use hotset_plan::{Catalogue, PlanOptions, ProfileCosts, Workload, plan};
//! use hotset_scenario::Profile;
//!
//! let accesses = [0, 1, 2, 0, 3, 4, 0, 5, 6, 0];
//! let sites = ["shop".to_owned()];
//! let files = Catalogue { sizes: &[4096; 7], site_of_object: &[0; 7], sites: &sites };
//! let workload = Workload { accesses: &accesses, times_us: None, files };
//! let profile = |name| Profile::builtin(name).ok_or("no such profile");
//! let (memory, backing) = (profile("memory")?, [profile("hdd")?]);
//! let costs = ProfileCosts { memory: &memory, backing: &backing, files };
//! let plan = plan(&workload, &costs, &PlanOptions::new(2 * 4096))?;
//! assert_eq!(plan.nodes[0].objects[0].object, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backtest;
mod baseline;
mod databases;
mod error;
mod knee;
mod online;
mod proposal;
mod select;
mod value;
mod verdict;

pub use backtest::{
    Advice, Arm, ArmScore, ByArm, ClosedLoop, CurvePoint, Destination, Evaluation, FileIdentity,
    GroupSize, HeldAmount, HeldObject, HeldOutScores, Lever, NodePlan, PageCacheModel, Plan,
    PlanOptions, RejectedCandidate, Renewal, Reversal, SampledArm, SampledPoint, SampledStore,
    Setback, SetbackCause, SetbackFigure, SitePlan, StoreAdvice, TargetResult, Timings, TotalPlan,
    Validation, Workload, Writer, WriterEffect, advise, evaluate, evaluate_closed_loop,
    evaluate_groups, memory_for_gain, plan, plan_nodes,
};
pub use baseline::{Baseline, Compared, Estimate, FromStore, Interval, LEVEL, PARTS, Sum};
pub use databases::{
    DatabaseDivision, DatabaseQuestion, DatabaseSite, DividedServer, FileCosts, HeldOutInterval,
    PinnedTable, PoolPrediction, RefusedPin, ServerUse, TableUse, divide, hot_bytes, used_bytes,
};
pub use error::PlanError;
pub use knee::knee;
pub use online::{FileName, Online, OnlineState, Period, select_beside, select_moving};
pub use proposal::{Proposal, ProposedSize, SizeReason, scan_bytes};
pub use select::{Bound, Budget, HeldSet, Ranking, select};
pub use value::{
    Catalogue, Flow, ProfileCosts, ScanSeries, SiteTerms, Traffic, Values, miss_penalty_us,
    reserved_pages, scan_mean_us,
};
pub use verdict::Verdict;
