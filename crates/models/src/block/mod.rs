//! The block layer: requests wait in a scheduler for their disk, and several disks may act as one.
//!
//! A transfer is what a file system asks for at once (`struct bio`): bytes that lie side by side. It is divided into requests
//! no larger than the disk takes, and done when all of them are.
//!
//! | deed | place |
//! | --- | --- |
//! | transfers become requests, and are put together again | `layer.rs` |
//! | a request waits for its disk | `disk_queue.rs` |
//! | in which order requests are handed over | `scheduler/NAME.rs` |
//! | how many writes of dirty pages a device has | `write_back_throttle.rs` |
//! | what a device takes for a request | `device/NAME.rs`; one that was measured: `device/slots.rs`; a drive's cache of writes: `disk/write_cache.rs` |
//! | disks that act as one | `raid.rs`; in the lab: `lab/src/disk/seeking/array.rs` |
//! | the disks of a profile | `of_profile.rs` |

mod device;
mod disk_queue;
mod event;
mod layer;
mod of_profile;
pub mod raid;
mod scheduler;
mod write_back_throttle;

pub(crate) use device::Device;
pub use event::DeviceEvent;
pub(crate) use layer::{BlockLayer, Disks, RemoteTransfer, Unflushed};

/// Time between two ticks, in which the time of a file's last change stays as it is (`inode_set_ctime_current`, `fs/inode.c`). An
/// assumption: 250 ticks a second, as most distributions configure them.
pub(crate) const TICK_NS: u64 = 4_000_000;

/// What a disk is asked to read or write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Request {
    /// Its number among those under way.
    pub number: u32,
    /// First byte on the disk.
    pub offset: u64,
    pub bytes: u64,
    /// When it was asked for.
    pub asked_ns: u64,
    /// The process that asks.
    pub reader: u32,
    /// Bytes of each segment of memory that it fills or is filled from; 0 where they are one.
    pub segment_bytes: u64,
    /// Whether it writes.
    pub writes: bool,
    /// Whether a program waits for what it writes (`REQ_SYNC`).
    pub syncs: bool,
    /// Whether it writes past the device's own cache (`REQ_FUA`).
    pub past_cache: bool,
    /// Whether it moves nothing, and has the device put on its medium what its cache has (`REQ_PREFLUSH`).
    pub flushes: bool,
    /// Whether it is one of a stream: the reader reads on where it ended.
    pub streams: bool,
}

impl Request {
    /// The byte behind it.
    pub fn end(&self) -> u64 {
        self.offset + self.bytes
    }

    /// Whether a program waits for it: for each read, and for writes that are synced.
    pub fn is_waited_for(&self) -> bool {
        !self.writes || self.syncs
    }

    /// Segments of memory.
    pub fn segments(&self) -> u64 {
        match self.segment_bytes {
            0 => 1,
            bytes => self.bytes.div_ceil(bytes),
        }
    }
}
