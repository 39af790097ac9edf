//! How the input was read, and what was left out: shown beside every result that traffic was read for.

use hotset_trace::read::{Example, NotFiles, ReadSummary, Rejected, SourceSummary};
use hotset_trace::{LeftOut, Zone};
use jiff::Timestamp;

use crate::{Document, number};

/// How the input was read.
#[derive(Default)]
pub(crate) struct Reading {
    /// Lines or records seen.
    lines: u64,
    /// Those that count as requests.
    requests: u64,
    /// The time of the requests.
    span: Option<String>,
    /// Inputs with their formats, and what was decided about them, in words.
    notes: Vec<String>,
    /// In which zone times were read that name none, and the option for another one.
    zone: Option<(String, &'static str)>,
    /// Inputs whose lines allow a second reading, and how to choose it.
    doubts: Vec<String>,
    /// That many lines were left out.
    mostly: Option<String>,
    /// Lines left out, by reason.
    rejects: Vec<Reject>,
}

/// Lines left out for one reason.
#[derive(Default)]
struct Reject {
    /// Why.
    reason: String,
    /// How many.
    lines: u64,
    /// The first few: where each is and what it says.
    examples: Vec<String>,
}

impl Reading {
    /// How it was read as `summary` says, with times on the clocks of `zone`.
    pub(crate) fn new(summary: &ReadSummary, zone: &Zone) -> Reading {
        Reading {
            lines: summary.lines,
            requests: summary.requests,
            span: span(summary, zone),
            notes: notes(summary, zone),
            zone: assumed_zone(&summary.sources).map(|zone| (zone, other_zone(&summary.sources))),
            doubts: doubts(&summary.sources),
            mostly: mostly_rejected(summary),
            rejects: rejects(&summary.sources),
        }
    }
}

/// Times in notes (strftime).
const TIME_FORMAT: &str = "%Y-%m-%d %H:%M:%S";

/// From the first to the last request.
fn span(summary: &ReadSummary, zone: &Zone) -> Option<String> {
    let (first, last) = (summary.first?, summary.last?);
    if first == last {
        let time = zone.text(first, TIME_FORMAT);
        return Some(format!("all requests at {time} {zone}"));
    }
    let length = number::long_duration((last.as_microsecond() - first.as_microsecond()) as f64);
    Some(format!(
        "requests from {} to {} {zone} ({length})",
        zone.text(first, TIME_FORMAT),
        zone.text(last, TIME_FORMAT)
    ))
}

/// Requests outside the period asked for.
fn outside(left_out: &LeftOut, zone: &Zone) -> Option<String> {
    let time = |time: Option<Timestamp>| {
        time.map_or_else(String::new, |time| zone.text(time, TIME_FORMAT))
    };
    let reasons = [
        (left_out.before, format!("before {}", time(left_out.from))),
        (left_out.after, format!("at or after {}", time(left_out.to))),
        (left_out.without_time, "without a time".to_owned()),
    ];
    let parts = reasons.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, why)| format!("{} {why}", number::counted(*count, "request", "requests")))
        .collect();
    (!parts.is_empty()).then(|| format!("{} left out", parts.join(" and ")))
}

/// Share of rejected lines that is no longer that of a log's odd lines.
const MANY_REJECTED: f64 = 0.10;

/// That figures are of a part of the lines only, where many were rejected.
fn mostly_rejected(summary: &ReadSummary) -> Option<String> {
    let share = summary.rejected_lines as f64 / summary.lines.max(1) as f64;
    (share > MANY_REJECTED).then(|| {
        format!(
            "{} of the lines could not be read: all figures are of the others",
            number::percent(share)
        )
    })
}

/// Files named one by one; a host with thousands of logs gets a count of the rest.
const SOURCES_SHOWN: usize = 5;

fn notes(summary: &ReadSummary, zone: &Zone) -> Vec<String> {
    let read = summary.sources.iter().filter(|it| it.same_as.is_none());
    let mut notes = listed(read, |source| {
        format!("{}: {} ({})", source.file, source.format, source.why)
    });
    let twins = summary.sources.iter().filter(|it| it.same_as.is_some());
    notes.extend(listed(twins, |twin| {
        let original = twin.same_as.as_deref().unwrap_or_default();
        format!(
            "{}: not counted, it holds the same as {original}",
            twin.file
        )
    }));
    notes.extend(summary.period.as_ref().and_then(|it| outside(it, zone)));
    notes.extend(summary.rules.iter().cloned());
    if summary.steps_back.count > 0 {
        notes.push(format!(
            "time steps back at {}, by up to {} s; requests stay in the order of the log",
            number::counted(summary.steps_back.count, "line", "lines"),
            summary
                .steps_back
                .largest_us
                .div_ceil(MICROSECONDS_PER_SECOND)
        ));
    }
    notes.extend(without_file(&summary.not_files));
    if summary.not_files.not_read_before > 0 {
        let count = summary.not_files.not_read_before;
        notes.push(format!(
            "{} HEAD or answered 304 (not modified), of files not read before: no file is read",
            number::counted(count, "request", "requests")
        ));
    }
    if summary.dropped_with_parameters > 0 {
        let dropped = number::counted(summary.dropped_with_parameters, "request", "requests");
        notes.push(format!("{dropped} with a query left out"));
    }
    if summary.without_request > 0 {
        let lines = number::counted(summary.without_request, "line", "lines");
        notes.push(format!(
            "{lines} without a request: blank lines, directives, headers"
        ));
    }
    notes
}

