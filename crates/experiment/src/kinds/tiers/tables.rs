//! The tables: what was measured, a row for each cell, over all runs; what is simulated, and how far it is off.

use hotset_document::{Cell, Column, Table, number};
use hotset_outcome::{Distribution, Outcome};

use super::accuracy::{TiersFigure, TiersMetric};
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

    fn simulated(&self) -> impl Iterator<Item = &Outcome> {
        let predictions = self.points.iter().filter_map(|it| it.prediction.as_ref());
        predictions.map(|prediction| &prediction.outcome)
    }

    /// Figures of all runs beside what is simulated; nothing where that is not.
    fn figures(&self) -> &[TiersFigure] {
        let mut predictions = self.points.iter().filter_map(|it| it.prediction.as_ref());
        let first = predictions.next();
        first.map_or(&[][..], |it| it.detail.figures.as_slice())
    }

    /// The median of a figure of all runs, with the least and the greatest, and in brackets what is simulated.
    fn figure(&self, unit: figure::Unit, of: impl Fn(&Outcome) -> Option<f64>) -> Cell {
        let values: Vec<f64> = self.outcomes().filter_map(&of).collect();
        let simulated = median(self.simulated().filter_map(&of));
        let interval = range(&values);
        let measured = median(values).map(|value| Figure::new(unit, value).within(interval));
        Figure::cell(measured.map(|figure| figure.beside(simulated)))
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

    /// How far figures of a kind are off: that which is off most.
    fn error(&self, metric: TiersMetric) -> Option<f64> {
        let own = self.figures().iter().filter(|it| it.metric == metric);
        let errors = own.filter_map(|it| it.error);
        errors.max_by(|one, other| one.abs().total_cmp(&other.abs()))
    }
}

fn response(outcome: &Outcome) -> Option<&Distribution> {
    Some(outcome.total.response()?.1)
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

/// Cells with their runs.
fn by_cell(points: &[TiersComparison]) -> Vec<Runs<'_>> {
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
    all
}

/// The tables; none where nothing is measured.
pub(super) fn of(points: &[TiersComparison]) -> Vec<(String, Table)> {
    let mut all = by_cell(points);
    if all.is_empty() {
        return Vec::new();
    }
    let measured = measured(&all);
    all.retain(|runs| !runs.figures().is_empty());
    let are_simulated = !all.is_empty();
    let errors = are_simulated.then(|| errors(&all));
    std::iter::once(measured).chain(errors).collect()
}

fn measured(all: &[Runs<'_>]) -> (String, Table) {
    let table = Table::of(all)
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
    let title = "What clients get: medians of the runs, from the least to the greatest (in brackets: simulated)";
    (title.to_owned(), table.into())
}

/// How far simulated medians are from measured ones.
fn errors(all: &[Runs<'_>]) -> (String, Table) {
    let percent = |metric: TiersMetric| {
        move |runs: &&Runs<'_>| {
            let error = runs.error(metric);
            Cell::known(error.map(|error| Cell::signed_percent(error / 100.0)))
        }
    };
    let points = |metric: TiersMetric| {
        move |runs: &&Runs<'_>| {
            let error = runs.error(metric);
            Cell::known(error.map(|error| Cell::plain(error).shown_as(format!("{error:+.1}"))))
        }
    };
    let table = Table::of(all)
        .text("cell", |runs| runs.cell)
        .column(
            Column::percent("requests/s"),
            percent(TiersMetric::RequestsPerS),
        )
        .column(Column::percent("mean"), percent(TiersMetric::MeanUs))
        .column(Column::percent("50 %"), percent(TiersMetric::P50Us))
        .column(Column::percent("95 %"), percent(TiersMetric::P95Us))
        .column(
            Column::percent("first byte"),
            percent(TiersMetric::FirstByteUs),
        )
        .figure("from disks", points(TiersMetric::DiskBytes))
        .figure("processors", points(TiersMetric::Processors))
        .figure("disk", points(TiersMetric::Disk))
        .figure("link", points(TiersMetric::Link));
    let title = "How far the simulation is off: times in percent, bytes from disks (of those sent) and what was busy in points";
    (title.to_owned(), table.into())
}

/// How far the simulation is off in all.
pub(super) fn accuracy(points: &[TiersComparison]) -> Vec<String> {
    let all = by_cell(points);
    let simulated: Vec<&Runs<'_>> = all.iter().filter(|it| !it.figures().is_empty()).collect();
    let of = |metrics: &[TiersMetric]| -> Vec<&TiersFigure> {
        let figures = simulated.iter().flat_map(|runs| runs.figures());
        figures.filter(|it| metrics.contains(&it.metric)).collect()
    };
    let times = [
        ("Throughput", TiersMetric::RequestsPerS),
        ("The mean response", TiersMetric::MeanUs),
        ("The 95th percentile of the responses", TiersMetric::P95Us),
    ];
    let times = times
        .iter()
        .filter_map(|(what, metric)| in_words(what, "%", &of(&[*metric])));
    let busy = of(&TiersMetric::UTILISATIONS);
    let busy = in_words(
        "The share of the time in which something was busy",
        "points",
        &busy,
    );
    let left_out = all.len() - simulated.len();
    let left_out = (left_out > 0).then(|| {
        format!(
            "{} not simulated: a node has no `cpus`, so the machine may be what limits it, or it was measured under other settings.",
            match left_out {
                1 => "One cell is".to_owned(),
                count => format!("{count} cells are"),
            }
        )
    });
    times.chain(busy).chain(left_out).collect()
}

/// How far figures are off, without their signs; nothing of none.
fn in_words(what: &str, unit: &str, figures: &[&TiersFigure]) -> Option<String> {
    let errors = figures.iter().filter_map(|it| it.error).map(f64::abs);
    let errors: Vec<f64> = errors.collect();
    let most = errors.iter().copied().reduce(f64::max)?;
    let beyond = median(figures.iter().map(|it| it.beyond))?;
    Some(format!(
        "{what} is off by {:.1} {unit} in the median of {}, at most by {most:.1}. Beyond the measured range: {beyond:.1} {unit} in the \
         median.",
        median(errors)?,
        number::counted(figures.len() as u64, "figure", "figures"),
    ))
}
