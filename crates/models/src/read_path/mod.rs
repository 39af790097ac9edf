//! The way of a read through Linux: page cache, read-ahead, device, and copying to the reader.
//!
//! What travels is an extent: the longest run of pages that no reader ever divides.

mod costs;
mod device;
mod page_cache;
mod read_ahead;
mod station;

pub(crate) use costs::Costs;
pub(crate) use device::Device;
pub(crate) use page_cache::PageCache;
pub use read_ahead::{Advice, ReadAhead, Window};
pub(crate) use station::Station;
