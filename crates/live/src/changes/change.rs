//! Something to be done about what is held.

use super::Holding;
use crate::{Identity, Refusal};

/// Something to be done. Files are numbered as they are wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Gives up what is held, of a wanted file or of one that is not wanted.
    Drop {
        /// The wanted file.
        file: Option<usize>,
        /// What is held.
        holding: Holding,
    },
    /// Brings a file into memory and keeps it there.
    Place {
        /// The file.
        file: usize,
        /// As it is now.
        identity: Identity,
        /// Whether it takes the place of what was dropped just before: it is not kept waiting.
        replaces: bool,
    },
    /// Has a file that is another name of one that is held served from the same memory.
    Share {
        /// The file.
        file: usize,
        /// The wanted file that is held.
        owner: usize,
        /// As it is now.
        identity: Identity,
    },
    /// Does not hold a file.
    LeaveOut {
        /// The file.
        file: usize,
        /// Why not.
        why: Refusal,
    },
}
