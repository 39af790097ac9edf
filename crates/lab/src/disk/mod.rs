//! Disks: a block device under a store, of one of three kinds.
//!
//! | kind | what it is for |
//! | --- | --- |
//! | [`Plain`] | the machine's own disk, past its page cache |
//! | [`Throttled`] | a ceiling on bandwidth: sequential reads have the right time, random ones do not |
//! | [`Seeking`] | head, seek and rotation: both have |

mod device;
pub(crate) mod dirty_limit;
mod loop_device;
mod plain;
pub mod seeking;
mod throttled;

pub use device::{Disk, DiskCounters};
pub use loop_device::READ_AHEAD_KIB;
pub use plain::Plain;
pub use seeking::Seeking;
pub use throttled::Throttled;
