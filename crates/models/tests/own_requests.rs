//! Classes of clients that each have requests of their own, measured for a time.

use std::sync::Arc;

use hotset_models::tiers::{
    Arrivals, ByClass, ClientClass, File, Node, Processors, Role, Store, Tiers, TiersResult,
    Traffic, Web, simulate,
};
use hotset_scenario::{CostLine, Profile};

use crate::support::near;
use crate::tiers::free_web;

/// A request takes the only process a millisecond, whatever it is for.
const REQUEST_NS: u64 = 1_000_000;
/// Requests that warm the caches up.
const WARM_UP: usize = 10;
/// Requests of each class, more than it can make.
const OWN: usize = 5_000;

fn node(processes: u32) -> Node {
    let line = CostLine {
        fixed_us: 0.0,
        bytes_per_us: 1e9,
    };
    Node {
        name: "web".to_owned(),
        link: None,
        processors: Processors::of(None, 1.0, processes),
        role: Role::Web(Web {
            stores: Arc::new([Store {
                name: "bytes".to_owned(),
                profile: Profile::of_lines("bytes", line, line, ""),
                request_ns: REQUEST_NS,
                in_memory: true,
            }]),
            ..free_web()
        }),
    }
}

/// Three clients for one site and one for the other.
fn run(settling_ns: u64, measured_ns: u64) -> TiersResult {
    let class = |clients| ClientClass {
        asks: 0,
        clients,
        think_ns: 0,
        timeout_ns: None,
        node: None,
    };
    let tiers = Tiers {
        nodes: vec![node(1)],
        arrivals: Arrivals::ByClass(ByClass {
            classes: vec![class(3), class(1)],
            requests: vec![WARM_UP..WARM_UP + OWN, WARM_UP + OWN..WARM_UP + 2 * OWN],
            settling_ns,
            measured_ns,
        }),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    };
    let file = |site| File { site, bytes: 1_000 };
    let warming = (0..WARM_UP).map(|row| (row % 2) as u32);
    let own = (0..2).flat_map(|file| std::iter::repeat_n(file, OWN));
    let traffic = Traffic {
        sites: vec!["one".to_owned(), "other".to_owned()],
        files: vec![file(0), file(1)],
        requests: warming.chain(own).collect(),
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: WARM_UP,
    };
    simulate(&tiers, &Arc::new(traffic), 1, &|| true).unwrap()
}

#[test]
fn each_class_makes_its_own_requests_for_as_long_as_is_measured() {
    let result = run(500_000_000, 2_000_000_000);
    near(result.seconds, 2.0, 1e-9);
    let requests = |site: usize| result.sites[site].requests.unwrap() as f64;
    near(requests(0), 1_500.0, 0.01);
    near(requests(1), 500.0, 0.01);
    near(result.sites[1].mean_us().unwrap(), 4_000.0, 0.01);
}

#[test]
fn requests_that_settle_are_not_counted() {
    let at_once = run(0, 1_000_000_000);
    let settled = run(1_000_000_000, 1_000_000_000);
    for result in [&at_once, &settled] {
        near(result.total.requests.unwrap() as f64, 1_000.0, 0.01);
    }
    assert!(settled.asked >= at_once.asked + 990);
}

/// Four clients on as many processes, whose first 1200 requests are for one site, and all others for the other.
fn in_order(settling_ns: u64, measured_ns: u64) -> TiersResult {
    const FIRST: usize = 1_200;
    let tiers = Tiers {
        nodes: vec![node(4)],
        arrivals: Arrivals::ByClass(ByClass {
            classes: vec![ClientClass {
                asks: 0,
                clients: 4,
                think_ns: 0,
                timeout_ns: None,
                node: None,
            }],
            requests: std::iter::once(WARM_UP..WARM_UP + OWN).collect(),
            settling_ns,
            measured_ns,
        }),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    };
    let file = |site| File { site, bytes: 1_000 };
    let own = (0..OWN).map(|number| u32::from(number >= FIRST));
    let traffic = Traffic {
        sites: vec!["one".to_owned(), "other".to_owned()],
        files: vec![file(0), file(1)],
        requests: std::iter::repeat_n(0, WARM_UP).chain(own).collect(),
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: WARM_UP,
    };
    simulate(&tiers, &Arc::new(traffic), 1, &|| true).unwrap()
}

#[test]
fn one_client_warms_the_caches_up() {
    let result = in_order(0, 200_000_000);
    near(result.warm_up_seconds, WARM_UP as f64 * 1e-3, 1e-3);
    near(result.total.requests.unwrap() as f64, 800.0, 0.01);
}

#[test]
fn clients_begin_with_their_first_requests_again_when_they_are_measured() {
    // 2000 requests settle, and 800 are measured.
    let result = in_order(500_000_000, 200_000_000);
    let requests = |site: usize| result.sites[site].requests.unwrap_or(0);
    near(requests(0) as f64, 800.0, 0.01);
    assert_eq!(requests(1), 0);
    assert!(result.under_way <= 4, "{}", result.under_way);
}
