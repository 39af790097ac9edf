//! What has to be known before the figures are believed.

use anyhow::{Result, bail};
use hotset_replay::schedule::ScheduleSummary;
use hotset_replay::{ClientLimit, Condition, Figure, Replayed};
use hotset_report::number;
use hotset_report::replay::{ReplayPart, ReplayView};

use crate::output::{ConditionMet, Interrupted};

/// Fewest requests of one connection, and largest share of all, that make one client suspicious.
const PROXY_REQUESTS: u64 = 100;
const PROXY_SHARE: f64 = 0.5;

/// Warnings before anything is sent; `told_below`: the report will say what was skipped, on the same
/// terminal.
pub fn before(schedule: &ScheduleSummary, told_below: bool) -> Vec<String> {
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
            "times step back by up to {}: use --order time (logs) or a larger --sort-window to send those \
             requests too",
            number::duration(schedule.steps_back.largest_us as f64)
        ));
    }
    let share = schedule.largest_connection as f64 / schedule.requests as f64;
    if schedule.largest_connection >= PROXY_REQUESTS && share > PROXY_SHARE {
        warnings.push(format!(
            "{} of the requests come from one client without a pause, so they are sent one after the other on \
             one connection: does the log show a proxy's address instead of the client's?",
            number::percent(share)
        ));
    }
    warnings
}

/// Warnings about what was measured.
pub fn after(report: &ReplayView) -> Vec<String> {
    let mut warnings = Vec::new();
    if let Some(limit) = &report.client_limit {
        warnings.push(format!("the client was the limit: {limit}"));
    }
    if report.held_connections > 0 {
        warnings.push(format!(
            "{} started late because as many as allowed were open: allow more (--connections-max, \
             ulimit -n) or lower --scale",
            number::counted(report.held_connections, "connection", "connections")
        ));
    }
    if report.total.wrong_length > 0 {
        warnings.push(format!(
            "{} of {} bodies differ in length from the trace: does the server have the files of the trace?",
            number::count(report.total.wrong_length),
            number::count(report.total.requests - report.total.errors)
        ));
    }
    warnings
}

/// Why the client was the limit, and what helps.
pub fn client_limit(limit: &ClientLimit) -> String {
    match limit {
        ClientLimit::Busy { share } => format!(
            "a thread was busy {} of the time; give it more --threads or a lower --scale",
            number::percent(*share)
        ),
        ClientLimit::Late { p99_us } => format!(
            "1 % of the requests left more than {} late; give it more --threads, a lower --scale or a \
             quieter machine",
            number::duration(*p99_us as f64)
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
pub fn verdict(report: &ReplayView) -> Result<()> {
    if report.interrupted {
        bail!(Interrupted(
            "interrupted; the report is about what was sent until then"
        ));
    }
    if report.total.requests == 0 {
        let (what, options) = match report.ramp_us > 0.0 {
            true => ("the ramp or the warm-up", "--ramp or --warm-up"),
            false => ("the warm-up", "--warm-up"),
        };
        bail!("nothing was recorded: {what} took every request; make {options} shorter");
    }
    if report.total.errors == report.total.requests {
        bail!(
            "{}: none of {} was answered: {}; {}",
            report.url,
            number::counted(report.total.requests, "request", "requests"),
            kinds(&report.total),
            hint(&report.total)
        );
    }
    Ok(())
}

/// Whether none of the conditions holds that a replay is not to meet.
///
/// # Errors
/// One line with every condition that holds and the value that was measured.
pub fn check(url: &str, conditions: &[Condition], replayed: &Replayed) -> Result<()> {
    let met: Vec<String> = conditions
        .iter()
        .filter_map(|condition| Some((condition, condition.met_by(replayed)?)))
        .map(|(condition, figure)| format!("{condition} (measured: {})", in_words(figure)))
        .collect();
    if met.is_empty() {
        return Ok(());
    }
    bail!(ConditionMet(format!(
        "{url}: --fail-if: {}",
        met.join(", ")
    )))
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
fn hint(part: &ReplayPart) -> &'static str {
    match by_frequency(part).first().map_or("", |(kind, _)| kind) {
        "refused" | "unreachable" | "connect_timeout" => "does a server still listen there?",
        "redirect" => "redirects are not followed: give the URL they lead to",
        "status_4xx" => "does the server have the files of the trace, and the host of --host?",
        "status_5xx" => "look into the server's own log",
        "response_timeout" => "wait longer with --response-timeout, or send less",
        "tls" => "use http://, or --insecure if you trust the network",
        "malformed" => "does a web server listen on that port, and is it not https://?",
        "local" => "this machine ran out of ports or descriptors: raise `ulimit -n`, lower --scale",
        _ => "look into the server's own log",
    }
}
