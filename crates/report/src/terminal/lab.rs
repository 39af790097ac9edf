//! `hotset lab run`.

use super::section;
use crate::{Column, Style, Table, number};

/// One way of using the memory in one cell.
#[derive(Clone, Debug, PartialEq)]
pub struct LabRow {
    /// The cell.
    pub cell: String,
    /// The way.
    pub arm: String,
    /// Measured mean response, microseconds.
    pub mean_us: f64,
    /// Measured mean response over that of the page cache alone.
    pub ratio: Option<f64>,
    /// Its 95 % interval.
    pub ratio_interval: Option<(f64, f64)>,
    /// The ratio that the model predicts.
    pub predicted_ratio: Option<f64>,
    /// Requests that read the disk.
    pub uncached: Option<u64>,
    /// Bytes that the disk read.
    pub disk_bytes: u64,
    /// Bytes that the model says it reads.
    pub predicted_disk_bytes: Option<u64>,
    /// The foreground's requests in a second with several clients.
    pub foreground_per_s: Option<f64>,
}

/// Measured beside predicted, cell by cell.
pub fn lab(rows: &[LabRow], style: Style) -> String {
    if rows.is_empty() {
        return "No results yet.\n".to_owned();
    }
    let mut table = Table::new([
        Column::text("cell"),
        Column::text("memory"),
        Column::number("response"),
        Column::number("÷ page cache"),
        Column::number("predicted"),
        Column::number("uncached"),
        Column::number("disk read"),
        Column::number("predicted"),
        Column::number("front/s"),
    ]);
    for row in rows {
        table.row(cells(row));
    }
    let text = section(
        style,
        "One client in the order of the trace; front/s: the foreground among several clients",
        &table.render(style),
    );
    text.trim_start().to_owned()
}

fn cells(row: &LabRow) -> [String; 9] {
    let or_nothing = |text: Option<String>| text.unwrap_or_default();
    let ratio = row.ratio.map(|ratio| match row.ratio_interval {
        Some((low, high)) => format!("{ratio:.3} [{low:.3} {high:.3}]"),
        None => format!("{ratio:.3}"),
    });
    [
        row.cell.clone(),
        row.arm.clone(),
        number::duration(row.mean_us),
        or_nothing(ratio),
        or_nothing(row.predicted_ratio.map(|ratio| format!("{ratio:.3}"))),
        or_nothing(row.uncached.map(number::count)),
        number::bytes(row.disk_bytes),
        or_nothing(row.predicted_disk_bytes.map(number::bytes)),
        or_nothing(row.foreground_per_s.map(|rate| format!("{rate:.1}"))),
    ]
}
