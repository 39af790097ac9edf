//! Petri nets of the library, and place/transition nets from files.

pub mod check;
mod named;
pub mod run;
pub mod show;
pub mod trace;

pub use named::{Name, Options, entries};
