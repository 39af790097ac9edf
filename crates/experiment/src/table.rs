//! Results as tables, before anything lays them out.

use hotset_outcome::Interval;

/// A table of figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// What it is of.
    pub title: String,
    /// What the labels of its rows are.
    pub labels: Vec<String>,
    /// What its columns of figures are.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// What it is of, label by label.
    pub labels: Vec<String>,
    /// Its figures, column by column.
    pub figures: Vec<Option<Figure>>,
}

/// A measured or published figure, and what was predicted of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// What it counts.
    pub unit: Unit,
    /// The figure.
    pub value: f64,
    /// Its 95 % interval.
    pub interval: Option<Interval>,
    /// The same figure as a model says.
    pub predicted: Option<f64>,
}

/// What a figure counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Microseconds.
    Us,
    /// Events in a second.
    PerS,
    /// One figure over another.
    Ratio,
    /// Events.
    Count,
    /// Bytes.
    Bytes,
}

impl Figure {
    /// A figure alone.
    pub fn new(unit: Unit, value: f64) -> Self {
        Self {
            unit,
            value,
            interval: None,
            predicted: None,
        }
    }
}
