//! Jobs as they were measured, with what the model says in brackets, and how far it is off.

use hotset_document::{Cell, Column, Table, number};
use hotset_models::fio::Operation;

use super::result::{JobDeviation, JobPredictions};
use super::section::PublishedError;
use crate::figure::{self, Figure, Unit};
use crate::scores::GROUPS;
use crate::study::Comparison;
use crate::{Axis, ErrorSummary, Metric};

/// Figures that have a table, with its title.
const FIGURES: [(&str, Operation, Metric, Unit); 14] = [
    (
        "Bytes read in a second",
        Operation::Read,
        Metric::BytesPerS,
        figure::BYTES,
    ),
    (
        "Mean time of a read",
        Operation::Read,
        Metric::MeanUs,
        figure::US,
    ),
    (
        "What 99 % of reads do not exceed",
        Operation::Read,
        Metric::P99Us,
        figure::US,
    ),
    (
        "Bytes written in a second",
        Operation::Write,
        Metric::BytesPerS,
        figure::BYTES,
    ),
    (
        "Mean time of a write",
        Operation::Write,
        Metric::MeanUs,
        figure::US,
    ),
    (
        "What 99 % of writes do not exceed",
        Operation::Write,
        Metric::P99Us,
        figure::US,
    ),
    (
        "Mean time of an fsync",
        Operation::Fsync,
        Metric::MeanUs,
        figure::US,
    ),
    (
        "What 99 % of fsyncs do not exceed",
        Operation::Fsync,
        Metric::P99Us,
        figure::US,
    ),
    (
        "Bytes from the device",
        Operation::Read,
        Metric::DeviceBytes,
        figure::BYTES,
    ),
    (
        "Reads that found all in memory",
        Operation::Read,
        Metric::HitShare,
        figure::RATIO,
    ),
    (
        "Bytes to the device",
        Operation::Write,
        Metric::WrittenBytes,
        figure::BYTES,
    ),
    (
        "Blocks of files to the device",
        Operation::Write,
        Metric::WrittenDataBytes,
        figure::BYTES,
    ),
    (
        "Journal to the device",
        Operation::Write,
        Metric::WrittenJournalBytes,
        figure::BYTES,
    ),
    (
        "Metadata to the device",
        Operation::Write,
        Metric::WrittenMetadataBytes,
        figure::BYTES,
    ),
];

/// A table of figures for each metric, and one of errors.
pub(super) fn of<S, D>(points: &[Comparison<S, D, JobPredictions>]) -> Vec<(String, Table)> {
    let figures = FIGURES.into_iter().map(|(title, operation, metric, unit)| {
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
        .text("job", |(_, cell)| match cell.is_set_aside {
            true => Cell::from(format!("{} (set aside)", cell.of.subject)),
            false => Cell::from(&cell.of.subject),
        })
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

/// The figures of a point's jobs.
pub(super) fn cells<S, D>(
    point: &Comparison<S, D, JobPredictions>,
) -> impl Iterator<Item = &JobDeviation> {
    let prediction = point.prediction.iter();
    prediction.flat_map(|prediction| &prediction.detail.cells)
}

/// How far the model is off in all, beside what others have published. What was set aside is summed up apart.
pub(super) fn remarks<S, D>(
    points: &[Comparison<S, D, JobPredictions>],
    published: &[PublishedError],
) -> Vec<String> {
    let own = GROUPS
        .iter()
        .filter_map(|(what, metrics)| score(points, what, metrics, false));
    let aside = GROUPS.iter().filter_map(|(what, metrics)| {
        let remark = score(points, what, metrics, true)?;
        Some(format!("Set aside until the model was done. {remark}"))
    });
    let published = published.iter().map(|it| {
        let (what, percent) = (&it.what, it.error_percent);
        format!("Published error from the measured mean: {percent} % for {what}.")
    });
    own.chain(aside).chain(published).collect()
}

/// How far figures of some metrics are off. Bytes and hits are apart: of jobs that read each byte once they are hardly ever wrong.
fn score<S, D>(
    points: &[Comparison<S, D, JobPredictions>],
    what: &str,
    metrics: &[Metric],
    is_set_aside: bool,
) -> Option<String> {
    let own = points.iter().flat_map(cells);
    let own = own.filter(|cell| cell.is_set_aside == is_set_aside);
    let own = own.map(|cell| &cell.of);
    let all = ErrorSummary::of(own.filter(|it| metrics.contains(&it.metric)))?;
    Some(format!(
        "Error over {} of {what}: median {}, from {} to {}. Beyond the measured interval: median {}, 90th percentile {}.",
        number::counted(all.figures as u64, "figure", "figures"),
        number::percent(all.median_percent / 100.0),
        number::signed_percent(all.lowest_percent / 100.0),
        number::signed_percent(all.highest_percent / 100.0),
        number::percent(all.median_beyond_percent / 100.0),
        number::percent(all.p90_beyond_percent / 100.0),
    ))
}
