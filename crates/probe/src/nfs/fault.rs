//! What a server may answer in place of a result.

/// What a server answers in place of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The message ends before its last value.
    #[error("its answer ends before its last value")]
    Short,
    /// A text or handle is longer than the protocol allows.
    #[error("its answer has a text or a handle that is longer than the protocol allows")]
    TooLong,
    /// A value that is to be 0 or 1 is neither.
    #[error("its answer has a value that is to be 0 or 1, and is neither")]
    NoFlag,
    /// It is the answer to another call, or no answer.
    #[error("its answer is not to this call")]
    OtherCall,
    /// The server refuses the caller, or does not know the program, the version or the procedure (`accept_stat`, RFC 5531, 9).
    #[error("it does not take the call (RPC status {0})")]
    Rejected(u32),
    /// The call fails (`nfsstat3`, RFC 1813, 2.6; `mountstat3`, 5.1.5).
    #[error("it refuses: status {}{}", .0, named(.0))]
    Refused(u32),
}

/// Statuses that a wrong name or a wrong export has.
fn named(status: &u32) -> &'static str {
    match *status {
        1 => " (not the owner)",
        2 => " (not there)",
        5 => " (the disk fails)",
        13 => " (no access)",
        20 => " (no folder)",
        21 => " (a folder)",
        28 => " (no space)",
        30 => " (read only)",
        70 => " (the file is gone)",
        10_001 => " (a wrong handle)",
        _ => "",
    }
}
