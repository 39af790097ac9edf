//! The cache that is simulated.

use hotset_cache::PolicyKind;
use hotset_scenario::MemorySize;
use hotset_trace::folder;

use super::options::Options;
use super::unit::Unit;

/// The cache that is simulated.
#[derive(Clone, Copy, Debug)]
pub struct Cache {
    /// Its policy.
    pub policy: PolicyKind,
    /// Its size.
    pub memory_bytes: u64,
    /// What it is filled in.
    pub unit: Unit,
}

impl Cache {
    /// The one that `asked` describes for these accesses.
    pub fn of(asked: &Options, accesses: &folder::Accesses) -> Self {
        let policy = asked.policy();
        Self {
            policy,
            memory_bytes: match asked.memory {
                MemorySize::Bytes(bytes) => bytes,
                share => share.bytes(accessed_bytes(accesses)),
            },
            unit: asked.unit.unwrap_or_else(|| Unit::of(policy)),
        }
    }
}

/// Bytes of all objects that are accessed.
pub fn accessed_bytes(accesses: &folder::Accesses) -> u64 {
    let mut seen = vec![false; accesses.sizes.len()];
    accesses
        .objects
        .iter()
        .for_each(|&object| seen[object as usize] = true);
    accesses
        .sizes
        .iter()
        .zip(seen)
        .filter(|(_, seen)| *seen)
        .map(|(size, _)| size)
        .sum()
}
