//! Plans made from the first part of a trace and scored on the rest, which they have not seen.

mod alone;
mod arms;
mod choice;
mod curve;
mod curve_shape;
mod evaluate;
mod nodes;
mod options;
mod placed;
mod plan;
mod plan_nodes;
mod prepare;
mod rankings;
mod renewed;
mod scan;
mod score;
mod share;
mod stores;
mod workload;

pub use arms::HeldOut;
pub use choice::Held;
pub use curve::{CurvePoint, memory_for_gain};
pub use curve_shape::{Setback, SetbackArm, SetbackCause, SetbackFigure};
pub use evaluate::{Evaluation, evaluate};
pub use options::{PageCacheModel, PlanOptions, Renewal};
pub use placed::{Destination, FileIdentity};
pub use plan::{HeldObject, NodePlan, Plan, SitePlan, Timings, TotalPlan};
pub use plan_nodes::{plan, plan_nodes};
pub use score::ArmScore;
pub use share::Validation;
pub use stores::{Advice, StoreAdvice, advise};
pub use workload::Workload;
