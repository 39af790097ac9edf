//! Requests by hour of day.

use hotset_describe::{Description, SiteDescription};

use crate::number;

/// Share of the requests that falls into each hour of the day; nothing for a trace without
/// times or requests.
pub(super) fn shares(site: &SiteDescription) -> Vec<f64> {
    let counts = &site.requests_by_hour_of_day;
    let total: u64 = counts.iter().sum();
    if total == 0 {
        return Vec::new();
    }
    let share = |count: &u64| *count as f64 / total as f64;
    counts.iter().map(share).collect()
}

/// The hour with most requests, the first of equals, and its share of them.
fn busiest(site: &SiteDescription) -> Option<(usize, f64)> {
    let hours = shares(site).into_iter().enumerate();
    hours.reduce(|best, hour| if hour.1 > best.1 { hour } else { best })
}

/// That hour in words.
pub(super) fn in_words(of: &Description) -> Option<String> {
    let (hour, share) = busiest(&of.total)?;
    Some(format!(
        "Busiest hour of the day: {hour:02}:00–{:02}:00 {}, {} of the requests",
        hour + 1,
        of.time_zone,
        number::percent(share)
    ))
}
