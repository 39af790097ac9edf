//! What is said of a plan beside its scores.
//!
//! | deed | place |
//! | --- | --- |
//! | everything that a plan says | `plan`; of nodes and sites: `parts` |
//! | gain against memory; memory against gain | `curve`, `curve_point` |
//! | points of the curve that are not scanned, and how far they may be off | `interpolation`, `interpolation_error` |
//! | the knee of the curve; where more memory does worse | `curve_shape` |
//! | whether targets are met, and what they would need | `targets` |
//! | what becomes of the traffic where clients wait for answers | `traffic_shift` |
//! | which store suits a site | `stores` |
//! | a given set of files in place of a plan | `evaluation` |
//! | a plan's files by name, for placing them | `placement` |

pub(super) mod curve;
pub(super) mod curve_point;
pub(super) mod curve_shape;
pub(super) mod evaluation;
pub(super) mod interpolation;
pub(super) mod interpolation_error;
pub(super) mod parts;
pub(super) mod placement;
pub(super) mod plan;
pub(super) mod stores;
pub(super) mod targets;
pub(super) mod traffic_shift;
