//! Rejected records of one file: counted by reason, a few kept as examples, too many refused.

use super::framing::MAX_LINE_BYTES;
use super::summary::{Example, Rejected};
use crate::formats::Reject;

/// Fewest rejected lines of a file that can make it an error: short logs have odd lines too.
const MIN_REJECTS_FOR_ERROR: u64 = 20;

/// Rejected lines before their share is looked at in the middle of a file, and at every doubling from
/// there: a large file of another format should not be read to its end, and a log may begin with some
/// noise.
const FIRST_CHECK: u64 = 10_000;

/// Rejected lines shown for each reason and file.
const EXAMPLES: usize = 3;

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
    max_share: f64,
    next_check: u64,
}

impl Rejects {
    /// At most the share `max_share` of the records may be rejected.
    pub(super) fn new(max_share: f64) -> Rejects {
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
    pub(super) fn are_too_many(&self, lines: u64) -> bool {
        self.count >= MIN_REJECTS_FOR_ERROR
            && self.count as f64 / lines.max(1) as f64 > self.max_share
    }

    /// The rejected lines by reason.
    pub(super) fn finish(self) -> Vec<Rejected> {
        let rejected = self.by_reason.into_iter();
        rejected.map(|(_, rejected)| rejected).collect()
    }
}
