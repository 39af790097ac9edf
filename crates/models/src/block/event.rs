//! What takes place at disks.

/// What takes place at a disk, to be handed back to the block layer at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceEvent {
    /// A disk has served a request.
    Served {
        /// The request, which knows its disk: a calendar is the faster the smaller its events are.
        request: u32,
    },
    /// A disk has put something of its cache on its medium, and goes on by itself.
    GoesOn {
        /// The disk.
        disk: u32,
    },
    /// A scheduler that let its disk idle chooses anew.
    Chooses {
        /// The disk.
        disk: u32,
    },
    /// The disks of a store have put what was in their caches on their media.
    Flushed {
        /// The transfer that waits for it.
        transfer: u32,
    },
    /// A journal looks whether its transaction has to be committed, and its file system who can go on.
    Commits {
        /// The store.
        store: u32,
    },
}

impl DeviceEvent {
    /// Whether nobody waits for it: it is of a clock, or of what a disk does by itself.
    #[must_use]
    pub fn is_timer(self) -> bool {
        matches!(self, Self::Commits { .. } | Self::GoesOn { .. })
    }
}
