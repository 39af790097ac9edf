//! What takes place at disks.

/// What takes place at a disk, to be handed back to the block layer at its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceEvent {
    /// A disk has served a request.
    Served {
        /// The disk.
        disk: u32,
        /// The request.
        request: u32,
    },
    /// A scheduler that let its disk idle chooses anew.
    Chooses {
        /// The disk.
        disk: u32,
    },
}
