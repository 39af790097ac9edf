//! Ways of using a node's memory. Each chooses what is held and says how; [`Stage`](super::stage::Stage) does the placing.
//!
//! To add one: a file here with an [`Arm`], and its place in [`ARMS`]. The compiler asks for everything else: an [`Arm`] has
//! no default, and a new way of holding files is a variant of [`Means`] that is matched wherever it matters.

mod alone;
mod apply_bind;
mod apply_groups;
mod apply_groups_target;
mod apply_groups_weight;
mod apply_hot_root;
mod apply_pin;
mod arm;
mod groups_target;
mod groups_weight;
mod hottest;
mod own_group;
mod page_cache;
mod pages;
mod plan;
mod plan_target;
mod plan_weight;
mod ramfs;
mod run;
mod run_weight;
mod size_rule;
mod vmtouch;

pub(super) use arm::{Arm, Choice, Heeds, Means, NOTHING, Priority, Room, Situation, Traffic};
pub(super) use page_cache::PAGE_CACHE;
pub(super) use pages::{page_bytes_of, within};

/// The ways there are, those that the others are compared with first.
pub(super) static ARMS: [&Arm; 19] = [
    &page_cache::PAGE_CACHE,
    &plan::PLAN,
    &plan_weight::PLAN_WEIGHT,
    &plan_target::PLAN_TARGET,
    &groups_weight::GROUPS_WEIGHT,
    &groups_target::GROUPS_TARGET,
    &ramfs::RAMFS,
    &vmtouch::VMTOUCH,
    &own_group::OWN_GROUP,
    &size_rule::SIZE_RULE,
    &alone::ALONE,
    &apply_pin::APPLY_PIN,
    &apply_bind::APPLY_BIND,
    &apply_hot_root::APPLY_HOT_ROOT,
    &apply_groups::APPLY_GROUPS,
    &apply_groups_weight::APPLY_GROUPS_WEIGHT,
    &apply_groups_target::APPLY_GROUPS_TARGET,
    &run::RUN,
    &run_weight::RUN_WEIGHT,
];

/// The arm called `name`.
pub(super) fn named(name: &str) -> Result<&'static Arm, String> {
    let found = ARMS.into_iter().find(|arm| arm.name == name);
    found.ok_or_else(|| {
        let names = ARMS.map(|arm| arm.name);
        format!("`{name}` is none of {}", names.join(", "))
    })
}
