//! Eviction policies on dense ids, exact and sampled miss-ratio curves.
//!
//! A trace is a slice of object ids below the number of objects, and one size per object in a unit
//! of the caller's choice (bytes or pages). Running it through a policy is a *scan*:
//!
//! ```
//! use hotset_cache::{PolicyKind, simulate};
//!
//! let sizes = [4, 4, 8];
//! let counts = simulate(PolicyKind::Lru, 8, &[0, 1, 0, 2, 0], &sizes, None, |_, _| {})?;
//! assert_eq!((counts.hits, counts.requests), (1, 5));
//! # Ok::<(), hotset_cache::CacheError>(())
//! ```
//!
//! What every policy here agrees on, as libCacheSim does: an object's size is fixed when it enters
//! the cache, and an object larger than the cache is a miss that is never inserted and evicts
//! nothing.
//!
//! | deed | place |
//! | --- | --- |
//! | an eviction policy; its name | `policies/NAME.rs`; `kind.rs` |
//! | what Linux does with pages | `page_cache` |
//! | a trace is run through a policy | `scan.rs` |
//! | misses at every size | `curve.rs`, `reuse.rs` |
//! | misses estimated from samples by hash; by importance | `shards.rs`; `importance` |
//! | scans, curves, plans and merging are asked to end | `stop.rs` |

mod counts;
mod curve;
mod entry_sizes;
mod error;
pub mod importance;
mod kind;
mod page_cache;
mod policies;
mod policy;
mod queues;
mod reuse;
mod scan;
pub mod shards;
mod sized_queues;
mod stop;

pub use counts::Counts;
pub use curve::{CurvePoint, MissRatioCurve, log_points, miss_ratio_curve};
pub use error::CacheError;
pub use kind::{PolicyKind, simulate};
pub use page_cache::{BLOCK_PAGES, LinuxPageCache, METADATA_PLACES, PAGE_BYTES, StoreRead};
pub use policies::{Arc, Belady, Gdsf, Lru, S3Fifo, Sieve, TwoList};
pub use policy::{MAX_CAPACITY, MAX_OBJECTS, Policy};
pub use reuse::ReuseDistances;
pub use scan::scan;
pub use stop::Stop;
