//! Which requests are sent, and what they are to take.

use std::collections::HashSet;

use hotset_demo::{Costs, Figures, Requests, predict, traffic};
use hotset_scenario::CostLine;
use hotset_trace::Trace;

/// A request takes so long from memory and from disk, whatever the size of its file.
fn costs(memory_us: f64, disk_us: f64) -> Costs {
    let line = |fixed_us| CostLine {
        fixed_us,
        bytes_per_us: f64::INFINITY,
    };
    Costs {
        memory: line(memory_us),
        disk: line(disk_us),
        requests: 96,
    }
}

fn trace() -> Trace {
    traffic().expect("traffic")
}

#[test]
fn requests_are_those_behind_the_part_that_the_plan_was_made_from() {
    let (trace, costs) = (trace(), costs(1.0, 1.0));
    let requests = Requests::unseen(&trace, &costs, None);
    assert_eq!(requests.len(), trace.requests.len() * 3 / 10);
    let first = trace.requests.len() - requests.len();
    let wanted = &trace.requests.object[first..first + 10];
    let objects: Vec<u32> = requests.iter().take(10).map(|(_, object)| object).collect();
    assert_eq!(objects, wanted);
}

#[test]
fn there_are_as_many_as_there_is_time_for_and_no_more_than_asked_for() {
    let trace = trace();
    // Twelve seconds of requests that take a tenth of one each.
    let slow = Requests::unseen(&trace, &costs(1.0, 1e5), None);
    assert!((119..=120).contains(&slow.len()), "{}", slow.len());
    let few = Requests::unseen(&trace, &costs(1.0, 1e5), Some(7));
    assert_eq!(few.len(), 7);
    assert!(Requests::unseen(&trace, &costs(1.0, 1e5), Some(0)).is_empty());
}

#[test]
fn a_request_for_a_held_file_costs_what_memory_does_and_any_other_what_the_disk_does() {
    let (trace, costs) = (trace(), costs(100.0, 900.0));
    let requests = Requests::unseen(&trace, &costs, Some(1000));
    let shop: HashSet<u32> = requests
        .iter()
        .filter(|(site, _)| *site == 0)
        .map(|(_, object)| object)
        .collect();
    let [shop, video, all] = predict(&requests, &shop, &costs)[..] else {
        panic!("two sites and all")
    };
    let figures = |hit_ratio, after_us| Figures {
        hit_ratio,
        before_us: 900.0,
        after_us,
    };
    assert_eq!(shop, figures(1.0, 100.0));
    assert_eq!(video, figures(0.0, 900.0));
    assert_eq!(shop.speedup(), 9.0);
    let share = requests.iter().filter(|(site, _)| *site == 0).count() as f64 / 1000.0;
    assert!((all.hit_ratio - share).abs() < 1e-9);
    assert!((all.after_us - (900.0 - 800.0 * share)).abs() < 1e-6);
}
