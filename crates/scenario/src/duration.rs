//! Durations as people write them, in files and on command lines: `250ms`, `90s`, `1h30m`.

use std::time::Duration;

use jiff::{Span, SpanRelativeTo};

use crate::condition::TIME_UNITS;

/// Reads a duration with its unit: `250ms`, `90s`, `1h30m`, `2d`.
///
/// # Errors
/// In words, with examples: no unit, a sign, a unit longer than a week.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let duration = of_span(text).or_else(|| of_number(text));
    duration.ok_or_else(|| "write a duration with its unit, such as 500ms, 90s or 1h30m".into())
}

fn of_span(text: &str) -> Option<Duration> {
    let span: Span = text.parse().ok()?;
    let duration = span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()?;
    Duration::try_from(duration).ok()
}

/// Units of figures beside [`TIME_UNITS`], and their microseconds.
const LONG_UNITS: [(&str, f64); 2] = [("h", 3.6e9), ("min", 6e7)];

/// A number with a unit. Sweeps write numbers of more digits than a span may have.
fn of_number(text: &str) -> Option<Duration> {
    let number = text.trim_end_matches(char::is_alphabetic);
    let unit = &text[number.len()..];
    let mut units = LONG_UNITS.iter().chain(&TIME_UNITS);
    let (_, us) = units.find(|(name, _)| *name == unit)?;
    let ns = number.trim().parse::<f64>().ok()? * us * 1e3;
    let fits = (0.0..u64::MAX as f64).contains(&ns);
    fits.then(|| Duration::from_nanos(ns.round() as u64))
}
