//! The page of outcomes laid side by side.

use super::tables::latency_text;
use super::{headline, tables};
use crate::first_byte;
use crate::page::{Document, KeyFigure, Section, plots};
use crate::plot::{Axis, Estimate, Ink, Plot, Series, Unit};
use crate::{Provenance, number, printable};
use hotset_outcome::{Compared, Distribution, GroupKind, LatencyKind, SideBySide};
use maud::{Markup, html};

/// A step of the distribution that could be seen: this much more of the requests,
const SHARE_STEP: f64 = 0.004;
/// or this much longer, as difference of logarithms.
const LOG_STEP: f64 = 0.06;

/// Outcomes side by side as one page.
pub(super) fn page(side_by_side: &SideBySide, provenance: &Provenance) -> String {
    let mut sections = vec![Section::new("means", "Side by side", means(side_by_side))];
    if !tables::percentiles(side_by_side).is_empty() {
        sections.push(Section {
            id: "percentiles",
            heading: if has_first_bytes(side_by_side) {
                "How long until the first byte"
            } else {
                "How long responses took"
            },
            body: percentiles(side_by_side),
        });
    }
    for kind in GroupKind::ALL {
        let table = tables::compared_groups(side_by_side, kind).without_unknown_columns();
        if !table.is_empty() {
            sections.push(Section {
                id: kind.name(),
                heading: tables::group_heading(kind),
                body: table.html(&format!(
                    "Each {} in every outcome. ÷ base: divided by the same figure of {}.",
                    kind.name(),
                    printable(&side_by_side.baseline)
                )),
            });
        }
    }
    let (resources, links) = (tables::resources(side_by_side), tables::links(side_by_side));
    let (resources, links) = (
        resources.without_unknown_columns(),
        links.without_unknown_columns(),
    );
    if !resources.is_empty() || !links.is_empty() {
        sections.push(Section {
            id: "machine",
            heading: "Resources and links",
            body: html! {
                (resources.html("How busy each resource was, and how many requests were there on average."))
                (links.html("What the node at the end of each link sent and received."))
            },
        });
    }
    sections.push(Section::new(
        "origin",
        "Where each comes from",
        origins(side_by_side),
    ));
    Document {
        title: "hotset: outcomes side by side",
        headline: headline::headline(side_by_side),
        figures: key_figures(side_by_side),
        sections,
        provenance,
    }
    .render()
}

/// Means of the first few outcomes.
fn key_figures(side_by_side: &SideBySide) -> Vec<KeyFigure> {
    const SHOWN: usize = 5;
    let figure = |of: &Compared| {
        let mean = number::duration(of.total.mean_us?);
        let of_what = of.total.mean_of.map(latency_text).unwrap_or_default();
        let remark = format!("mean {of_what} time, {}", of.provenance.kind.name());
        Some(KeyFigure::new(&printable(&of.name), mean, remark))
    };
    let shown = side_by_side.compared.iter().filter_map(figure);
    shown.take(SHOWN).collect()
}

fn means(side_by_side: &SideBySide) -> Markup {
    let pictures: Vec<Plot> = [bars(side_by_side), distributions(side_by_side)]
        .into_iter()
        .flatten()
        .collect();
    html! {
        @for note in headline::notes(side_by_side) { div.warning { (printable(&note)) } }
        (plots(&pictures))
        (tables::means(side_by_side).without_unknown_columns().html(&format!(
            "Means with 95 % intervals, and each mean divided by that of {}. Paired: both served the same requests in \
             the same order and are resampled together. Independent: the interval follows from that of each mean.",
            printable(&side_by_side.baseline))))
        (tables::served(side_by_side).without_unknown_columns().html("What each outcome served."))
    }
}

/// Each outcome in a colour of its own, the baseline in the baseline's.
fn inked(side_by_side: &SideBySide) -> impl Iterator<Item = (Ink, &Compared)> {
    let inks = [Ink::Baseline, Ink::Main]
        .into_iter()
        .chain((0..).map(Ink::Other));
    inks.zip(&side_by_side.compared)
}

fn bars(side_by_side: &SideBySide) -> Option<Plot> {
    let bar = |(place, (ink, of)): (usize, (Ink, &Compared))| {
        let estimate = Estimate {
            span: (place as f64, place as f64 + 1.0),
            y: of.total.mean_us?,
            interval: of.total.mean_interval.map(|ends| (ends.low, ends.high)),
        };
        Some(Series::estimate(&printable(&of.name), ink, estimate))
    };
    let series: Vec<Series> = inked(side_by_side).enumerate().filter_map(bar).collect();
    (series.len() > 1).then(|| Plot {
        title: "Mean times",
        description: "Whiskers show 95 % intervals; lower is better.",
        x: Axis::linear("", Unit::Place),
        y: Axis::linear("mean", Unit::Duration),
        series,
    })
}

