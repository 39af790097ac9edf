//! Models of what stores are made of, on a clock of the caller's: nothing here waits, reads or writes.

pub mod block;
pub mod calendar;
mod costs;
pub mod disk;
pub mod file_system;
pub mod fio;
pub mod nets;
pub mod page_cache;
pub mod read_ahead;
mod station;
pub mod storage;
