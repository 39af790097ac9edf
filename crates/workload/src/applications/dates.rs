//! Dates of a population.

use jiff::ToSpan as _;
use jiff::civil::{Date, date};

use super::rows::Rows;

/// The day of the population: the same seed gives the same rows on any day.
const TODAY: Date = date(2004, 6, 1);
/// Days of all that lies beyond memory.
const MOST_DAYS: u64 = 100_000;
const DAY_S: u64 = 24 * 60 * 60;

/// The day so many days before that of the population.
pub fn days_ago(days: u64) -> Date {
    TODAY.saturating_sub((days.min(MOST_DAYS) as i64).days())
}

/// The day so many days after it.
pub fn days_ahead(days: u64) -> Date {
    TODAY.saturating_add((days.min(MOST_DAYS) as i64).days())
}

/// A moment of a day, as SQL writes it.
pub fn moment_of(day: Date, rows: &mut Rows<'_>) -> String {
    let second = rows.number(0..=DAY_S - 1);
    let (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60);
    format!("{day} {hours:02}:{minutes:02}:{seconds:02}")
}
