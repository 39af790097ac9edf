//! What a plan says of each node and each site.

use hotset_scenario::Reason;

use super::plan::{HeldObject, NodePlan, SitePlan};
use super::targets;
use super::traffic_shift::ClosedLoop;
use super::writer_effect::WriterEffect;
use crate::PlanError;
use crate::backtest::candidates::choice::Choice;
use crate::backtest::candidates::memory_use::GroupSize;
use crate::backtest::options::PlanOptions;
use crate::backtest::scoring::arms::HeldOutScores;

/// Each node with what is held there, by its scores `held_out`, and what programs that write do there.
pub(crate) fn node_plans(
    choices: &[Choice],
    options: &[PlanOptions],
    held_out: Vec<HeldOutScores>,
    writers: Vec<Vec<WriterEffect>>,
) -> Vec<NodePlan> {
    let plan = |(((choice, options), held_out), writers): (
        ((&Choice, &PlanOptions), HeldOutScores),
        Vec<WriterEffect>,
    )| NodePlan {
        memory_bytes: options.memory_bytes,
        held: choice.held(),
        page_cache_bytes: choice.page_cache_bytes(),
        share: choice.share(),
        training_accesses: choice.test.training as u64,
        held_out,
        groups: group_sizes(choice),
        writers,
        objects: held_objects(choice),
    };
    choices
        .iter()
        .zip(options)
        .zip(held_out)
        .zip(writers)
        .map(plan)
        .collect()
}

/// Each site, by its scores `held_out`.
pub(crate) fn site_plans(
    choices: &[Choice],
    names: &[String],
    options: &PlanOptions,
    closed_loop: Option<Vec<ClosedLoop>>,
    held_out: Vec<HeldOutScores>,
) -> Result<Vec<SitePlan>, PlanError> {
    let mut training_accesses = vec![0; names.len()];
    for test in choices.iter().map(|choice| choice.test) {
        let sites = test.training_accesses().iter();
        sites.for_each(|&object| training_accesses[test.values.site(object)] += 1);
    }
    let plan = |(site, (name, held_out)): (usize, (&String, HeldOutScores))| {
        let terms = options.terms.get(site).copied().unwrap_or_default();
        let targets = options.targets.get(site).map_or(&[][..], Vec::as_slice);
        let sizes = || choices.iter().flat_map(|choice| choice.sizes_of(site));
        let groups = choices.iter().filter_map(|choice| choice.group_size(site));
        Ok(SitePlan {
            site: name.clone(),
            weight: terms.weight,
            reservation_bytes: terms.reservation_bytes,
            training_accesses: training_accesses[site],
            held_objects: sizes().count() as u64,
            held_bytes: sizes().sum(),
            group: groups
                .reduce(GroupSize::and)
                .filter(|group| group.memory_bytes > 0),
            targets: targets::results(choices, site, targets, &held_out)?,
            closed_loop: closed_loop.as_ref().map(|sites| sites[site]),
            held_out,
        })
    };
    names.iter().zip(held_out).enumerate().map(plan).collect()
}

fn group_sizes(choice: &Choice) -> Vec<GroupSize> {
    let sites = 0..choice.test.workload.files.sites.len();
    sites.filter_map(|site| choice.group_size(site)).collect()
}

/// Held objects with the training part's figures.
fn held_objects(choice: &Choice) -> Vec<HeldObject> {
    let test = choice.test;
    let counts = test.training_counts();
    let hours = test.workload.hours(0..test.training);
    let held = |&object: &u32| {
        let (requests, size_bytes) = (counts[object as usize], test.size(object));
        let saved_us = test.values.saved_us(object) / test.values.weight(object);
        let reason = Reason {
            requests_per_hour: hours.map(|hours| f64::from(requests) / hours),
            requests: u64::from(requests),
            size_bytes,
            saved_us_per_byte: f64::from(requests) * saved_us / size_bytes.max(1) as f64,
        };
        HeldObject { object, reason }
    };
    choice.layout.set().objects().iter().map(held).collect()
}
