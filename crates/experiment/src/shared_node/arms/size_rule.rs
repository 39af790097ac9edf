//! "All small files (less than 1MB)" of a site in ramfs: "Characterization of multi-tier data-centers", section 4.4.

use super::{Arm, Means, Situation, Traffic, within};
use crate::ExperimentError;

/// Holds the foreground's files below 2^20 bytes, requested or not.
pub(in crate::shared_node) static SIZE_RULE: Arm = Arm {
    name: "size-rule",
    means: Means::Ramfs,
    traffic: Traffic::BothSites,
    held: small_of_foreground,
};

/// Files below this are small; the documents' classes count in powers of two.
const SMALL_BYTES: u64 = 1 << 20;
/// As much of the memory as files may fill, so that the others can be read at all.
const MOST_OF_MEMORY: f64 = 0.9;

fn small_of_foreground(situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
    let workload = situation.workload;
    let counts = workload.counts();
    let small = |&object: &u32| workload.site(object) == 0 && workload.size(object) < SMALL_BYTES;
    let mut objects: Vec<u32> = (0..counts.len() as u32).filter(small).collect();
    objects.sort_by_key(|&object| std::cmp::Reverse(counts[object as usize]));
    let most = (situation.memory_bytes as f64 * MOST_OF_MEMORY) as u64;
    Ok(within(workload, objects.into_iter(), most))
}
