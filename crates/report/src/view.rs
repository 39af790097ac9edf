//! What reports show beside a description or a plan.

use hotset_plan::{Advice, Plan};
use hotset_scenario::{PlacedFile, Placement};
use hotset_trace::read::{Example, NotFiles, ReadSummary, Rejected, SourceSummary};

use crate::number;

/// How the input was read.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// Lines or records seen.
    pub lines: u64,
    /// Those that count as requests.
    pub requests: u64,
    /// Inputs with their formats, and what was decided about them, in words.
    pub notes: Vec<String>,
    /// Lines left out, by reason.
    pub rejects: Vec<Reject>,
}

/// Lines left out for one reason.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reject {
    /// Why.
    pub reason: String,
    /// How many.
    pub lines: u64,
    /// The first few: where each is and what it says.
    pub examples: Vec<String>,
}

impl From<&ReadSummary> for Reading {
    fn from(summary: &ReadSummary) -> Reading {
        Reading {
            lines: summary.lines,
            requests: summary.requests,
            notes: notes(summary),
            rejects: rejects(&summary.sources),
        }
    }
}

/// Files named one by one; a host with thousands of logs gets a count of the rest.
const SOURCES_SHOWN: usize = 5;

fn notes(summary: &ReadSummary) -> Vec<String> {
    let shown = summary.sources.iter().take(SOURCES_SHOWN);
    let mut notes: Vec<String> = shown
        .map(|source| format!("{}: {} ({})", source.file, source.format, source.why))
        .collect();
    if summary.sources.len() > SOURCES_SHOWN {
        notes.push(format!(
            "and {} more files",
            summary.sources.len() - SOURCES_SHOWN
        ));
    }
    notes.extend(summary.rules.iter().cloned());
    if summary.steps_back.count > 0 {
        notes.push(format!(
            "{} where time steps back, by up to {} s; rows are kept in the order of the log",
            number::counted(summary.steps_back.count, "line", "lines"),
            summary
                .steps_back
                .largest_us
                .div_ceil(MICROSECONDS_PER_SECOND)
        ));
    }
    notes.extend(without_file(&summary.not_files));
    if summary.dropped_with_parameters > 0 {
        let dropped = number::counted(summary.dropped_with_parameters, "request", "requests");
        notes.push(format!("{dropped} with a query dropped"));
    }
    if summary.without_request > 0 {
        let lines = number::counted(summary.without_request, "line", "lines");
        notes.push(format!(
            "{lines} without a request: blank, directives, headers"
        ));
    }
    notes
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
        (
            counts.not_read_before,
            "HEAD or 304 of a file not read before",
        ),
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

/// A plan with what else its report shows.
#[derive(Clone, Copy)]
pub struct PlanReport<'a> {
    /// The plan.
    pub plan: &'a Plan,
    /// Its files by name.
    pub placement: &'a Placement,
    /// Name of the profile of each site's store, in the order of the plan's sites.
    pub backing: &'a [String],
    /// Which store would suit each site, in the same order; empty where none was compared.
    pub advice: &'a [Advice],
    /// (share of the mean response saved, bytes of memory needed; nothing where no memory does).
    pub memory_needed: &'a [(f64, Option<u64>)],
}

impl<'a> PlanReport<'a> {
    /// Held files of a site, the most valuable first.
    pub(crate) fn files_of(&self, site: &str) -> impl Iterator<Item = &'a PlacedFile> {
        self.placement
            .files
            .iter()
            .filter(move |file| file.site == site)
    }

    /// Names of the stores that files come from, each once.
    pub(crate) fn stores(&self) -> String {
        let mut names: Vec<&str> = Vec::new();
        for name in self.backing {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
        if names.is_empty() {
            crate::number::NONE.to_owned()
        } else {
            names.join(", ")
        }
    }
}

/// How a report came about: (what, value) in the order shown.
pub type Provenance = [(String, String)];
