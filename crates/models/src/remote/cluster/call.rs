//! What is under way: operations of programs, and the calls that they make.

use std::ops::Range;

use hotset_cache::PAGE_BYTES;

use super::wire::Bytes;
use crate::remote::file_server::Work;
use crate::remote::nfs::Times;

/// No number.
pub(super) const NONE: u32 = u32::MAX;

/// A call that is to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ask {
    pub name: &'static str,
    /// Calls of one round are made together. The next round begins when all of them are answered.
    pub round: u32,
    /// Whose processors it takes, and the server at the other end.
    pub client: u32,
    pub server: u32,
    pub bytes: Bytes,
    pub work: Work,
    /// The server asks the client.
    pub is_callback: bool,
    /// The server fetches what is written, when it has the message.
    pub is_fetched: bool,
    /// Servers that have further copies of what is written: each passes it on to the next, from this copy on.
    pub copies_left: u32,
    /// What it takes of the client's processors beside the usual.
    pub own_ns: u64,
}

impl Ask {
    /// One that takes no disk.
    pub fn plain(name: &'static str, (client, server): (u32, u32), bytes: Bytes) -> Self {
        Self {
            name,
            round: 0,
            client,
            server,
            bytes,
            work: Work::Nothing,
            is_callback: false,
            is_fetched: false,
            copies_left: 0,
            own_ns: 0,
        }
    }

    /// Whether it moves bytes of files.
    pub fn has_data(&self) -> bool {
        matches!(self.work, Work::Read { .. } | Work::Write { .. })
    }

    /// Bytes of files in the message, and in its answer.
    pub fn payload(&self) -> (u64, u64) {
        match self.work {
            Work::Read { bytes, .. } => (0, bytes),
            Work::Write { bytes, .. } => (bytes, 0),
            Work::Nothing | Work::Commit { .. } => (0, 0),
        }
    }
}

/// Bytes of a server's file in whole pages, read or written.
pub(super) fn work(writes: bool, file: u32, bytes: Range<u64>) -> Work {
    let offset = bytes.start / PAGE_BYTES * PAGE_BYTES;
    let bytes = bytes.end.div_ceil(PAGE_BYTES) * PAGE_BYTES - offset;
    match writes {
        true => Work::Write {
            file,
            offset,
            bytes,
            is_stable: false,
        },
        false => Work::Read {
            file,
            offset,
            bytes,
        },
    }
}

/// What an operation does: calls, round by round, and other operations that it waits for.
#[derive(Debug, Default)]
pub(super) struct Script {
    pub asks: Vec<Ask>,
    round: u32,
    /// Operations under way. Where they come first, no call is made before they are over.
    pub waits: Vec<u32>,
    pub waits_first: bool,
    /// What it takes of the client's processors before the call that is asked next.
    pub own_ns: u64,
}

impl Script {
    /// A call in the round that is being written.
    pub fn ask(&mut self, ask: Ask) {
        self.asks.push(Ask {
            round: self.round,
            own_ns: ask.own_ns + std::mem::take(&mut self.own_ns),
            ..ask
        });
    }

    /// What follows begins when all before it is answered.
    pub fn then(&mut self) {
        let has_some = self.asks.last().is_some_and(|it| it.round == self.round);
        self.round += u32::from(has_some);
    }
}

/// How far the data of a call are that its server fetches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fetch {
    /// They come with the message.
    None,
    /// The message is under way.
    Wanted,
    /// The server has asked for them.
    AskedFor,
    /// They are under way.
    Sent,
}

/// A call under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub ask: Ask,
    /// The operation that waits for it, or none.
    pub operation: u32,
    pub connection: u32,
    /// The call that another server passed on as this one.
    pub parent: u32,
    /// What is to be done before a server answers: its own work, and that of the server it has passed the call on to.
    pub to_do: u32,
    pub fetch: Fetch,
    /// It goes nowhere: the client has what is wanted.
    pub is_local: bool,
    pub times: Times,
}

/// What a program wants, or what its client does by itself.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operation {
    pub client: u32,
    /// The number by which the program is told that it ended, or none.
    pub user: u32,
    /// The client's file.
    pub file: u32,
    /// Nobody has asked for it: it reads ahead or writes behind.
    pub is_own: bool,
    /// Calls and operations that it waits for.
    pub left: u32,
}
