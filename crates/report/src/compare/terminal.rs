//! Outcomes side by side in the terminal.

use super::{headline, tables};
use crate::Style;
use crate::terminal::{section, style_lines, wrapped};
use hotset_outcome::{GroupKind, SideBySide};

/// Outcomes side by side: what they served, means with ratios to the first, percentiles, groups, resources, links.
pub(super) fn text(side_by_side: &SideBySide, style: Style) -> String {
    let text = wrapped(&headline::headline(side_by_side), style);
    let mut text = style_lines(style, &text, Style::strong);
    for note in headline::notes(side_by_side) {
        text += &style_lines(style, &wrapped(&note, style), Style::warning);
    }
    let groups = GroupKind::ALL.map(|kind| {
        (
            tables::group_heading(kind).to_owned(),
            tables::compared_groups(side_by_side, kind),
        )
    });
    let tables = [
        ("Served", tables::served(side_by_side)),
        ("Mean, with 95 % intervals", tables::means(side_by_side)),
        ("Percentiles", tables::percentiles(side_by_side)),
    ]
    .map(|(heading, table)| (heading.to_owned(), table))
    .into_iter()
    .chain(groups)
    .chain([
        ("Resources".to_owned(), tables::resources(side_by_side)),
        ("Links".to_owned(), tables::links(side_by_side)),
    ]);
    for (heading, table) in tables {
        text += &section(style, &heading, &table.render(style));
    }
    text
}
