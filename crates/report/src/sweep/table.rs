//! The table of points.

use super::point::{SiteFigures, SweepPoint};
use super::value::{SweepBy, SweepView, VariedKey};
use crate::{Rows, Table};

/// More keys than this share a column.
const KEY_COLUMNS: usize = 2;

/// A site at a point.
pub(super) struct Row<'v> {
    point: &'v SweepPoint,
    site: &'v SiteFigures,
    is_best: bool,
}

/// The first rows.
pub(super) fn table(view: &SweepView, most: usize) -> Rows<Row<'_>> {
    let best = view.best.as_ref().map(|it| it.point);
    let points = view.all.iter().enumerate();
    let rows = points.flat_map(|(number, point)| {
        let is_best = best == Some(number as u64);
        let row = move |site| Row {
            point,
            site,
            is_best,
        };
        point.figures.sites.iter().map(row)
    });
    let rows: Vec<Row<'_>> = rows.take(most).collect();
    let has_sites = view.all.iter().any(|it| it.figures.sites.len() > 1);
    let mut sites = view.all.iter().flat_map(|it| &it.figures.sites);
    let has_failures = sites.any(|it| it.errors.is_some_and(|errors| errors > 0));
    // Formulas give means alone.
    let has_percentiles = view.by == SweepBy::Simulate;
    let table = with_keys(Table::of(rows), &view.varied);
    let all = || "all".to_owned();
    table
        .flexible("site", |row| row.site.site.clone().unwrap_or_else(all))
        .shown_if(has_sites)
        .per_second("requests", |row| row.site.throughput_per_s)
        .percent("hits", |row| row.site.hit_ratio)
        .count("failed", |row| row.site.errors)
        .shown_if(has_failures)
        .duration("response", |row| row.site.mean_us)
        .duration("p95", |row| row.site.p95_us)
        .shown_if(has_percentiles)
        .duration("p99", |row| row.site.p99_us)
        .shown_if(has_percentiles)
        .text("limited by", |row| {
            row.point.figures.bottleneck.clone().unwrap_or_default()
        })
        .strong(|row| row.is_best)
}

/// What is set at the points.
fn with_keys<'v>(mut table: Rows<Row<'v>>, keys: &[VariedKey]) -> Rows<Row<'v>> {
    let value = |row: &Row<'_>, at: usize| keys[at].values[row.point.places[at]].clone();
    if keys.len() > KEY_COLUMNS {
        return table.flexible("point", |row| {
            let set = keys.iter().enumerate();
            let set = set.map(|(at, key)| format!("{}={}", short(key, keys), value(row, at)));
            set.collect::<Vec<String>>().join(" ")
        });
    }
    for (at, key) in keys.iter().enumerate() {
        table = table.flexible(short(key, keys), |row| value(row, at));
    }
    table
}

/// The way of a key without the name of its list, where that tells it from the others.
fn short<'k>(key: &'k VariedKey, keys: &[VariedKey]) -> &'k str {
    let short = |key: &'k VariedKey| key.path.split_once('.').map_or("", |(_, it)| it);
    let own = short(key);
    let is_own = |it: &&VariedKey| it.path.ends_with(own);
    match keys.iter().filter(is_own).count() {
        1 => own,
        _ => &key.path,
    }
}
