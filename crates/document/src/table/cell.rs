//! What stands in a table: a text for people and, where it is a figure, the figure itself for programs.

use crate::{number, printable};
use std::fmt;

/// A cell of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// As people read it; characters that a terminal would act upon are escaped.
    pub(super) text: String,
    /// The figure, or the figure and the bounds of its interval; empty where there is none.
    pub(super) figures: Vec<Figure>,
    /// Unit of the figures.
    pub(super) unit: Unit,
    /// What spreadsheets get instead of the text.
    pub(super) sheet_text: Option<&'static str>,
}

/// A number without its unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Figure {
    Whole(u64),
    Real(f64),
}

/// What figures are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Unit {
    #[default]
    Plain,
    Bytes,
    Microseconds,
    Share,
    PerSecond,
}

impl Unit {
    /// The unit in words; nothing for plain numbers.
    pub(super) fn in_words(self) -> Option<&'static str> {
        match self {
            Unit::Plain => None,
            Unit::Bytes => Some("bytes"),
            Unit::Microseconds => Some("microseconds"),
            Unit::Share => Some("0 to 1"),
            Unit::PerSecond => Some("per second"),
        }
    }
}

impl fmt::Display for Figure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Figure::Whole(value) => value.fmt(f),
            Figure::Real(value) if value.is_finite() => value.fmt(f),
            Figure::Real(_) => Ok(()),
        }
    }
}

impl<T: AsRef<str>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell {
            text: printable(text.as_ref()).into_owned(),
            ..Cell::default()
        }
    }
}

impl Cell {
    fn of(text: String, figure: Figure, unit: Unit) -> Cell {
        Cell {
            text,
            figures: vec![figure],
            unit,
            sheet_text: None,
        }
    }

    /// A cell that may not be known.
    pub fn known(cell: Option<impl Into<Cell>>) -> Cell {
        cell.map_or_else(Cell::unknown, Into::into)
    }

    /// A figure that is not known.
    pub fn unknown() -> Cell {
        number::NONE.into()
    }

    pub(super) fn is_unknown(&self) -> bool {
        self.text.is_empty() || self.text == number::NONE
    }

    /// A whole number.
    pub fn count(value: u64) -> Cell {
        Cell::of(number::count(value), Figure::Whole(value), Unit::Plain)
    }

    /// Bytes.
    pub fn bytes(value: u64) -> Cell {
        Cell::of(number::bytes(value), Figure::Whole(value), Unit::Bytes)
    }

    /// Microseconds.
    pub fn duration(us: f64) -> Cell {
        Cell::of(number::duration(us), Figure::Real(us), Unit::Microseconds)
    }

    /// A share of one.
    pub fn percent(share: f64) -> Cell {
        Cell::of(number::percent(share), Figure::Real(share), Unit::Share)
    }

    /// A difference as a share of one, which people read with its sign.
    pub fn signed_percent(share: f64) -> Cell {
        Cell::percent(share).shown_as(number::signed_percent(share))
    }

    /// Events a second.
    pub fn per_second(rate: f64) -> Cell {
        Cell::of(
            number::per_second(rate),
            Figure::Real(rate),
            Unit::PerSecond,
        )
    }

    /// A number without a unit.
    pub fn plain(value: f64) -> Cell {
        Cell::of(number::plain(value), Figure::Real(value), Unit::Plain)
    }

    /// A share of one and the interval it lies in.
    pub fn percent_with_interval(share: f64, low: f64, high: f64) -> Cell {
        Cell {
            figures: [share, low, high].map(Figure::Real).into(),
            ..Cell::percent(share).shown_as(number::percent_with_interval(share, low, high))
        }
    }

    /// Microseconds and the interval they lie in.
    pub fn duration_with_interval(us: f64, low: f64, high: f64) -> Cell {
        Cell {
            figures: [us, low, high].map(Figure::Real).into(),
            ..Cell::duration(us).shown_as(number::duration_with_interval(us, low, high))
        }
    }

    /// A number without a unit and the interval it lies in, shown as `text`.
    pub fn interval(text: String, value: f64, low: f64, high: f64) -> Cell {
        Cell {
            text,
            figures: [value, low, high].map(Figure::Real).into(),
            ..Cell::default()
        }
    }

    /// The same figure in other words.
    pub fn shown_as(self, text: String) -> Cell {
        Cell { text, ..self }
    }

    /// The same cell with these words for spreadsheets.
    pub fn in_sheets(self, text: &'static str) -> Cell {
        Cell {
            sheet_text: Some(text),
            ..self
        }
    }
}
