//! The way of a read through Linux: page cache, read-ahead, device, and copying to the reader.
//!
//! What travels is an extent: the longest run of pages that no reader ever divides.

mod costs;
mod multi_generational;
mod page_cache;
mod path;
mod read_ahead;

pub(crate) use costs::Costs;
pub use multi_generational::MultiGenerational;
pub(crate) use page_cache::PageCache;
pub(crate) use path::{Asker, Reached, ReadPath, Wanted};
pub(crate) use read_ahead::LARGEST_REQUEST_BYTES;
pub use read_ahead::{Advice, ReadAhead, Window};
