//! Tests of what is set alike for all results.

mod numbers;
mod plots;
mod tables;
