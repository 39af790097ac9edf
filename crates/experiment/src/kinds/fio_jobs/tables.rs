//! Jobs as they were measured, with what the model says in brackets, and how far it is off.

use hotset_outcome::Interval;

use super::result::{Predicted, PredictedCell};
use super::section::Published;
use crate::quantile::quantile;
use crate::study::Shown;
use crate::table::{Figure, Row, Table, Unit};
use crate::{Axis, Metric};

/// Coverage of least and greatest of six rounds, the usual number, as an interval of the median.
const LEVEL: f64 = 0.969;

/// A table of figures for each metric, and one of errors.
pub(crate) fn of<S, D>(points: &[Shown<S, D, Predicted>]) -> Vec<Table> {
    let metrics = [
        ("Bytes read in a second", Metric::BytesPerS, Unit::Bytes),
        ("Mean time of a read", Metric::MeanUs, Unit::Us),
        ("Bytes from the device", Metric::DeviceBytes, Unit::Bytes),
        (
            "Reads that found all in memory",
            Metric::HitShare,
            Unit::Ratio,
        ),
    ];
    let figures = metrics.map(|(title, metric, unit)| table(points, title, metric, unit));
    // Early results have no hits.
    let figures = figures.into_iter();
    figures.filter(|table| !table.rows.is_empty()).collect()
}

fn table<S, D>(
    points: &[Shown<S, D, Predicted>],
    title: &str,
    metric: Metric,
    unit: Unit,
) -> Table {
    let rows = points.iter().flat_map(|point| {
        let store = point.kept.point.on(Axis::Store);
        let own = cells(point).filter(|cell| cell.metric == metric);
        own.map(move |cell| row(store, cell, unit))
    });
    Table {
        title: format!("{title}: median [least greatest] (simulated)"),
        labels: vec!["store".to_owned(), "job".to_owned()],
        columns: vec![
            "measured".to_owned(),
            "error beyond the interval".to_owned(),
        ],
        rows: rows.collect(),
    }
}

fn row(store: &str, cell: &PredictedCell, unit: Unit) -> Row {
    let measured = Figure {
        unit,
        value: cell.measured,
        interval: Some(Interval {
            low: cell.low,
            high: cell.high,
            level: LEVEL,
        }),
        predicted: Some(cell.simulated),
    };
    Row {
        labels: vec![store.to_owned(), cell.job.clone()],
        figures: vec![
            Some(measured),
            Some(Figure::new(Unit::Ratio, cell.beyond_percent / 100.0)),
        ],
    }
}

fn cells<S, D>(point: &Shown<S, D, Predicted>) -> impl Iterator<Item = &PredictedCell> {
    let prediction = point.prediction.iter();
    prediction.flat_map(|prediction| &prediction.detail.cells)
}

/// How far the model is off in all, beside what others have published.
pub(crate) fn remarks<S, D>(
    points: &[Shown<S, D, Predicted>],
    published: &[Published],
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
    points: &[Shown<S, D, Predicted>],
    what: &str,
    metrics: &[Metric],
) -> Option<String> {
    let own = points.iter().flat_map(cells);
    let own = own.filter(|cell| metrics.contains(&cell.metric));
    let mut beyond: Vec<f64> = own.map(|cell| cell.beyond_percent).collect();
    beyond.sort_unstable_by(f64::total_cmp);
    let (median, p90) = quantile(&beyond, 0.5).zip(quantile(&beyond, 0.9))?;
    Some(format!(
        "Error beyond the measured interval over {} figures of {what}: median {median:.1} %, 90th percentile {p90:.1} %.",
        beyond.len()
    ))
}
