//! What was read, what was rejected and by which rules.

use super::access::CountingRule;
use super::not_found::NotFound;
use super::query::QueryRule;
use crate::LeftOut;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// Characters shown of a rejected line.
const EXAMPLE_CHARS: usize = 120;

/// A rejected line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Example {
    /// Its number in its file, from 1 (the number of the record in binary formats).
    pub line: u64,
    /// Its first 120 characters, control characters and bytes that are not UTF-8 as `\x..`.
    pub text: String,
}

impl Example {
    pub(super) fn new(line: u64, bytes: &[u8]) -> Example {
        Example {
            line,
            text: printable(bytes),
        }
    }
}

fn printable(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut chars = 0;
    for chunk in bytes.utf8_chunks() {
        let valid = chunk.valid().chars().map(|c| match c {
            c if c.is_control() => format!("\\x{:02x}", c as u32),
            c => c.to_string(),
        });
        let invalid = chunk.invalid().iter().map(|byte| format!("\\x{byte:02x}"));
        for shown in valid.chain(invalid) {
            chars += 1;
            if chars > EXAMPLE_CHARS {
                return text + "…";
            }
            text.push_str(&shown);
        }
    }
    text
}

/// Lines rejected for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct Rejected {
    /// The reason in words.
    pub reason: String,
    /// How many.
    pub count: u64,
    /// The first few.
    pub examples: Vec<Example>,
}

/// Times that are earlier than the time before them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct StepsBack {
    /// How many.
    pub count: u64,
    /// The largest, in microseconds.
    pub largest_us: u64,
}

impl StepsBack {
    #[inline]
    pub(super) fn note(&mut self, before_us: i64, now_us: i64) {
        if now_us < before_us {
            self.count += 1;
            self.largest_us = self.largest_us.max(before_us.abs_diff(now_us));
        }
    }

    pub(super) fn add(&mut self, other: StepsBack) {
        self.count += other.count;
        self.largest_us = self.largest_us.max(other.largest_us);
    }
}

/// One file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct SourceSummary {
    /// Its name as given.
    pub file: String,
    /// The format it was read as; empty for an empty file.
    pub format: String,
    /// Why this format.
    pub why: String,
    /// What else its lines may say, and how to choose it, where their shape leaves that open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub doubt: Option<String>,
    /// The zone in which its times were read that name none; absent where all times say what they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assumed_zone: Option<String>,
    /// The file that holds the same and is read in its place; absent where this one is read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub same_as: Option<String>,
    /// Site that a rule for logs gives its requests; null without one.
    pub site: Option<String>,
    /// Lines, or records of a binary format.
    pub lines: u64,
    /// Lines that became requests, those dropped by the counting rule included.
    pub requests: u64,
    /// Lines that hold no request by design: blank, directives, headers.
    pub without_request: u64,
    /// Lines rejected.
    pub rejected_lines: u64,
    /// Lines rejected, by reason.
    pub rejected: Vec<Rejected>,
    /// Steps back in time from line to line.
    pub steps_back: StepsBack,
}

/// Requests that are not for a file, by reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct NotFiles {
    /// A method other than GET and HEAD.
    pub other_method: u64,
    /// A status other than 200, 206 and 304.
    pub other_status: u64,
    /// A query that the query rule does not take for a file.
    pub query: u64,
    /// No file under the site's root.
    pub not_under_root: u64,
    /// HEAD or 304 of a file that no request before has read.
    pub not_read_before: u64,
    /// No target: the client went away before it sent a request.
    pub no_target: u64,
}

/// All that was read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemas", derive(schemars::JsonSchema))]
pub struct ReadSummary {
    /// What counts as access, object and size, in words.
    pub rules: Vec<String>,
    /// Which requests are accesses.
    pub counting_rule: CountingRule,
    /// What a URL with a query is.
    pub query_rule: QueryRule,
    /// Files in the order given.
    pub sources: Vec<SourceSummary>,
    /// Logs that the files are parts of; several are merged by their times.
    pub logs: u64,
    /// Lines of all files.
    pub lines: u64,
    /// Requests in the trace.
    pub requests: u64,
    /// Time of the earliest request in the trace; none where no time is known.
    #[serde(default)]
    pub first: Option<Timestamp>,
    /// Time of the latest.
    #[serde(default)]
    pub last: Option<Timestamp>,
    /// The period asked for, and the requests outside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<LeftOut>,
    /// Requests that count as accesses.
    pub accesses: u64,
    /// Lines rejected.
    pub rejected_lines: u64,
    /// Lines that hold no request by design.
    pub without_request: u64,
    /// Requests with a query that the rule `c1` dropped.
    pub dropped_with_parameters: u64,
    /// Requests that are not for a file.
    pub not_files: NotFiles,
    /// Steps back in time within the files.
    pub steps_back: StepsBack,
    /// Paths that were answered 404 most often. Too long to be serialized with every result: who keeps a summary adds it.
    #[serde(default, skip_serializing)]
    pub not_found: NotFound,
}

impl ReadSummary {
    /// Adds a file, and what is counted of it.
    pub fn add_source(&mut self, source: SourceSummary) {
        self.lines += source.lines;
        self.rejected_lines += source.rejected_lines;
        self.without_request += source.without_request;
        self.steps_back.add(source.steps_back);
        self.sources.push(source);
    }
}
