//! Which objects to hold in memory, and what that buys on accesses the planner has not seen.
//!
//! Memory is split between a held set and the page cache that remains. The first 70 % of the accesses
//! train: objects are ranked by what holding them would have saved for each page, and the split is
//! chosen by validation nested inside them. The rest of the accesses scores the plan beside the page
//! cache alone and other ways of using the same memory.
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
//! assert_eq!(plan.objects[0].object, 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adaptive;
mod advice;
mod arms;
mod catalogue;
mod cost;
mod curve;
mod error;
mod evaluate;
mod linux;
mod options;
mod plan;
mod problem;
mod scan;
mod selection;
mod split;
mod tally;
mod workload;

pub use advice::{Advice, StoreAdvice, advise};
pub use arms::HeldOut;
pub use catalogue::Catalogue;
pub use cost::{CostModel, ProfileCosts};
pub use curve::{CurvePoint, memory_for_gain};
pub use error::PlanError;
pub use evaluate::{Evaluation, evaluate};
pub use options::{PageCacheModel, PlanOptions, Renewal, SiteTerms};
pub use plan::{
    Destination, FileIdentity, Held, HeldObject, Plan, SitePlan, Timings, TotalPlan, plan,
};
pub use selection::Bound;
pub use split::Validation;
pub use tally::{ArmScore, Flow, Traffic};
pub use workload::Workload;

/// Bytes of a page of memory; files take whole pages.
pub const PAGE_BYTES: u64 = 4096;
