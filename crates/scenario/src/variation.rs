//! A key of a scenario and the values that it takes in turn.

use std::fmt;
use std::str::FromStr;

use crate::figure::Figure;
use crate::{FigureUnit, ScenarioSetting};

/// What a variation looks like, for messages.
const FORM: &str = "write PATH=A..B:xN (each N times the one before), PATH=A..B:+N (each N more) or PATH=A,B,C, as in \
    node.web1.memory=256MiB..4GiB:x2, link.web1.rate=100Mbit..1Gbit:+100Mbit or store.disk.kind=ext4,xfs";

/// More values than this are taken for a slip of the pen.
const MOST_VALUES: usize = 100_000;

/// Steps that come nearer to the end of a range than this share of it have met it.
const MET: f64 = 1e-9;

/// A key by its way, and its values: `node.web1.memory=256MiB..4GiB:x2`, `client.crowd.clients=10..100:+10`,
/// `store.disk.kind=ext4,xfs`. Both ends of a range are among its values; the last step is shorter where it does not meet the end.
#[derive(Clone, Debug, PartialEq)]
pub struct Variation {
    text: String,
    unit: Option<FigureUnit>,
    values: Vec<VariedValue>,
}

/// One of the values.
#[derive(Clone, Debug, PartialEq)]
pub struct VariedValue {
    /// As a scenario file has it.
    pub text: String,
    /// In the unit of the variation, where its values are figures.
    pub figure: Option<f64>,
    /// What sets the key to it.
    pub setting: ScenarioSetting,
}

impl Variation {
    /// The way to the key.
    #[must_use]
    pub fn path(&self) -> &str {
        self.values.first().map_or("", |value| value.setting.path())
    }

    /// The values: those of a range rise, those of a list are in its order. There is at least one.
    #[must_use]
    pub fn values(&self) -> &[VariedValue] {
        &self.values
    }

    /// What the values are numbers of; nothing where some are none, or numbers of other things than the rest.
    #[must_use]
    pub fn unit(&self) -> Option<FigureUnit> {
        self.unit
    }
}

impl fmt::Display for Variation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Variation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (path, written) = text.split_once('=').ok_or(FORM)?;
        let (path, written) = (path.trim(), written.trim());
        let texts = match is_range(written) {
            true => Range::parse(written)?.values()?,
            false => list(written)?,
        };
        let figures: Option<Vec<Figure>> = texts.iter().map(|it| Figure::parse(it)).collect();
        let unit = figures.as_deref().and_then(common_unit);
        let figures = figures.filter(|_| unit.is_some());
        let value = |(at, text): (usize, String)| -> Result<VariedValue, String> {
            let setting: Result<ScenarioSetting, String> = format!("{path}={text}").parse();
            Ok(VariedValue {
                figure: figures.as_ref().map(|it| it[at].value),
                setting: setting.map_err(|_| FORM.to_owned())?,
                text,
            })
        };
        let values = texts.into_iter().enumerate().map(value);
        Ok(Self {
            text: text.to_owned(),
            unit,
            values: values.collect::<Result<_, String>>()?,
        })
    }
}

/// What all figures are numbers of.
fn common_unit(figures: &[Figure]) -> Option<FigureUnit> {
    let unit = figures.first()?.unit();
    figures.iter().all(|it| it.unit() == unit).then_some(unit)
}

/// Whether it is a range: names of files may have `..` as well.
fn is_range(written: &str) -> bool {
    let ends = written.split_once("..");
    ends.is_some_and(|(from, _)| from.starts_with(|c: char| c.is_ascii_digit()))
}

fn list(written: &str) -> Result<Vec<String>, String> {
    let texts: Vec<String> = written.split(',').map(|it| it.trim().to_owned()).collect();
    if texts.iter().any(String::is_empty) {
        return Err(FORM.to_owned());
    }
    for (at, text) in texts.iter().enumerate() {
        if texts[..at].contains(text) {
            return Err(format!("`{text}` is named twice; leave one out"));
        }
    }
    Ok(texts)
}

/// Figures from one to another.
struct Range {
    from: Figure,
    to: Figure,
    step: Step,
}

/// How each figure comes from the one before.
#[derive(Clone, Copy)]
enum Step {
    Times(f64),
    Plus(f64),
}

impl Range {
    fn parse(written: &str) -> Result<Self, String> {
        let (ends, step) = written
            .rsplit_once(':')
            .ok_or_else(|| format!("`{written}` has no step; {FORM}"))?;
        let (from, to) = ends.split_once("..").ok_or(FORM)?;
        let figure = |text: &str| {
            let figure = Figure::parse(text);
            figure.ok_or_else(|| format!("`{text}` is not a figure; {FORM}"))
        };
        let (from, to) = (figure(from)?, figure(to)?);
        if from.unit() != to.unit() {
            return Err(format!(
                "`{ends}`: both ends have to be in units of one kind, as in 256MiB..4GiB"
            ));
        }
        if from.value > to.value {
            return Err(format!(
                "`{ends}` begins above its end; write the smaller end first"
            ));
        }
        let step = Step::parse(step.trim(), from)?;
        if matches!(step, Step::Times(_)) && from.value == 0.0 {
            return Err(format!(
                "`{written}`: 0 stays 0 however often it is multiplied; begin above it, or add with :+N"
            ));
        }
        Ok(Self { from, to, step })
    }

    /// Both ends, and the steps between them.
    fn values(&self) -> Result<Vec<String>, String> {
        let (from, to) = (self.from.value, self.to.value);
        let mut values = Vec::new();
        loop {
            let value = self.step.after(from, values.len());
            if value >= to * (1.0 - MET) {
                break;
            }
            values.push(value);
            if values.len() == MOST_VALUES {
                return Err(format!(
                    "takes more than {MOST_VALUES} values; write a larger step"
                ));
            }
        }
        values.push(to);
        let mut texts: Vec<String> = values
            .iter()
            .map(|it| self.from.written_alike(*it))
            .collect();
        // Steps of less than a byte.
        texts.dedup();
        Ok(texts)
    }
}

impl Step {
    fn parse(text: &str, from: Figure) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is not a step; write x and a number above 1, or + and a figure in the unit of the ends, as in \
                 256MiB..4GiB:x2 or 256MiB..1GiB:+256MiB"
            )
        };
        let (is_product, figure) = match text.strip_prefix('x') {
            Some(factor) => (true, factor),
            None => (false, text.strip_prefix('+').ok_or_else(wrong)?),
        };
        let figure = Figure::parse(figure).ok_or_else(wrong)?;
        match is_product {
            true if figure.unit() == FigureUnit::Plain && figure.value > 1.0 => {
                Ok(Self::Times(figure.value))
            }
            false if figure.unit() == from.unit() && figure.value > 0.0 => {
                Ok(Self::Plus(figure.value))
            }
            _ => Err(wrong()),
        }
    }

    /// The figure so many steps after `from`.
    fn after(self, from: f64, steps: usize) -> f64 {
        match self {
            Self::Times(factor) => from * factor.powf(steps as f64),
            Self::Plus(more) => from + more * steps as f64,
        }
    }
}
