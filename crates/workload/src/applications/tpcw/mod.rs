//! TPC-W: a bookshop with 14 pages (TPC Benchmark W, revision 1.8).
//!
//! | deed | place |
//! | --- | --- |
//! | how many rows each table has | `shop.rs` |
//! | its tables; their rows | `schema.rs`; `population.rs` |
//! | its pages | `files.rs`, `pages/` |
//! | which page follows which, and what is filled in | `mixes.rs` |

mod application;
mod files;
mod mixes;
mod population;
mod schema;
mod shop;

pub use shop::{CUSTOMERS_PER_BROWSER, Tpcw};
