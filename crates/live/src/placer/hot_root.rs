//! Copies in a tree of their own that the server looks up before its own files: `hotset config` prints the lines for it.

use super::copies::Copies;
use super::{Candidate, CountedAs, Placer};
use crate::context::Context;
use crate::tree::Tree;
use crate::{Identity, LiveError, Refusal, Server, Sites};
use hotset_machine::ProcessIdentity;
use hotset_machine::cgroup::MemoryGroup;
use std::collections::{HashMap, HashSet};
use std::fs;
use std::os::fd::BorrowedFd;
use std::path::PathBuf;

/// Keeps copies in a tree, a folder for each site.
pub(crate) struct HotRoot<'l> {
    copies: Copies<'l>,
    tree: Tree,
    /// Where copies stand, each under one name or several.
    placed: HashMap<u64, Vec<PathBuf>>,
    /// Names of the copy that was released last. A new copy takes its place in one step: a server that has just found the name is
    /// to find it again when it opens it.
    leaving: Vec<PathBuf>,
    /// Further names that copies had before files were looked at.
    former: Vec<PathBuf>,
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
            leaving: Vec::new(),
            former: Vec::new(),
        })
    }

    /// Where a file's copy belongs; its folders are made.
    fn make_place(&mut self, file: &Candidate) -> Result<PathBuf, Refusal> {
        let (path, folders) = file.place_in_tree()?;
        let open = |source: &_| file.sites.open_source(source);
        self.tree.make(&open, folders)?;
        Ok(self.tree.path(&path))
    }

    /// Removes the copy that was released last where nothing has taken its place. It may be gone with the file system.
    fn clear(&mut self) {
        for copy in self.leaving.drain(..) {
            let _gone = fs::remove_file(copy);
        }
    }
}

impl Placer for HotRoot<'_> {
    /// A copy is served as it was made: whatever has changed, the file's rights as well, is copied anew.
    fn is_current(&self, held: &Identity, now: &Identity) -> bool {
        held == now
    }

    fn place(&mut self, file: &Candidate) -> Result<Identity, Refusal> {
        let to = self.make_place(file).or_else(|_| {
            // A file has become a folder.
            self.clear();
            self.make_place(file)
        })?;
        let identity = self.copies.copy(file.found, file.number, &to)?;
        self.leaving.retain(|name| *name != to);
        self.former.append(&mut self.leaving);
        self.placed.insert(file.number, vec![to]);
        Ok(identity)
    }

    /// The copy gets another name, too, which takes no memory.
    fn share(&mut self, file: &Candidate) -> Result<(), Refusal> {
        let to = self.make_place(file)?;
        let Some(names) = self.placed.get_mut(&file.number) else {
            return Err(Refusal::Missing);
        };
        if let Some(first) = names.first().filter(|first| **first != to) {
            self.copies.link(first, &to, file.number)?;
            names.push(to);
        }
        Ok(())
    }

    /// A folder that is closed to others is closed in the tree as well.
    fn begin(&mut self, sites: &Sites) {
        self.tree.renew(&|source| sites.open_source(source));
        for names in self.placed.values_mut() {
            self.former.extend(names.drain(1..));
        }
    }

    /// At most one copy stays until the next one, or until all files were looked at.
    fn release(&mut self, number: u64) {
        self.clear();
        self.leaving = self.placed.remove(&number).unwrap_or_default();
    }

    fn move_to(&mut self, server: &Server) -> Result<(), LiveError> {
        let names = self.placed.drain().flat_map(|(_, names)| names);
        self.leaving.extend(names);
        self.clear();
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
        let names: HashSet<&PathBuf> = self.placed.values().flatten().collect();
        for name in self.former.drain(..) {
            if !names.contains(&name) {
                let _gone = fs::remove_file(name);
            }
        }
    }

    fn workers(&self) -> Vec<ProcessIdentity> {
        self.copies.workers()
    }

    fn sockets(&self) -> Vec<BorrowedFd<'_>> {
        self.copies.sockets()
    }
}
