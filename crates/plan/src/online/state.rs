//! What was learnt, by the names of files, to go on after a restart.

use std::borrow::Cow;
use std::collections::HashSet;

use hotset_scenario::FilePath;
use serde::{Deserialize, Serialize};

use super::learner::{Learnt, Online};
use super::numbers::Numbers;
use crate::PlanError;

/// Version of how a state is written.
const VERSION: u32 = 1;

/// A file by its name.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct FileName {
    /// Name of its site.
    pub site: String,
    /// Path within its site.
    pub path: FilePath,
}

/// What an [`Online`] has learnt, to be stored as JSON or in any other format.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OnlineState<'a> {
    version: u32,
    /// Files in the order in which they became known.
    files: Vec<FileName>,
    learnt: Cow<'a, Learnt>,
}

impl Online {
    /// What was learnt, where `name` says which file an id stands for.
    pub fn save(&self, name: impl Fn(u32) -> FileName) -> OnlineState<'_> {
        let ids = self.numbers.ids().iter();
        OnlineState {
            version: VERSION,
            files: ids.map(|&id| name(id)).collect(),
            learnt: Cow::Borrowed(&self.learnt),
        }
    }
}

impl OnlineState<'_> {
    /// Goes on from this state, where `id` says which id each file has now. All need one, those that no longer exist too;
    /// what saves nothing is never held.
    ///
    /// # Errors
    /// A state of another version, one that contradicts itself, two files with the same id.
    pub fn restore(self, id: impl FnMut(&FileName) -> u32) -> Result<Online, PlanError> {
        if self.version != VERSION {
            return Err(PlanError::State("it is of another version"));
        }
        let ids: Vec<u32> = self.files.iter().map(id).collect();
        if ids.iter().collect::<HashSet<_>>().len() < ids.len() {
            return Err(PlanError::State("two of its files have the same id"));
        }
        if !self.learnt.is_sound(ids.len()) {
            return Err(PlanError::State("it contradicts itself"));
        }
        let mut numbers = Numbers::default();
        ids.into_iter().for_each(|id| {
            numbers.number(id);
        });
        Ok(Online {
            numbers,
            learnt: self.learnt.into_owned(),
        })
    }
}
