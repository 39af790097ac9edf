//! Ways to hold files: each a file here, behind one trait.

mod bind;
mod by_kind;
mod copies;
mod hot_root;
mod pin;

pub(crate) use bind::device_of;
pub(crate) use by_kind::{check, make};

use crate::tree::Model;
use crate::{Identity, LiveError, Refusal, ResolvedFile, Server, Sites, WantedFile};
use hotset_machine::cgroup::MemoryGroup;
use hotset_machine::{MachineError, ProcessIdentity};
use std::os::fd::BorrowedFd;
use std::path::PathBuf;

/// A file to be held.
#[derive(Debug)]
pub(crate) struct Candidate<'a> {
    /// The file, which its path led to a moment ago.
    pub found: &'a ResolvedFile,
    /// What it is known by until it is released.
    pub number: u64,
    /// What the plan calls it.
    pub wanted: &'a WantedFile,
    /// The roots that it was found in.
    pub sites: &'a Sites,
}

impl Candidate<'_> {
    /// See [`Sites::place_in_tree`].
    fn place_in_tree(&self) -> Result<(PathBuf, Vec<Model>), Refusal> {
        let WantedFile { site, path } = self.wanted;
        self.sites.place_in_tree(site, &path.0, self.found)
    }
}

/// What of a memory group's counts shows held files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountedAs {
    /// Memory that cannot be evicted.
    Unevictable,
    /// Memory that is shared, as files in a tmpfs are. They are unevictable as well only where the tmpfs is kept out of swap.
    Shared,
}

impl CountedAs {
    /// Bytes of a group that count so.
    pub fn of(self, group: &MemoryGroup) -> Result<u64, MachineError> {
        match self {
            Self::Unevictable => group.unevictable_bytes(),
            Self::Shared => group.shared_bytes(),
        }
    }
}

/// A way to hold files.
pub(crate) trait Placer {
    /// Brings a file into memory and keeps it there. What it was then.
    ///
    /// # Errors
    /// Why it is not held; then nothing of it is.
    fn place(&mut self, file: &Candidate) -> Result<Identity, Refusal>;

    /// Has the file that is held under the number `owner` served by another of its names as well.
    ///
    /// # Errors
    /// Why it is not.
    fn share(&mut self, _file: &Candidate, _owner: u64) -> Result<(), Refusal> {
        Ok(())
    }

    /// All files are about to be looked at: sees to what is not a file's own.
    fn begin(&mut self, _sites: &Sites) {}

    /// Gives a file up, or one of its names.
    fn release(&mut self, number: u64);

    /// Gives everything up, to hold it anew for a server that was started anew.
    ///
    /// # Errors
    /// When nothing can be held for it; then it is asked again.
    fn move_to(&mut self, server: &Server) -> Result<(), LiveError>;

    /// Numbers of the files that are held no longer, because whoever held them is gone.
    fn take_lost(&mut self) -> Vec<u64>;

    /// What the kernel counts held files as.
    fn counted_as(&self) -> CountedAs;

    /// All files have been looked at, and all has been placed for now.
    fn settle(&mut self);

    /// The processes that hold.
    fn workers(&self) -> Vec<ProcessIdentity>;

    /// The process that has the file locked that is held under a number; none where files are copied.
    fn holder(&self, _number: u64) -> Option<u32> {
        None
    }

    /// Where it shows that one of them is gone.
    fn sockets(&self) -> Vec<BorrowedFd<'_>>;
}
