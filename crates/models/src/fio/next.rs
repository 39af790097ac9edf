//! What a process does next.

/// What a process does next. Files are those of the process, by number.
pub(super) enum Next {
    /// Opens a file anew; then drops it from memory, where so told.
    Open { file: usize, drops: bool },
    /// Reads so many bytes from this byte of its file; first of all drops the file from memory, where so told.
    Read {
        file: usize,
        offset: u64,
        bytes: u64,
        /// Whether a pass begins with it.
        begins: bool,
        drops: bool,
    },
    /// Nothing before this time.
    Wait(u64),
    /// Nothing.
    End,
}
