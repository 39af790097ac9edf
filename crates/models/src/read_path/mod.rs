//! The way of a read through Linux: page cache, read-ahead, device, and copying to the reader.
//!
//! What travels is an extent: the longest run of pages that no reader ever divides.

mod adaptive;
mod choice;
mod copy_cost;
mod costs;
mod mapping;
mod multi_generational;
mod page_cache;
mod path;
mod policies;
mod read_ahead;
mod sent_files;
mod stdio;
mod two_lists;
mod two_windows;

pub use adaptive::Adaptive;
pub use copy_cost::{CopyCost, CopyLevel};
pub(crate) use costs::Costs;
pub use multi_generational::MultiGenerational;
pub(crate) use page_cache::{PageCache, StoredFile};
pub(crate) use path::{Asker, Reached, ReadPath, Wanted};
pub use policies::{Found, PageCachePolicy, ReadAheadPolicy};
pub use read_ahead::{Advice, LARGEST_REQUEST_BYTES, ReadAhead, Window};
pub(crate) use sent_files::SEND_BYTES;
pub use sent_files::SentFiles;
pub use stdio::{STDIO_BYTES, Stdio, StdioStep};
pub use two_lists::TwoLists;
pub use two_windows::TwoWindows;
