//! Tables of outcomes laid side by side.

use std::collections::HashSet;

use hotset_outcome::{
    Compared, Figures, GroupKey, GroupKind, Interval, LatencyKind, RatioMethod, SideBySide,
};

use crate::{Cell, Column, Rows, Table, first_byte, number};

/// Rows of groups: beyond them `--json` is the place to look.
const GROUP_ROWS_SHOWN: usize = 200;

/// What each outcome is and what it served.
pub(super) fn served(of: &SideBySide) -> impl Into<Table> {
    Table::of(&of.compared)
        .flexible("outcome", |it| &it.name)
        .text("kind", |it| it.provenance.kind.name())
        .count("requests", |it| it.total.requests)
        .count("errors", |it| it.total.errors)
        .per_second("throughput", |it| it.total.throughput_per_s)
        .plain("÷ baseline", |it| throughput_ratio(&it.total))
        .percent("hit ratio", |it| it.total.hit_ratio)
        .without_unknown_columns()
}

/// The outcomes, if any has the figure for all requests together.
fn with_total<T>(of: &SideBySide, figure: fn(&Figures) -> Option<T>) -> Rows<&Compared> {
    let mut all = of.compared.iter();
    let has_any = all.any(|of| figure(&of.total).is_some());
    Table::of(of.compared.iter().filter(move |_| has_any)).flexible("outcome", |it| &it.name)
}

/// Means and their ratios to the baseline; empty where no outcome has a mean of all requests.
pub(super) fn means(of: &SideBySide) -> impl Into<Table> {
    with_total(of, |total| total.mean_us)
        .text("time", |it| Cell::known(it.total.mean_of.map(latency_text)))
        .column(Column::duration("mean").with_interval(), |it| {
            mean(&it.total)
        })
        .column(Column::number("÷ baseline").with_interval(), |it| {
            ratio(&it.total)
        })
        .text("compared as", |it| method(&it.total))
        .without_unknown_columns()
}

/// Percentiles of the first byte, or of what stands for it; empty where no outcome has any.
pub(super) fn percentiles(of: &SideBySide) -> impl Into<Table> {
    let within = format!("within {}", first_byte::line_in_words());
    with_total(of, |total| total.p50_us)
        .text("time", |it| {
            Cell::known(it.total.percentiles_of.map(latency_text))
        })
        .duration("p50", |it| it.total.p50_us)
        .duration("p95", |it| it.total.p95_us)
        .duration("p99", |it| it.total.p99_us)
        .duration("longest", |it| it.total.max_us)
        .percent(&within, |it| it.total.within_half_a_second)
        .without_unknown_columns()
}

/// Every group of this kind that an outcome has, outcomes below each other; empty for a single group, which is
/// the total.
pub(super) fn compared_groups(of: &SideBySide, kind: GroupKind) -> impl Into<Table> {
    let mut groups = groups(of, kind);
    if groups.len() == 1 && of.compared[0].total.mean_us.is_some() {
        groups.clear();
    }
    let rows = groups.into_iter().flat_map(|key| {
        let all = of.compared.iter();
        all.filter_map(move |compared| Some((key, &compared.name, figures_of(compared, key)?)))
    });
    Table::of(rows)
        .first(GROUP_ROWS_SHOWN)
        .flexible(kind.name(), |it| it.0.to_string())
        .flexible("outcome", |it| it.1)
        .count("requests", |it| it.2.requests)
        .per_second("throughput", |it| it.2.throughput_per_s)
        .plain("throughput ÷ base", |it| throughput_ratio(it.2))
        .duration("mean", |it| it.2.mean_us)
        .leading()
        .column(Column::number("mean ÷ base").with_interval(), |it| {
            ratio(it.2)
        })
        .duration("p50", |it| it.2.p50_us)
        .duration("p99", |it| it.2.p99_us)
        .without_unknown_columns()
}

/// Heading of the table of a kind of groups.
pub(super) fn group_heading(kind: GroupKind) -> &'static str {
    match kind {
        GroupKind::Site => "Site by site",
        GroupKind::Size => "Size by size",
        GroupKind::Job => "Job by job",
        GroupKind::Store => "Store by store",
        GroupKind::Page => "Page by page",
    }
}

