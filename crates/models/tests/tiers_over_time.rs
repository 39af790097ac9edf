//! How busy simulated tiers were over time: each second by itself, and all of them as the whole.

use std::sync::Arc;

use hotset_models::tiers::{Arrivals, File, Role, Tiers, Traffic};
use hotset_outcome::Resource;
use proptest::prelude::*;

use crate::random_systems::systems;
use crate::support::near;
use crate::tiers::{free_web, node, run};

/// The mean of its points, each as long as it is.
fn mean_of_points(resource: &Resource) -> Option<f64> {
    let timeline = resource.timeline.as_ref()?;
    let ends = timeline.seconds.iter();
    let starts = std::iter::once(&0.0).chain(ends.clone());
    let points = ends.zip(starts).zip(&timeline.utilisation);
    let busy_s: f64 = points
        .map(|((end, start), share)| (end - start) * share)
        .sum();
    Some(busy_s / timeline.seconds.last()?)
}

#[test]
fn a_link_is_busy_in_the_seconds_in_which_something_passes() {
    let tiers = Tiers {
        nodes: vec![node("web", Some(1), Role::Web(free_web()))],
        arrivals: Arrivals::Open(vec![0]),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    };
    let ms = [0, 200, 400, 5_000, 5_200, 5_400];
    let traffic = Arc::new(Traffic {
        sites: vec!["site".to_owned()],
        files: vec![File {
            site: 0,
            bytes: 10_000,
        }],
        requests: vec![0; ms.len()],
        times_ns: ms.iter().map(|it| it * 1_000_000).collect(),
        connections: Vec::new(),
        warm_up: 0,
    });
    let result = run(&tiers, &traffic);
    let out = &result.nodes[0].link.as_ref().unwrap().ways[1];
    let timeline = out.timeline.as_ref().expect("time passed");
    assert_eq!(timeline.seconds[..5], [1.0, 2.0, 3.0, 4.0, 5.0]);
    assert_eq!(timeline.seconds.len(), timeline.utilisation.len());
    // A head of 256 bytes, and 66 for each of 8 packets, at a bit in a microsecond.
    let answer_s = (10_256 + 8 * 66) as f64 * 8e-6;
    near(timeline.utilisation[0], 3.0 * answer_s, 1e-6);
    assert_eq!(timeline.utilisation[1..5], [0.0; 4]);
    assert!(timeline.utilisation[5] > 0.0, "{timeline:?}");
    near(mean_of_points(out).unwrap(), out.utilisation.unwrap(), 1e-6);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn the_seconds_together_are_the_whole((tiers, traffic) in systems()) {
        let result = run(&tiers, &traffic);
        for node in &result.nodes {
            let ways = node.link.iter().flat_map(|it| &it.ways);
            let exact = std::iter::once(&node.processors).chain(&node.workers).chain(ways);
            // A disk's service counts when it begins.
            let with_error = exact.map(|it| (it, 1e-6)).chain(node.disks.iter().map(|it| (it, 0.05)));
            for (it, error) in with_error {
                let whole = it.utilisation.unwrap();
                if let Some(mean) = mean_of_points(it) {
                    prop_assert!((mean - whole).abs() <= error, "{mean} {it:?}");
                }
                let shares = it.timeline.iter().flat_map(|it| &it.utilisation);
                prop_assert!(shares.into_iter().all(|share| (0.0..=1.0).contains(share)), "{it:?}");
            }
        }
    }
}
