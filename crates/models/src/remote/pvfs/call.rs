//! What is under way: operations of programs, the calls that they make, and flows of data.

use super::wire::Bytes;
use crate::remote::event::RemoteEvent;
use crate::remote::file_server::Work;
use crate::remote::nfs::Times;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// What a call is of what it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A question with one answer.
    Whole,
    /// It begins a flow.
    Head,
    /// A buffer of a flow to the client, or from it.
    ReadData,
    WriteData,
    /// A flow from the client has ended.
    Done,
}

/// A call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub name: &'static str,
    pub part: Part,
    /// The operation that waits for it, and its client; none of a call that a server makes.
    pub operation: u32,
    pub client: u32,
    /// The server that is asked, and by which connection.
    pub server: u32,
    pub connection: u32,
    pub bytes: Bytes,
    pub work: Work,
    /// What it takes of the client's processors before it is sent, and of the server's, beside bytes of files at the latter.
    pub client_ns: u64,
    pub server_ns: u64,
    /// The flow that it is of.
    pub flow: u32,
    /// The call of another server that it was made for.
    pub parent: u32,
    /// Of a question that servers pass on: the file, the server's place among those of it, and how many have yet to answer it.
    pub asks_of: u32,
    pub place: u32,
    pub waits_for: u32,
    /// Whether the thread of its operation is at it.
    pub is_in_hand: bool,
    pub times: Times,
}

impl Call {
    /// Bytes of files in the message, and in its answer.
    pub fn payload(&self) -> (u64, u64) {
        match self.work {
            Work::Read { bytes, .. } => (0, bytes),
            Work::Write { bytes, .. } => (bytes, 0),
            Work::Nothing | Work::Commit { .. } => (0, 0),
        }
    }
}

/// A step of an operation on names and attributes. Each begins when the one before it is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The metadata server, or the manager, is asked this.
    Metadata(&'static str),
    /// The servers that have the file are asked this. The first passes it on to two others, and each of them to two more.
    Tree(&'static str),
}

/// What a program wants.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub client: u32,
    /// The number by which the program is told that it ended, or none.
    pub user: u32,
    /// The client's file.
    pub file: u32,
    /// What of the file is still to be asked for.
    pub writes: bool,
    pub next: u64,
    pub end: u64,
    /// Steps that are still to be made.
    pub steps: &'static [Step],
    /// Calls that it waits for.
    pub left: u32,
    /// Whether the thread that it is done by is at something.
    pub is_at_work: bool,
}

/// What a client does for a call once the thread of its operation has time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Later {
    pub operation: u32,
    pub call: u32,
    pub work_ns: u64,
    /// What takes place then.
    pub event: RemoteEvent,
}

/// Data on their way between a client and a server.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flow {
    /// The call that began it.
    pub head: u32,
    pub operation: u32,
    pub client: u32,
    pub server: u32,
    /// The server's file.
    pub file: u32,
    pub writes: bool,
    /// What of it has no buffer yet.
    pub next: u64,
    pub end: u64,
    /// Buffers whose data are not through yet, all that are to come among them.
    pub left: u32,
}
