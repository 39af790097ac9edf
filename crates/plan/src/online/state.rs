//! What was learnt, by the names of files, to go on after a restart.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::rc::Rc;

use hotset_scenario::FilePath;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::learner::{Knowledge, Online};
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
    files: Names<'a>,
    learnt: Cow<'a, Knowledge>,
}

/// Names of files, in the order in which they became known.
#[derive(Clone)]
enum Names<'a> {
    Listed(Vec<FileName>),
    /// Made one by one: all together, they take as much memory as what was learnt of the files.
    Made(&'a Numbers, Rc<dyn Fn(u32) -> FileName + 'a>),
}

impl Names<'_> {
    fn listed(self) -> Vec<FileName> {
        match self {
            Self::Listed(names) => names,
            Self::Made(numbers, name) => numbers.ids().map(|id| name(id)).collect(),
        }
    }
}

impl fmt::Debug for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.clone().listed()).finish()
    }
}

impl Serialize for Names<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Listed(names) => names.serialize(serializer),
            Self::Made(numbers, name) => serializer.collect_seq(numbers.ids().map(|id| name(id))),
        }
    }
}

impl<'de> Deserialize<'de> for Names<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Self::Listed)
    }
}

impl Online {
    /// What was learnt, where `name` says which file an id stands for.
    pub fn save<'a>(&'a self, name: impl Fn(u32) -> FileName + 'a) -> OnlineState<'a> {
        OnlineState {
            version: VERSION,
            files: Names::Made(&self.numbers, Rc::new(name)),
            learnt: Cow::Borrowed(&self.learnt),
        }
    }
}

impl OnlineState<'_> {
    /// Names of the sites that files are of.
    #[must_use]
    pub fn sites(&self) -> BTreeSet<String> {
        match &self.files {
            Names::Listed(names) => names.iter().map(|file| file.site.clone()).collect(),
            Names::Made(numbers, name) => numbers.ids().map(|id| name(id).site).collect(),
        }
    }

    /// The same, whatever becomes of the [`Online`].
    #[must_use]
    pub fn into_owned(self) -> OnlineState<'static> {
        OnlineState {
            version: self.version,
            files: Names::Listed(self.files.listed()),
            learnt: Cow::Owned(self.learnt.into_owned()),
        }
    }

    /// Goes on from this state, where `id` says which id each file has now. All need one, those that no longer exist too;
    /// what saves nothing is never held.
    ///
    /// # Errors
    /// A state of another version, one that contradicts itself, two files with the same id.
    pub fn restore(self, id: impl FnMut(&FileName) -> u32) -> Result<Online, PlanError> {
        if self.version != VERSION {
            return Err(PlanError::State("it is of another version"));
        }
        let ids: Vec<u32> = self.files.listed().iter().map(id).collect();
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
