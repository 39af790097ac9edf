//! The tables of a plan for spreadsheets.

use super::tables;
use super::view::PlanView;
use crate::Table;

pub(super) fn sheets(view: &PlanView) -> Vec<(&'static str, Table)> {
    let plan = view.plan;
    vec![
        ("arms", tables::arms(&plan.total.held_out)),
        ("nodes", tables::nodes(view)),
        ("sites", tables::sites(plan)),
        ("held-files", tables::all_held_files(view)),
        ("gain-by-memory", tables::curve(plan)),
        ("memory-for-gain", tables::memory_needed(view)),
        ("stores", tables::stores(view)),
    ]
}
