//! Jobs as they were measured, with what the model says in brackets, and how far it is off.

use hotset_document::{Cell, Column, Table, number};
use hotset_models::fio::Operation;

use super::result::{JobDeviation, JobPredictions};
use super::section::PublishedError;
use crate::figure::{self, Figure, Unit};
use crate::study::Comparison;
use crate::{Axis, ErrorSummary, Metric};

/// A table of figures for each metric, and one of errors.
pub(super) fn of<S, D>(points: &[Comparison<S, D, JobPredictions>]) -> Vec<(String, Table)> {
    let (read, write) = (Operation::Read, Operation::Write);
    let metrics = [
        (
            "Bytes read in a second",
            read,
            Metric::BytesPerS,
            figure::BYTES,
        ),
        ("Mean time of a read", read, Metric::MeanUs, figure::US),
        (
            "What 99 % of reads do not exceed",
            read,
            Metric::P99Us,
            figure::US,
        ),
        (
            "Bytes written in a second",
            write,
            Metric::BytesPerS,
            figure::BYTES,
        ),
        ("Mean time of a write", write, Metric::MeanUs, figure::US),
        (
            "What 99 % of writes do not exceed",
            write,
            Metric::P99Us,
            figure::US,
        ),
        (
            "Bytes from the device",
            read,
            Metric::DeviceBytes,
            figure::BYTES,
        ),
        (
            "Reads that found all in memory",
            read,
            Metric::HitShare,
            figure::RATIO,
        ),
    ];
    let figures = metrics.into_iter().map(|(title, operation, metric, unit)| {
        let title = format!("{title}: median [least greatest] (simulated)");
        (title, table(points, (operation, metric), unit))
    });
    // Early results have no hits and no 99th percentiles.
    figures.filter(|(_, table)| !table.is_empty()).collect()
}

fn table<S, D>(
    points: &[Comparison<S, D, JobPredictions>],
    wanted: (Operation, Metric),
    unit: Unit,
) -> Table {
    let cells = points.iter().flat_map(|point| {
        let store = point.kept.point.on(Axis::Store);
        cells(point).map(move |cell| (store, cell))
    });
    let own = cells.filter(|(_, cell)| (cell.of.operation, cell.of.metric) == wanted);
    Table::of(own)
        .text("store", |(store, _)| Cell::from(store))
        .text("job", |(_, cell)| Cell::from(&cell.of.subject))
        .figure("measured", |(_, cell)| {
            let of = &cell.of;
            let measured = Figure::new(unit, of.measured).within(Some([of.low, of.high]));
            Figure::cell(Some(measured.beside(Some(of.simulated))))
        })
        .column(Column::percent("error"), |(_, cell)| {
            Cell::known(
                cell.error_percent
                    .map(|it| Cell::signed_percent(it / 100.0)),
            )
        })
        .percent("error beyond the interval", |(_, cell)| {
            cell.beyond_percent / 100.0
        })
        .into()
}

fn cells<S, D>(point: &Comparison<S, D, JobPredictions>) -> impl Iterator<Item = &JobDeviation> {
    let prediction = point.prediction.iter();
    prediction.flat_map(|prediction| &prediction.detail.cells)
}

/// How far the model is off in all, beside what others have published.
pub(super) fn remarks<S, D>(
    points: &[Comparison<S, D, JobPredictions>],
    published: &[PublishedError],
) -> Vec<String> {
    let scores = [
        (
            "throughput and mean times",
            [Metric::BytesPerS, Metric::MeanUs].as_slice(),
        ),
        (
            "bytes from the device, of bytes read",
            &[Metric::DeviceBytes],
        ),
        ("hits, of reads", &[Metric::HitShare]),
        ("99th percentiles", &[Metric::P99Us]),
    ];
    let own = scores
        .iter()
        .filter_map(|(what, metrics)| score(points, what, metrics));
    let published = published.iter().map(|it| {
        let (what, percent) = (&it.what, it.error_percent);
        format!("Published error from the measured mean: {percent} % for {what}.")
    });
    own.chain(published).collect()
}

/// How far figures of some metrics are off. Bytes and hits are apart: of jobs that read each byte once they are hardly ever wrong.
fn score<S, D>(
    points: &[Comparison<S, D, JobPredictions>],
    what: &str,
    metrics: &[Metric],
) -> Option<String> {
    let own = points.iter().flat_map(cells).map(|cell| &cell.of);
    let all = ErrorSummary::of(own.filter(|it| metrics.contains(&it.metric)))?;
    Some(format!(
        "Error over {} of {what}: median {:.1} %, from {} to {}. Beyond the measured interval: median {:.1} %, 90th percentile {:.1} %.",
        number::counted(all.figures as u64, "figure", "figures"),
        all.median_percent,
        number::signed_percent(all.lowest_percent / 100.0),
        number::signed_percent(all.highest_percent / 100.0),
        all.median_beyond_percent,
        all.p90_beyond_percent,
    ))
}
