//! The most requested files of the foreground.

use std::cmp::Reverse;

use super::choice::{Choice, Situation};
use super::pages::{page_bytes_of, within};
use super::plan::{self, Goal};
use crate::ExperimentError;
use crate::kinds::pollution::workload::CellWorkload;

/// Holds [`hottest_of_foreground`].
pub(super) fn hottest_files(situation: &Situation) -> Result<Choice, ExperimentError> {
    hottest_of_foreground(situation).map(Choice::of_files)
}

/// A group as large as the hottest files, which are not held in it.
pub(super) fn group_of_hottest(situation: &Situation) -> Result<Choice, ExperimentError> {
    let hottest = hottest_of_foreground(situation)?;
    let own_bytes = page_bytes_of(situation.workload, &hottest);
    let rest_bytes = situation.room.grouped_bytes.saturating_sub(own_bytes);
    Ok(Choice {
        held: hottest,
        group_bytes: vec![own_bytes, rest_bytes],
    })
}

/// The hottest files of the foreground, in as much memory as the plan without priorities gives to held files, so that arms
/// differ in what they hold and not in how much. Where that plan holds nothing, in half of the memory.
fn hottest_of_foreground(situation: &Situation) -> Result<Vec<u32>, ExperimentError> {
    let workload = situation.workload;
    let planned = plan::choose(situation, Goal::Mean, false)?;
    let budget = match page_bytes_of(workload, &planned.held) {
        0 => situation.room.shared_bytes / 2,
        bytes => bytes,
    };
    let ranking = foreground_by_requests(workload, |_, requests| requests > 0);
    Ok(within(workload, ranking, budget))
}

/// Those files of the foreground that `wanted` takes by object and requests of the training part, the most requested
/// first.
pub(super) fn foreground_by_requests(
    workload: &CellWorkload,
    wanted: impl Fn(u32, u32) -> bool,
) -> Vec<u32> {
    let counts = workload.counts();
    let requests = |object: u32| counts[object as usize];
    let mut objects: Vec<u32> = (0..counts.len() as u32)
        .filter(|&object| workload.site(object) == 0 && wanted(object, requests(object)))
        .collect();
    objects.sort_by_key(|&object| Reverse(requests(object)));
    objects
}
