//! Files that are asked for and may not be held: each reason is told once.

use crate::Refusal;
use std::collections::{BTreeMap, BTreeSet};

/// Reasons that are remembered. There are some ten kinds, and a few have a user's number in them.
const MOST_REASONS: usize = 64;

/// Why files are passed over.
#[derive(Debug, Default)]
pub struct Refusals {
    announced: BTreeSet<String>,
    /// Files of this interval, by the reason that is to be announced.
    files: BTreeMap<String, u64>,
}

impl Refusals {
    /// A file is passed over. Names that lead to no file are many, and nothing can be done about them.
    pub fn note(&mut self, refusal: &Refusal) {
        if matches!(refusal, Refusal::Missing | Refusal::Path) {
            return;
        }
        let why = refusal.to_string();
        let has_room = self.announced.len() + self.files.len() < MOST_REASONS;
        if !self.announced.contains(&why) && (has_room || self.files.contains_key(&why)) {
            *self.files.entry(why).or_default() += 1;
        }
    }

    /// The reasons that were not told yet, and the files of each.
    pub fn take(&mut self) -> BTreeMap<String, u64> {
        self.announced.extend(self.files.keys().cloned());
        std::mem::take(&mut self.files)
    }
}
