//! Nodes that go down, links and disks that become slower: what requests come to meanwhile.

use std::sync::Arc;

use hotset_models::tiers::{Change, Event, File, Role, Store, Tiers, TiersResult, Traffic, Web};
use hotset_outcome::Timeline;
use hotset_scenario::{Balance, CostLine, Profile};
use proptest::prelude::*;

use crate::random_systems::systems;
use crate::support::near;
use crate::tiers::{closed, free_web, node, proxy, run};

/// So many requests for files of 20,000 bytes each, which take 1.7 ms on a link of 100 Mbit/s.
fn requests(count: u32, files: u32) -> Arc<Traffic> {
    let file = File {
        site: 0,
        bytes: 20_000,
    };
    Arc::new(Traffic {
        sites: vec!["site".to_owned()],
        files: vec![file; files as usize],
        requests: (0..count).map(|it| it % files).collect(),
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: 0,
    })
}

fn at(seconds: f64, change: Change) -> Event {
    Event {
        at_ns: (seconds * 1e9) as u64,
        change,
    }
}

fn goes(seconds: f64, node: usize, is_up: bool) -> Event {
    at(seconds, Change::Up { node, is_up })
}

fn with(tiers: Tiers, events: Vec<Event>) -> Tiers {
    Tiers { events, ..tiers }
}

fn timeline(result: &TiersResult) -> &Timeline {
    result.total.timeline.as_ref().unwrap()
}

/// One web server on a link.
fn lone(clients: u32, think_ns: u64) -> Tiers {
    let nodes = vec![node("web", Some(100), Role::Web(free_web()))];
    closed(nodes, 0, clients, think_ns)
}

#[test]
fn a_node_that_goes_down_is_left_alone_for_ten_seconds() {
    for balance in [Balance::RoundRobin, Balance::LeastConnections] {
        let nodes = vec![
            node("front", None, proxy(&[1, 2], balance)),
            node("one", Some(100), Role::Web(free_web())),
            node("two", Some(100), Role::Web(free_web())),
        ];
        let tiers = closed(nodes, 0, 16, 1_000_000);
        let tiers = with(tiers, vec![goes(2.0, 2, false), goes(4.0, 2, true)]);
        let result = run(&tiers, &requests(13_000, 50));
        let per_s = &timeline(&result).requests;
        assert!(per_s[1] > 1_000, "{per_s:?}");
        for second in [2, 5, 11] {
            assert!((500..620).contains(&per_s[second]), "{second}: {per_s:?}");
        }
        assert!(per_s[13] > 1_000, "{per_s:?}");
        // No byte of what it had under way had come, so the other was asked.
        assert_eq!(result.total.errors, Some(0));
        assert_eq!((result.asked, result.ended), (13_000, 13_000));
    }
}

#[test]
fn clients_see_errors_where_no_proxy_asks_another_node() {
    let tiers = with(
        lone(4, 10_000_000),
        vec![goes(1.0, 0, false), goes(2.0, 0, true)],
    );
    let result = run(&tiers, &requests(2_000, 50));
    let Timeline {
        requests, errors, ..
    } = timeline(&result);
    assert!(requests[0] > 200 && requests[2] > 200, "{requests:?}");
    assert!(requests[1] < 10, "{requests:?}");
    // Four clients, each a hundred times in the second.
    assert!((350..=420).contains(&errors[1]), "{errors:?}");
    assert_eq!((errors[0], errors[3]), (0, 0), "{errors:?}");
    assert_eq!(result.ended, 2_000);
}

#[test]
fn a_node_is_there_where_it_and_its_link_are() {
    let linked = |seconds, is_linked| at(seconds, Change::Linked { node: 0, is_linked });
    let events = vec![
        goes(1.0, 0, false),
        linked(2.0, false),
        linked(3.0, true),
        goes(4.0, 0, true),
    ];
    let result = run(&with(lone(4, 10_000_000), events), &requests(3_000, 50));
    let per_s = &timeline(&result).requests;
    assert!(per_s[0] > 200 && per_s[5] > 200, "{per_s:?}");
    assert!(per_s[1..4].iter().all(|it| *it < 10), "{per_s:?}");
    assert_eq!(result.ended, 3_000);
}

