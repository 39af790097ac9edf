//! Tables of results, for any library of data frames; figures are copied.

use std::sync::Arc;

use arrow_array::{
    ArrayRef, Float64Array, LargeStringArray, TimestampMicrosecondArray, UInt64Array,
};
use hotset_describe::{Description, HotFile, SiteDescription};
use hotset_outcome::{Compared, SideBySide};
use hotset_report::{CacheScanView, EstimatedScanView, SampledScanView, SiteFigures, SweepView};
use hotset_scenario::{PlacedFile, Placement};
use pyo3::prelude::*;

use crate::table::Table;

/// Columns under their names.
type Columns = Vec<(&'static str, ArrayRef)>;

fn texts<'a>(texts: impl Iterator<Item = &'a str>) -> ArrayRef {
    Arc::new(LargeStringArray::from_iter_values(texts))
}

fn known_texts<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> ArrayRef {
    Arc::new(texts.collect::<LargeStringArray>())
}

fn counts(counts: impl Iterator<Item = u64>) -> ArrayRef {
    Arc::new(UInt64Array::from_iter_values(counts))
}

fn known_counts(counts: impl Iterator<Item = Option<u64>>) -> ArrayRef {
    Arc::new(counts.collect::<UInt64Array>())
}

fn figures(figures: impl Iterator<Item = Option<f64>>) -> ArrayRef {
    // What JSON writes as null.
    let figures = figures.map(|figure| figure.filter(|figure| figure.is_finite()));
    Arc::new(figures.collect::<Float64Array>())
}

fn times(times_us: impl Iterator<Item = i64>) -> ArrayRef {
    let times = TimestampMicrosecondArray::from_iter_values(times_us);
    Arc::new(times.with_timezone("UTC"))
}

/// The sites of a description.
pub fn sites(description: &Description) -> PyResult<Table> {
    let sites = || description.sites.iter();
    let count = |of: fn(&SiteDescription) -> u64| counts(sites().map(of));
    let known = |of: fn(&SiteDescription) -> Option<u64>| known_counts(sites().map(of));
    Table::of(vec![
        ("site", texts(sites().map(|site| site.site.as_str()))),
        ("requests", count(|site| site.requests)),
        ("accesses", count(|site| site.accesses)),
        ("objects", count(|site| site.objects)),
        ("object_bytes", count(|site| site.object_bytes)),
        ("response_bytes", count(|site| site.response_bytes)),
        ("clients", known(|site| site.clients)),
        ("connections", known(|site| site.connections)),
    ])
}

/// The hottest files of a description.
pub fn hottest(description: &Description) -> PyResult<Table> {
    let files = || description.lists.hottest.iter();
    let text = |of: fn(&HotFile) -> &str| texts(files().map(of));
    Table::of(vec![
        ("site", text(|file| &file.site)),
        ("path", text(|file| &file.path)),
        ("accesses", counts(files().map(|file| file.accesses))),
        ("size", counts(files().map(|file| file.size_bytes))),
    ])
}

/// The requests of each site by minute.
pub fn minutes(description: &Description) -> PyResult<Table> {
    let rows = || {
        description.sites.iter().flat_map(|site| {
            let series = &site.requests_per_minute;
            let rows = series.start_us.iter().zip(&series.requests);
            rows.map(|(time, requests)| (site.site.as_str(), *time, *requests))
        })
    };
    Table::of(vec![
        ("site", texts(rows().map(|row| row.0))),
        ("time", times(rows().map(|row| row.1))),
        ("requests", counts(rows().map(|row| row.2))),
    ])
}

/// The files of a plan.
pub fn held(placement: &Placement) -> PyResult<Table> {
    let files = || placement.files.iter();
    let text = |of: fn(&PlacedFile) -> &str| texts(files().map(of));
    let paths: Vec<String> = files()
        .map(|file| String::from_utf8_lossy(&file.path.0).into_owned())
        .collect();
    let rate = |file: &PlacedFile| file.reason.requests_per_hour;
    Table::of(vec![
        ("node", text(|file| &file.node)),
        ("site", text(|file| &file.site)),
        ("path", texts(paths.iter().map(String::as_str))),
        ("size", counts(files().map(|file| file.size_bytes))),
        ("order", counts(files().map(|file| u64::from(file.order)))),
        ("requests", counts(files().map(|file| file.reason.requests))),
        ("requests_per_hour", figures(files().map(rate))),
        (
            "saved_us_per_byte",
            figures(files().map(|file| Some(file.reason.saved_us_per_byte))),
        ),
    ])
}

/// The one row of a simulation of the whole trace.
pub fn scanned(view: &CacheScanView) -> PyResult<Table> {
    let one = |figure: f64| figures(std::iter::once(Some(figure)));
    let count = |count: u64| counts(std::iter::once(count));
    Table::of(vec![
        ("policy", texts(std::iter::once(view.policy.as_str()))),
        ("memory_bytes", count(view.memory_bytes)),
        ("requests", count(view.requests)),
        ("hits", count(view.hits)),
        ("hit_ratio", one(view.hit_ratio)),
        ("byte_hit_ratio", one(view.byte_hit_ratio)),
        ("mean_us", one(view.mean_us)),
    ])
}

