//! What servers cost: as it was measured, else as it is assumed.

use std::path::Path;
use std::sync::Arc;

use hotset_models::tiers::{
    PROXY_ANSWER_US, PROXY_NS_PER_BYTE, Proxy, REQUEST_US, Role, Tiers, Web,
};
use hotset_scenario::{Node, Scenario, ServerProfile};
use hotset_topology::{Content, Held, Nodes, Servers, Stores};
use hotset_trace::Trace;

const SCENARIO: &str = r#"
[[node]]
name = "front"
memory = "1GiB"
server = "nginx-proxy"
upstream = ["one", "two", "three"]

[[node]]
name = "one"
memory = "1GiB"

[[node]]
name = "two"
memory = "1GiB"

[[node]]
name = "three"
memory = "1GiB"
server = "apache"

[[store]]
name = "disk"
profile = "hdd"
"#;

const PROFILE: &str = r#"
source = "a test"

[nginx]
request_us = 30.0
ns_per_byte = 0.25
connection_us = 12.0

[nginx-proxy]
request_us = 50.0
ns_per_byte = 0.75
connection_us = 9.0
"#;

fn tiers(servers: &Servers) -> Tiers {
    let scenario = Scenario::parse(SCENARIO, Path::new("s.toml")).expect("a scenario");
    let trace = Trace {
        sites: vec!["shop".to_owned()],
        ..Trace::default()
    };
    let stores = Stores::of(&scenario, &trace).expect("stores");
    let held = |_: &Node| Held::default();
    let content = Content {
        stores: &stores,
        held: &held,
        files_bytes: 0,
        servers,
    };
    let nodes = Nodes::of(&scenario).expect("nodes");
    nodes.tiers(content).expect("tiers")
}

fn measured(opens_connections: bool) -> Tiers {
    tiers(&Servers {
        profile: ServerProfile::parse(PROFILE, Path::new("p.toml")).expect("a profile"),
        opens_connections,
    })
}

fn proxy(tiers: &Tiers) -> &Proxy {
    match &tiers.nodes[0].role {
        Role::Proxy(proxy) => proxy,
        Role::Web(_) | Role::Files(_) => panic!("the first node is a proxy"),
    }
}

fn web(tiers: &Tiers, at: usize) -> &Web {
    match &tiers.nodes[at].role {
        Role::Web(web) => web,
        Role::Proxy(_) | Role::Files(_) => panic!("node {at} is a web server"),
    }
}

#[test]
fn costs_are_assumed_of_servers_that_were_not_measured() {
    let assumed = tiers(&Servers::default());
    let proxy = proxy(&assumed);
    assert_eq!(proxy.request_ns, (REQUEST_US * 1e3) as u64);
    assert_eq!(proxy.answer_ns, (PROXY_ANSWER_US * 1e3) as u64);
    assert!((proxy.ns_per_byte - PROXY_NS_PER_BYTE).abs() < 1e-12);
    let [one, apache] = [1, 3].map(|at| &web(&assumed, at).stores);
    assert!(Arc::ptr_eq(one, apache));
    // The profile leaves Apache out.
    let measured = measured(false);
    let left_out = &web(&measured, 3).stores[0];
    assert_eq!(left_out.request_ns, apache[0].request_ns);
    assert_eq!(left_out.profile, apache[0].profile);
}

#[test]
fn measured_costs_stand_in_place_of_the_assumed_ones() {
    let tiers = measured(false);
    let proxy = proxy(&tiers);
    assert_eq!((proxy.request_ns, proxy.answer_ns), (25_000, 25_000));
    assert!((proxy.ns_per_byte - 0.75).abs() < 1e-12);
    let store = &web(&tiers, 1).stores[0];
    assert_eq!(store.request_ns, 30_000);
    assert!((store.profile.cached.us(4_000_000) - 1000.0).abs() < 1e-6);
    assert!(Arc::ptr_eq(&web(&tiers, 1).stores, &web(&tiers, 2).stores));
}

#[test]
fn connections_cost_the_server_that_is_asked_from_without() {
    let tiers = measured(true);
    let proxy = proxy(&tiers);
    assert_eq!((proxy.request_ns, proxy.answer_ns), (34_000, 25_000));
    assert_eq!(web(&tiers, 1).stores[0].request_ns, 30_000);
}
