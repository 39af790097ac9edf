//! Tables of outcomes laid side by side.

use super::optional;
use crate::{Column, Table, number};
use hotset_outcome::{Compared, Figures, Interval, LatencyKind, RatioMethod, SideBySide};

/// Rows of sites: beyond them `--json` is the place to look.
const SITE_ROWS_SHOWN: usize = 200;

/// What each outcome is and what it served.
pub fn served(side_by_side: &SideBySide) -> Table {
    let mut table = Table::new([
        Column::flexible("outcome"),
        Column::text("kind"),
        Column::number("requests"),
        Column::number("errors"),
        Column::number("throughput"),
        Column::number("÷ baseline"),
        Column::number("hit ratio"),
    ]);
    for compared in &side_by_side.compared {
        let total = &compared.total;
        table.row([
            compared.name.clone(),
            compared.provenance.kind.name().to_owned(),
            optional(total.requests, number::count),
            optional(total.errors, number::count),
            optional(total.throughput_per_s, number::per_second),
            throughput_ratio(total),
            optional(total.hit_ratio, number::percent),
        ]);
    }
    table
}

/// Whether any outcome has the figure for all sites together.
fn any_total<T>(side_by_side: &SideBySide, figure: fn(&Figures) -> Option<T>) -> bool {
    let mut all = side_by_side.compared.iter();
    all.any(|of| figure(&of.total).is_some())
}

/// Means and their ratios to the baseline; nothing where no outcome has a mean of all sites.
pub fn means(side_by_side: &SideBySide) -> Table {
    let mut table = Table::new([
        Column::flexible("outcome"),
        Column::text("time"),
        Column::number("mean"),
        Column::number("÷ baseline"),
        Column::text("interval of the ratio"),
    ]);
    if !any_total(side_by_side, |total| total.mean_us) {
        return table;
    }
    for compared in &side_by_side.compared {
        let total = &compared.total;
        table.row([
            compared.name.clone(),
            optional(total.mean_of, latency_text),
            mean(total),
            ratio(total),
            method(total).to_owned(),
        ]);
    }
    table
}

/// Percentiles of the first byte, or of what stands for it; nothing where no outcome has any.
pub fn percentiles(side_by_side: &SideBySide) -> Table {
    let mut table = Table::new([
        Column::flexible("outcome"),
        Column::text("time"),
        Column::number("p50"),
        Column::number("p95"),
        Column::number("p99"),
        Column::number("longest"),
        Column::number("within 0.5 s"),
    ]);
    if !any_total(side_by_side, |total| total.p50_us) {
        return table;
    }
    for compared in &side_by_side.compared {
        let total = &compared.total;
        let durations = [total.p50_us, total.p95_us, total.p99_us, total.max_us];
        let name = [
            compared.name.clone(),
            optional(total.percentiles_of, latency_text),
        ];
        let within = optional(total.within_half_a_second, number::percent);
        let durations = durations.map(|us| optional(us, number::duration));
        table.row(name.into_iter().chain(durations).chain([within]));
    }
    table
}

/// Every site that an outcome has, outcomes below each other; nothing for a single site, which is the
/// total.
pub fn compared_sites(side_by_side: &SideBySide) -> Table {
    let mut table = Table::new([
        Column::flexible("site"),
        Column::flexible("outcome"),
        Column::number("requests"),
        Column::number("throughput"),
        Column::number("÷"),
        Column::number("mean"),
        Column::number("÷ baseline"),
        Column::number("p50"),
        Column::number("p99"),
    ]);
    let sites = sites(side_by_side);
    if sites.len() == 1 && side_by_side.compared[0].total.mean_us.is_some() {
        return table;
    }
    let rows = sites.iter().flat_map(|site| {
        let all = side_by_side.compared.iter();
        all.filter_map(|compared| Some((*site, compared, figures_of(compared, site)?)))
    });
    let mut rows: Vec<_> = rows.collect();
    let hidden = rows.len().saturating_sub(SITE_ROWS_SHOWN);
    rows.truncate(SITE_ROWS_SHOWN);
    for (site, compared, figures) in rows {
        table.row([
            site.to_owned(),
            compared.name.clone(),
            optional(figures.requests, number::count),
            optional(figures.throughput_per_s, number::per_second),
            throughput_ratio(figures),
            optional(figures.mean_us, number::duration),
            ratio(figures),
            optional(figures.p50_us, number::duration),
            optional(figures.p99_us, number::duration),
        ]);
    }
    if hidden > 0 {
        table.row([format!("… {} more rows", number::count(hidden as u64))]);
    }
    table
}

/// Sites of all outcomes, each once, in the order they first appear.
fn sites(side_by_side: &SideBySide) -> Vec<&str> {
    let mut sites: Vec<&str> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for compared in &side_by_side.compared {
        let names = compared.sites.iter().map(|of| of.site.as_str());
        sites.extend(names.filter(|site| seen.insert(site.to_owned())));
    }
    sites
}

fn figures_of<'a>(compared: &'a Compared, site: &str) -> Option<&'a Figures> {
    let found = compared.sites.iter().find(|of| of.site == site);
    found.map(|of| &of.figures)
}

fn mean(figures: &Figures) -> String {
    match (figures.mean_us, figures.mean_interval) {
        (Some(us), Some(Interval { low, high, .. })) => {
            number::duration_with_interval(us, low, high)
        }
        (us, _) => optional(us, number::duration),
    }
}

fn ratio(figures: &Figures) -> String {
    let Some(against) = &figures.against_baseline else {
        return number::NONE.to_owned();
    };
    match (against.mean_ratio, against.mean_ratio_interval) {
        (Some(ratio), Some(Interval { low, high, .. })) => {
            number::ratio_with_interval(ratio, low, high)
        }
        (ratio, _) => optional(ratio, number::plain),
    }
}

fn throughput_ratio(figures: &Figures) -> String {
    let against = figures.against_baseline;
    optional(against.and_then(|of| of.throughput_ratio), number::plain)
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
pub(crate) fn latency_text(kind: LatencyKind) -> String {
    match kind {
        LatencyKind::FirstByte => "first byte",
        LatencyKind::FromIntended => "from intended",
        other => other.name(),
    }
    .to_owned()
}
