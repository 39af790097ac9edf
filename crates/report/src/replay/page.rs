//! The page of a replay.

use super::headline::headline;
use super::tables;
use super::view::{ReplaySecond, ReplayView};
use crate::first_byte;
use crate::page::{Document, KeyFigure, Section, plots};
use crate::plot::{Axis, Ink, Plot, Series, Unit};
use crate::reading::Reading;
use crate::{Provenance, number};
use hotset_outcome::{Distribution, Group, GroupKind, Latencies, LatencyKind};
use maud::{Markup, html};

/// Sites drawn beside the total: as many as there are colours.
const SITES_DRAWN: usize = 6;

/// A replay as one page.
pub(super) fn page(report: &ReplayView, provenance: &Provenance) -> String {
    Document {
        title: "hotset: a trace replayed",
        headline: headline(report),
        figures: key_figures(report),
        sections: sections(report),
        provenance,
    }
    .render()
}

fn key_figures(report: &ReplayView) -> Vec<KeyFigure> {
    let total = &report.total;
    let duration = |us: Option<f64>| us.map_or_else(|| number::NONE.to_owned(), number::duration);
    let due = report.requested_rate.map_or_else(
        || "closed loop".to_owned(),
        |rate| format!("{} due", number::per_second(rate)),
    );
    let late = total
        .late_first_byte_share
        .map_or_else(String::new, |share| {
            format!(
                "{} above {}",
                number::percent(share),
                first_byte::line_in_words()
            )
        });
    vec![
        KeyFigure::new("First byte, 99 %", duration(total.first_byte_us.p99), late),
        KeyFigure::new(
            "From when it was due, 99 %",
            duration(total.from_intended_us.p99),
            "to the last byte".to_owned(),
        ),
        KeyFigure::new("Answered", number::per_second(report.achieved_rate), due),
        KeyFigure::new(
            "Requests",
            number::count(total.requests),
            number::bytes(total.bytes),
        ),
        KeyFigure::new(
            "Errors",
            number::count(total.errors),
            number::percent(total.errors as f64 / total.requests.max(1) as f64),
        ),
    ]
}

fn sections(report: &ReplayView) -> Vec<Section> {
    let mut sections = vec![
        Section::new("times", "How long requests took", times(report)),
        Section::new("time", "Over time", over_time(report)),
        Section::new("parts", "Sites and sizes", parts(report)),
    ];
    if report.total.errors > 0 {
        let table = tables::errors(&report.total)
            .html("Requests that failed. Their times are in no other table.");
        sections.push(Section::new("errors", "Errors", table));
    }
    sections.push(Section::new("sent", "What was sent", sent(report)));
    let reading = Reading::new(&report.reading, &report.time_zone).html();
    sections.push(Section::new("read", "How the trace was read", reading));
    sections
}

fn times(report: &ReplayView) -> Markup {
    html! {
        (tables::times(report).html(
            "Times of the requests that were answered. A request is due at its time in the trace; waiting for a \
             busy connection counts from then on."))
        @if report.sites.len() > 1 { (plots(&[kinds(report), sites(report)])) }
        @else { (plots(&[kinds(report)])) }
    }
}

fn cumulative(title: &'static str, description: &'static str, series: Vec<Series>) -> Plot {
    Plot {
        title,
        description,
        x: Axis::log("time", Unit::Duration),
        y: Axis::linear("requests within", Unit::Share),
        series: series.into_iter().chain([first_byte::line()]).collect(),
    }
}

fn points(distribution: Option<&Distribution>) -> Vec<(f64, f64)> {
    distribution.map_or_else(Vec::new, Distribution::cumulative)
}

fn kinds(report: &ReplayView) -> Plot {
    let none = Latencies::default();
    let latencies = report
        .outcomes
        .first()
        .map_or(&none, |outcome| &outcome.total.latencies);
    let line = |name: &str, ink, kind| Series::line(name, ink, points(latencies.get(kind)));
    cumulative(
        "Requests within a time",
        "Share of the requests whose first byte, last byte, and last byte counted from when the request \
         was due, came within a time.",
        vec![
            line("due … last byte", Ink::Other(0), LatencyKind::FromIntended),
            line("sent … last byte", Ink::Other(1), LatencyKind::Total),
            line("sent … first byte", Ink::Main, LatencyKind::FirstByte),
        ],
    )
}

fn sites(report: &ReplayView) -> Plot {
    let outcome = report.outcomes.iter().take(1);
    let sites = outcome.flat_map(|outcome| outcome.of_kind(GroupKind::Site));
    let line = |(index, site): (usize, &Group)| {
        let first_byte = site.score.latencies.first_byte.as_ref();
        Series::line(&site.key.name, Ink::Other(index), points(first_byte))
    };
    cumulative(
        "First bytes by site",
        "Share of the requests of each site whose first byte came within a time.",
        sites.take(SITES_DRAWN).enumerate().map(line).collect(),
    )
}

fn over_time(report: &ReplayView) -> Markup {
    let line = |name: &str, ink, value: fn(&ReplaySecond) -> Option<f64>| {
        let seconds = report.timeline.iter();
        let point = |second: &ReplaySecond| Some((second.second as f64 * 1e6, value(second)?));
        Series::line(name, ink, seconds.filter_map(point).collect())
    };
    let rates = Plot {
        title: "Requests a second",
        description: "Requests sent, answered and failed in each second.",
        x: Axis::linear("time from the start", Unit::Duration),
        y: Axis::linear("requests per second", Unit::Plain),
        series: vec![
            line("sent", Ink::Baseline, |second| Some(second.sent as f64)),
            line("failed", Ink::Other(0), |second| Some(second.errors as f64)),
            line("answered", Ink::Main, |second| Some(second.answered as f64)),
        ],
    };
    let times = Plot {
        title: "Times, second by second",
        description: "Mean time to the first byte, and the longest from due to last byte, of the requests \
                      answered in each second.",
        x: Axis::linear("time from the start", Unit::Duration),
        y: Axis::log("time", Unit::Duration),
        series: vec![
            line("due … last byte, longest", Ink::Other(0), |second| {
                Some(second.from_intended_max_us as f64)
            }),
            line("sent … first byte, mean", Ink::Main, |second| {
                second.first_byte_mean_us
            }),
        ],
    };
    plots(&[rates, times])
}

fn parts(report: &ReplayView) -> Markup {
    let caption =
        "Time from sending a request to its first byte, and from when it was due to its last byte";
    html! {
        @if report.sites.len() > 1 { (tables::sites(report).html(&format!("{caption}, by site."))) }
        (tables::sizes(report).html(&format!("{caption}, by size of the file.")))
    }
}

fn sent(report: &ReplayView) -> Markup {
    html! {
        ul { @for note in report.notes() { li { (crate::printable(&note)) } } }
        @if let Some(limit) = &report.client_limit {
            div.warning { "The client was the limit: " (limit) }
        }
    }
}
