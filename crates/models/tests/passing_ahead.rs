//! When a message passes a link that never changes is known ahead of time. That comes to the same as to look after each message at its turn, which is done
//! where links may change.

use std::sync::Arc;

use hotset_models::tiers::{
    Arrivals, Change, Event, File, Role, Store, Tiers, TiersResult, Traffic, Web,
};
use hotset_petri::Stream;
use hotset_scenario::{Balance, CostLine, Profile};

use crate::support::near;
use crate::tiers::{free_web, node, proxy, run};

const REQUESTS: usize = 3_000;
const FRONT_MBIT: u64 = 400;

/// At random times, for files of random sizes of one piece and of several. The last comes when all others have ended.
fn traffic() -> Arc<Traffic> {
    let mut random = Stream::named(8, 0, "traffic");
    let mut now_ns = 0.0;
    let times = (1..REQUESTS).map(|_| {
        now_ns += 1e6 * random.exponential();
        now_ns as u64
    });
    let times_ns: Vec<u64> = times.chain([1 << 40]).collect();
    let sizes = (1..REQUESTS).map(|_| 1 + (40_000.0 * random.exponential()) as u64);
    let files = sizes.chain([1]).map(|bytes| File { site: 0, bytes });
    Arc::new(Traffic {
        sites: vec!["site".to_owned()],
        files: files.collect(),
        requests: (0..REQUESTS as u32).collect(),
        times_ns,
        warm_up: 0,
    })
}

/// Clients ask a proxy and one of the two web servers behind it.
fn outcome(balance: Balance, workers: Option<u32>, events: Vec<Event>) -> TiersResult {
    let free = CostLine {
        fixed_us: 0.0,
        bytes_per_us: 1e9,
    };
    let web = Role::Web(Web {
        stores: Arc::new([Store {
            name: "store".to_owned(),
            profile: Profile::of_lines("free", free, free, ""),
            request_ns: 2_000_000,
            in_memory: false,
        }]),
        workers,
        ..free_web()
    });
    let tiers = Tiers {
        nodes: vec![
            node("front", Some(FRONT_MBIT), proxy(&[1, 2], balance)),
            node("one", Some(200), web.clone()),
            node("two", Some(400), web),
        ],
        arrivals: Arrivals::Open(vec![0, 2]),
        events,
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
    };
    run(&tiers, &traffic())
}

/// Some of them are nothing.
fn alike(name: &str, a: Option<f64>, b: Option<f64>) {
    let (a, b) = (a.unwrap(), b.unwrap());
    assert!((a - b).abs() <= 2e-2 * b, "{name}: {a}, {b}");
}

#[test]
fn links_that_never_change_carry_messages_as_those_that_may() {
    let never_mind = Event {
        at_ns: 1 << 50,
        change: Change::Rate {
            link: 0,
            bits_per_s: FRONT_MBIT * 1_000_000,
        },
    };
    for (balance, workers) in [
        (Balance::RoundRobin, None),
        (Balance::LeastConnections, None),
        (Balance::Hash, Some(30)),
    ] {
        let ahead = outcome(balance, workers, Vec::new());
        let in_turn = outcome(balance, workers, vec![never_mind]);
        let longest = |it: &TiersResult| {
            it.total
                .latencies
                .response
                .as_ref()
                .unwrap()
                .max_us
                .unwrap()
        };
        // What is held back is let in a little sooner or later, and then other messages meet.
        near(longest(&ahead), longest(&in_turn), 5e-2);
        let mean = |it: &TiersResult| it.total.mean_us().unwrap();
        near(mean(&ahead), mean(&in_turn), 1e-2);
        if balance == Balance::LeastConnections {
            // Which node has the least then, too, is another for some.
            continue;
        }
        for (ahead, in_turn) in ahead.nodes.iter().zip(&in_turn.nodes) {
            let links = [ahead, in_turn].map(|it| it.link.as_ref().unwrap());
            assert_eq!(links[0].all_bytes, links[1].all_bytes);
            let ways = links[0].ways.iter().zip(&links[1].ways);
            for (a, b) in ways.chain([(&ahead.processors, &in_turn.processors)]) {
                alike(&a.name, a.utilisation, b.utilisation);
                alike(&a.name, a.mean_queue_length, b.mean_queue_length);
            }
        }
        assert!(ahead.firings < in_turn.firings);
    }
}
