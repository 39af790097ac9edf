//! Outcomes side by side in the terminal.

use super::{headline, tables};
use crate::Style;
use crate::terminal::{paragraph, sections};
use hotset_outcome::{GroupKind, SideBySide};

/// Outcomes side by side: what they served, means with ratios to the first, percentiles, groups, resources, links.
pub(super) fn text(side_by_side: &SideBySide, style: Style) -> String {
    let mut text = paragraph(style, &headline::headline(side_by_side), Style::strong);
    for note in headline::notes(side_by_side) {
        text += &paragraph(style, &note, Style::warning);
    }
    let totals = [
        ("Served", tables::served(side_by_side)),
        ("Mean, with 95 % intervals", tables::means(side_by_side)),
        ("Percentiles", tables::percentiles(side_by_side)),
    ];
    let groups = GroupKind::ALL.map(|kind| {
        let table = tables::compared_groups(side_by_side, kind);
        (tables::group_heading(kind), table)
    });
    let machine = [
        ("Resources", tables::resources(side_by_side)),
        ("Links", tables::links(side_by_side)),
    ];
    let all = totals.into_iter().chain(groups).chain(machine);
    let shown = all.map(|(heading, table)| (heading, table.without_unknown_columns()));
    text + &sections(style, shown)
}
