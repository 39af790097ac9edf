//! What a site's responses should come to, such as `p99 < 20ms`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// What a target looks like, for messages.
const ACCEPTED: &str =
    "write mean, p50, p95 or p99, <, and a time in us, ms or s, as in \"p99 < 20ms\"";

/// Units of time and their microseconds, the largest first.
const UNITS: [(&str, f64); 4] = [("s", 1e6), ("ms", 1e3), ("µs", 1.0), ("us", 1.0)];

/// No response takes longer: eleven days.
const LONGEST_US: f64 = 1e12;

/// What a plan is made for.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::EnumString,
    strum::VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
    /// All of them, as files write them.
    pub const ALL: [(Measure, &str); 4] = [
        (Measure::Mean, "mean"),
        (Measure::P50, "p50"),
        (Measure::P95, "p95"),
        (Measure::P99, "p99"),
    ];

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
        let found = Measure::ALL.iter().find(|(measure, _)| *measure == self);
        found.map_or("", |(_, name)| name)
    }
}

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Target, String> {
        let refused = |why: String| format!("{text:?} is not a target: {why}; {ACCEPTED}");
        let (name, time) = text
            .split_once('<')
            .ok_or_else(|| refused("it has no <".to_owned()))?;
        Ok(Target {
            measure: measure(name.trim()).map_err(refused)?,
            below_us: time_us(time.trim()).map_err(refused)?,
        })
    }
}

fn measure(name: &str) -> Result<Measure, String> {
    let measure = Measure::ALL.iter().find(|(_, known)| *known == name);
    let measure = measure.map(|(measure, _)| *measure);
    measure.ok_or_else(|| match name {
        "" => "nothing stands before the <".to_owned(),
        _ => format!("`{name}` is not a measure"),
    })
}

/// Microseconds of a time with its unit.
fn time_us(time: &str) -> Result<f64, String> {
    if time.starts_with('=') {
        return Err("responses are to stay below a target, so write < without =".to_owned());
    }
    let number = time.trim_end_matches(|letter: char| letter.is_alphabetic());
    let unit = &time[number.len()..];
    let known = UNITS.iter().find(|(known, _)| *known == unit);
    let Some((_, us)) = known else {
        return Err(match unit {
            "" => format!("`{time}` has no unit of time"),
            _ => format!("`{unit}` is not a unit of time"),
        });
    };
    let number: f64 = (number.trim().parse()).map_err(|_| format!("`{time}` is not a time"))?;
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
        let unit = UNITS.iter().find(|(_, us)| self.below_us >= *us);
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
