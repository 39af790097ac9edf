//! The tables of a plan for spreadsheets.

use super::tables;
use super::view::PlanView;
use crate::Table;

pub(super) fn sheets(view: &PlanView) -> Vec<(&'static str, Table)> {
    let plan = view.plan;
    vec![
        ("arms", tables::all_of_arms(plan)),
        ("percentiles", tables::percentiles(plan)),
        ("targets", tables::targets(plan)),
        ("groups", tables::all_of_groups(view)),
        ("nodes", tables::nodes(view)),
        ("sites", tables::sites(plan)),
        ("held-files", tables::all_held_files(view)),
        ("changes", tables::all_changes(view)),
        ("gain-by-memory", tables::weighted_curve(plan)),
        ("memory-for-gain", tables::memory_needed(view)),
        ("stores", tables::store_by_store(view)),
    ]
}
