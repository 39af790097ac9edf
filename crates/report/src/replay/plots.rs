//! Times of a replay as pictures.

use hotset_outcome::{Distribution, Group, GroupKind, Latencies, LatencyKind};

use super::view::{ReplaySecond, ReplayView};
use crate::first_byte;
use crate::plot::{Axis, Ink, Plot, Series, Unit};
use crate::printable;

/// Sites drawn: as many as there are colours.
const SITES_DRAWN: usize = 6;

/// Times of all requests, and of each site's where there are several.
pub(super) fn distributions(report: &ReplayView) -> Vec<Plot> {
    let sites = (report.sites.len() > 1).then(|| sites(report));
    [kinds(report)].into_iter().chain(sites).collect()
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
        let name = printable(&site.key.name);
        Series::line(&name, Ink::Other(index), points(first_byte))
    };
    cumulative(
        "First bytes by site",
        "Share of the requests of each site whose first byte came within a time.",
        sites.take(SITES_DRAWN).enumerate().map(line).collect(),
    )
}

/// Requests and their times, second by second.
pub(super) fn over_time(report: &ReplayView) -> Vec<Plot> {
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
    vec![rates, times]
}