/// Whether any percentiles are those of the time to the first byte.
fn has_first_bytes(side_by_side: &SideBySide) -> bool {
    let mut all = side_by_side.compared.iter();
    all.any(|of| of.total.percentiles_of == Some(LatencyKind::FirstByte))
}

fn percentiles(side_by_side: &SideBySide) -> Markup {
    let table = tables::percentiles(side_by_side);
    if !has_first_bytes(side_by_side) {
        return table.html("Percentiles of the time named.");
    }
    html! {
        (table.html(
            "Percentiles of the time to the first byte on an open connection. Where it was not measured, another time is named."))
        p { "The line at " (first_byte::line_in_words()) " in the plot above is the threshold that “A Study of the Performance of Diskless Web Servers” (IBM Research, 2002) draws into its plots of the same time." }
    }
}

/// Cumulative distributions; those of first bytes with the line that they are drawn against.
fn distributions(side_by_side: &SideBySide) -> Option<Plot> {
    let line = |(ink, of): (Ink, &Compared)| {
        let distribution = of.total.distribution.as_ref()?;
        let points = points(distribution);
        let name = printable(&of.name);
        let name = match of.total.percentiles_of {
            Some(LatencyKind::FirstByte) | None => name.into_owned(),
            Some(kind) => format!("{name}: {}", latency_text(kind)),
        };
        (points.len() > 1).then(|| Series::line(&name, ink, points))
    };
    let mut series: Vec<Series> = inked(side_by_side).filter_map(line).collect();
    if series.is_empty() {
        return None;
    }
    let mut title = "Response times";
    if has_first_bytes(side_by_side) {
        title = "Time to the first byte";
        series.push(first_byte::line());
    }
    Some(Plot {
        title,
        description: "Share of the requests answered within a time; further left is better.",
        x: Axis::log("time", Unit::Duration),
        y: Axis::linear("answered within", Unit::Share),
        series,
    })
}

/// The distribution as steps no finer than can be seen; through its percentiles where that is all there is.
fn points(distribution: &Distribution) -> Vec<(f64, f64)> {
    let all = distribution.cumulative();
    if all.is_empty() {
        return quantiles(distribution);
    }
    // A log axis has no place for 0, which a clock of whole microseconds may show.
    let visible = all.into_iter().map(|(us, share)| (us.max(1.0), share));
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut before = (0.0, 0.0);
    for (us, share) in visible {
        if !points.is_empty() && (us / before.0).ln() > LOG_STEP {
            points.extend([before, (us, before.1)]);
        }
        if points.is_empty() {
            points.push((us, 0.0));
        }
        let last = points.last().copied().unwrap_or_default();
        if share - last.1 >= SHARE_STEP || (us / last.0).ln() >= LOG_STEP {
            points.push((us, share));
        }
        before = (us, share);
    }
    points.push(before);
    points.dedup();
    points
}

fn quantiles(distribution: &Distribution) -> Vec<(f64, f64)> {
    let known = [
        (distribution.p50_us, 0.5),
        (distribution.p95_us, 0.95),
        (distribution.p99_us, 0.99),
        (distribution.max_us, 1.0),
    ];
    let points = known.into_iter();
    points
        .filter_map(|(us, share)| Some((us?, share)))
        .collect()
}

/// What is known of where each outcome comes from.
fn origins(side_by_side: &SideBySide) -> Markup {
    html! {
        div.scroll { table {
            caption { span { "As stated in the documents." } }
            thead { tr {
                th scope="col" { "outcome" } th scope="col" { "kind" } th scope="col" { "machine or source" }
                th scope="col" { "date" } th scope="col" { "settings" }
            } }
            tbody { @for of in &side_by_side.compared { (origin(of)) } }
        } }
    }
}

fn origin(of: &Compared) -> Markup {
    let provenance = &of.provenance;
    let seed = provenance
        .seed
        .map(|seed| ("seed".to_owned(), seed.to_string()));
    let settings: Vec<String> = provenance
        .settings
        .iter()
        .chain(&seed)
        .map(|(name, value)| format!("{name} {value}"))
        .collect();
    let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| number::NONE.to_owned());
    html! { tr {
        th scope="row" { (printable(&of.name)) }
        td { (provenance.kind.name()) }
        td { (printable(&or_none(&provenance.machine))) }
        td { (printable(&or_none(&provenance.date))) }
        td { (printable(&settings.join(", "))) }
    } }
}
