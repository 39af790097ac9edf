//! Figures of tables: what was measured, with an interval, and beside what is predicted.

use hotset_document::{Cell, number};

/// How figures of a unit are written.
pub(crate) type Unit = fn(f64) -> String;

pub(crate) const US: Unit = number::duration;
pub(crate) const PER_S: Unit = |value| format!("{value:.0}");
pub(crate) const RATIO: Unit = |value| format!("{value:.3}");
pub(crate) const COUNT: Unit = |value| number::count(value as u64);
pub(crate) const BYTES: Unit = |value| number::bytes(value as u64);

/// A measured or published figure.
#[derive(Clone, Copy)]
pub(crate) struct Figure {
    unit: Unit,
    value: f64,
    /// Its interval, from the least to the greatest.
    interval: Option<[f64; 2]>,
    /// The same figure as a model says.
    predicted: Option<f64>,
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

    /// With its interval, where it has one.
    pub fn within(self, interval: Option<[f64; 2]>) -> Self {
        Self { interval, ..self }
    }

    /// Beside what is predicted, where that is known.
    pub fn beside(self, predicted: Option<f64>) -> Self {
        Self { predicted, ..self }
    }

    /// What stands in a table, with its interval, and in brackets what is predicted; nothing where there is no figure.
    pub fn cell(figure: Option<Self>) -> Cell {
        let Some(figure) = figure else {
            return Cell::default();
        };
        let text = figure.unit;
        let interval = figure.interval.map_or_else(String::new, |[low, high]| {
            format!(" [{} {}]", text(low), text(high))
        });
        let predicted = figure.predicted;
        let predicted = predicted.map_or_else(String::new, |value| format!(" ({})", text(value)));
        let words = format!("{}{interval}{predicted}", text(figure.value));
        Cell::plain(figure.value).shown_as(words)
    }
}
