//! Where file systems put the blocks of files, and which blocks of their own they must read to know it.

mod extents;
mod indirect;
mod kind;
mod known;
mod layout;

pub(crate) use extents::Extents;
pub(crate) use indirect::Indirect;
pub use kind::FileSystemKind;
pub(crate) use known::Known;
pub use known::{Extent, FilePlaces};
pub(crate) use layout::Layout;
