//! A disk drive with a head, seeks and rotation, its cache of writes, and the order in which it serves waiting requests; a disk with limits.

mod drive;
mod elevator;
mod sorted_requests;
mod throttled;
mod write_cache;

pub use drive::{Drive, DriveModel, Service};
pub use elevator::Elevator;
pub(crate) use sorted_requests::{Key, SortedRequests};
pub use throttled::throttled_device;
pub use write_cache::{CachedWrite, WriteCache};
