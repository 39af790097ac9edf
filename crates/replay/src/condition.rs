//! Conditions on what a replay measured, such as `p99>200ms`.

use std::fmt;
use std::str::FromStr;

use hotset_scenario::{Comparison, WrittenCondition};

use crate::{Metrics, ReplayResult, SessionsResult};

/// What a condition looks like, for messages.
const ACCEPTED: &str = "write a measure, >, >=, < or <=, and a value: p99>200ms, mean>=50ms, errors>1%, errors>10, \
                        rate<100/s";

/// A condition on what a replay measured.
///
/// Times are those from when a request was due to the last byte of its answer
/// ([`Metrics::from_intended`](crate::Metrics::from_intended)): a server that stalls cannot hide from them.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    text: String,
    measure: Measure,
    comparison: Comparison,
    /// Microseconds, a share, a number, or requests a second.
    limit: f64,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Measure {
    Quantile(f64),
    Mean,
    Max,
    ErrorShare,
    Errors,
    Rate,
}

/// A value that a condition is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// Microseconds.
    Us(f64),
    /// A share, 0 to 1.
    Share(f64),
    /// A number of requests.
    Requests(u64),
    /// Requests a second.
    PerSecond(f64),
}

impl Figure {
    fn value(self) -> f64 {
        match self {
            Figure::Us(value) | Figure::Share(value) | Figure::PerSecond(value) => value,
            Figure::Requests(count) => count as f64,
        }
    }
}

impl Condition {
    /// The measured value, where the condition holds for it; `None` where it does not, or nothing was measured.
    pub fn met_by(&self, replayed: &ReplayResult) -> Option<Figure> {
        self.met(&replayed.total, replayed.achieved_rate)
    }

    /// The same of sessions; the rate is that of pages.
    pub fn met_by_sessions(&self, replayed: &SessionsResult) -> Option<Figure> {
        self.met(&replayed.total, replayed.pages_per_s)
    }

    fn met(&self, total: &Metrics, rate: f64) -> Option<Figure> {
        let figure = self.measure.of(total, rate)?;
        let holds = self.comparison.holds(figure.value(), self.limit);
        holds.then_some(figure)
    }
}

impl Measure {
    fn of(self, total: &Metrics, rate: f64) -> Option<Figure> {
        let times = &total.from_intended;
        let some = times.count() > 0;
        let requests = total.requests;
        let errors = total.errors.total();
        match self {
            Measure::Quantile(share) => some
                .then(|| times.histogram().value_at_quantile(share))
                .map(|us| Figure::Us(us as f64)),
            Measure::Mean => times.mean_us().map(Figure::Us),
            Measure::Max => some.then(|| Figure::Us(times.histogram().max() as f64)),
            Measure::ErrorShare => {
                (requests > 0).then(|| Figure::Share(errors as f64 / requests as f64))
            }
            Measure::Errors => Some(Figure::Requests(errors)),
            Measure::Rate => Some(Figure::PerSecond(rate)),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let written = WrittenCondition::parse(text).ok_or(ACCEPTED)?;
        let (measure, scale) = measure(&written)?;
        match written.number.parse::<f64>() {
            Ok(number) if number.is_finite() && number >= 0.0 => Ok(Self {
                text: text.to_owned(),
                measure,
                comparison: written.comparison,
                limit: number * scale,
            }),
            _ => Err(format!("`{}` is not a value; {ACCEPTED}", written.value)),
        }
    }
}

/// The measure of `written`, and what a number in its unit is to be multiplied by.
fn measure(written: &WrittenCondition) -> Result<(Measure, f64), String> {
    let (name, unit) = (written.figure, written.unit);
    let time = |measure| {
        let scale = written.unit_us().map(|us| (measure, us));
        scale.ok_or_else(|| {
            format!("`{name}` is a time: give it ns, us, ms or s, as in {name}>200ms")
        })
    };
    match (name, unit) {
        ("p50", _) => time(Measure::Quantile(0.5)),
        ("p90", _) => time(Measure::Quantile(0.9)),
        ("p95", _) => time(Measure::Quantile(0.95)),
        ("p99", _) => time(Measure::Quantile(0.99)),
        ("p999", _) => time(Measure::Quantile(0.999)),
        ("mean", _) => time(Measure::Mean),
        ("max", _) => time(Measure::Max),
        ("errors", "%") => Ok((Measure::ErrorShare, 0.01)),
        ("errors", "") => Ok((Measure::Errors, 1.0)),
        ("errors", _) => Err("`errors` is a share or a number: errors>1%, errors>10".to_owned()),
        ("rate", "/s") => Ok((Measure::Rate, 1.0)),
        ("rate", _) => Err("`rate` is in requests a second, as in rate<100/s".to_owned()),
        _ => Err(format!(
            "`{name}` is none of p50, p90, p95, p99, p999, mean, max, errors, rate; {ACCEPTED}"
        )),
    }
}
