//! A figure as a document draws it.

/// A figure as a document draws it: lines through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Drawing {
    /// What it shows.
    pub title: &'static str,
    /// What is to be known of it: a sentence or two.
    pub description: &'static str,
    /// What stands along the horizontal axis.
    pub x: &'static str,
    /// What stands along the vertical axis.
    pub y: &'static str,
    /// Whether the vertical axis has times, which are microseconds, over several powers of ten.
    pub has_times: bool,
    /// Names of the lines, and their points.
    pub lines: Vec<(String, Vec<(f64, f64)>)>,
}