/// In which zone times were read that name none.
fn assumed_zone(sources: &[SourceSummary]) -> Option<String> {
    let mut without = sources.iter().filter(|it| it.assumed_zone.is_some());
    let first = without.next()?;
    let zone = first.assumed_zone.as_deref().unwrap_or_default();
    let files = match without.count() as u64 {
        0 => first.file.clone(),
        more => format!(
            "{} and {}",
            first.file,
            number::counted(more, "more file", "more files")
        ),
    };
    Some(format!(
        "{files}: times that name no zone are read as {zone}"
    ))
}

/// How to name another zone, where nobody named one; behind what [`assumed_zone`] says.
fn other_zone(sources: &[SourceSummary]) -> &'static str {
    let mut zones = sources.iter().filter_map(|it| it.assumed_zone.as_deref());
    match zones.next() {
        Some("UTC") => "; --log-time-zone names another zone",
        _ => "",
    }
}

/// A note on each of the first few `sources`, and how many more there are.
fn listed<'a>(
    sources: impl Iterator<Item = &'a SourceSummary>,
    note: impl Fn(&SourceSummary) -> String,
) -> Vec<String> {
    let sources: Vec<&SourceSummary> = sources.collect();
    let shown = sources.iter().take(SOURCES_SHOWN);
    let mut notes: Vec<String> = shown.map(|source| note(source)).collect();
    if sources.len() > SOURCES_SHOWN {
        notes.push(format!("and {} more files", sources.len() - SOURCES_SHOWN));
    }
    notes
}

/// Each doubt once, with the first file that it is about.
fn doubts(sources: &[SourceSummary]) -> Vec<String> {
    let mut doubts: Vec<(&str, &str, usize)> = Vec::new();
    for source in sources {
        let Some(doubt) = &source.doubt else { continue };
        match doubts.iter_mut().find(|(_, known, _)| known == doubt) {
            Some((_, _, files)) => *files += 1,
            None => doubts.push((&source.file, doubt, 1)),
        }
    }
    let in_words = |(file, doubt, files): (&str, &str, usize)| match files - 1 {
        0 => format!("{file}: {doubt}"),
        more => format!(
            "{file} and {}: {doubt}",
            number::counted(more as u64, "more file", "more files")
        ),
    };
    doubts.into_iter().map(in_words).collect()
}

const MICROSECONDS_PER_SECOND: u64 = 1_000_000;

/// Requests that are not for a file, by reason.
fn without_file(counts: &NotFiles) -> Option<String> {
    let reasons = [
        (
            counts.other_status,
            "with a status other than 200, 206 and 304",
        ),
        (counts.other_method, "with a method other than GET and HEAD"),
        (counts.query, "with a query"),
        (counts.not_under_root, "without a file under the root"),
        (counts.no_target, "without a target"),
    ];
    let total: u64 = reasons.iter().map(|(count, _)| count).sum();
    let listed = reasons.iter().filter(|(count, _)| *count > 0);
    let listed: Vec<String> = listed
        .map(|(count, why)| format!("{} {why}", number::count(*count)))
        .collect();
    let requests = number::counted(total, "request", "requests");
    (total > 0).then(|| format!("{requests} not for a file: {}", listed.join(", ")))
}

/// Examples shown for a reason, whichever files they are from.
const EXAMPLES_SHOWN: usize = 3;

/// Rejected lines of all files by reason, in order of appearance.
fn rejects(sources: &[SourceSummary]) -> Vec<Reject> {
    let mut rejects: Vec<Reject> = Vec::new();
    for source in sources {
        for rejected in &source.rejected {
            let known = rejects.iter().position(|r| r.reason == rejected.reason);
            let index = known.unwrap_or_else(|| {
                rejects.push(Reject {
                    reason: rejected.reason.clone(),
                    ..Reject::default()
                });
                rejects.len() - 1
            });
            rejects[index].add(source, rejected);
        }
    }
    rejects
}

impl Reject {
    fn add(&mut self, source: &SourceSummary, rejected: &Rejected) {
        let example =
            |example: &Example| format!("{}:{}: {}", source.file, example.line, example.text);
        let room = EXAMPLES_SHOWN.saturating_sub(self.examples.len());
        self.lines += rejected.count;
        self.examples
            .extend(rejected.examples.iter().take(room).map(example));
    }
}

impl Reading {
    /// Adds it: notes, and what was left out as warnings.
    pub(crate) fn show(self, to: &mut Document) {
        let lines = number::counted(self.lines, "line", "lines");
        let requests = number::counted(self.requests, "request", "requests");
        to.on_page(|to| _ = to.sentence(format!("{lines} read, {requests} counted.")));
        to.notes(self.span.into_iter().chain(self.notes));
        if let Some((zone, other)) = self.zone {
            to.in_terminal(|to| _ = to.notes([format!("{zone}{other}")]));
            to.on_page(|to| _ = to.notes([zone]));
        }
        for doubt in self.doubts.into_iter().chain(self.mostly) {
            to.warning(doubt);
        }
        for reject in self.rejects {
            to.warning_with(reject.in_words(), reject.examples);
        }
    }
}

impl Reject {
    fn in_words(&self) -> String {
        let lines = number::counted(self.lines, "line", "lines");
        format!("{lines} left out: {}", self.reason)
    }
}
