//! What is asked of a simulated cache.

use hotset_cache::PolicyKind;
use hotset_scenario::{MemorySize, Profile};
use hotset_trace::Zone;

use super::unit::Unit;
use crate::error::misuse;
use crate::{Field, JobError, Logs};

/// The store that misses are read from where none is named.
const USUAL_BACKING: &str = "hdd";

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Options {
    /// The logs.
    pub logs: Logs,
    /// On whose clocks times are shown.
    pub time_zone: Zone,
    /// Eviction policy; where none is given, that of the page cache, or the one that samples are of.
    pub policy: Option<PolicyKind>,
    /// Size of the cache.
    pub memory: MemorySize,
    /// What it is filled in; that of its policy where none is given.
    pub unit: Option<Unit>,
    /// Store that misses are read from: a built-in profile or a file.
    pub backing: Option<String>,
    /// Share of the files to estimate from, 0 to 1.
    pub sampled: Option<f64>,
    /// Seed of the samples.
    pub seed: u64,
    /// Whether outcomes for comparisons are counted, which takes some of the time.
    pub is_compared: bool,
}

impl Options {
    /// The eviction policy.
    pub fn policy(&self) -> PolicyKind {
        self.policy.unwrap_or(match self.sampled {
            Some(_) => PolicyKind::Lru,
            None => PolicyKind::TwoList,
        })
    }

    /// Checks what can be checked before traffic is read; the profile of the store.
    ///
    /// # Errors
    /// Samples of another policy than LRU and the page cache, a store where no response is estimated, or one that is not
    /// known.
    pub fn check(&self) -> Result<Profile, JobError> {
        let policy = self.policy();
        let is_estimated = matches!(policy, PolicyKind::Lru | PolicyKind::TwoList);
        if self.sampled.is_some() && !is_estimated {
            misuse!(
                "{} estimates lru or two-list, not {policy}; choose one of them, or scan the \
                 whole trace without {}",
                Field::Sampled,
                Field::Sampled
            );
        }
        let has_no_response = self.sampled.is_some() && policy == PolicyKind::Lru;
        if has_no_response && self.backing.is_some() {
            misuse!(
                "{} cannot be used with {} for lru, of which only the hit ratio is estimated; \
                 leave it out, or choose {} two-list",
                Field::Backing,
                Field::Sampled,
                Field::Policy
            );
        }
        let backing = self.backing.as_deref().unwrap_or(USUAL_BACKING);
        Ok(Profile::named_or_file(backing)?)
    }
}
