//! Tables of outcomes laid side by side.

use crate::first_byte;
use crate::table::optional;
use crate::{Cell, Column, Table, number};
use hotset_outcome::{
    Compared, Figures, GroupKey, GroupKind, Interval, LatencyKind, RatioMethod, SideBySide,
};

/// Rows of groups: beyond them `--json` is the place to look.
const GROUP_ROWS_SHOWN: usize = 200;

/// What each outcome is and what it served.
pub(super) fn served(side_by_side: &SideBySide) -> Table {
    let mut table = Table::new([
        Column::flexible("outcome"),
        Column::text("kind"),
        Column::number("requests"),
        Column::number("errors"),
        Column::per_second("throughput"),
        Column::number("÷ baseline"),
        Column::percent("hit ratio"),
    ]);
    for compared in &side_by_side.compared {
        let total = &compared.total;
        table.row([
            Cell::from(&compared.name),
            compared.provenance.kind.name().into(),
            optional(total.requests, Cell::count),
            optional(total.errors, Cell::count),
            optional(total.throughput_per_s, Cell::per_second),
            throughput_ratio(total),
            optional(total.hit_ratio, Cell::percent),
        ]);
    }
    table
}

/// Whether any outcome has the figure for all requests together.
fn any_total<T>(side_by_side: &SideBySide, figure: fn(&Figures) -> Option<T>) -> bool {
    let mut all = side_by_side.compared.iter();
    all.any(|of| figure(&of.total).is_some())
}

/// Means and their ratios to the baseline; empty where no outcome has a mean of all requests.
pub(super) fn means(side_by_side: &SideBySide) -> Table {
    let mut table = Table::new([
        Column::flexible("outcome"),
        Column::text("time"),
        Column::duration("mean").with_interval(),
        Column::number("÷ baseline").with_interval(),
        Column::text("compared as"),
    ]);
    if !any_total(side_by_side, |total| total.mean_us) {
        return table;
    }
    for compared in &side_by_side.compared {
        let total = &compared.total;
        table.row([
            Cell::from(&compared.name),
            optional(total.mean_of, latency_text),
            mean(total),
            ratio(total),
            method(total).into(),
        ]);
    }
    table
}

/// Percentiles of the first byte, or of what stands for it; empty where no outcome has any.
pub(super) fn percentiles(side_by_side: &SideBySide) -> Table {
    let mut table = Table::new([
        Column::flexible("outcome"),
        Column::text("time"),
        Column::duration("p50"),
        Column::duration("p95"),
        Column::duration("p99"),
        Column::duration("longest"),
        Column::percent(&format!("within {}", first_byte::line_in_words())),
    ]);
    if !any_total(side_by_side, |total| total.p50_us) {
        return table;
    }
    for compared in &side_by_side.compared {
        let total = &compared.total;
        let durations = [total.p50_us, total.p95_us, total.p99_us, total.max_us];
        let name = [
            Cell::from(&compared.name),
            optional(total.percentiles_of, latency_text),
        ];
        let within = optional(total.within_half_a_second, Cell::percent);
        let durations = durations.map(|us| optional(us, Cell::duration));
        table.row(name.into_iter().chain(durations).chain([within]));
    }
    table
}

/// Every group of this kind that an outcome has, outcomes below each other; empty for a single group, which is
/// the total.
pub(super) fn compared_groups(side_by_side: &SideBySide, kind: GroupKind) -> Table {
    let mut table = Table::new([
        Column::flexible(kind.name()),
        Column::flexible("outcome"),
        Column::number("requests"),
        Column::per_second("throughput"),
        Column::number("throughput ÷ base"),
        Column::duration("mean"),
        Column::number("mean ÷ base").with_interval(),
        Column::duration("p50"),
        Column::duration("p99"),
    ]);
    let groups = groups(side_by_side, kind);
    if groups.len() == 1 && side_by_side.compared[0].total.mean_us.is_some() {
        return table;
    }
    let rows = groups.iter().flat_map(|key| {
        let all = side_by_side.compared.iter();
        all.filter_map(|compared| Some((*key, compared, figures_of(compared, key)?)))
    });
    for (key, compared, figures) in rows {
        table.row([
            key.to_string().into(),
            Cell::from(&compared.name),
            optional(figures.requests, Cell::count),
            optional(figures.throughput_per_s, Cell::per_second),
            throughput_ratio(figures),
            optional(figures.mean_us, Cell::duration),
            ratio(figures),
            optional(figures.p50_us, Cell::duration),
            optional(figures.p99_us, Cell::duration),
        ]);
    }
    table.hide_beyond(GROUP_ROWS_SHOWN);
    table
}

