//! Tests of the eviction policies, the page cache and the curves, through the public surface.

mod bound;
mod curve;
mod importance;
mod page_cache;
mod policies;
mod reference;
mod scan;
mod shards;
mod stop;
mod whole;
