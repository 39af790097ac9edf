//! Where file systems put the blocks of files, and which blocks of their own they must read to know it.
//!
//! | deed | place |
//! | --- | --- |
//! | what is asked of a file system | `layout.rs` |
//! | blocks mapped one by one; extents | `indirect.rs`; `extents.rs` |
//! | files whose places are known | `known.rs` |
//! | file systems by name | `kind.rs` |
//! | what changes blocks of their own, and journals of it | `journal` |

mod extents;
mod indirect;
pub mod journal;
mod kind;
mod known;
mod layout;

pub(crate) use extents::Extents;
pub(crate) use indirect::Indirect;
pub use kind::FileSystemKind;
pub(crate) use known::KnownExtents;
pub use known::{Extent, FilePlaces};
pub(crate) use layout::Layout;
