//! A replay in the terminal.

use super::headline::headline;
use super::tables;
use super::view::ReplayView;
use crate::Style;
use crate::reading::Reading;
use crate::terminal::{paragraph, sections};

/// What a replay measured: rates and times, where they come from, sites, sizes, errors.
pub(super) fn text(report: &ReplayView, style: Style) -> String {
    let paint = if report.total.errors == 0 {
        Style::strong
    } else {
        Style::warning
    };
    let mut text = paragraph(style, &headline(report), paint);
    for note in report.notes() {
        text += &paragraph(style, &note, Style::faint);
    }
    text += &Reading::new(&report.reading, &report.time_zone).terminal(style);
    let mut tables = vec![("Times of the requests", tables::times(report))];
    if report.sites.len() > 1 {
        tables.push(("Sites: time to the first byte", tables::sites(report)));
    }
    if report.size_classes.len() > 1 {
        let sizes = tables::sizes(report);
        tables.push(("Sizes of the files: time to the first byte", sizes));
    }
    tables.push(("Errors", tables::errors(&report.total)));
    text + &sections(style, tables)
}
