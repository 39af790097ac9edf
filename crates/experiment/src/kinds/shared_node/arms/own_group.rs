//! A memory group for the foreground's server, with as much memory as the ramfs arm holds files in.

use super::arm::{Arm, Choice, Heeds, Means, Situation, Traffic};
use super::hottest::hottest_of_foreground;
use super::pages::page_bytes_of;
use crate::ExperimentError;

/// Divides the memory between the sites.
pub(crate) static OWN_GROUP: Arm = Arm {
    name: "own-group",
    means: Means::OwnGroup,
    traffic: Traffic::BothSites,
    is_planned: false,
    heeds: Heeds::Nothing,
    choose: group_of_hottest,
};

/// A group as large as the hottest files, which are not held in it.
fn group_of_hottest(situation: &Situation) -> Result<Choice, ExperimentError> {
    let hottest = hottest_of_foreground(situation)?;
    let own_bytes = page_bytes_of(situation.workload, &hottest);
    let rest_bytes = situation.room.grouped_bytes.saturating_sub(own_bytes);
    Ok(Choice {
        held: hottest,
        group_bytes: vec![own_bytes, rest_bytes],
    })
}
