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

/// Bytes of a piece of an answer.
const PIECE_BYTES: u64 = 64 << 10;

/// At random times, for files of random sizes, of at most so many bytes. The last comes when all others have ended.
fn traffic(most_bytes: u64) -> Arc<Traffic> {
    let mut random = Stream::named(8, 0, "traffic");
    let mut now_ns = 0.0;
    let times = (1..REQUESTS).map(|_| {
        now_ns += 1e6 * random.exponential();
        now_ns as u64
    });
    let times_ns: Vec<u64> = times.chain([1 << 40]).collect();
    let sizes = (1..REQUESTS).map(|_| 1 + (40_000.0 * random.exponential()) as u64);
    let sizes = sizes.map(|bytes| bytes.min(most_bytes));
    let files = sizes.chain([1]).map(|bytes| File { site: 0, bytes });
    Arc::new(Traffic {
        sites: vec!["site".to_owned()],
        files: files.collect(),
        requests: (0..REQUESTS as u32).collect(),
        times_ns,
        connections: Vec::new(),
        warm_up: 0,
    })
}

/// Clients ask a proxy and one of the two web servers behind it.
fn outcome(
    (balance, workers): (Balance, Option<u32>),
    most_bytes: u64,
    events: Vec<Event>,
) -> TiersResult {
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
        stacks: Vec::new(),
        switches: None,
    };
    run(&tiers, &traffic(most_bytes))
}

/// How far one figure is from another, as a share of that. Some of them are nothing.
fn off(a: Option<f64>, b: Option<f64>) -> f64 {
    let (a, b) = (a.unwrap(), b.unwrap());
    match a == b {
        true => 0.0,
        false => (a - b).abs() / b,
    }
}

/// Simulates with links of which all is known ahead, and with links that might change.
fn both(server: (Balance, Option<u32>), most_bytes: u64) -> [TiersResult; 2] {
    let never_mind = Event {
        at_ns: 1 << 50,
        change: Change::Rate {
            link: 0,
            bits_per_s: FRONT_MBIT * 1_000_000,
        },
    };
    let results = [Vec::new(), vec![never_mind]];
    let results = results.map(|events| outcome(server, most_bytes, events));
    assert!(results[0].firings < results[1].firings);
    results
}

fn longest_us(result: &TiersResult) -> f64 {
    let response = result.total.latencies.response.as_ref();
    response.unwrap().max_us.unwrap()
}

fn mean_us(result: &TiersResult) -> f64 {
    result.total.mean_us().unwrap()
}

/// All bytes pass the same links, which are as busy, and no figure of the nodes is further off than so.
fn nodes_are_alike([ahead, in_turn]: &[TiersResult; 2], most: f64) {
    for (ahead, in_turn) in ahead.nodes.iter().zip(&in_turn.nodes) {
        let links = [ahead, in_turn].map(|it| it.link.as_ref().unwrap());
        assert_eq!(links[0].all_bytes, links[1].all_bytes);
        let ways = links[0].ways.iter().zip(&links[1].ways);
        for (a, b) in ways.chain([(&ahead.processors, &in_turn.processors)]) {
            let used = off(a.utilisation, b.utilisation);
            let queue = off(a.mean_queue_length, b.mean_queue_length);
            assert!(used.max(queue) <= most, "{}: {used}, {queue}", a.name);
        }
    }
}

const SERVERS: [(Balance, Option<u32>); 3] = [
    (Balance::RoundRobin, None),
    (Balance::LeastConnections, None),
    (Balance::Hash, Some(30)),
];

#[test]
fn links_that_never_change_carry_messages_as_those_that_may() {
    for server in SERVERS {
        let results = both(server, PIECE_BYTES);
        let [ahead, in_turn] = &results;
        near(longest_us(ahead), longest_us(in_turn), 1e-9);
        near(mean_us(ahead), mean_us(in_turn), 2e-3);
        nodes_are_alike(&results, 2e-3);
    }
}

/// A piece may come to a link in the very nanosecond in which another answer does. Then either may pass first.
#[test]
fn pieces_that_come_together_pass_in_either_order() {
    for server in SERVERS {
        let results = both(server, u64::MAX);
        let [ahead, in_turn] = &results;
        near(longest_us(ahead), longest_us(in_turn), 5e-2);
        near(mean_us(ahead), mean_us(in_turn), 1e-2);
        // Which node has the fewest requests hangs on that order.
        if server.0 != Balance::LeastConnections {
            nodes_are_alike(&results, 2e-2);
        }
    }
}
