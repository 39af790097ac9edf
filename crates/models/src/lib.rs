//! Models of what stores are made of, on a clock of the caller's: nothing here waits, reads or writes.

pub mod disk;
pub mod fio;
pub mod read_path;
