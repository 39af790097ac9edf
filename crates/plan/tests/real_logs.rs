//! Two public logs: the figures of hotset's definition, which an independent program computed.

use hotset_plan::Arm;
use hotset_test_support::skip;
use std::ops::ControlFlow;
use std::path::Path;

use crate::support::{Case, options};
use hotset_trace::read::{QueryRule, ReadOptions, read};

/// The accesses of a log, nothing where it is not at hand.
pub fn log(name: &str) -> Option<Case> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared/data")
        .join(name);
    if !path.is_file() {
        skip(format_args!("no {}", path.display()));
        return None;
    }
    let exclude = ReadOptions {
        query: QueryRule::Exclude,
        ..ReadOptions::default()
    };
    let (trace, _) = read(&[path], &exclude, &mut |_| ControlFlow::Continue(())).expect("a log");
    let rows = trace.requests.object.iter().zip(&trace.requests.access);
    let accesses = rows
        .filter(|(_, access)| **access)
        .map(|(&object, _)| object)
        .collect();
    Some(Case::one_site(accesses, trace.objects.size))
}

/// Mean responses of page cache, plan and clairvoyant set at 3, 10 and 30 % of the bytes of all objects accessed.
fn assert_figures(name: &str, wanted: [[f64; 3]; 3]) {
    let Some(case) = log(name) else { return };
    let mut accessed = case.accesses.clone();
    accessed.sort_unstable();
    accessed.dedup();
    let object_bytes: u64 = accessed
        .iter()
        .map(|&object| case.sizes[object as usize])
        .sum();
    let mut against_plain = 1.0;
    for (percent, [page_cache, plan, clairvoyant]) in [3, 10, 30].into_iter().zip(wanted) {
        let scores = case
            .plan(&options(object_bytes * percent / 100))
            .expect("a plan")
            .total
            .held_out;
        let near = |seen: f64, wanted: f64| (seen / wanted - 1.0).abs() <= 0.02;
        assert!(
            near(scores[Arm::PageCache].mean_us, page_cache),
            "{percent} %: {}",
            scores[Arm::PageCache].mean_us
        );
        assert!(
            near(scores[Arm::Clairvoyant].mean_us, clairvoyant),
            "{percent} %: {}",
            scores[Arm::Clairvoyant].mean_us
        );
        assert!(
            scores[Arm::Plan].mean_us <= 1.01 * plan,
            "{percent} %: {} us, not {plan}",
            scores[Arm::Plan].mean_us
        );
        against_plain *= scores[Arm::Plan].mean_us / plan;
    }
    assert!(against_plain <= 1.0 + 1e-3, "{against_plain}");
}

#[test]
fn the_semicomplete_log_of_2015() {
    let at_3 = [12900.386, 11357.700, 10536.445];
    let at_10 = [11478.892, 9605.314, 9358.366];
    assert_figures(
        "semicomplete-2015.combined.log",
        [at_3, at_10, [5529.966, 3052.714, 3052.714]],
    );
}

#[test]
fn the_epa_log_of_1995() {
    let at_3 = [4717.517, 3367.095, 2889.895];
    let at_10 = [3140.125, 2235.281, 1537.247];
    assert_figures(
        "epa-http-1995.txt",
        [at_3, at_10, [2123.437, 1436.059, 1273.044]],
    );
}
