//! RUBiS: an auction site with 27 pages.
//!
//! | deed | place |
//! | --- | --- |
//! | how many rows each table has | `site.rs` |
//! | which page follows which, and what is filled in | `mixes.rs` |
//! | its tables; their rows | `schema.rs`; `population.rs` |
//! | its pages | `files.rs`, `pages/` |

mod application;
mod files;
mod mixes;
mod population;
mod schema;
mod site;

pub use site::Rubis;
