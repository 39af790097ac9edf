//! The tables of a replay that terminal and page share.

use super::view::{ReplayPart, ReplayView, TimeSummary};
use crate::first_byte;
use crate::table::{SITES_SHOWN, optional};
use crate::{Cell, Column, Table};

fn duration(us: Option<f64>) -> Cell {
    optional(us, Cell::duration)
}

fn share(share: Option<f64>) -> Cell {
    optional(share, Cell::percent)
}

/// Header of the share of first bytes that came late.
fn above_line() -> String {
    format!("> {}", first_byte::line_in_words())
}

/// Every kind of time, one below the other.
pub(super) fn times(report: &ReplayView) -> Table {
    let late = above_line();
    let times = ["mean", "median", "p95", "p99", "longest"].map(Column::duration);
    let first = [Column::text("from … to")].into_iter();
    let mut table = Table::new(first.chain(times).chain([Column::percent(&late)]));
    let part = &report.total;
    let rows = [
        ("connection: begun … open", &part.connect_us, None),
        (
            "sent … first byte",
            &part.first_byte_us,
            part.late_first_byte_share,
        ),
        ("sent … last byte", &part.total_us, None),
        ("due … last byte", &part.from_intended_us, None),
        ("due … sent (client's lateness)", &report.lateness_us, None),
    ];
    for (name, times, late) in rows {
        if times.mean.is_some() {
            let late = late.map_or_else(Cell::default, |late| share(Some(late)));
            table.row(time_cells(name, times).into_iter().chain([late]));
        }
    }
    table
}

fn time_cells(name: &str, times: &TimeSummary) -> Vec<Cell> {
    let figures = [times.mean, times.p50, times.p95, times.p99, times.max];
    [name.into()]
        .into_iter()
        .chain(figures.map(duration))
        .collect()
}

fn part_table(first: Column) -> Table {
    Table::new([
        first,
        Column::number("requests"),
        Column::number("errors"),
        Column::bytes("received"),
        Column::duration("p50"),
        Column::duration("p95"),
        Column::duration("p99"),
        Column::percent(&above_line()),
        Column::duration("p99 from due"),
    ])
}

fn part_cells(name: &str, part: &ReplayPart) -> Vec<Cell> {
    let first_byte = &part.first_byte_us;
    vec![
        name.into(),
        Cell::count(part.requests),
        Cell::count(part.errors),
        Cell::bytes(part.bytes),
        duration(first_byte.p50),
        duration(first_byte.p95),
        duration(first_byte.p99),
        share(part.late_first_byte_share),
        duration(part.from_intended_us.p99),
    ]
}

/// Site by site and, where there are several, all of them: times to the first byte, and from due to last byte.
pub(super) fn sites(report: &ReplayView) -> Table {
    let mut table = part_table(Column::flexible("site"));
    for site in &report.sites {
        table.row(part_cells(&site.site, &site.part));
    }
    table.hide_beyond(SITES_SHOWN);
    if report.sites.len() != 1 {
        table.strong_row(part_cells("all sites", &report.total));
    }
    table
}

/// The same by size of the file; classes without a request are left out.
pub(super) fn sizes(report: &ReplayView) -> Table {
    let mut table = part_table(Column::text("size"));
    for class in report
        .size_classes
        .iter()
        .filter(|class| class.part.requests > 0)
    {
        table.row(part_cells(&class.class, &class.part));
    }
    table
}

/// Second by second. People are shown a picture of it.
pub(super) fn seconds(report: &ReplayView) -> Table {
    let mut table = Table::new([
        Column::number("second"),
        Column::number("sent"),
        Column::number("answered"),
        Column::number("errors"),
        Column::bytes("received"),
        Column::duration("first byte, mean"),
        Column::duration("longest from due"),
    ]);
    for of in &report.timeline {
        table.row([
            Cell::count(of.second),
            Cell::count(of.sent),
            Cell::count(of.answered),
            Cell::count(of.errors),
            Cell::bytes(of.bytes),
            duration(of.first_byte_mean_us),
            Cell::duration(of.from_intended_max_us as f64),
        ]);
    }
    table
}

/// What went wrong, the most frequent first.
pub(super) fn errors(part: &ReplayPart) -> Table {
    let mut table = Table::new([
        Column::text("what went wrong"),
        Column::number("requests"),
        Column::percent("of all"),
    ]);
    let mut kinds: Vec<(&String, u64)> = part
        .errors_by_kind
        .iter()
        .map(|(kind, count)| (kind, *count))
        .collect();
    kinds.sort_by_key(|(kind, count)| (std::cmp::Reverse(*count), (*kind).clone()));
    for (kind, count) in kinds.into_iter().filter(|(_, count)| *count > 0) {
        let of_all = Cell::percent(count as f64 / part.requests.max(1) as f64);
        table.row([in_words(kind).into(), Cell::count(count), of_all]);
    }
    table
}

/// A kind as `--json` names it, as people read it: `status_404` becomes `status 404`.
fn in_words(kind: &str) -> String {
    kind.replace('_', " ")
}
