//! The one sentence that says what a replay measured.

use super::view::ReplayView;
use crate::number;

/// What a replay measured.
pub(super) fn headline(report: &ReplayView) -> String {
    let total = &report.total;
    let requests = number::counted(total.requests, "request", "requests");
    let elapsed = number::long_duration(report.elapsed_seconds * 1e6);
    let mut text = format!("{requests} in {elapsed}: {}", rate(report));
    if let (Some(median), Some(p99)) = (total.first_byte_us.p50, total.first_byte_us.p99) {
        let (median, p99) = (number::duration(median), number::duration(p99));
        text += &format!("; first byte after {median} (median), {p99} (p99)");
    }
    text += &match total.errors {
        0 => "; no errors".to_owned(),
        errors => {
            let share = number::percent(errors as f64 / total.requests.max(1) as f64);
            format!("; {} ({share})", number::counted(errors, "error", "errors"))
        }
    };
    if report.interrupted {
        text += "; interrupted";
    }
    text
}

fn rate(report: &ReplayView) -> String {
    let achieved = number::per_second(report.achieved_rate);
    match report.requested_rate {
        Some(requested) => {
            let due = number::per_second(requested);
            let asked = match (&report.scale_limit, report.asked_rate) {
                (Some(_), Some(asked)) => format!(" ({} asked for)", number::per_second(asked)),
                _ => String::new(),
            };
            format!("{achieved} answered of {due} due{asked}")
        }
        None => format!("{achieved} answered"),
    }
}
