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
}

impl Evidence {
    /// All of the head's `count` records.
    pub fn of_all(count: usize, why: String) -> Evidence {
        Evidence {
            read: count,
            of: count,
            why,
        }
    }

    /// Whether it is enough to choose the format.
    pub fn is_enough(&self) -> bool {
        is_enough(self.read, self.of)
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
