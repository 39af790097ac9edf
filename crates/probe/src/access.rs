//! What opening, reading and closing a file take.

use crate::{FileSet, spread};
use hotset_machine::{MachineError, OnFile};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant};

/// Times of every access in order, nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessTimes {
    /// Opening and closing.
    pub open_close_ns: Vec<u64>,
    /// Reading all of it, already open.
    pub read_ns: Vec<u64>,
}

/// Reads each file of a set `rounds` times: the times of each size, in the order of the set. Sizes come in turn: small
/// files of one size lie together, and a drive that was just there would have them in its buffer.
///
/// # Errors
/// When a file cannot be read.
pub fn read(set: &FileSet, rounds: usize) -> Result<Vec<AccessTimes>, MachineError> {
    // Zeros would be memory that the kernel has yet to give, and giving it would count as reading.
    let buffers = set.sizes.iter().map(|&bytes| vec![1; bytes as usize]);
    let mut buffers: Vec<Vec<u8>> = buffers.collect();
    let mut times = vec![AccessTimes::default(); set.sizes.len()];
    for number in (0..rounds).flat_map(|_| spread(set.files)) {
        for ((&bytes, buffer), times) in set.sizes.iter().zip(&mut buffers).zip(&mut times) {
            read_one(&set.file(bytes, number), buffer, times)?;
        }
    }
    Ok(times)
}

fn read_one(path: &Path, buffer: &mut [u8], times: &mut AccessTimes) -> Result<(), MachineError> {
    let start = Instant::now();
    let mut file = File::open(path).on("open", path)?;
    let opened = start.elapsed();
    file.read_exact(buffer).on("read", path)?;
    let read = start.elapsed();
    drop(file);
    let closed = start.elapsed();
    let ns = |time: Duration| time.as_nanos() as u64;
    times.open_close_ns.push(ns(opened + closed - read));
    times.read_ns.push(ns(read - opened));
    Ok(())
}
