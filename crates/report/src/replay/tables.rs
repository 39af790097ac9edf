//! The tables of a replay.

use std::cmp::Reverse;

use super::view::{ReplayPart, ReplaySecond, ReplayView, TimeSummary};
use crate::{Cell, Column, Rows, Table, first_byte};

/// Sites that get a row of their own where people read.
const SITES_SHOWN: usize = 200;

/// Header of the share of first bytes that came late.
fn above_line() -> String {
    format!("> {}", first_byte::line_in_words())
}

/// Every kind of time, one below the other.
pub(super) fn times(report: &ReplayView) -> impl Into<Table> {
    let part = &report.total;
    let late = part.late_first_byte_share;
    let rows: [(&str, &TimeSummary, Option<f64>); 5] = [
        ("connection: begun … open", &part.connect_us, None),
        ("sent … first byte", &part.first_byte_us, late),
        ("sent … last byte", &part.total_us, None),
        ("due … last byte", &part.from_intended_us, None),
        ("due … sent (client's lateness)", &report.lateness_us, None),
    ];
    let rows = rows.into_iter();
    Table::of(rows.filter(|(_, times, _)| times.mean.is_some()))
        .text("from … to", |it| it.0)
        .duration("mean", |it| it.1.mean)
        .duration("median", |it| it.1.p50)
        .duration("p95", |it| it.1.p95)
        .duration("p99", |it| it.1.p99)
        .duration("longest", |it| it.1.max)
        .column(Column::percent(&above_line()), |it| {
            it.2.map_or_else(Cell::default, Cell::percent)
        })
}

/// Times to the first byte, and from due to last byte, of each part by its name.
fn parts<'a>(rows: Rows<(&'a str, &'a ReplayPart)>) -> Rows<(&'a str, &'a ReplayPart)> {
    rows.count("requests", |it| it.1.requests)
        .count("errors", |it| it.1.errors)
        .bytes("received", |it| it.1.bytes)
        .duration("p50", |it| it.1.first_byte_us.p50)
        .leading()
        .duration("p95", |it| it.1.first_byte_us.p95)
        .leading()
        .duration("p99", |it| it.1.first_byte_us.p99)
        .leading()
        .percent(&above_line(), |it| it.1.late_first_byte_share)
        .duration("p99 from due", |it| it.1.from_intended_us.p99)
}

/// Site by site and, where there are several, all of them.
pub(super) fn sites(report: &ReplayView) -> impl Into<Table> {
    let sites = report.sites.iter();
    let total = (report.sites.len() != 1).then_some(("all sites", &report.total));
    let sites = Table::of(sites.map(|site| (site.site.as_str(), &site.part)));
    let sites = sites.first(SITES_SHOWN).total(total);
    parts(sites.flexible("site", |it| it.0))
}

/// The same by size of the file; classes without a request are left out.
pub(super) fn sizes(report: &ReplayView) -> impl Into<Table> {
    let classes = report.size_classes.iter();
    let classes = classes.filter(|class| class.part.requests > 0);
    let classes = Table::of(classes.map(|class| (class.class.as_str(), &class.part)));
    parts(classes.text("size", |it| it.0))
}

/// Second by second. People are shown a picture of it.
pub(super) fn seconds(timeline: &[ReplaySecond]) -> impl Into<Table> {
    Table::of(timeline)
        .count("second", |it| it.second)
        .count("sent", |it| it.sent)
        .count("answered", |it| it.answered)
        .count("errors", |it| it.errors)
        .bytes("received", |it| it.bytes)
        .duration("first byte, mean", |it| it.first_byte_mean_us)
        .duration("longest from due", |it| it.from_intended_max_us as f64)
}

/// What went wrong, the most frequent first.
pub(super) fn errors(part: &ReplayPart) -> impl Into<Table> {
    let kinds = part.errors_by_kind.iter();
    let mut kinds: Vec<(&String, u64)> = kinds
        .map(|(kind, count)| (kind, *count))
        .filter(|(_, count)| *count > 0)
        .collect();
    kinds.sort_by_key(|(kind, count)| (Reverse(*count), *kind));
    Table::of(kinds)
        // As `--json` names it, `status_404`, and as people read it.
        .text("what went wrong", |it| it.0.replace('_', " "))
        .count("requests", |it| it.1)
        .percent("of all", |it| it.1 as f64 / part.requests.max(1) as f64)
}
