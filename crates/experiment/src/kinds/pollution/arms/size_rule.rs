//! The rule that holds small files.

use super::choice::{Choice, Situation};
use super::hottest::foreground_by_requests;
use super::pages::within;
use crate::ExperimentError;

/// Files below this are small; the documents' classes count in powers of two.
const SMALL_BYTES: u64 = 1 << 20;
/// As much of the memory as files may fill, so that the others can be read at all.
const MOST_OF_MEMORY: f64 = 0.9;

/// Holds the foreground's files below 2^20 bytes, requested or not.
pub(super) fn small_of_foreground(situation: &Situation) -> Result<Choice, ExperimentError> {
    let workload = situation.workload;
    let small = |object: u32, _: u32| workload.size(object) < SMALL_BYTES;
    let ranking = foreground_by_requests(workload, small);
    let most = (situation.room.shared_bytes as f64 * MOST_OF_MEMORY) as u64;
    Ok(Choice::of_files(within(workload, ranking, most)))
}
