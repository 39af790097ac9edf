//! What is held of wanted files.

use super::{Change, Hold, Holding};
use crate::{FileState, FileStatus, Identity, WantedFile};
use std::collections::{HashMap, HashSet};

/// What is held of wanted files, and of files that are not wanted any more.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Holdings {
    /// Of each wanted file, in their order: the most valuable first.
    pub holds: Vec<Hold>,
    /// Of files that are not wanted.
    pub unwanted: Vec<Holding>,
    /// Which of the wanted files were held at any time since these are wanted.
    was_held: Vec<bool>,
    last_number: u64,
}

impl Holdings {
    /// Nothing is held of so many wanted files.
    #[must_use]
    pub fn of_none(files: usize) -> Self {
        Self {
            holds: vec![Hold::Open; files],
            was_held: vec![false; files],
            ..Self::default()
        }
    }

    /// What a guardian has written down, of files in the order of its state.
    pub(crate) fn of_state(files: &[FileState]) -> Self {
        let mut holdings = Self::of_none(files.len());
        let mut owners: HashMap<(u64, u64), u64> = HashMap::new();
        for (at, file) in files.iter().enumerate() {
            if let FileStatus::Held(identity) = file.status {
                let number = holdings.hold(at, identity, None);
                owners.insert(identity.key(), number);
            }
        }
        for (at, file) in files.iter().enumerate() {
            if let FileStatus::Shared(identity) = file.status
                && let Some(owner) = owners.get(&identity.key())
            {
                holdings.hold(at, identity, Some(*owner));
            }
        }
        holdings
    }

    /// The number that the next file will be held under.
    #[must_use]
    pub fn next_number(&self) -> u64 {
        self.last_number + 1
    }

    /// Notes that a wanted file is held from now on; its number.
    pub(crate) fn hold(&mut self, file: usize, identity: Identity, shares: Option<u64>) -> u64 {
        self.last_number += 1;
        self.holds[file] = Hold::Held(Holding {
            number: self.last_number,
            identity,
            shares,
        });
        self.last_number
    }

    /// The same where other files are wanted: what both hold stays held. A plan may name a file twice.
    #[must_use]
    pub fn carried_over(mut self, before: &[WantedFile], wanted: &[WantedFile]) -> Self {
        let mut known: HashMap<&WantedFile, Hold> = HashMap::new();
        for (file, hold) in before.iter().zip(self.holds.drain(..)) {
            let twice = known.insert(file, hold);
            self.unwanted
                .extend(twice.and_then(|hold| hold.holding().copied()));
        }
        let holds = wanted.iter().map(|file| known.remove(file));
        self.holds = holds.map(Option::unwrap_or_default).collect();
        let left = known.values().filter_map(Hold::holding);
        self.unwanted.extend(left);
        self.was_held = vec![false; wanted.len()];
        self
    }

    /// What is held now is lost where it is not held later.
    pub(crate) fn note_held(&mut self) {
        for (was_held, hold) in self.was_held.iter_mut().zip(&self.holds) {
            *was_held |= hold.holding().is_some();
        }
    }

    /// Forgets what is held no longer, because whoever held it is gone.
    pub(crate) fn forget(&mut self, lost: &HashSet<u64>) {
        for hold in &mut self.holds {
            if hold
                .holding()
                .is_some_and(|holding| lost.contains(&holding.number))
            {
                *hold = Hold::Open;
            }
        }
    }

    /// Forgets all that is held.
    pub(crate) fn forget_all(&mut self) {
        self.holds.fill(Hold::Open);
        self.unwanted.clear();
    }

    /// All that is held.
    fn all(&self) -> impl Iterator<Item = &Holding> {
        let wanted = self.holds.iter().filter_map(Hold::holding);
        wanted.chain(&self.unwanted)
    }

    /// Memory of all that is held. Bytes in whole pages.
    #[must_use]
    pub fn held_bytes(&self) -> u64 {
        self.all()
            .map(Holding::page_bytes)
            .fold(0, u64::saturating_add)
    }

    /// The same with what the kernel needs beside the pages. Bytes.
    #[must_use]
    pub fn cost_bytes(&self) -> u64 {
        self.all()
            .map(Holding::cost_bytes)
            .fold(0, u64::saturating_add)
    }

    /// Makes a change, as far as it can be told beforehand. Whether what is held is another to whoever asks.
    pub fn apply(&mut self, change: &Change) -> bool {
        match change {
            Change::Drop {
                file: None,
                holding,
            } => {
                self.unwanted.retain(|other| other.number != holding.number);
                false
            }
            Change::Drop {
                file: Some(file), ..
            } => self.set(*file, Hold::Open),
            Change::LeaveOut { file, why } => self.set(*file, Hold::LeftOut(why.clone())),
            Change::Place { file, identity, .. } => {
                self.hold(*file, *identity, None);
                true
            }
            Change::Share {
                file,
                owner,
                identity,
            } => {
                let owner = self.holds[*owner].holding().map(|holding| holding.number);
                owner.is_some_and(|owner| {
                    self.hold(*file, *identity, Some(owner));
                    true
                })
            }
        }
    }

    fn set(&mut self, file: usize, hold: Hold) -> bool {
        let before = std::mem::replace(&mut self.holds[file], hold);
        !before.is_like(&self.holds[file])
    }

    /// What is held, to be written down. `holder` says which process has a file locked.
    pub(crate) fn file_states(
        &self,
        wanted: &[WantedFile],
        holder: impl Fn(&Holding) -> Option<u32>,
    ) -> Vec<FileState> {
        let holds = self.holds.iter().zip(&self.was_held);
        let state = |(file, (hold, was_held)): (&WantedFile, (&Hold, &bool))| FileState {
            site: file.site.clone(),
            path: file.path.clone(),
            lost: *was_held && hold.holding().is_none(),
            holder: hold.holding().and_then(&holder),
            status: match hold {
                Hold::Held(Holding {
                    identity,
                    shares: None,
                    ..
                }) => FileStatus::Held(*identity),
                Hold::Held(Holding { identity, .. }) => FileStatus::Shared(*identity),
                Hold::LeftOut(refusal) => FileStatus::LeftOut(refusal.to_string()),
                Hold::Open => FileStatus::LeftOut("is still to be placed".to_owned()),
            },
        };
        wanted.iter().zip(holds).map(state).collect()
    }
}
