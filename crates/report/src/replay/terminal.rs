//! A replay in the terminal.

use super::headline::headline;
use super::tables;
use super::view::ReplayView;
use crate::Style;
use crate::terminal::{section, style_lines, wrapped};

/// What a replay measured: rates and times, where they come from, sites, sizes, errors.
pub(super) fn text(report: &ReplayView, style: Style) -> String {
    let paint = if report.total.errors == 0 {
        Style::strong
    } else {
        Style::warning
    };
    let mut text = style_lines(style, &wrapped(&headline(report), style), paint);
    for note in report.notes() {
        text += &style_lines(style, &wrapped(&note, style), Style::faint);
    }
    let times = tables::times(report).render(style);
    text += &section(style, "Times of the requests", &times);
    if report.sites.len() > 1 {
        text += &section(
            style,
            "Sites: time to the first byte",
            &tables::sites(report).render(style),
        );
    }
    if report.size_classes.len() > 1 {
        text += &section(
            style,
            "Sizes of the files: time to the first byte",
            &tables::sizes(report).render(style),
        );
    }
    text += &section(
        style,
        "Errors",
        &tables::errors(&report.total).render(style),
    );
    text
}
