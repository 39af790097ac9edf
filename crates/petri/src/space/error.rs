//! Why a state space cannot be explored.

/// A net whose state space cannot be explored. Each message names the transition by its path.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// A guard, arc expression or code segment panicked.
    #[error("{path}: its code panicked: {message}; this happens {after}")]
    Panicked {
        /// The transition.
        path: String,
        /// What it said.
        message: String,
        /// The firings that lead there, in words.
        after: String,
    },
    /// A transition borrows an object of the run, whose state is in no marking.
    #[error(
        "{path}: borrows an object of the run, whose state no marking shows; such nets can only be run"
    )]
    Borrows {
        /// The transition.
        path: String,
    },
    /// Code draws numbers that have no end of outcomes.
    #[error(
        "{path}: its code draws a number of which not every outcome can be tried; draw with `chance`, or with `below` a small bound"
    )]
    Draws {
        /// The transition.
        path: String,
    },
}
