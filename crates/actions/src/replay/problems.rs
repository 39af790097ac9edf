//! What has to be known before the figures are believed.

use hotset_replay::schedule::ScheduleSummary;
use hotset_replay::{ClientLimit, Condition, Figure};
use hotset_report::number;
use hotset_report::replay::{ReplayPart, ReplayView, scale_limit};

use crate::error::refuse;
use crate::{Field, JobError};

/// Fewest requests of one connection, and largest share of all, that make one client suspicious.
const PROXY_REQUESTS: u64 = 100;
const PROXY_SHARE: f64 = 0.5;

/// Warnings before anything is sent; `told_below`: the report will say what was skipped, on the same
/// terminal.
pub(super) fn before(schedule: &ScheduleSummary, told_below: bool) -> Vec<String> {
    let mut warnings = Vec::new();
    let skipped = schedule.skipped.unasked();
    if skipped.total() > 0 && !told_below {
        warnings.push(format!(
            "{} of {} requests are not sent: {}",
            number::count(skipped.total()),
            number::count(schedule.trace_requests),
            skipped.in_words(number::count)
        ));
    }
    if skipped.out_of_order > 0 {
        warnings.push(format!(
            "times step back by up to {}: use {} time (logs) or a larger {} to send those \
             requests too",
            number::duration(schedule.steps_back.largest_us as f64),
            Field::Order,
            Field::SortWindow
        ));
    }
    if let Some(limit) = scale_limit(schedule) {
        warnings.push(format!(
            "{limit}; send more of the trace, or use {} N to send as fast as the server answers",
            Field::Clients
        ));
    }
    let share = schedule.largest_connection as f64 / schedule.requests as f64;
    if schedule.largest_connection >= PROXY_REQUESTS && share > PROXY_SHARE {
        warnings.push(format!(
            "{} of the requests come from one client without a pause, so they are sent one after \
             the other on one connection: does the log show a proxy's address instead of the \
             client's?",
            number::percent(share)
        ));
    }
    warnings
}

/// Warnings about what was measured.
pub(super) fn after(report: &ReplayView, client_limit: Option<String>) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(limit) = client_limit {
        warnings.push(format!("the client was the limit: {limit}"));
    }
    if report.held_connections > 0 {
        warnings.push(format!(
            "{} started late because as many as allowed were open: allow more ({}, ulimit -n) or \
             lower {}",
            number::counted(report.held_connections, "connection", "connections"),
            Field::ConnectionsMax,
            Field::Scale
        ));
    }
    if report.total.wrong_length > 0 {
        warnings.push(format!(
            "{} of {} bodies differ in length from the trace: does the server have the files of \
             the trace?",
            number::count(report.total.wrong_length),
            number::count(report.total.requests - report.total.errors)
        ));
    }
    warnings
}

/// Why the client was the limit, and what helps.
pub(super) fn client_limit(limit: &ClientLimit) -> String {
    match limit {
        ClientLimit::Busy { share } => format!(
            "a thread was busy {} of the time; give it more {} or a lower {}",
            number::percent(*share),
            Field::Threads,
            Field::Scale
        ),
        ClientLimit::Late { p99_us } => format!(
            "1 % of the requests left more than {} late; give it more {}, a lower {} or a quieter \
             machine",
            number::duration(*p99_us as f64),
            Field::Threads,
            Field::Scale
        ),
        ClientLimit::FileDescriptors { connections } => format!(
            "it may open {} connections at a time; raise `ulimit -n`",
            number::count(*connections as u64)
        ),
        other => format!("{other:?}"),
    }
}

/// Whether the replay can be called one.
///
/// # Errors
/// It was interrupted, nothing was recorded, or nothing was answered.
pub(super) fn verdict(report: &ReplayView) -> Result<(), JobError> {
    if report.total.requests == 0 && !report.interrupted {
        let (what, options) = match report.ramp_us > 0.0 {
            true => (
                "the ramp or the warm-up",
                format!("{} or {}", Field::Ramp, Field::WarmUp),
            ),
            false => ("the warm-up", Field::WarmUp.to_string()),
        };
        refuse!("nothing was recorded: {what} took every request; make {options} shorter");
    }
    verdict_of(&report.url, report.interrupted, &report.total)
}

/// The same where something was to be recorded.
///
/// # Errors
/// It was interrupted, or nothing was answered.
pub(super) fn verdict_of(url: &str, interrupted: bool, total: &ReplayPart) -> Result<(), JobError> {
    if interrupted {
        return Err(JobError::Interrupted(
            "interrupted; the report is about what was sent until then",
        ));
    }
    if total.errors == total.requests {
        refuse!(
            "{url}: none of {} was answered: {}; {}",
            number::counted(total.requests, "request", "requests"),
            kinds(total),
            hint(total)
        );
    }
    Ok(())
}

/// Whether none of the conditions holds that a replay is not to meet.
///
/// # Errors
/// One line with every condition that holds and the value that was measured.
pub(super) fn check(
    url: &str,
    conditions: &[Condition],
    met_by: impl Fn(&Condition) -> Option<Figure>,
) -> Result<(), JobError> {
    let met: Vec<String> = conditions
        .iter()
        .filter_map(|condition| Some((condition, met_by(condition)?)))
        .map(|(condition, figure)| format!("{condition} (measured: {})", in_words(figure)))
        .collect();
    if met.is_empty() {
        return Ok(());
    }
    let met = met.join(", ");
    let message = format!("{url}: {}: {met}", Field::FailIf);
    Err(JobError::ConditionMet(message.into()))
}

fn in_words(figure: Figure) -> String {
    match figure {
        Figure::Us(us) => number::duration(us),
        Figure::Share(share) => number::percent(share),
        Figure::Requests(count) => number::count(count),
        Figure::PerSecond(rate) => number::per_second(rate),
    }
}

/// `12 refused, 3 reset`, the most frequent first.
fn kinds(part: &ReplayPart) -> String {
    let named = by_frequency(part).into_iter();
    let words =
        named.map(|(kind, count)| format!("{} {}", number::count(count), kind.replace('_', " ")));
    words.collect::<Vec<_>>().join(", ")
}

fn by_frequency(part: &ReplayPart) -> Vec<(&str, u64)> {
    let mut kinds: Vec<(&str, u64)> = part
        .errors_by_kind
        .iter()
        .map(|(kind, count)| (kind.as_str(), *count))
        .collect();
    kinds.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    kinds
}

/// What to try against what went wrong most.
fn hint(part: &ReplayPart) -> String {
    match by_frequency(part).first().map_or("", |(kind, _)| kind) {
        "refused" | "unreachable" | "connect_timeout" => {
            "does a server still listen there?".to_owned()
        }
        "redirect" => "redirects are not followed: give the URL they lead to".to_owned(),
        "status_4xx" => format!(
            "does the server have the files of the trace, and the host of {}?",
            Field::Host
        ),
        "response_timeout" => format!("wait longer with {}, or send less", Field::ResponseTimeout),
        "tls" => format!(
            "use http://, or {} if you trust the network",
            Field::Insecure
        ),
        "malformed" => "does a web server listen on that port, and is it not https://?".to_owned(),
        "local" => format!(
            "this machine ran out of ports or descriptors: raise `ulimit -n`, lower {}",
            Field::Scale
        ),
        _ => "look into the server's own log".to_owned(),
    }
}
