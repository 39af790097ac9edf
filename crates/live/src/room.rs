//! How much memory may be held: a group that is too full kills its processes instead of refusing.

use crate::LiveError;
use hotset_machine::MemoryLimit;
use hotset_machine::cgroup::MemoryGroup;

/// Of a group's limit, or of the machine's memory, what is kept free of everything that cannot be evicted: one in twenty, as
/// plans do, and for the same reasons (`PageCacheModel::floor_bytes` of the planner): the kernel's records of evicted pages
/// take up to 1.8 %, pages on their way to the network 0.8 % with 16 clients.
const HEADROOM_SHARE: u64 = 20;

/// What the kernel needs for one more file that is locked, beside its pages: a `vm_area_struct` of 176 to 256 bytes
/// (/proc/slabinfo), charged to the group as well.
pub(crate) const MAP_BYTES: u64 = 256;

/// Memory that may still be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// Bytes until the headroom is reached.
    pub free_bytes: u64,
    /// Bytes of the headroom that are taken already, by others.
    pub short_bytes: u64,
    /// Bytes of the headroom.
    pub headroom_bytes: u64,
}

impl Room {
    /// Memory that a group can ever have: the machine's, or the least limit of the group and those above it. Bytes.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn most(group: Option<&MemoryGroup>) -> Result<u64, LiveError> {
        let limits = MemoryLimit::all(group)?.into_iter();
        Ok(limits.map(|limit| limit.limit_bytes).min().unwrap_or(0))
    }

    /// Room in a group, in all above it and on the machine: the least of them.
    ///
    /// # Errors
    /// When the kernel does not tell.
    pub fn of(group: Option<&MemoryGroup>) -> Result<Self, LiveError> {
        let room = |limit: MemoryLimit| {
            let is_braked = limit.group.is_some_and(|group| group.is_unified());
            let usable = match is_braked {
                true => Self::braked(limit.limit_bytes),
                false => limit.limit_bytes,
            };
            Self::new(usable, limit.taken_bytes)
        };
        let rooms = MemoryLimit::all(group)?.into_iter().map(room);
        Ok(rooms.reduce(Self::min).unwrap_or(Self::new(0, 0)))
    }

    /// What of a limit is kept free. Bytes.
    pub(crate) fn headroom_of(limit: u64) -> u64 {
        limit / HEADROOM_SHARE
    }

    /// Beyond so much of a limit, a group of version 2 is slowed down (see `brake.rs`). So what is kept free is kept free below
    /// that.
    fn braked(limit: u64) -> u64 {
        limit - Self::headroom_of(limit) / 2
    }

    fn new(limit: u64, taken: u64) -> Self {
        let headroom_bytes = Self::headroom_of(limit);
        let usable = limit - headroom_bytes;
        Self {
            free_bytes: usable.saturating_sub(taken),
            short_bytes: taken.saturating_sub(usable),
            headroom_bytes,
        }
    }

    fn min(self, other: Self) -> Self {
        let key = |room: &Self| (std::cmp::Reverse(room.short_bytes), room.free_bytes);
        match key(&other) < key(&self) {
            true => other,
            false => self,
        }
    }
}
