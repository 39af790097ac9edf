//! `hotset experiment`.

use hotset_experiment::{Figure, Item, Report, Row, Table as Figures, Unit};
use serde::Serialize;

use crate::terminal::{section, wrapped};
use crate::{Column, Style, Table, View, json, number};

/// What there is to measure and what has been measured. Its fields are the keys of `--json`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PointsView {
    /// Program and version.
    pub tool: String,
    /// The points in the order in which they are measured.
    pub points: Vec<Item>,
}

impl View for PointsView {
    crate::by_hand!();
    fn terminal(&self, style: Style) -> String {
        let first = self.points.first().map(|item| item.point.values());
        let axes = first.into_iter().flatten();
        let axes = axes.map(|(name, _)| Column::text(name));
        let mut table = Table::new(axes.chain([Column::text("state")]));
        for item in &self.points {
            let values = item.point.values().map(|(_, value)| value.to_owned());
            let state = if item.measured { "measured" } else { "to do" };
            table.row(values.chain([state.to_owned()]).collect::<Vec<_>>());
        }
        table.render(style)
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
    }
}

/// Results of an experiment beside what is predicted and published. Its fields are the keys of `--json`.
#[derive(Clone, Debug, Serialize)]
pub struct ExperimentView {
    /// Program and version.
    pub tool: String,
    /// The results.
    #[serde(flatten)]
    pub report: Report,
}

impl View for ExperimentView {
    crate::by_hand!();
    /// Table by table, then what else is to be said.
    fn terminal(&self, style: Style) -> String {
        let Report {
            points,
            tables,
            remarks,
            not_measured,
            ..
        } = &self.report;
        if points.is_empty() {
            return "No results yet: run the experiment first.\n".to_owned();
        }
        let tables = tables.iter().filter(|table| !table.rows.is_empty());
        let tables: String = tables.map(|table| rendered(table, style)).collect();
        let missing = not_measured.iter();
        let missing = missing.map(|(what, reason)| format!("{what} is not measured: {reason}"));
        let remarks = remarks.iter().cloned().chain(missing);
        let remarks: String = remarks.map(|remark| wrapped(&remark, style)).collect();
        let text = format!("{}\n{remarks}", tables.trim_start());
        text.trim_end().to_owned() + "\n"
    }

    fn json(&self) -> serde_json::Result<String> {
        json::text(self)
    }
}

fn rendered(of: &Figures, style: Style) -> String {
    let labels = of.labels.iter().map(|name| Column::text(name));
    let figures = of.columns.iter().map(|name| Column::number(name));
    let mut table = Table::new(labels.chain(figures));
    for row in &of.rows {
        table.row(cells(row));
    }
    section(style, &of.title, &table.render(style))
}

fn cells(row: &Row) -> Vec<String> {
    let figures = row.figures.iter();
    let figures = figures.map(|figure| figure.as_ref().map_or_else(String::new, figure_text));
    row.labels.iter().cloned().chain(figures).collect()
}

/// A figure with its interval, and in brackets as it was predicted.
fn figure_text(figure: &Figure) -> String {
    let text = |value| value_text(figure.unit, value);
    let interval = figure.interval.map_or_else(String::new, |interval| {
        format!(" [{} {}]", text(interval.low), text(interval.high))
    });
    let predicted = figure.predicted;
    let predicted = predicted.map_or_else(String::new, |value| format!(" ({})", text(value)));
    format!("{}{interval}{predicted}", text(figure.value))
}

fn value_text(unit: Unit, value: f64) -> String {
    match unit {
        Unit::Us => number::duration(value),
        Unit::PerS => format!("{value:.0}"),
        Unit::Ratio => format!("{value:.3}"),
        Unit::Count => number::count(value as u64),
        Unit::Bytes => number::bytes(value as u64),
    }
}
