//! What the exporters of a description are given.

use hotset_describe::Description;
use hotset_trace::read::ReadSummary;

/// What traffic looks like.
pub struct DescriptionView<'a> {
    /// Its description.
    pub description: &'a Description,
    /// How it was read.
    pub reading: &'a ReadSummary,
}
