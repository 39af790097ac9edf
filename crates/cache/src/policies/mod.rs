//! One policy a file.
//!
//! To add one: a file here that cites its paper and implements [`crate::Policy`], a variant of
//! [`crate::PolicyKind`], and a plain version of it in `tests/reference/`, which
//! `tests/policies.rs` holds it to.

mod arc;
mod belady;
mod gdsf;
mod lru;
mod s3fifo;
mod sieve;
mod two_list;

pub use arc::Arc;
pub use belady::Belady;
pub use gdsf::Gdsf;
pub use lru::Lru;
pub use s3fifo::S3Fifo;
pub use sieve::Sieve;
pub use two_list::TwoList;
