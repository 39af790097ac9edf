//! Stores whose servers answer by functions: as near as their calls where nothing waits there, and in no queue.

use std::sync::Arc;

use hotset_models::tiers::{Answers, Role, Store, TiersResult, Traffic, Web};
use hotset_petri::Stream;
use hotset_scenario::{CostLine, Profile, Reading};

use crate::mounted_sites::{NOTHING, V3, far, files, server, traffic};
use crate::support::near;
use crate::tiers::{closed, free_web, node, response_us, run};

const FREE: CostLine = CostLine {
    fixed_us: 0.0,
    bytes_per_us: 1e9,
};
/// A round trip to the server.
const ROUND_TRIP_US: f64 = 2_000.0;

/// A web server of which nothing else takes time.
fn web(memory_bytes: u64, profile: Profile, pieces: Option<CostLine>) -> Web {
    let answers = Answers {
        open_us: ROUND_TRIP_US,
        pieces,
    };
    Web {
        stores: Arc::new([Store {
            name: "far".to_owned(),
            profile,
            request_ns: 0,
            in_memory: false,
            answers: Some(answers),
        }]),
        memory_bytes,
        ..free_web()
    }
}

/// Requests for 100 files of a page, some of them more often.
fn pages() -> Arc<Traffic> {
    let mut random = Stream::named(4, 0, "answers");
    let file = |_| (random.unit().powi(2) * 100.0) as u32;
    let traffic = traffic(&[4096; 100], (0..4_000).map(file).collect());
    Arc::new(Traffic {
        warm_up: 2_000,
        ..(*traffic).clone()
    })
}

fn hit_ratio(result: &TiersResult) -> f64 {
    result.nodes[0].cache.unwrap().hit_ratio().unwrap()
}

/// Of version 3, opening a known file is a call, and so is reading it where it is not in memory.
#[test]
fn a_function_is_as_near_as_calls_where_nothing_waits_for_others() {
    let memory_bytes = 40 * 4096;
    let round_trip = CostLine {
        fixed_us: ROUND_TRIP_US,
        ..FREE
    };
    let profile = Profile {
        reading: Some(Reading {
            parallel: 64.0,
            ..Reading::default()
        }),
        ..Profile::of_lines("far", FREE, round_trip, "")
    };
    let coarse = Role::Web(web(memory_bytes, profile, None));
    let coarse = closed(vec![node("web", None, coarse)], 0, 4, 5_000_000);
    let fine = Role::Web(Web {
        memory_bytes,
        ..free_web()
    });
    let nodes = vec![
        node("web", None, fine),
        server(far(1_000_000), files(V3, NOTHING)),
    ];
    let fine = closed(nodes, 0, 4, 5_000_000);
    let [coarse, fine] = [coarse, fine].map(|tiers| run(&tiers, &pages()));
    assert!(
        (0.3..0.9).contains(&hit_ratio(&fine)),
        "{}",
        hit_ratio(&fine)
    );
    near(hit_ratio(&coarse), hit_ratio(&fine), 0.03);
    near(response_us(&coarse), response_us(&fine), 0.03);
    assert!(coarse.firings < fine.firings, "{}", coarse.firings);
}

#[test]
fn pieces_that_no_node_keeps_come_again_and_again_and_wait_for_no_others() {
    let pieces = CostLine {
        fixed_us: 500.0,
        bytes_per_us: 65.536,
    };
    let free = Profile::of_lines("free", FREE, FREE, "");
    let web = Role::Web(web(1 << 40, free, Some(pieces)));
    let tiers = closed(vec![node("web", None, web)], 0, 50, 0);
    // Opening takes 2 ms, and each of two pieces 1.5 ms.
    let result = run(&tiers, &traffic(&[2 * 65_536; 3], vec![0; 5_000]));
    near(response_us(&result), 5_000.0, 1e-3);
    near(result.total.throughput_per_s.unwrap(), 50.0 / 0.005, 0.02);
    assert_eq!(result.total.hit_ratio(), Some(0.0));
    assert!(result.nodes[0].disks.is_empty());
    assert_eq!((result.asked, result.ended), (5_000, 5_000));
}
