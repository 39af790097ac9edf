//! A client that reads, and adds to a log: what it knows of each file of a store that it has mounted, and the calls that it makes.
//!
//! Each file is opened as on a mount that is new: its name is looked up the first time, and its attributes are asked for afterwards
//! (close-to-open). Folders on the way to it are taken to be known.

use super::mount::Mount;
use super::wire::{AccessTime, Handle, Message, Wire};
use crate::remote::file_server::Work;

/// Letters of a file's name. Assumed: it changes the bytes of a LOOKUP or an OPEN a little.
const NAME_LETTERS: usize = 8;

/// A call to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileCall {
    /// As `nfsstat -c` prints it.
    pub name: &'static str,
    /// Bytes of the call and of its answer, without headers of TCP and IP.
    pub call_bytes: u64,
    pub answer_bytes: u64,
    /// What it has the server do.
    pub work: Work,
    /// It waits until others of the kind are answered: calls of an open owner of version 4.0 are numbered (`nfs_wait_on_sequence`,
    /// `fs/nfs/nfs4state.c`).
    pub is_in_turn: bool,
}

impl FileCall {
    fn of(message: Message, work: Work) -> Self {
        Self {
            name: message.name,
            call_bytes: message.call_bytes,
            answer_bytes: message.answer_bytes,
            work,
            is_in_turn: false,
        }
    }
}

/// What a client knows of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Known {
    /// Its name was looked up.
    is_looked_up: bool,
    /// There is a delegation of reading.
    is_delegated: bool,
    /// How often it is open as far as the server knows.
    opens: u32,
}

/// What a client knows of the files of a store.
#[derive(Clone, Debug)]
pub(crate) struct ReadMount {
    mount: Mount,
    wire: Wire,
    /// Of version 4.0, whether the server knows for whom files are open. Whoever opens files all the time is not forgotten.
    is_owner_known: bool,
    /// By file.
    known: Vec<Known>,
}

impl ReadMount {
    /// Of so many files, of which nothing is known.
    pub fn new(mount: Mount, files: usize) -> Self {
        Self {
            mount,
            wire: Wire::of(mount),
            is_owner_known: false,
            known: vec![Known::default(); files],
        }
    }

    /// Calls that opening and closing a file takes, of a node that has opened others before: the first time, or again.
    pub fn usual(mount: Mount, is_first: bool) -> [Option<FileCall>; 3] {
        const OTHER: u32 = 1;
        let mut usual = Self::new(mount, 2);
        usual.open(OTHER);
        if !is_first {
            usual.open(0);
            usual.close(0);
        }
        let [one, two] = usual.open(0);
        [one, two, usual.close(0)]
    }

    /// Calls that it may have under way at a time.
    pub fn slots(&self) -> u32 {
        self.mount.slots()
    }

    /// Calls that opening a file takes, one after the other. A delegation makes OPEN needless.
    pub fn open(&mut self, file: u32) -> [Option<FileCall>; 2] {
        let wire = self.wire;
        let (folder, inner) = (Handle::Root, Handle::Inner);
        let known = &mut self.known[file as usize];
        let was_looked_up = std::mem::replace(&mut known.is_looked_up, true);
        let messages = match (self.mount.is_v4(), was_looked_up) {
            (false, false) => [
                Some(wire.lookup(folder, NAME_LETTERS, true)),
                self.mount.is_v3().then(|| wire.access(inner)),
            ],
            (false, true) => [Some(wire.getattr(inner)), None],
            (true, _) if known.is_delegated => [None, None],
            (true, _) => {
                let is_owner_known =
                    !self.mount.has_owners() || std::mem::replace(&mut self.is_owner_known, true);
                known.is_delegated = is_owner_known;
                known.opens += 1;
                [
                    Some(wire.open(folder, NAME_LETTERS, false, is_owner_known)),
                    (!is_owner_known).then(|| wire.open_confirm()),
                ]
            }
        };
        messages.map(|it| it.map(|message| self.of_opens(message)))
    }

    /// A call that opens or closes a file.
    fn of_opens(&self, message: Message) -> FileCall {
        FileCall {
            is_in_turn: self.mount.has_owners(),
            ..FileCall::of(message, Work::Nothing)
        }
    }

    /// The call that closing a file takes, of version 4 alone.
    pub fn close(&mut self, file: u32) -> Option<FileCall> {
        let wire = self.wire;
        let known = &mut self.known[file as usize];
        if known.opens == 0 {
            return None;
        }
        known.opens -= 1;
        // It was read since it was opened.
        let asked = (!known.is_delegated).then_some(AccessTime::Unknown);
        let is_last = known.opens == 0;
        is_last.then(|| self.of_opens(wire.close(asked)))
    }

    /// Calls that reading these bytes takes of a file, which has the number `at_server` there.
    pub fn read(
        &self,
        at_server: u32,
        (offset, bytes): (u64, u64),
    ) -> impl Iterator<Item = FileCall> + use<> {
        let (wire, most_bytes) = (self.wire, self.mount.read_bytes.max(1));
        (0..bytes.div_ceil(most_bytes)).map(move |number| {
            let from = number * most_bytes;
            let part_bytes = most_bytes.min(bytes - from);
            let work = Work::Read {
                file: at_server,
                offset: offset + from,
                bytes: part_bytes,
            };
            FileCall::of(wire.read(part_bytes), work)
        })
    }

    /// Calls that writing these bytes takes of a file, which has the number `at_server` there. They are on its disk then where the mount is so.
    pub fn write(
        &self,
        at_server: u32,
        (offset, bytes): (u64, u64),
    ) -> impl Iterator<Item = FileCall> + use<> {
        let (wire, most_bytes) = (self.wire, self.mount.write_bytes.max(1));
        let is_stable = self.writes_are_stable();
        (0..bytes.div_ceil(most_bytes)).map(move |number| {
            let from = number * most_bytes;
            let part_bytes = most_bytes.min(bytes - from);
            let work = Work::Write {
                file: at_server,
                offset: offset + from,
                bytes: part_bytes,
                is_stable,
            };
            FileCall::of(wire.write(part_bytes, true), work)
        })
    }

    /// The call that has the server put on its disk what was written to a file; nothing where it is there already.
    pub fn commit(&self, at_server: u32) -> Option<FileCall> {
        let work = Work::Commit { file: at_server };
        (!self.writes_are_stable()).then(|| FileCall::of(self.wire.commit(), work))
    }

    /// Whether what a WRITE has is on the server's disk when it is answered. Version 2 has no COMMIT.
    fn writes_are_stable(&self) -> bool {
        self.mount.sync || self.mount.is_v2()
    }
}
