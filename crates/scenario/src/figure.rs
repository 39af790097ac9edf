//! Figures with their units, as the keys of a scenario have them: `512MiB`, `100Mbit`, `50us`, `10%`, `0.5`.

use serde::Serialize;

/// What a figure is a number of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum FigureUnit {
    /// A number by itself.
    Plain,
    /// Bytes.
    Bytes,
    /// Bits in a second.
    BitsPerS,
    /// Microseconds.
    Us,
    /// Per cent.
    Percent,
}

/// Names of units that belong together, the largest first, with what one of them is.
type Ladder = (FigureUnit, &'static [(&'static str, f64)]);

/// All units. A figure is written in the units of the ladder that it was read from.
const LADDERS: [Ladder; 7] = [
    (FigureUnit::Plain, &[("", 1.0)]),
    (FigureUnit::Percent, &[("%", 1.0)]),
    (
        FigureUnit::Us,
        &[("s", 1e6), ("ms", 1e3), ("us", 1.0), ("ns", 1e-3)],
    ),
    (
        FigureUnit::Us,
        &[
            ("h", 3.6e9),
            ("min", 6e7),
            ("s", 1e6),
            ("ms", 1e3),
            ("us", 1.0),
            ("ns", 1e-3),
        ],
    ),
    (FigureUnit::BitsPerS, &[("Gbit", 1e9), ("Mbit", 1e6)]),
    (
        FigureUnit::Bytes,
        &[
            ("TiB", (1u64 << 40) as f64),
            ("GiB", (1u64 << 30) as f64),
            ("MiB", (1u64 << 20) as f64),
            ("KiB", (1u64 << 10) as f64),
            ("B", 1.0),
        ],
    ),
    (
        FigureUnit::Bytes,
        &[
            ("TB", 1e12),
            ("GB", 1e9),
            ("MB", 1e6),
            ("KB", 1e3),
            ("B", 1.0),
        ],
    ),
];

/// Other names of units.
const ALIASES: [(&str, &str); 9] = [
    ("T", "TiB"),
    ("t", "TiB"),
    ("G", "GiB"),
    ("g", "GiB"),
    ("M", "MiB"),
    ("m", "MiB"),
    ("K", "KiB"),
    ("k", "KiB"),
    ("µs", "us"),
];

/// Whole numbers up to here are exact, and so are products and sums of them.
const EXACT: f64 = (1u64 << 53) as f64;

/// A figure, and how it was written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Figure {
    /// In its [`FigureUnit`].
    pub value: f64,
    ladder: usize,
    rung: usize,
}

impl Figure {
    /// The figure that `text` is; nothing where it is none.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (number, name) = text.split_at(end.unwrap_or(text.len()));
        let number: f64 = number.parse().ok()?;
        let name = name.trim_start();
        let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
        let name = alias.map_or(name, |(_, name)| *name);
        let mut ladders = LADDERS.iter().enumerate();
        let (ladder, rung) = ladders.find_map(|(ladder, (_, rungs))| {
            let rung = rungs.iter().position(|(known, _)| *known == name)?;
            Some((ladder, rung))
        })?;
        let value = number * LADDERS[ladder].1[rung].1;
        value.is_finite().then_some(Self {
            value,
            ladder,
            rung,
        })
    }

    /// What it is a number of.
    pub fn unit(self) -> FigureUnit {
        LADDERS[self.ladder].0
    }

    /// Another figure as this one is written: in the largest unit of which it is a whole number, else in the unit of this one.
    pub fn written_alike(self, value: f64) -> String {
        let value = match self.unit() {
            FigureUnit::Bytes => value.round(),
            _ => value,
        };
        let rungs = LADDERS[self.ladder].1;
        let is_whole_in = |(_, size): &&(&str, f64)| value >= *size && is_whole(value / size);
        let whole = rungs.iter().find(is_whole_in);
        let (name, size) = whole.unwrap_or(&rungs[self.rung]);
        format!("{}{name}", decimal(value / size))
    }
}

/// Whether it is a whole number, but for what is lost in computing.
fn is_whole(number: f64) -> bool {
    (number - number.round()).abs() <= 1e-13 * number.abs()
}

/// A number without an exponent, and without what is lost in computing.
fn decimal(number: f64) -> String {
    if is_whole(number) && number.abs() < EXACT {
        return format!("{number:.0}");
    }
    let rounded = format!("{number:.11e}").parse().unwrap_or(number);
    format!("{rounded}")
}
