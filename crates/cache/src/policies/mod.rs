//! One policy a file. CONTRIBUTING.md says how to add one.

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
