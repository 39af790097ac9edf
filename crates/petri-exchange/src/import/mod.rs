//! Nets that other tools have written.

mod pnml;

pub use pnml::{DELAYED_BY_A_MILLISECOND, pnml};

/// A file that is no net, or not one that can be read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct ImportError {
    /// The line, from 1.
    pub line: u32,
    /// What is wrong, with the path of the place or transition where there is one.
    pub problem: String,
}
