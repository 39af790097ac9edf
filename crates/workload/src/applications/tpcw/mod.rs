//! TPC-W: a bookshop with 14 pages (TPC Benchmark W, revision 1.8).
//!
//! | deed | place |
//! | --- | --- |
//! | how many rows each table has | `shop.rs` |
//! | which page follows which, and what is filled in | `mixes.rs` |

mod application;
mod mixes;
mod shop;

pub use shop::{CUSTOMERS_PER_BROWSER, Tpcw};