/// Heading of the table of a kind of groups.
pub(super) fn group_heading(kind: GroupKind) -> &'static str {
    match kind {
        GroupKind::Site => "Site by site",
        GroupKind::Size => "Size by size",
        GroupKind::Job => "Job by job",
        GroupKind::Store => "Store by store",
    }
}

/// Groups of a kind of all outcomes, each once, in the order they first appear.
fn groups(side_by_side: &SideBySide, kind: GroupKind) -> Vec<&GroupKey> {
    let mut seen = std::collections::HashSet::new();
    let all = side_by_side.compared.iter();
    let keys = all.flat_map(|compared| compared.groups.iter().map(|group| &group.key));
    keys.filter(|key| key.kind == kind && seen.insert(*key))
        .collect()
}

fn figures_of<'a>(compared: &'a Compared, key: &GroupKey) -> Option<&'a Figures> {
    let found = compared.groups.iter().find(|of| of.key == *key);
    found.map(|of| &of.score)
}

/// Resources that several outcomes have, outcomes below each other.
pub(super) fn resources(side_by_side: &SideBySide) -> Table {
    let mut table = Table::new([
        Column::flexible("resource"),
        Column::flexible("outcome"),
        Column::percent("busy"),
        Column::number("mean queue"),
    ]);
    for (resource, outcome) in by_name(side_by_side, |of| &of.resources, |of| &of.name) {
        table.row([
            Cell::from(&resource.name),
            outcome.into(),
            optional(resource.utilisation, Cell::percent),
            optional(resource.mean_queue_length, Cell::plain),
        ]);
    }
    table
}

/// Links that several outcomes have, outcomes below each other.
pub(super) fn links(side_by_side: &SideBySide) -> Table {
    let mut table = Table::new([
        Column::flexible("link"),
        Column::flexible("outcome"),
        Column::bytes("sent"),
        Column::number("packets sent"),
        Column::bytes("received"),
        Column::number("packets received"),
    ]);
    for (link, outcome) in by_name(side_by_side, |of| &of.links, |of| &of.name) {
        table.row([
            Cell::from(&link.name),
            outcome.into(),
            optional(link.sent_bytes, Cell::bytes),
            optional(link.sent_packets, Cell::count),
            optional(link.received_bytes, Cell::bytes),
            optional(link.received_packets, Cell::count),
        ]);
    }
    table
}

/// Parts of all outcomes, each with its outcome's name, in the order of the parts' names.
fn by_name<T>(
    side_by_side: &SideBySide,
    parts: fn(&Compared) -> &Vec<T>,
    name: fn(&T) -> &String,
) -> Vec<(&T, &str)> {
    let all = side_by_side.compared.iter();
    let parts = all.flat_map(|of| parts(of).iter().map(|part| (part, of.name.as_str())));
    let mut parts: Vec<_> = parts.collect();
    parts.sort_by_key(|(part, _)| name(part));
    parts
}

fn mean(figures: &Figures) -> Cell {
    match (figures.mean_us, figures.mean_interval) {
        (Some(us), Some(Interval { low, high, .. })) => Cell::duration_with_interval(us, low, high),
        (us, _) => optional(us, Cell::duration),
    }
}

fn ratio(figures: &Figures) -> Cell {
    let Some(against) = &figures.against_baseline else {
        return Cell::unknown();
    };
    match (against.mean_ratio, against.mean_ratio_interval) {
        (Some(ratio), Some(Interval { low, high, .. })) => {
            let text = number::ratio_with_interval(ratio, low, high);
            Cell::interval(text, ratio, low, high)
        }
        (ratio, _) => optional(ratio, Cell::plain),
    }
}

fn throughput_ratio(figures: &Figures) -> Cell {
    let against = figures.against_baseline;
    optional(against.and_then(|of| of.throughput_ratio), Cell::plain)
}

fn method(figures: &Figures) -> &'static str {
    let against = figures.against_baseline;
    match against.and_then(|against| against.mean_ratio_method) {
        Some(RatioMethod::Paired) => "same requests, paired",
        Some(RatioMethod::Independent) => "independent runs",
        _ => "",
    }
}

/// What a time is the time of, in words.
pub(super) fn latency_text(kind: LatencyKind) -> String {
    match kind {
        LatencyKind::FirstByte => "first byte",
        LatencyKind::FromIntended => "since due",
        other => other.name(),
    }
    .to_owned()
}
