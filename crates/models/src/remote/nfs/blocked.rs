//! Files whose delegations were called back, and that are given none for a while (`delegation_blocked`, `fs/nfsd/nfs4state.c`).

use std::collections::HashSet;

/// How long a set is in use before the next one is, seconds.
const IN_USE_S: u64 = 30;

/// Two sets, which take turns: a file is forgotten when its own is in use again. The kernel's are Bloom filters, in which few files are
/// taken for others.
#[derive(Debug, Default)]
pub(super) struct Blocked {
    sets: [HashSet<u32>; 2],
    /// Which one is added to.
    new: usize,
    /// How many files were added, and how many of them are in the set that is not added to.
    entries: usize,
    old_entries: usize,
    /// When the sets last took turns.
    swapped_s: u64,
}

impl Blocked {
    /// A delegation of a file is called back (`block_delegations`).
    pub fn add(&mut self, id: u32, now_ns: u64) {
        if self.entries == 0 {
            self.swapped_s = seconds(now_ns);
        }
        self.sets[self.new].insert(id);
        self.entries += 1;
    }

    /// Whether it gets none.
    pub fn has(&mut self, id: u32, now_ns: u64) -> bool {
        if self.entries == 0 {
            return false;
        }
        if seconds(now_ns).saturating_sub(self.swapped_s) > IN_USE_S {
            self.entries -= self.old_entries;
            self.old_entries = self.entries;
            self.new = 1 - self.new;
            self.sets[self.new].clear();
            self.swapped_s = seconds(now_ns);
        }
        self.sets.iter().any(|set| set.contains(&id))
    }
}

fn seconds(ns: u64) -> u64 {
    ns / 1_000_000_000
}
