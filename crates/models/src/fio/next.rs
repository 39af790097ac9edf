//! What a process does next.

use std::ops::Range;

use super::operation::Operation;
use crate::storage::SyncKind;

/// What a process does next. Files are those of the process, by number.
pub(super) enum Next {
    /// Opens a file anew; then drops it from memory, where so told.
    Open { file: usize, drops: bool },
    /// Reads or writes so many bytes from this byte of its file; first of all drops the file from memory, where so told.
    Access {
        file: usize,
        operation: Operation,
        offset: u64,
        bytes: u64,
        /// Whether a pass begins with it.
        begins: bool,
        drops: bool,
    },
    /// Waits until some bytes of its file are on the device, as far as the kind of sync goes.
    Sync {
        file: usize,
        bytes: Range<u64>,
        kind: SyncKind,
    },
    /// Nothing before this time.
    Wait(u64),
    /// Nothing.
    End,
}
