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
//! | what a device takes for a request | `device/NAME.rs`; one that was measured: `device/slots.rs` |
//! | disks that act as one | `raid.rs`; in the lab: `lab/src/disk/seeking/array.rs` |
//! | the disks of a profile | `of_profile.rs` |

mod device;
mod disk_queue;
mod event;
mod layer;
mod of_profile;
pub mod raid;
mod scheduler;

pub(crate) use device::Device;
pub use event::DeviceEvent;
pub(crate) use layer::{BlockLayer, Disks, RemoteTransfer};
pub(crate) use scheduler::orders_writes;

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
    /// Whether it is one of a stream: the reader reads on where it ended.
    pub streams: bool,
}

impl Request {
    /// The byte behind it.
    pub fn end(&self) -> u64 {
        self.offset + self.bytes
    }

    /// Segments of memory.
    pub fn segments(&self) -> u64 {
        match self.segment_bytes {
            0 => 1,
            bytes => self.bytes.div_ceil(bytes),
        }
    }
}
