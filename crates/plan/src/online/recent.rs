//! Accesses since the last renewal.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

/// Accesses of files since the last renewal, by the files' numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(from = "BTreeMap<u32, u32>", into = "BTreeMap<u32, u32>")]
pub(super) struct Recent {
    /// Those of files with any, by number. A search in a tree for each access took most of the time of learning.
    counts: Vec<u32>,
    /// Files that have any in `counts`.
    accessed: Vec<u32>,
    /// Those that came with a restored state, whose numbers are not checked until the state is.
    restored: BTreeMap<u32, u32>,
}

impl Recent {
    /// Counts accesses of the file with this number.
    #[inline]
    pub fn add(&mut self, number: u32, accesses: u32) {
        let index = number as usize;
        if index >= self.counts.len() {
            self.counts.resize(index + 1, 0);
        }
        let count = &mut self.counts[index];
        if *count == 0 {
            self.accessed.push(number);
        }
        *count = count.saturating_add(accesses);
    }

    /// Files and their accesses by rising number; the count starts anew.
    pub fn take(&mut self) -> Vec<(u32, u32)> {
        for (number, accesses) in std::mem::take(&mut self.restored) {
            self.add(number, accesses);
        }
        let mut accessed = std::mem::take(&mut self.accessed);
        accessed.sort_unstable();
        let mut taken = |number: u32| std::mem::take(&mut self.counts[number as usize]);
        accessed
            .into_iter()
            .map(|number| (number, taken(number)))
            .collect()
    }

    /// Files and their accesses, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (u32, u32)> {
        let accessed = self.accessed.iter();
        let counted = accessed.map(|&number| (number, self.counts[number as usize]));
        let restored = self.restored.iter();
        counted.chain(restored.map(|(&number, &accesses)| (number, accesses)))
    }

    /// Goes on with these files alone, which get new numbers in their order.
    pub fn keep(&mut self, numbers: &[u32]) {
        let before: HashMap<u32, u32> = self.take().into_iter().collect();
        self.counts = Vec::new();
        for (new, number) in numbers.iter().enumerate() {
            if let Some(&accesses) = before.get(number) {
                self.add(new as u32, accesses);
            }
        }
    }

    /// Whether it knows none but so many `files`.
    pub fn is_sound(&self, files: usize) -> bool {
        let known = |&file: &u32| (file as usize) < files;
        self.restored.keys().chain(&self.accessed).all(known)
    }
}

impl From<BTreeMap<u32, u32>> for Recent {
    fn from(restored: BTreeMap<u32, u32>) -> Self {
        Self {
            restored,
            ..Self::default()
        }
    }
}

impl From<Recent> for BTreeMap<u32, u32> {
    fn from(mut recent: Recent) -> Self {
        recent.take().into_iter().collect()
    }
}
