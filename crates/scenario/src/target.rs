//! What a site's responses should come to, such as `p99 < 20ms`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use strum::{EnumString, IntoStaticStr, VariantNames};

use crate::condition::{Comparison, TIME_UNITS, WrittenCondition};

/// What a target looks like, for messages.
const ACCEPTED: &str =
    "write mean, p50, p95 or p99, <, and a time in ns, us, ms or s, as in \"p99 < 20ms\"";

/// No response takes longer: eleven days.
const LONGEST_US: f64 = 1e12;

/// What a plan is made for.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumString, VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub enum Objective {
    /// The least mean response, by weight of the sites.
    #[default]
    Mean,
    /// Sites' targets first, then the mean.
    Targets,
}

/// A bound on the responses of a site.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// What of its responses is bounded.
    pub measure: Measure,
    /// It is to stay below so many microseconds.
    pub below_us: f64,
}

/// What of a site's responses is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, EnumString, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Measure {
    /// Their mean.
    Mean,
    /// Their median.
    P50,
    /// The time that 95 % of them stay below.
    P95,
    /// The time that 99 % of them stay below.
    P99,
}

impl Measure {
    /// The share of the responses that a percentile bounds; of the mean all.
    pub fn share(self) -> f64 {
        match self {
            Measure::Mean => 1.0,
            Measure::P50 => 0.5,
            Measure::P95 => 0.95,
            Measure::P99 => 0.99,
        }
    }

    /// As files write it.
    pub fn name(self) -> &'static str {
        self.into()
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Target, String> {
        let refused = |why: String| format!("{text:?} is not a target: {why}; {ACCEPTED}");
        let written = WrittenCondition::parse(text);
        let written =
            written.filter(|it| matches!(it.comparison, Comparison::Below | Comparison::AtMost));
        let written = written.ok_or_else(|| refused("it has no <".to_owned()))?;
        Ok(Target {
            measure: measure(written.figure).map_err(refused)?,
            below_us: time_us(&written).map_err(refused)?,
        })
    }
}

fn measure(name: &str) -> Result<Measure, String> {
    name.parse().map_err(|_| match name {
        "" => "nothing stands before the <".to_owned(),
        _ => format!("`{name}` is not a measure"),
    })
}

/// Microseconds of the time that `written` bounds a measure by.
fn time_us(written: &WrittenCondition) -> Result<f64, String> {
    let (time, unit) = (written.value, written.unit);
    if written.comparison == Comparison::AtMost {
        return Err("responses are to stay below a target, so write < without =".to_owned());
    }
    let us = written.unit_us().ok_or_else(|| match unit {
        "" => format!("`{time}` has no unit of time"),
        _ => format!("`{unit}` is not a unit of time"),
    })?;
    let number: f64 = (written.number.parse()).map_err(|_| format!("`{time}` is not a time"))?;
    match number * us {
        below if below > LONGEST_US => Err(format!("`{time}` is longer than 11 days")),
        below if below > 0.0 => Ok(below),
        below if below < 0.0 => Err(format!("`{time}` is negative")),
        0.0 => Err(format!("`{time}` is zero, and every response takes longer")),
        _ => Err(format!("`{time}` is not a time")),
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = TIME_UNITS.iter().take_while(|(_, us)| *us >= 1.0);
        let unit = shown.find(|(_, us)| self.below_us >= *us);
        let (unit, us) = unit.unwrap_or(&("µs", 1.0));
        write!(f, "{} < {} {unit}", self.measure.name(), self.below_us / us)
    }
}

/// A site's targets, each measure once.
///
/// # Errors
/// A measure that is bounded twice.
pub fn check_targets(targets: &[Target]) -> Result<(), String> {
    for (index, target) in targets.iter().enumerate() {
        let earlier = &targets[..index];
        if let Some(other) = earlier.iter().find(|other| other.measure == target.measure) {
            return Err(format!(
                "`{other}` and `{target}` bound the same measure: leave one of them out"
            ));
        }
    }
    Ok(())
}
