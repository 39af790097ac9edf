//! `hotset compare`.

use super::{section, style_lines, wrapped};
use crate::{Style, headline, tables};
use hotset_outcome::SideBySide;

/// Outcomes side by side: what they served, means with ratios to the first, percentiles, sites.
pub fn compare(side_by_side: &SideBySide, style: Style) -> String {
    let text = wrapped(&headline::compare(side_by_side), style);
    let mut text = style_lines(style, &text, Style::strong);
    for note in headline::compare_notes(side_by_side) {
        text += &style_lines(style, &wrapped(&note, style), Style::warning);
    }
    for (heading, table) in [
        ("Served", tables::served(side_by_side)),
        ("Mean, with 95 % intervals", tables::means(side_by_side)),
        ("Percentiles", tables::percentiles(side_by_side)),
        ("Site by site", tables::compared_sites(side_by_side)),
    ] {
        text += &section(style, heading, &table.render(style));
    }
    text
}