#[test]
fn requests_that_have_begun_fail_behind_a_proxy() {
    let nodes = vec![
        node("front", None, proxy(&[1, 2], Balance::RoundRobin)),
        node("one", Some(100), Role::Web(free_web())),
        node("two", Some(100), Role::Web(free_web())),
    ];
    let tiers = with(closed(nodes, 0, 4, 0), vec![goes(1.0, 2, false)]);
    // Of 80 pieces each.
    let file = File {
        site: 0,
        bytes: 5 << 20,
    };
    let traffic = Traffic {
        files: vec![file],
        ..(*requests(60, 1)).clone()
    };
    let result = run(&tiers, &Arc::new(traffic));
    let errors = result.total.errors.unwrap();
    assert!((1..=2).contains(&errors), "{errors}");
    assert_eq!(result.ended, 60);
    let all_down = with(tiers, vec![goes(1.0, 1, false), goes(1.0, 2, false)]);
    let result = run(&all_down, &requests(5_000, 50));
    assert!(timeline(&result).errors.iter().sum::<u64>() > 3_000);
    assert_eq!(result.ended, 5_000);
}

#[test]
fn a_link_of_half_the_rate_carries_half_the_requests() {
    let change = Change::Rate {
        link: 0,
        bits_per_s: 50_000_000,
    };
    let tiers = with(lone(8, 0), vec![at(1.0, change)]);
    let result = run(&tiers, &requests(1_500, 50));
    let per_s = &timeline(&result).requests;
    near(per_s[2] as f64, per_s[0] as f64 / 2.0, 0.02);
    assert_eq!(result.total.errors, Some(0));
}

#[test]
fn a_disk_at_half_its_speed_serves_half_the_requests_and_is_as_busy() {
    let line = |bytes_per_us| CostLine {
        fixed_us: 0.0,
        bytes_per_us,
    };
    let web = Web {
        stores: Arc::new([Store {
            name: "disk".to_owned(),
            profile: Profile::of_lines("disk", line(1e9), line(10.0), ""),
            request_ns: 0,
            in_memory: false,
        }]),
        ..free_web()
    };
    let tiers = closed(vec![node("web", None, Role::Web(web))], 0, 8, 0);
    let (node, store) = (0, 0);
    let change = |speed| Change::Speed { node, store, speed };
    let events = vec![at(1.0, change(0.5)), at(3.0, change(1.0))];
    // Each file is read once.
    let result = run(&with(tiers, events), &requests(2_200, 2_200));
    let per_s = &timeline(&result).requests;
    near(per_s[2] as f64, per_s[0] as f64 / 2.0, 0.02);
    near(per_s[4] as f64, per_s[0] as f64, 0.02);
    let busiest = result.nodes[0]
        .disks
        .iter()
        .map(|it| it.utilisation.unwrap());
    near(busiest.fold(0.0, f64::max), 1.0, 0.02);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn requests_end_once_whatever_goes_down(
        (tiers, traffic) in systems(),
        changes in prop::collection::vec((0u64..400, 0usize..4, 0u8..7), 1..12),
    ) {
        let count = tiers.nodes.len();
        let change = |&(ms, node, what): &(u64, usize, u8)| Event {
            at_ns: ms * 1_000_000,
            change: match what {
                0 | 1 => Change::Up { node: node % count, is_up: false },
                2 | 3 => Change::Up { node: node % count, is_up: true },
                4 => Change::Linked { node: node % count, is_linked: false },
                5 => Change::Linked { node: node % count, is_linked: true },
                _ => Change::Rate { link: node % count, bits_per_s: 1_000_000 },
            },
        };
        let mut events: Vec<Event> = changes.iter().map(change).collect();
        events.sort_by_key(|it| it.at_ns);
        let tiers = with(tiers, events);
        let result = run(&tiers, &traffic);
        let asked = traffic.requests.len();
        prop_assert_eq!((result.asked, result.ended), (asked, asked));
        let (answered, errors) = (result.total.requests.unwrap(), result.total.errors.unwrap());
        prop_assert_eq!(answered + errors + result.under_way as u64, asked as u64);
        if let Some(timeline) = &result.total.timeline {
            prop_assert_eq!(timeline.requests.iter().sum::<u64>(), answered);
            prop_assert_eq!(timeline.errors.iter().sum::<u64>(), errors);
        }
        prop_assert_eq!(format!("{:?}", run(&tiers, &traffic)), format!("{result:?}"), "the same again");
    }
}
