//! Rejected records of one file: counted by reason, a few kept as examples, too many refused.

use super::framing::MAX_LINE_BYTES;
use super::summary::{Example, Rejected};
use crate::formats::Reject;

/// Largest share of rejected lines that still passes for the odd lines of one format, unless the caller
/// sets another.
const DEFAULT_MAX_SHARE: f64 = 0.10;

/// Fewest rejected lines for which their default share is looked at: short logs have odd lines too.
const MIN_REJECTS_FOR_ERROR: u64 = 20;

/// Rejected lines before their share is looked at in the middle of a file, and at every doubling from
/// there: a large file of another format should not be read to its end, and a log may begin with some
/// noise.
const FIRST_CHECK: u64 = 10_000;

/// Rejected lines shown for each reason and file.
pub(super) const EXAMPLES: usize = 3;

/// Why a record was rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    Format(Reject),
    TooLong,
}

impl Reason {
    pub(super) fn in_words(self) -> String {
        match self {
            Reason::Format(reject) => reject.to_string(),
            Reason::TooLong => format!("longer than {} MiB", MAX_LINE_BYTES >> 20),
        }
    }
}

/// Rejected records, by reason in order of appearance.
#[derive(Debug)]
pub(super) struct Rejects {
    by_reason: Vec<(Reason, Rejected)>,
    count: u64,
    max_share: Option<f64>,
    next_check: u64,
}

impl Rejects {
    /// At most the share `max_share` of the records may be rejected; by default as
    /// [`super::ReadOptions::max_rejected_share`] says.
    pub(super) fn new(max_share: Option<f64>) -> Rejects {
        Rejects {
            by_reason: Vec::new(),
            count: 0,
            max_share,
            next_check: FIRST_CHECK,
        }
    }

    /// How many.
    pub(super) fn count(&self) -> u64 {
        self.count
    }

    /// Counts the rejected record `bytes` of line `line`; whether that makes them too many.
    #[cold]
    pub(super) fn add(&mut self, reason: Reason, line: u64, bytes: &[u8]) -> bool {
        let rejected = self.of_reason(reason);
        rejected.count += 1;
        if rejected.examples.len() < EXAMPLES {
            rejected.examples.push(Example::new(line, bytes));
        }
        self.count += 1;
        let is_checked = self.count >= self.next_check;
        if is_checked {
            self.next_check *= 2;
        }
        is_checked && self.are_too_many(line)
    }

    fn of_reason(&mut self, reason: Reason) -> &mut Rejected {
        let known = self
            .by_reason
            .iter()
            .position(|(known, _)| *known == reason);
        let index = known.unwrap_or_else(|| {
            let rejected = Rejected {
                reason: reason.in_words(),
                count: 0,
                examples: Vec::new(),
            };
            self.by_reason.push((reason, rejected));
            self.by_reason.len() - 1
        });
        &mut self.by_reason[index].1
    }

    /// Whether they are too large a share of `lines` lines to be the odd ones of one format.
    fn are_too_many(&self, lines: u64) -> bool {
        let share = self.count as f64 / lines.max(1) as f64;
        match self.max_share {
            Some(max_share) => share > max_share,
            None => self.count >= MIN_REJECTS_FOR_ERROR && share > DEFAULT_MAX_SHARE,
        }
    }

    /// Whether a whole file of `lines` lines, `requests` of them requests, is not in its format.
    pub(super) fn refuse(&self, lines: u64, requests: u64) -> bool {
        self.are_too_many(lines) || self.max_share.is_none() && self.count > requests
    }

    /// The rejected lines by reason.
    pub(super) fn finish(self) -> Vec<Rejected> {
        let rejected = self.by_reason.into_iter();
        rejected.map(|(_, rejected)| rejected).collect()
    }
}

/// Whether `count` rejected ones of `lines` lines, with so many requests, may have the file refused, at its end or before.
pub(super) fn are_refused(max_share: Option<f64>, count: u64, lines: u64, requests: u64) -> bool {
    let all = Rejects {
        count,
        ..Rejects::new(max_share)
    };
    count >= FIRST_CHECK || all.refuse(lines, requests)
}

/// The first line of `rejected` in its file, and why it was rejected.
pub(super) fn first(rejected: &[Rejected]) -> Option<(&str, &Example)> {
    let firsts = rejected
        .iter()
        .filter_map(|of_reason| Some((of_reason.reason.as_str(), of_reason.examples.first()?)));
    firsts.min_by_key(|(_, example)| example.line)
}
