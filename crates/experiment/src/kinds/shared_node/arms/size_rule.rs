//! "All small files (less than 1MB)" of a site in ramfs: "Characterization of multi-tier data-centers", section 4.4.

use super::arm::{Arm, Choice, Heeds, Means, Situation, Traffic};
use super::hottest::foreground_by_requests;
use super::pages::within;
use crate::ExperimentError;

/// Holds the foreground's files below 2^20 bytes, requested or not.
pub(crate) static SIZE_RULE: Arm = Arm {
    name: "size-rule",
    means: Means::Ramfs,
    traffic: Traffic::BothSites,
    is_planned: false,
    heeds: Heeds::Nothing,
    choose: small_of_foreground,
};

/// Files below this are small; the documents' classes count in powers of two.
const SMALL_BYTES: u64 = 1 << 20;
/// As much of the memory as files may fill, so that the others can be read at all.
const MOST_OF_MEMORY: f64 = 0.9;

fn small_of_foreground(situation: &Situation) -> Result<Choice, ExperimentError> {
    let workload = situation.workload;
    let small = |object: u32, _: u32| workload.size(object) < SMALL_BYTES;
    let ranking = foreground_by_requests(workload, small);
    let most = (situation.room.shared_bytes as f64 * MOST_OF_MEMORY) as u64;
    Ok(Choice::of_files(within(workload, ranking, most)))
}
