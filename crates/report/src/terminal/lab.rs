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
    /// Whether the two ratios are close enough to agree.
    pub agrees: Option<bool>,
    /// Requests that read the disk.
    pub uncached: Option<u64>,
    /// Those that the model says do.
    pub predicted_uncached: Option<u64>,
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
        Column::number("said"),
        Column::number("uncached (said)"),
        Column::number("disk read (said)"),
        Column::number("front/s"),
    ]);
    for row in rows {
        table.row(cells(row));
    }
    let text = section(
        style,
        "One client in the order of the trace; said: by the model; front/s: of several clients",
        &table.render(style),
    );
    format!("{}{}", text.trim_start(), agreement(rows))
}

/// In how many cells the plan's ratio was predicted, where it was measured.
fn agreement(rows: &[LabRow]) -> String {
    let plans = rows.iter().filter(|row| row.arm == "plan");
    let judged: Vec<bool> = plans.filter_map(|row| row.agrees).collect();
    if judged.is_empty() {
        return String::new();
    }
    let close = judged.iter().filter(|agrees| **agrees).count();
    let cells = judged.len();
    format!(
        "\nplan ÷ page cache: said within 0.05 of what was measured in {close} of {cells} cells\n"
    )
}

fn cells(row: &LabRow) -> [String; 8] {
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
        or_nothing(row.uncached.map(|count| {
            beside(
                number::count(count),
                row.predicted_uncached.map(number::count),
            )
        })),
        beside(
            number::bytes(row.disk_bytes),
            row.predicted_disk_bytes.map(number::bytes),
        ),
        or_nothing(row.foreground_per_s.map(|rate| format!("{rate:.1}"))),
    ]
}

/// A measured figure with the predicted one.
fn beside(measured: String, predicted: Option<String>) -> String {
    match predicted {
        Some(predicted) => format!("{measured} ({predicted})"),
        None => measured,
    }
}
