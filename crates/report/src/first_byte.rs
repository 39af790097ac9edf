//! The time that first bytes are counted and drawn against.

use hotset_document::plot::Series;
use hotset_outcome::FIRST_BYTE_LINE_US;

/// [`FIRST_BYTE_LINE_US`] in words: `0.5 s`.
pub(crate) fn line_in_words() -> String {
    format!("{} s", FIRST_BYTE_LINE_US / 1e6)
}

/// The line in a plot of times.
pub(crate) fn line() -> Series {
    Series::at(&line_in_words(), FIRST_BYTE_LINE_US)
}
