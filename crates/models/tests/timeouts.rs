//! Clients who give requests up that take too long.

use std::sync::Arc;

use hotset_models::tiers::{Arrivals, Change, Event, File, Role, Tiers, Traffic};
use hotset_scenario::Balance;
use proptest::prelude::*;

use crate::mounted_sites::{NOTHING, V3, far, files, server, traffic};
use crate::random_systems::systems;
use crate::support::near;
use crate::tiers::{closed, free_web, node, proxy, run};

/// Clients of all classes wait no longer than so many milliseconds.
fn impatient(mut tiers: Tiers, timeout_ms: u64) -> Tiers {
    if let Arrivals::Closed(classes) = &mut tiers.arrivals {
        for class in classes {
            class.timeout_ns = Some(timeout_ms * 1_000_000);
        }
    }
    tiers
}

/// So many requests for a large file and a small one in turn.
fn large_and_small(requests: u32) -> Arc<Traffic> {
    traffic(
        &[5_000_000, 20_000],
        (0..requests).map(|row| row % 2).collect(),
    )
}

#[test]
fn what_takes_too_long_is_an_error_and_its_connection_is_closed() {
    let lone = || closed(vec![node("web", Some(100), Role::Web(free_web()))], 0, 1, 0);
    let result = run(&impatient(lone(), 100), &large_and_small(40));
    assert_eq!((result.asked, result.ended), (40, 40));
    assert_eq!(result.total.errors, Some(20));
    // The last small one is still under way when measuring ends.
    assert_eq!(result.total.requests, Some(19));
    // Each large file takes as long as its client waits, and small ones pass behind what is in line of it, 12 ms.
    near(result.seconds, 20.0 * 0.1 + 19.0 * 0.0137, 0.05);
    let sent = result.nodes[0].link.as_ref().unwrap().sent_bytes;
    assert!(sent < 20 * 1_700_000, "{sent} bytes of closed connections");
    // All of them come where clients wait for longer.
    let result = run(&impatient(lone(), 1_000), &large_and_small(40));
    assert_eq!(result.total.errors, Some(0));
    let patient = run(&lone(), &large_and_small(40));
    assert_eq!(patient.total.errors, None);
    near(result.seconds, patient.seconds, 1e-4);
}

#[test]
fn a_proxy_learns_that_its_client_has_gone() {
    let nodes = vec![
        node("front", None, proxy(&[1, 2], Balance::LeastConnections)),
        node("quick", Some(100), Role::Web(free_web())),
        // A file takes 170 ms.
        node("slow", Some(1), Role::Web(free_web())),
    ];
    let tiers = impatient(closed(nodes, 0, 8, 10_000_000), 50);
    let file = File {
        site: 0,
        bytes: 20_000,
    };
    let traffic = Traffic {
        sites: vec!["site".to_owned()],
        files: vec![file; 10],
        requests: (0..4_000).map(|row| row % 10).collect(),
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: 0,
    };
    let result = run(&tiers, &Arc::new(traffic));
    assert_eq!(result.ended, 4_000);
    // If it took those requests to be under way for ever, it would soon ask the quick node alone.
    let errors = &result.total.timeline.as_ref().unwrap().errors;
    assert!(errors.len() > 3, "{errors:?}");
    assert!(errors[1] > 10 && errors[3] > 10, "{errors:?}");
}

/// A hard mount waits for ever, and so would clients.
#[test]
fn clients_of_a_file_server_that_never_comes_back_see_errors() {
    let nodes = vec![
        node("web", None, Role::Web(free_web())),
        server(far(10_000), files(V3, NOTHING)),
    ];
    let change = Change::Up {
        node: 1,
        is_up: false,
    };
    let tiers = Tiers {
        events: vec![Event {
            at_ns: 1_000_000_000,
            change,
        }],
        ..impatient(closed(nodes, 0, 4, 10_000_000), 490)
    };
    let result = run(&tiers, &traffic(&[4096], vec![0; 430]));
    assert_eq!((result.asked, result.ended), (430, 430));
    let timeline = result.total.timeline.as_ref().unwrap();
    assert!(timeline.requests[0] > 350, "{timeline:?}");
    assert_eq!(timeline.requests[2], 0, "{timeline:?}");
    // Four clients, each twice a second.
    assert!((7..=9).contains(&timeline.errors[2]), "{timeline:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    #[test]
    fn requests_end_once_whatever_is_given_up(
        (tiers, traffic) in systems(),
        timeout_ms in 1u64..40,
        down in prop::option::of((0u64..50, 0usize..4)),
    ) {
        let count = tiers.nodes.len();
        let happens = |(ms, node): (u64, usize), is_up: bool| Event {
            at_ns: ms * 1_000_000,
            change: Change::Up { node: node % count, is_up },
        };
        let events = down.into_iter();
        let events = events.flat_map(|it| [happens(it, false), happens((it.0 + 30, it.1), true)]);
        let tiers = Tiers { events: events.collect(), ..impatient(tiers, timeout_ms) };
        let result = run(&tiers, &traffic);
        let asked = traffic.requests.len();
        prop_assert_eq!((result.asked, result.ended), (asked, asked));
        let (answered, errors) = (result.total.requests.unwrap(), result.total.errors.unwrap());
        prop_assert_eq!(answered + errors + result.under_way as u64, asked as u64);
        // Nobody is answered later.
        let longest = result.total.latencies.response.as_ref().and_then(|it| it.max_us);
        let most_us = timeout_ms as f64 * 1e3;
        prop_assert!(longest.is_none_or(|it| it <= most_us * 1.02), "{longest:?} of {most_us}");
        prop_assert_eq!(format!("{:?}", run(&tiers, &traffic)), format!("{result:?}"), "the same again");
    }
}
