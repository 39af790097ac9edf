//! What is said of a plan beside its scores.
//!
//! | deed | place |
//! | --- | --- |
//! | everything that a plan says | `plan`; of nodes and sites: `parts` |
//! | gain against memory; memory against gain | `curve`, `curve_point` |
//! | figures that are estimated from a sample of the accesses, and where they lie | `estimate` |
//! | the knee of the curve; where more memory does worse | `curve_shape` |
//! | whether targets are met, and what they would need | `targets` |
//! | what becomes of the traffic where clients wait for answers | `traffic_shift` |
//! | which store suits a site | `stores` |
//! | what programs that write do to the page cache's hits | `writer_effect` |
//! | a given set of files in place of a plan | `evaluation` |
//! | a plan's files by name, for placing them | `placement` |

pub(super) mod curve;
pub(super) mod curve_point;
pub(super) mod curve_shape;
pub(super) mod estimate;
pub(super) mod evaluation;
pub(super) mod parts;
pub(super) mod placement;
pub(super) mod plan;
pub(super) mod stores;
pub(super) mod targets;
pub(super) mod traffic_shift;
pub(super) mod writer_effect;
