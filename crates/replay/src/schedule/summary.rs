//! What became of the requests of a trace.

use hotset_trace::Trace;
use hotset_trace::read::CountingRule;
use serde::Serialize;

use super::columns::Schedule;
use super::operations::Operations;
use super::options::ScheduleOptions;

/// What a schedule took of its trace, and what not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ScheduleSummary {
    /// Requests of the trace.
    pub trace_requests: u64,
    /// Requests to send.
    pub requests: u64,
    /// Files that they ask for.
    pub files: u64,
    /// Operations of SPECweb99 among the requests; null where they are not sent as such.
    pub operations: Option<Operations>,
    /// Connections to send them on.
    pub connections: u64,
    /// Most requests of one connection.
    pub largest_connection: u64,
    /// Partial responses (206) among them, which are asked for as a whole; 0 by the rule c1, to which each is a file.
    pub partial: u64,
    /// From the first connection's start to the last intended request, scale applied, microseconds.
    pub span_us: i64,
    /// What `span_us` would be if the scale held between the requests of a connection as well, microseconds.
    pub asked_span_us: i64,
    /// From the first to the last request of the connection that lasts longest, microseconds. No scale changes it.
    pub longest_connection_us: i64,
    /// Time of the first request to send, microseconds since 1970-01-01 UTC.
    pub first_us: i64,
    /// Requests that are not sent, by reason.
    #[serde(skip)]
    pub skipped: Skipped,
    /// Rows behind an earlier one that were sorted in.
    pub steps_back: StepsBack,
    /// What was cut of gaps.
    pub cut: Cut,
}

/// Requests that are not sent, by the first reason that holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Skipped {
    /// Of sites that were not chosen.
    pub other_sites: u64,
    /// Further behind an earlier row than the window for sorting.
    pub out_of_order: u64,
    /// Before the first or after the last moment chosen.
    pub outside_times: u64,
    /// HEAD.
    pub head: u64,
    /// POST.
    pub post: u64,
    /// Other methods.
    pub other_method: u64,
    /// GETs answered 304: the client had the file already.
    pub not_modified: u64,
    /// GETs answered otherwise than 200, 206 and 304.
    pub unsuccessful: u64,
    /// GETs for no file, such as dynamic pages.
    pub not_a_file: u64,
}

impl Skipped {
    /// All of them.
    pub fn total(&self) -> u64 {
        self.reasons().iter().map(|(count, _)| count).sum()
    }

    /// Counts with their reasons in words; those that are 0 too.
    pub fn reasons(&self) -> [(u64, &'static str); 9] {
        [
            (self.other_sites, "of other sites"),
            (self.out_of_order, "too far behind an earlier line"),
            (self.outside_times, "outside the chosen times"),
            (self.head, "HEAD"),
            (self.post, "POST"),
            (self.other_method, "of other methods"),
            (self.not_modified, "answered 304"),
            (self.unsuccessful, "answered neither 200, 206 nor 304"),
            (self.not_a_file, "for no file"),
        ]
    }

    /// `3 HEAD, 1 POST`, each number written by `count`; empty where there is none.
    pub fn in_words(&self, count: impl Fn(u64) -> String) -> String {
        let some = self.reasons().into_iter().filter(|(number, _)| *number > 0);
        let words = some.map(|(number, reason)| format!("{} {reason}", count(number)));
        words.collect::<Vec<_>>().join(", ")
    }

    /// Those that the choice of sites and times does not account for.
    pub fn unasked(&self) -> Skipped {
        Skipped {
            other_sites: 0,
            outside_times: 0,
            ..*self
        }
    }
}

/// Rows whose time is before that of an earlier row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StepsBack {
    /// How many were within the window, and sorted.
    pub sorted: u64,
    /// How far the furthest of all was behind, microseconds; beyond the window too.
    pub largest_us: u64,
}

/// What was cut of the time between the starts of connections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Cut {
    /// Gaps that were cut.
    pub gaps: u64,
    /// What was cut of them together, microseconds of the trace.
    pub total_us: i64,
    /// The longest gap as it was, cut or not, microseconds of the trace.
    pub longest_us: i64,
}

const PARTIAL_CONTENT: u16 = 206;
const SECOND_US: f64 = 1e6;

/// A rate below this share of that asked for falls clearly short of it.
const SHORT: f64 = 0.9;

impl ScheduleSummary {
    /// Requests a second that the scale asks for; none where all requests are due at once.
    pub fn asked_rate(&self) -> Option<f64> {
        self.rate_over(self.asked_span_us)
    }

    /// Requests a second that are due; none where all requests are due at once.
    pub fn due_rate(&self) -> Option<f64> {
        self.rate_over(self.span_us)
    }

    /// Both, asked for and due, where so clearly fewer are due that people are to be told.
    pub fn short_rates(&self) -> Option<(f64, f64)> {
        let (asked, due) = (self.asked_rate()?, self.due_rate()?);
        (due < SHORT * asked).then_some((asked, due))
    }

    fn rate_over(&self, span_us: i64) -> Option<f64> {
        let between = self.requests.saturating_sub(1) as f64;
        (span_us > 0).then(|| between / (span_us as f64 / SECOND_US))
    }

    /// Counts what `schedule` holds, made of these rows of `trace`.
    pub(super) fn fill(
        &mut self,
        trace: &Trace,
        options: &ScheduleOptions,
        rows: &[u32],
        schedule: &Schedule,
    ) {
        let partial = |row: &&u32| {
            options.counting == CountingRule::Default
                && trace.requests.status[**row as usize] == PARTIAL_CONTENT
        };
        self.requests = rows.len() as u64;
        self.files = files(trace, rows);
        self.operations = options.specweb99.then(|| Operations::count(trace, rows));
        self.connections = schedule.start_us.len() as u64;
        self.partial = rows.iter().filter(partial).count() as u64;
        let same = |a: &u32, b: &u32| a == b;
        let lengths = schedule.connection.chunk_by(same).map(<[u32]>::len);
        self.largest_connection = lengths.max().unwrap_or(0) as u64;
        self.longest_connection_us = schedule.offset_us.iter().max().copied().unwrap_or(0);
        self.span_us = schedule.end(&schedule.start_us);
    }
}

/// How many files rows ask for.
fn files(trace: &Trace, rows: &[u32]) -> u64 {
    let mut is_read = vec![false; trace.objects.len()];
    for row in rows {
        // POSTs are for none.
        if let Some(is_read) = is_read.get_mut(trace.requests.object[*row as usize] as usize) {
            *is_read = true;
        }
    }
    is_read.into_iter().filter(|read| *read).count() as u64
}
