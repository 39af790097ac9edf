//! Models of what stores are made of, on a clock of the caller's: nothing here waits, reads or writes.

pub mod block;
pub mod disk;
mod events;
pub mod file_system;
pub mod fio;
pub mod nets;
pub mod read_path;
mod station;
