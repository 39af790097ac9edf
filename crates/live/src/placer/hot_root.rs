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
    /// Where copies stand, by their numbers. A copy has a number for each of its names.
    names: HashMap<u64, PathBuf>,
    /// Whose each name is.
    owners: HashMap<PathBuf, u64>,
    /// The name that was released last. A new copy takes its place in one step: a server that has just found the name is to find
    /// it again when it opens it.
    leaving: Option<PathBuf>,
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
            names: HashMap::new(),
            owners: HashMap::new(),
            leaving: None,
        })
    }

    /// Where a file's copy belongs; its folders are made.
    fn make_place(&mut self, file: &Candidate) -> Result<PathBuf, Refusal> {
        let (path, folders) = file.place_in_tree()?;
        let open = |source: &_| file.sites.open_source(source);
        self.tree.make(&open, folders)?;
        Ok(self.tree.path(&path))
    }

    /// A copy stands there from now on.
    fn note(&mut self, number: u64, name: PathBuf) {
        self.leaving.take_if(|leaving| *leaving == name);
        self.owners.insert(name.clone(), number);
        self.names.insert(number, name);
    }

    /// Removes the name that was released last where nothing has taken its place. It may be gone with the file system.
    fn clear(&mut self) {
        if let Some(name) = self.leaving.take() {
            let _gone = fs::remove_file(name);
        }
    }
}

impl Placer for HotRoot<'_> {
    fn place(&mut self, file: &Candidate) -> Result<Identity, Refusal> {
        let to = self.make_place(file).or_else(|_| {
            // A file has become a folder.
            self.clear();
            self.make_place(file)
        })?;
        let identity = self.copies.copy(file.found, file.number, &to)?;
        self.note(file.number, to);
        Ok(identity)
    }

    /// The copy gets another name, too, which takes no memory.
    fn share(&mut self, file: &Candidate, owner: u64) -> Result<(), Refusal> {
        let to = self.make_place(file)?;
        let first = self.names.get(&owner).ok_or(Refusal::Missing)?;
        if *first != to {
            self.copies.link(first, &to, file.number)?;
            self.note(file.number, to);
        }
        Ok(())
    }

    /// A folder that is closed to others is closed in the tree as well.
    fn begin(&mut self, sites: &Sites) {
        self.tree.renew(&|source| sites.open_source(source));
    }

    /// At most one name stays until the next one, or until all files were looked at.
    fn release(&mut self, number: u64) {
        let Some(name) = self.names.remove(&number) else {
            return;
        };
        self.clear();
        // Another copy may stand there by now.
        if self.owners.get(&name) == Some(&number) {
            self.owners.remove(&name);
            self.leaving = Some(name);
        }
    }

    fn move_to(&mut self, server: &Server) -> Result<(), LiveError> {
        self.clear();
        for (name, _) in self.owners.drain() {
            let _gone = fs::remove_file(name);
        }
        self.names.clear();
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
        self.clear();
        self.copies.settle();
    }

    fn workers(&self) -> Vec<ProcessIdentity> {
        self.copies.workers()
    }

    fn sockets(&self) -> Vec<BorrowedFd<'_>> {
        self.copies.sockets()
    }
}
