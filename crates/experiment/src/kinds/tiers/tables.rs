//! The table of what was measured: a row for each cell, over all runs.

use hotset_document::{Cell, Table};
use hotset_outcome::{Distribution, Outcome};

use super::result::TiersComparison;
use crate::Axis;
use crate::figure::{self, Figure};
use crate::quantile::{median, range};

/// The runs of a cell.
struct Runs<'p> {
    cell: &'p str,
    points: Vec<&'p TiersComparison>,
}

impl Runs<'_> {
    fn outcomes(&self) -> impl Iterator<Item = &Outcome> {
        self.points.iter().filter_map(|point| point.kept.compared())
    }

    /// The median of a figure of all runs, with the least and the greatest.
    fn figure(&self, unit: figure::Unit, of: impl Fn(&Outcome) -> Option<f64>) -> Cell {
        let values: Vec<f64> = self.outcomes().filter_map(of).collect();
        let interval = range(&values);
        Figure::cell(median(values).map(|value| Figure::new(unit, value).within(interval)))
    }

    /// Median processor time of each node's server by request.
    fn server_us(&self) -> String {
        let Some(first) = self.points.first() else {
            return String::new();
        };
        let nodes = first.kept.measured.detail.server_us.keys().map(|node| {
            let details = self.points.iter().map(|point| &point.kept.measured.detail);
            let us: Vec<f64> = details
                .filter_map(|it| it.server_us.get(node).copied())
                .collect();
            let us = median(us).map_or_else(String::new, figure::US);
            format!("{node} {us}")
        });
        nodes.collect::<Vec<_>>().join(", ")
    }

    /// The resource that is busy for the largest share of the time, and that share.
    fn busiest(&self) -> String {
        let resources = self.outcomes().flat_map(|outcome| &outcome.resources);
        let used = resources.filter_map(|resource| Some((&resource.name, resource.utilisation?)));
        let most = used.max_by(|(_, one), (_, other)| one.total_cmp(other));
        most.map_or_else(String::new, |(name, share)| {
            format!("{name}, {:.0} %", share * 100.0)
        })
    }
}

fn response(outcome: &Outcome) -> Option<&Distribution> {
    let latencies = &outcome.total.latencies;
    latencies.response.as_ref().or(latencies.total.as_ref())
}

/// What the client could not send.
pub(super) fn refused(points: &[TiersComparison]) -> Vec<String> {
    let refused = points.iter().filter_map(|point| {
        let why = point.kept.measured.detail.refused.as_ref()?;
        Some(format!(
            "{} is refused: {why}. What was measured would be the client's; lower its rate.",
            point.kept.point
        ))
    });
    refused.collect()
}

/// The table; none where nothing is measured.
pub(super) fn of(points: &[TiersComparison]) -> Vec<(String, Table)> {
    let mut all: Vec<Runs> = Vec::new();
    for point in points {
        let cell = point.kept.point.on(Axis::Cell);
        match all.iter_mut().find(|runs| runs.cell == cell) {
            Some(runs) => runs.points.push(point),
            None => all.push(Runs {
                cell,
                points: vec![point],
            }),
        }
    }
    if all.is_empty() {
        return Vec::new();
    }
    let table = Table::of(&all)
        .text("cell", |runs| runs.cell)
        .figure("runs", |runs| {
            Figure::cell(Some(Figure::new(figure::COUNT, runs.points.len() as f64)))
        })
        .figure("requests/s", |runs| {
            runs.figure(figure::PER_S, |outcome| outcome.total.throughput_per_s)
        })
        .figure("response", |runs| {
            runs.figure(figure::US, |outcome| response(outcome)?.mean_us)
        })
        .figure("95 %", |runs| {
            runs.figure(figure::US, |outcome| response(outcome)?.p95_us)
        })
        .text("processor time", |runs| runs.server_us())
        .text("busiest", |runs| runs.busiest());
    let title = "What clients get: medians of the runs, from the least to the greatest";
    vec![(title.to_owned(), table.into())]
}
