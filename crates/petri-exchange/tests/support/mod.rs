//! What several tests use.

pub mod grammar;
