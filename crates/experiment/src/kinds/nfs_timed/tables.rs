//! Cells as they were measured, with what the model says in brackets, and how far it is off.

use hotset_document::{Cell, Column, Table, number};

use super::result::{NfsComparison, NfsDeviation};
use crate::figure::{self, Figure, Unit};
use crate::{Axis, ErrorSummary, Metric};

/// Figures that have a table, with its title.
const FIGURES: [(&str, Metric, Unit); 3] = [
    (
        "Bytes read or written in a second by all clients",
        Metric::BytesPerS,
        figure::BYTES,
    ),
    ("Mean time of a call", Metric::MeanUs, figure::US),
    (
        "What 99 % of the calls do not exceed",
        Metric::P99Us,
        figure::US,
    ),
];

/// What is said of every result.
const POLICY: &str = "Clients are in user space: each has one call under way, caches nothing and reads nothing ahead. So the server and the \
     network are tested, and not the client of a kernel.";
const NOT_MODELLED: &str = "Not modelled: what the server writes back, threads of the server that are all busy, lost packets, slow start of TCP.";

/// A table of each figure; none where nothing is measured.
pub(super) fn of(points: &[NfsComparison]) -> Vec<(String, Table)> {
    let tables = FIGURES.into_iter().map(|(title, metric, unit)| {
        let title = format!("{title}: median [least greatest] (simulated)");
        (title, table(points, metric, unit))
    });
    tables.filter(|(_, table)| !table.is_empty()).collect()
}

fn table(points: &[NfsComparison], metric: Metric, unit: Unit) -> Table {
    let all = points.iter().flat_map(|point| {
        let link = point.kept.point.on(Axis::Cell);
        figures(point).map(move |figure| (link, figure))
    });
    Table::of(all.filter(|(_, figure)| figure.of.metric == metric))
        .text("links", |(link, _)| Cell::from(*link))
        .text("cell", |(_, figure)| Cell::from(&figure.of.subject))
        .figure("measured", |(_, figure)| {
            let of = &figure.of;
            let measured = Figure::new(unit, of.measured).within(Some([of.low, of.high]));
            Figure::cell(Some(measured.beside(Some(of.simulated))))
        })
        .column(Column::percent("error"), |(_, figure)| {
            Cell::signed_percent(figure.error_percent / 100.0)
        })
        .percent("error beyond the interval", |(_, figure)| {
            figure.beyond_percent / 100.0
        })
        .into()
}

fn figures(point: &NfsComparison) -> impl Iterator<Item = &NfsDeviation> {
    let prediction = point.prediction.iter();
    prediction.flat_map(|prediction| &prediction.detail.figures)
}

/// How far the model is off in all, what it was told, and what is not in it.
pub(super) fn remarks(points: &[NfsComparison]) -> Vec<String> {
    let scores = [
        ("throughput", Metric::BytesPerS),
        ("mean times", Metric::MeanUs),
        ("99th percentiles", Metric::P99Us),
    ];
    let scores = scores.iter().filter_map(|(what, metric)| {
        let all = points.iter().flat_map(figures).map(|it| &it.of);
        let all = ErrorSummary::of(all.filter(|it| it.metric == *metric))?;
        Some(format!(
            "Error over {} of {what}: median {}, from {} to {}.",
            number::counted(all.figures as u64, "cell", "cells"),
            number::percent(all.median_percent / 100.0),
            number::signed_percent(all.lowest_percent / 100.0),
            number::signed_percent(all.highest_percent / 100.0),
        ))
    });
    let costs = points.iter().map(costs_in_words);
    let always = [POLICY, NOT_MODELLED].map(str::to_owned);
    let is_shown = !points.is_empty();
    let said = scores.chain(costs);
    said.chain(always.into_iter().filter(move |_| is_shown))
        .collect()
}

/// What calls cost behind links of one rate.
fn costs_in_words(point: &NfsComparison) -> String {
    let costs = &point.kept.measured.detail.costs;
    let (client, server) = (costs.client_reads, costs.server_reads);
    format!(
        "Links of {}: a READ cost a client {:.1} us and {:.2} ns a byte, the server {:.1} us and {:.2} ns a byte; waking took {:.1} us. That is \
         from calls of other sizes.",
        point.kept.point.on(Axis::Cell),
        client.call_us,
        client.ns_per_byte,
        server.call_us,
        server.ns_per_byte,
        costs.wake_us,
    )
}