/// The one row of a simulation of samples drawn by importance.
pub fn estimated(view: &EstimatedScanView) -> PyResult<Table> {
    let one = |figure: f64| figures(std::iter::once(Some(figure)));
    let count = |count: u64| counts(std::iter::once(count));
    Table::of(vec![
        ("policy", texts(std::iter::once(view.policy.as_str()))),
        ("memory_bytes", count(view.memory_bytes)),
        ("requests", count(view.requests)),
        ("hit_ratio", one(view.hit_ratio)),
        ("hit_ratio_low", one(view.hit_ratio_interval.low)),
        ("hit_ratio_high", one(view.hit_ratio_interval.high)),
        ("mean_us", one(view.mean_us)),
        ("mean_us_low", one(view.mean_us_interval.low)),
        ("mean_us_high", one(view.mean_us_interval.high)),
    ])
}

/// The hit ratios of a simulation of samples, by memory.
pub fn sampled(view: &SampledScanView) -> PyResult<Table> {
    let points = || view.curve.iter();
    let policy = view.policy.as_str();
    let columns: Columns = vec![
        ("policy", texts(points().map(|_| policy))),
        (
            "memory_bytes",
            counts(points().map(|point| point.memory_bytes)),
        ),
        (
            "hit_ratio",
            figures(points().map(|point| Some(point.hit_ratio))),
        ),
        (
            "hit_ratio_low",
            figures(points().map(|point| Some(point.hit_ratio_interval.low))),
        ),
        (
            "hit_ratio_high",
            figures(points().map(|point| Some(point.hit_ratio_interval.high))),
        ),
    ];
    Table::of(columns)
}

/// A site at each point of a sweep: the columns of its Parquet file.
pub fn swept(view: &SweepView) -> PyResult<Table> {
    let rows = || {
        view.all.iter().flat_map(|point| {
            let sites = point.figures.sites.iter();
            sites.map(move |site| (point, site))
        })
    };
    let mut columns: Vec<(&str, ArrayRef)> = Vec::new();
    for (at, key) in view.varied.iter().enumerate() {
        let places = rows().map(|(point, _)| point.places[at]);
        let column: ArrayRef = match key.unit {
            Some(_) => Arc::new(Float64Array::from_iter_values(
                places.map(|it| key.figures[it]),
            )),
            None => texts(places.map(|it| key.values[it].as_str())),
        };
        columns.push((key.path.as_str(), column));
    }
    let figure = |of: fn(&SiteFigures) -> Option<f64>| figures(rows().map(|(_, site)| of(site)));
    columns.extend([
        ("seed", counts(rows().map(|_| view.seed))),
        (
            "site",
            known_texts(rows().map(|(_, site)| site.site.as_deref())),
        ),
        ("throughput_per_s", figure(|it| it.throughput_per_s)),
        ("mean_us", figure(|it| it.mean_us)),
        ("p50_us", figure(|it| it.p50_us)),
        ("p95_us", figure(|it| it.p95_us)),
        ("p99_us", figure(|it| it.p99_us)),
        ("first_byte_p95_us", figure(|it| it.first_byte_p95_us)),
        ("hit_ratio", figure(|it| it.hit_ratio)),
        ("errors", known_counts(rows().map(|(_, site)| site.errors))),
        (
            "bottleneck",
            known_texts(rows().map(|(point, _)| point.figures.bottleneck.as_deref())),
        ),
    ]);
    Table::of(columns)
}

/// Outcomes side by side.
pub fn compared(side_by_side: &SideBySide) -> PyResult<Table> {
    let outcomes = || side_by_side.compared.iter();
    let figure = |of: fn(&Compared) -> Option<f64>| figures(outcomes().map(of));
    Table::of(vec![
        ("outcome", texts(outcomes().map(|of| of.name.as_str()))),
        (
            "requests",
            known_counts(outcomes().map(|of| of.total.requests)),
        ),
        ("hit_ratio", figure(|of| of.total.hit_ratio)),
        ("mean_us", figure(|of| of.total.mean_us)),
        (
            "mean_us_low",
            figure(|of| Some(of.total.mean_interval.as_ref()?.low)),
        ),
        (
            "mean_us_high",
            figure(|of| Some(of.total.mean_interval.as_ref()?.high)),
        ),
        ("p50_us", figure(|of| of.total.p50_us)),
        ("p95_us", figure(|of| of.total.p95_us)),
        ("p99_us", figure(|of| of.total.p99_us)),
        (
            "mean_ratio",
            figure(|of| of.total.against_baseline.as_ref()?.mean_ratio),
        ),
    ])
}

/// The files of a part.
pub fn files(part: &hotset_describe::Part) -> PyResult<Table> {
    let files: Vec<(&str, String, u64, u64)> = part
        .files()
        .map(|file| {
            let path = String::from_utf8_lossy(file.path).into_owned();
            (file.site, path, file.accesses, file.size_bytes)
        })
        .collect();
    Table::of(vec![
        ("site", texts(files.iter().map(|file| file.0))),
        ("path", texts(files.iter().map(|file| file.1.as_str()))),
        ("accesses", counts(files.iter().map(|file| file.2))),
        ("size", counts(files.iter().map(|file| file.3))),
    ])
}
