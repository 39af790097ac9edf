//! Copies in a tree of their own that the server looks up before its own files: `hotset config` prints the lines for it.

use super::copies::Copies;
use super::{Candidate, CountedAs, Placer};
use crate::context::Context;
use crate::tree::Tree;
use crate::{Identity, LiveError, Refusal, Server, Sites};
use hotset_machine::ProcessIdentity;
use hotset_machine::cgroup::MemoryGroup;
use std::collections::HashMap;
use std::fs;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;

/// Keeps copies in a tree, a folder for each site.
pub(crate) struct HotRoot<'l> {
    copies: Copies<'l>,
    tree: Tree,
    placed: HashMap<u64, PathBuf>,
}

impl<'l> HotRoot<'l> {
    /// An empty tree in a memory file system.
    ///
    /// # Errors
    /// When that cannot be mounted.
    pub fn new(context: Context<'l>, group: Option<MemoryGroup>) -> Result<Self, LiveError> {
        let copies = Copies::new(context, group)?;
        Ok(Self {
            tree: Tree::new(copies.inside()),
            copies,
            placed: HashMap::new(),
        })
    }
}

impl Placer for HotRoot<'_> {
    /// A copy is served as it was made: whatever has changed, the file's rights as well, is copied anew.
    fn is_current(&self, held: &Identity, now: &Identity) -> bool {
        held == now
    }

    fn place(&mut self, file: &Candidate) -> Result<Identity, Refusal> {
        let (path, folders) = file.place_in_tree()?;
        let open = |source: &_| file.sites.open_source(source);
        self.tree.make(&open, folders)?;
        let to = self.tree.path(&path);
        let identity = self.copies.copy(file.found, file.number, &to)?;
        self.placed.insert(file.number, to);
        Ok(identity)
    }

    /// A folder that is closed to others is closed in the tree as well.
    fn begin(&mut self, sites: &Sites) {
        self.tree.renew(&|source| sites.open_source(source));
    }

    fn release(&mut self, number: u64) {
        if let Some(copy) = self.placed.remove(&number) {
            // It may be gone with the file system.
            let _gone = fs::remove_file(copy);
        }
    }

    fn move_to(&mut self, server: &Server) -> Result<(), LiveError> {
        for (_, copy) in self.placed.drain() {
            let _gone = fs::remove_file(copy);
        }
        self.copies.move_to(server);
        Ok(())
    }

    fn take_lost(&mut self) -> Vec<u64> {
        self.copies.revive();
        Vec::new()
    }

    fn counted_as(&self) -> CountedAs {
        self.copies.counted_as()
    }

    fn settle(&mut self) {
        self.copies.settle();
    }

    fn workers(&self) -> Vec<ProcessIdentity> {
        self.copies.workers()
    }

    fn sockets(&self) -> Vec<BorrowedFd<'_>> {
        self.copies.sockets()
    }
}
