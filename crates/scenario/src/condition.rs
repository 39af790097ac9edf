//! Conditions as people write them: a figure, a comparison, and a value with its unit, such as `p99 < 20ms`. What figures
//! there are is said by those who take conditions: targets of sites, `hotset replay --fail-if`.

use strum::EnumString;

/// Units of time and their microseconds, the largest first.
pub(crate) const TIME_UNITS: [(&str, f64); 5] = [
    ("s", 1e6),
    ("ms", 1e3),
    ("µs", 1.0),
    ("us", 1.0),
    ("ns", 1e-3),
];

/// How a figure is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString)]
pub enum Comparison {
    /// Above the value.
    #[strum(serialize = ">")]
    Above,
    /// The value or above.
    #[strum(serialize = ">=")]
    AtLeast,
    /// Below the value.
    #[strum(serialize = "<")]
    Below,
    /// The value or below.
    #[strum(serialize = "<=")]
    AtMost,
}

impl Comparison {
    /// Whether it holds between a figure and a value.
    pub fn holds(self, figure: f64, value: f64) -> bool {
        match self {
            Self::Above => figure > value,
            Self::AtLeast => figure >= value,
            Self::Below => figure < value,
            Self::AtMost => figure <= value,
        }
    }
}

/// A condition in its parts, as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WrittenCondition<'t> {
    /// What is compared.
    pub figure: &'t str,
    /// How.
    pub comparison: Comparison,
    /// The value with its unit.
    pub value: &'t str,
    /// The value without its unit.
    pub number: &'t str,
    /// Letters, `%` and `/` at the end of the value; empty where there are none.
    pub unit: &'t str,
}

impl<'t> WrittenCondition<'t> {
    /// The parts of `text`; nothing where it compares nothing.
    pub fn parse(text: &'t str) -> Option<Self> {
        let (figure, rest) = text.split_at(text.find(['<', '>'])?);
        let sign = 1 + usize::from(rest[1..].starts_with('='));
        let (comparison, value) = rest.split_at(sign);
        let value = value.trim();
        let number = value.trim_end_matches(|c: char| c.is_alphabetic() || "%/".contains(c));
        Some(Self {
            figure: figure.trim(),
            comparison: comparison.parse().ok()?,
            value,
            number: number.trim(),
            unit: &value[number.len()..],
        })
    }

    /// Microseconds of the value's unit; nothing where that is none of time.
    pub fn unit_us(&self) -> Option<f64> {
        let known = TIME_UNITS.iter().find(|(name, _)| *name == self.unit);
        known.map(|(_, us)| *us)
    }
}