/// What spreadsheets call it.
pub(super) fn sheet_of_groups(kind: GroupKind) -> &'static str {
    match kind {
        GroupKind::Site => "sites",
        GroupKind::Size => "sizes",
        GroupKind::Job => "jobs",
        GroupKind::Store => "stores",
        GroupKind::Page => "pages",
    }
}

/// Groups of a kind of all outcomes, each once, in the order they first appear.
fn groups(of: &SideBySide, kind: GroupKind) -> Vec<&GroupKey> {
    let mut seen = HashSet::new();
    let all = of.compared.iter();
    let keys = all.flat_map(|compared| compared.groups.iter().map(|group| &group.key));
    keys.filter(|key| key.kind == kind && seen.insert(*key))
        .collect()
}

fn figures_of<'a>(compared: &'a Compared, key: &GroupKey) -> Option<&'a Figures> {
    let found = compared.groups.iter().find(|of| of.key == *key);
    found.map(|of| &of.score)
}

/// Resources that several outcomes have, outcomes below each other.
pub(super) fn resources(of: &SideBySide) -> impl Into<Table> {
    Table::of(by_name(of, |of| &of.resources, |of| &of.name))
        .flexible("resource", |it| &it.0.name)
        .flexible("outcome", |it| it.1)
        .percent("busy", |it| it.0.utilisation)
        .plain("mean queue", |it| it.0.mean_queue_length)
        .without_unknown_columns()
}

/// Links that several outcomes have, outcomes below each other.
pub(super) fn links(of: &SideBySide) -> impl Into<Table> {
    Table::of(by_name(of, |of| &of.links, |of| &of.name))
        .flexible("link", |it| &it.0.name)
        .flexible("outcome", |it| it.1)
        .bytes("sent", |it| it.0.sent_bytes)
        .count("packets sent", |it| it.0.sent_packets)
        .bytes("received", |it| it.0.received_bytes)
        .count("packets received", |it| it.0.received_packets)
        .without_unknown_columns()
}

/// Parts of all outcomes, each with its outcome's name, in the order of the parts' names.
fn by_name<T>(
    of: &SideBySide,
    parts: fn(&Compared) -> &Vec<T>,
    name: fn(&T) -> &String,
) -> Vec<(&T, &str)> {
    let all = of.compared.iter();
    let parts = all.flat_map(|of| parts(of).iter().map(|part| (part, of.name.as_str())));
    let mut parts: Vec<_> = parts.collect();
    parts.sort_by_key(|(part, _)| name(part));
    parts
}

/// What is known of where each outcome comes from.
pub(super) fn origins(of: &SideBySide) -> impl Into<Table> {
    let settings = |of: &Compared| {
        let seed = of.provenance.seed.map(|seed| format!("seed {seed}"));
        let settings = of.provenance.settings.iter();
        let settings = settings.map(|(name, value)| format!("{name} {value}"));
        settings.chain(seed).collect::<Vec<_>>().join(", ")
    };
    Table::of(&of.compared)
        .text("outcome", |it| &it.name)
        .text("kind", |it| it.provenance.kind.name())
        .text("machine or source", |it| {
            Cell::known(it.provenance.machine.as_ref())
        })
        .text("date", |it| Cell::known(it.provenance.date.as_ref()))
        .text("settings", |it| settings(it))
}

fn mean(figures: &Figures) -> Cell {
    match (figures.mean_us, figures.mean_interval) {
        (Some(us), Some(Interval { low, high, .. })) => Cell::duration_with_interval(us, low, high),
        (us, _) => Cell::known(us.map(Cell::duration)),
    }
}

fn ratio(figures: &Figures) -> Cell {
    let against = figures.against_baseline;
    let ratio = against.and_then(|of| of.mean_ratio);
    match (ratio, against.and_then(|of| of.mean_ratio_interval)) {
        (Some(ratio), Some(Interval { low, high, .. })) => {
            let text = number::ratio_with_interval(ratio, low, high);
            Cell::interval(text, ratio, low, high)
        }
        (ratio, _) => Cell::known(ratio.map(Cell::plain)),
    }
}

fn throughput_ratio(figures: &Figures) -> Option<f64> {
    figures.against_baseline.and_then(|of| of.throughput_ratio)
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
