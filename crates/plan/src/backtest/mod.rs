//! Plans made from the first part of a trace and scored on the rest, which they have not seen.
//!
//! | deed | place |
//! | --- | --- |
//! | the job: prepare, choose, score, say | `run` |
//! | options; how much stays page cache | `options` (`PageCacheModel::floor_bytes`) |
//! | the trace is cut in two; accesses are counted and ranked | `prepare` |
//! | nodes that share the traffic | `nodes` |
//! | accesses go through held files and a page cache | `scan` |
//! | programs write into the page cache meanwhile | `writers` |
//! | long parts are scored on a sample of their accesses | `stretches` |
//! | a page cache is warmed by the accesses that decide what it has | `fills` |
//! | a use of the memory is judged by mean or targets | `judgement` |
//! | what a node's memory could be used for, and what of that is chosen | `candidates` |
//! | plan and other arms on the accesses held out | `scoring` |
//! | what is said of them: curve, targets, stores, shifts of the traffic | `findings` |

mod candidates;
mod fills;
mod findings;
mod judgement;
mod nodes;
mod options;
mod prepare;
mod run;
mod sampling;
mod scan;
mod scoring;
mod steps;
mod stretches;
mod workload;
mod writers;

pub use candidates::choice::Validation;
pub use candidates::memory_use::{GroupSize, HeldAmount, Lever};
pub use candidates::starvation::RejectedCandidate;
pub use findings::curve::memory_for_gain;
pub use findings::curve_point::{CurvePoint, Setback, SetbackCause, SetbackFigure};
pub use findings::estimate::{SampledArm, SampledPoint};
pub use findings::evaluation::{Evaluation, evaluate, evaluate_closed_loop, evaluate_groups};
pub use findings::placement::{Destination, FileIdentity};
pub use findings::plan::{HeldObject, NodePlan, Plan, SitePlan, Timings, TotalPlan};
pub use findings::stores::{Advice, SampledStore, StoreAdvice, advise};
pub use findings::targets::TargetResult;
pub use findings::traffic_shift::ClosedLoop;
pub use findings::writer_effect::WriterEffect;
pub use options::{PageCacheModel, PlanOptions, Renewal};
pub use run::{plan, plan_nodes};
pub use scoring::arm::{Arm, ByArm};
pub use scoring::arms::HeldOutScores;
pub use scoring::reversals::Reversal;
pub use scoring::score::ArmScore;
pub use workload::Workload;
pub use writers::Writer;
