//! Plans made from the first part of a trace and scored on the rest, which they have not seen.

mod arms;
mod curve;
mod evaluate;
mod nodes;
mod options;
mod plan;
mod prepare;
mod renewed;
mod scan;
mod score;
mod share;
mod workload;

pub use arms::HeldOut;
pub use curve::{CurvePoint, memory_for_gain};
pub use evaluate::{Evaluation, evaluate};
pub use options::{PageCacheModel, PlanOptions, Renewal};
pub use plan::{
    Destination, FileIdentity, Held, HeldObject, NodePlan, Plan, SitePlan, Timings, TotalPlan,
    plan, plan_nodes,
};
pub use score::ArmScore;
pub use share::Validation;
pub use workload::Workload;
