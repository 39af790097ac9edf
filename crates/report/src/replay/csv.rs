//! The tables of a replay for spreadsheets.

use super::tables;
use super::view::ReplayView;
use crate::Table;

pub(super) fn sheets(report: &ReplayView) -> Vec<(&'static str, Table)> {
    vec![
        ("times", tables::times(report)),
        ("sites", tables::sites(report)),
        ("sizes", tables::sizes(report)),
        ("seconds", tables::seconds(report)),
        ("errors", tables::errors(&report.total)),
    ]
}
