//! How urgent sites are that miss their targets.

use hotset_live::{RunSite, Targets};
use hotset_plan::SiteTerms;
use hotset_scenario::{Objective, Profile, Site};

/// Logged times that are enough to be believed.
const LEAST_TIMES: u64 = 100;

fn targets(text: &str) -> Targets {
    let site = RunSite {
        name: "shop".to_owned(),
        terms: SiteTerms::default(),
        targets: vec![text.parse().unwrap()],
        store: Profile::named_or_file("memory").unwrap(),
        client_share: 1.0,
    };
    Targets::of(Objective::Targets, &[site])
}

/// An interval in which so many answers took so long.
fn log(targets: &mut Targets, answers: u64, took_us: u64) {
    (0..answers).for_each(|_| targets.note(0, Some(took_us)));
    targets.next_interval();
}

#[test]
fn times_that_the_server_logs_are_believed_more_than_the_model() {
    let mut targets = targets("p95 < 20ms");
    let missed = vec![vec![true]];
    log(&mut targets, LEAST_TIMES, 100);
    assert!(!targets.raise(&missed, true), "clients are served in time");
    log(&mut targets, LEAST_TIMES - 1, 100);
    assert!(targets.raise(&missed, true), "too few to be believed");

    let met = vec![vec![false]];
    log(&mut targets, LEAST_TIMES, 30_000);
    assert!(targets.raise(&met, true) && !targets.raise(&met, false));
    assert_eq!(targets.urgency(0), 16.0);
    assert!(targets.turns(&met).iter().all(|turn| !turn.is_met));
    for _ in 0..8 {
        assert!(!targets.lower(0));
        log(&mut targets, LEAST_TIMES, 100);
    }
    assert!(targets.lower(0) && !targets.lower(0));
    assert_eq!(targets.turns(&missed).len(), 1, "it is met again");
}

#[test]
fn no_site_is_more_urgent_than_the_largest_weight() {
    let mut targets = targets("mean < 1us");
    let missed = vec![vec![true]];
    while targets.raise(&missed, true) {}
    assert_eq!(targets.urgency(0), *Site::WEIGHTS.end());
}
