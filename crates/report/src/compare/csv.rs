//! The tables of outcomes laid side by side, for spreadsheets.

use super::tables;
use crate::Table;
use hotset_outcome::{GroupKind, SideBySide};

pub(super) fn sheets(side_by_side: &SideBySide) -> Vec<(&'static str, Table)> {
    let groups = GroupKind::ALL.map(|kind| {
        let table = tables::compared_groups(side_by_side, kind);
        (name(kind), table)
    });
    let totals = [
        ("served", tables::served(side_by_side)),
        ("means", tables::means(side_by_side)),
        ("percentiles", tables::percentiles(side_by_side)),
    ];
    let machine = [
        ("resources", tables::resources(side_by_side)),
        ("links", tables::links(side_by_side)),
    ];
    totals.into_iter().chain(groups).chain(machine).collect()
}

fn name(kind: GroupKind) -> &'static str {
    match kind {
        GroupKind::Site => "sites",
        GroupKind::Size => "sizes",
        GroupKind::Job => "jobs",
        GroupKind::Store => "stores",
    }
}
