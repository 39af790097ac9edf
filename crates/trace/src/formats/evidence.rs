//! What speaks for a format, the same for all of them, so that detection can compare it.

/// A format is chosen when it reads at least this share of the sample, in percent: logs hold some noise,
/// while a log of two formats should not be taken for either.
const ENOUGH_PERCENT: usize = 80;

/// What in the head of a log speaks for one format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Evidence {
    /// Lines or records that the format reads as its own.
    pub read: usize,
    /// Lines or records that were looked at.
    pub of: usize,
    /// The evidence as a clause: "998 of the first 1000 lines read as combined".
    pub why: String,
    /// What else the same lines may say, and how to choose it, where the evidence leaves that open.
    pub doubt: Option<String>,
}

impl Evidence {
    /// `read` of the head's first `of` lines read as `kind`.
    pub fn of_lines(kind: &str, read: usize, of: usize) -> Evidence {
        let why = format!("{read} of the first {of} lines read as {kind}");
        Evidence::new(read, of, why)
    }

    /// All of the head's `count` records.
    pub fn of_all(count: usize, why: String) -> Evidence {
        Evidence::new(count, count, why)
    }

    /// Evidence beyond doubt.
    pub fn new(read: usize, of: usize, why: String) -> Evidence {
        Evidence {
            read,
            of,
            why,
            doubt: None,
        }
    }

    /// The same evidence, with a second reading that it does not exclude.
    pub fn with_doubt(self, doubt: Option<String>) -> Evidence {
        Evidence { doubt, ..self }
    }

    /// Whether it is enough to choose the format.
    pub fn is_enough(&self) -> bool {
        is_enough(self.read, self.of)
    }

    /// Whether some are read, and of those that are not there are no more than the share `share`.
    pub fn leaves_out_at_most(&self, share: f64) -> bool {
        self.read > 0 && (self.of - self.read) as f64 <= share * self.of as f64
    }

    /// The share that is read, in parts of a thousand.
    pub fn per_mille(&self) -> usize {
        self.read * 1000 / self.of.max(1)
    }
}

/// Whether `read` of `of` lines or records are enough to choose a format.
pub(super) fn is_enough(read: usize, of: usize) -> bool {
    read > 0 && read * 100 >= of * ENOUGH_PERCENT
}
