//! What is known when it is decided.

use crate::{Identity, Refusal, Room};

/// What was seen of a wanted file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// It was not looked at: what is held of it may stay.
    Unseen,
    /// What is held of it is what is served.
    Unchanged,
    /// The file that its path leads to now, which may be held.
    File(Identity),
    /// Nothing may be held of it.
    Refused(Refusal),
}

/// How much may be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Affordable {
    /// By all files together. Bytes in whole pages.
    pub memory_bytes: u64,
    /// By files that are not held yet, as far as nothing is given up for them. Bytes.
    pub free_bytes: u64,
}

impl Affordable {
    /// Beside `held_bytes`, with so much room on the machine and in the server's group.
    #[must_use]
    pub fn in_room(memory_bytes: u64, held_bytes: u64, room: Room) -> Self {
        Self {
            memory_bytes: memory_bytes.min(held_bytes.saturating_add(room.free_bytes)),
            free_bytes: room.free_bytes,
        }
    }

    /// Of `held_bytes`, where others have taken half of the headroom: what they lack is given up. None where there is enough.
    #[must_use]
    pub fn in_need(held_bytes: u64, room: Room) -> Option<Self> {
        let is_short = room.short_bytes > room.headroom_bytes / 2;
        is_short.then(|| Self {
            memory_bytes: held_bytes.saturating_sub(room.short_bytes),
            free_bytes: 0,
        })
    }
}
