//! Clients on nodes of their own, and links between two nodes: what passes them, and what comes of it when they are cut.

use std::sync::Arc;

use hotset_models::switches::Topology;
use hotset_models::tiers::{
    Arrivals, Change, ClientClass, ClientNode, DirectLink, Event, Link, Role, Switches, Tiers,
    TiersResult, Traffic,
};
use hotset_scenario::Balance;

use crate::support::near;
use crate::tiers::{answer_wire_bytes, closed, free_web, node, once_each, proxy, response_us, run};

const SMALL: u64 = 20_000;

fn link(mbit: u64) -> Link {
    Link {
        bits_per_s: mbit * 1_000_000,
        delay_ns: 0,
        mtu_bytes: 1500,
    }
}

/// The same with all clients on a node, at a link of so many Mbit/s.
fn from_desk(tiers: Tiers, mbit: Option<u64>) -> Tiers {
    let Arrivals::Closed(classes) = &tiers.arrivals else {
        panic!("nobody asks");
    };
    let on_desk = |class: &ClientClass| ClientClass {
        node: Some(0),
        ..*class
    };
    Tiers {
        arrivals: Arrivals::Closed(classes.iter().map(on_desk).collect()),
        client_nodes: vec![ClientNode {
            name: "desk".to_owned(),
            link: mbit.map(link),
        }],
        ..tiers
    }
}

fn with_direct(tiers: Tiers, between: [usize; 2], mbit: u64) -> Tiers {
    let direct = DirectLink {
        between,
        link: link(mbit),
    };
    Tiers {
        direct_links: vec![direct],
        ..tiers
    }
}

/// A proxy and two web servers, at links of 1 Gbit/s.
fn proxied(balance: Balance, clients: u32) -> Tiers {
    let nodes = vec![
        node("front", Some(1000), proxy(&[1, 2], balance)),
        node("one", Some(1000), Role::Web(free_web())),
        node("two", Some(1000), Role::Web(free_web())),
    ];
    closed(nodes, 0, clients, 0)
}

fn per_s(result: &TiersResult) -> f64 {
    result.total.throughput_per_s.unwrap()
}

/// Answers a second that a link of so many Mbit/s carries.
fn carried_per_s(mbit: f64, file_bytes: u64) -> f64 {
    mbit * 1e6 / 8.0 / answer_wire_bytes(file_bytes) as f64
}

#[test]
fn clients_get_what_the_link_of_their_node_carries() {
    let web = || vec![node("web", None, Role::Web(free_web()))];
    let traffic = once_each(&[SMALL; 2_000], Vec::new(), 100);
    let result = run(&from_desk(closed(web(), 0, 8, 0), Some(100)), &traffic);
    near(per_s(&result), carried_per_s(100.0, SMALL), 0.02);
    let desk = &result.other_links[0];
    assert_eq!((desk.name.as_str(), result.other_links.len()), ("desk", 1));
    near(desk.counts.ways[0].utilisation.unwrap(), 1.0, 0.02);
    // A node without a link is as no node.
    let tiers = closed(web(), 0, 8, 1_000_000);
    let (there, anywhere) = (
        run(&from_desk(tiers.clone(), None), &traffic),
        run(&tiers, &traffic),
    );
    assert_eq!(there.seconds, anywhere.seconds);
    assert!(there.other_links.is_empty());
}

#[test]
fn a_switch_takes_answers_on_to_clients_before_they_are_whole() {
    let size = 4 << 20;
    let nodes = vec![node("web", Some(100), Role::Web(free_web()))];
    let tiers = from_desk(closed(nodes, 0, 1, 0), Some(100));
    let result = run(&tiers, &once_each(&[size; 20], Vec::new(), 1));
    let once_us = answer_wire_bytes(size) as f64 * 8.0 / 100.0;
    near(response_us(&result), once_us, 0.03);
    let first_byte = result.total.latencies.first_byte.unwrap();
    assert!(first_byte.mean_us.unwrap() < 1_000.0, "{first_byte:?}");
}

#[test]
fn what_two_nodes_send_each_other_goes_by_their_own_link() {
    let nodes = vec![
        node("front", Some(1000), proxy(&[1], Balance::RoundRobin)),
        node("web", Some(1000), Role::Web(free_web())),
    ];
    let tiers = with_direct(closed(nodes, 0, 8, 0), [1, 0], 10);
    let result = run(&tiers, &once_each(&[SMALL; 500], Vec::new(), 20));
    near(per_s(&result), carried_per_s(10.0, SMALL), 0.02);
    let web = result.nodes[1].link.as_ref().unwrap();
    assert_eq!(web.all_bytes, [0, 0]);
    let direct = &result.other_links[0];
    assert_eq!(direct.name, "web-front");
    near(direct.counts.ways[1].utilisation.unwrap(), 1.0, 0.02);
    assert!(
        direct.counts.received_bytes > 0,
        "requests come to the first"
    );
    let front = result.nodes[0].link.as_ref().unwrap();
    assert!(front.sent_bytes > 0, "clients are at the switch");
}

#[test]
fn clients_may_have_a_link_of_their_own_to_the_node_that_they_ask() {
    let nodes = vec![node("web", Some(10), Role::Web(free_web()))];
    let tiers = from_desk(closed(nodes, 0, 8, 0), Some(10));
    let tiers = with_direct(tiers, [0, 1], 100);
    let result = run(&tiers, &once_each(&[SMALL; 2_000], Vec::new(), 100));
    near(per_s(&result), carried_per_s(100.0, SMALL), 0.02);
}

/// Where nothing happens, messages pass links ahead of time, as others do.
#[test]
fn links_that_never_change_carry_messages_as_those_that_may() {
    let sizes: Vec<u64> = (0..1_000).map(|it| 1_000 + it * 7 % 401 * 400).collect();
    let traffic = once_each(&sizes, Vec::new(), 0);
    let never_mind = Event {
        at_ns: 1 << 50,
        change: Change::Cut {
            between: [0, 1],
            is_cut: false,
        },
    };
    let of = |events: Vec<Event>| {
        let nodes = vec![
            node("front", Some(400), proxy(&[1], Balance::RoundRobin)),
            node("web", Some(100), Role::Web(free_web())),
        ];
        let tiers = with_direct(from_desk(closed(nodes, 0, 6, 0), Some(300)), [0, 1], 200);
        run(&Tiers { events, ..tiers }, &traffic)
    };
    let (ahead, in_turn) = (of(Vec::new()), of(vec![never_mind]));
    near(per_s(&ahead), per_s(&in_turn), 0.02);
    near(response_us(&ahead), response_us(&in_turn), 0.02);
    for (a, b) in ahead.other_links.iter().zip(&in_turn.other_links) {
        assert_eq!(a.name, b.name);
        assert_eq!(a.counts.all_bytes, b.counts.all_bytes);
        assert!(a.counts.sent_packets > 0 && a.counts.ways[0].timeline.is_some());
        for (a, b) in a.counts.ways.iter().zip(&b.counts.ways) {
            near(a.utilisation.unwrap(), b.utilisation.unwrap(), 0.02);
        }
    }
    assert_eq!(ahead.other_links.len(), 2);
    assert!(ahead.firings < in_turn.firings);
}

fn cut(seconds: f64, between: [usize; 2], is_cut: bool) -> Event {
    Event {
        at_ns: (seconds * 1e9) as u64,
        change: Change::Cut { between, is_cut },
    }
}

#[test]
fn a_proxy_asks_the_other_node_where_its_link_to_one_is_cut() {
    for balance in [Balance::RoundRobin, Balance::LeastConnections] {
        let tiers = with_direct(proxied(balance, 8), [0, 1], 1000);
        let events = vec![cut(0.01, [0, 1], true)];
        let traffic = once_each(&[SMALL; 4_000], Vec::new(), 0);
        let result = run(&Tiers { events, ..tiers }, &traffic);
        assert_eq!((result.asked, result.ended), (4_000, 4_000));
        assert_eq!(result.total.errors, Some(0));
        let files = [1, 2].map(|at| result.nodes[at].cache.unwrap().files);
        assert!(files[0] < 1_000 && files[1] > 3_000, "{files:?}");
    }
}

/// Files of several pieces, so that answers are under way.
#[test]
fn requests_of_clients_whose_link_is_cut_fail_and_end() {
    let large = |count: usize| -> Arc<Traffic> { once_each(&vec![1 << 20; count], Vec::new(), 0) };
    for balance in [
        Balance::RoundRobin,
        Balance::LeastConnections,
        Balance::Hash,
    ] {
        let tiers = from_desk(proxied(balance, 6), Some(1000));
        // The desk's number is 3.
        let goes = |seconds: f64, is_up: bool| Event {
            at_ns: (seconds * 1e9) as u64,
            change: Change::Up { node: 3, is_up },
        };
        let events = vec![goes(0.1, false), goes(0.2, true)];
        let result = run(&Tiers { events, ..tiers }, &large(1_000));
        assert_eq!((result.asked, result.ended), (1_000, 1_000));
        let errors = result.total.errors.unwrap();
        // Six clients, each of whom tries again every millisecond.
        assert!((560..=620).contains(&errors), "{balance:?}: {errors}");
    }
    let direct = with_direct(
        from_desk(proxied(Balance::RoundRobin, 6), None),
        [0, 3],
        1000,
    );
    let events = vec![cut(0.1, [0, 3], true), cut(0.12, [0, 3], false)];
    let result = run(&Tiers { events, ..direct }, &large(400));
    assert_eq!((result.asked, result.ended), (400, 400));
    let errors = result.total.errors.unwrap();
    assert!((100..=140).contains(&errors), "{errors}");
}

/// The same with the nodes at switches, in their order, that are linked by so many Mbit/s.
fn at_switches(tiers: Tiers, topology: Topology, mbit: u64) -> Tiers {
    let nodes = tiers.nodes.len() + tiers.client_nodes.len();
    Tiers {
        switches: Some(Switches {
            topology,
            link: link(mbit),
            places: (0..nodes).collect(),
        }),
        ..tiers
    }
}

/// What a link of this name has carried, in and out, from the very beginning.
fn carried(result: &TiersResult, name: &str) -> [u64; 2] {
    let mut links = result.other_links.iter();
    let found = links.find(|link| link.name == name);
    found
        .unwrap_or_else(|| panic!("no {name}"))
        .counts
        .all_bytes
}

#[test]
fn answers_share_the_links_of_a_mesh_and_go_apart_in_a_torus() {
    let size = [3, 1, 1];
    let traffic = once_each(&[SMALL; 2_000], Vec::new(), 100);
    let tiers = || proxied(Balance::RoundRobin, 16);
    // Both servers' answers come to the proxy by its one link to a switch.
    let mesh = run(
        &at_switches(tiers(), Topology::Mesh { size }, 100),
        &traffic,
    );
    near(per_s(&mesh), carried_per_s(100.0, SMALL), 0.03);
    let answers = |count: u64| count * answer_wire_bytes(SMALL);
    assert_eq!(carried(&mesh, "switches 0-1")[0], answers(2_000));
    assert_eq!(carried(&mesh, "switches 1-2")[0], answers(1_000));
    // Around the ring each has a link of its own.
    let torus = run(
        &at_switches(tiers(), Topology::Torus { size }, 100),
        &traffic,
    );
    near(per_s(&torus), 2.0 * carried_per_s(100.0, SMALL), 0.05);
    assert_eq!(carried(&torus, "switches 1-2"), [0, 0]);
    for result in [&mesh, &torus] {
        assert_eq!((result.asked, result.ended), (2_000, 2_000));
        assert_eq!(result.received_bytes, 2_000 * SMALL);
    }
}

#[test]
fn a_message_takes_each_switch_after_its_first_packet() {
    let nodes = |mbit| {
        vec![
            node("front", mbit, proxy(&[1], Balance::RoundRobin)),
            node("web", mbit, Role::Web(free_web())),
        ]
    };
    let traffic = once_each(&[SMALL; 40], Vec::new(), 10);
    let far = |mbit| {
        let tiers = closed(nodes(mbit), 0, 1, 0);
        let topology = Topology::Mesh { size: [4, 1, 1] };
        let switched = at_switches(tiers, topology, 100);
        // Three links lie between.
        let switches = switched.switches.map(|it| Switches {
            places: vec![0, 3],
            ..it
        });
        response_us(&run(
            &Tiers {
                switches,
                ..switched
            },
            &traffic,
        ))
    };
    // A request of a packet of 194 bytes, three times; an answer of which two more packets of 1514 go ahead.
    let request_us = 3.0 * 194.0 * 0.08;
    let answer_us = (answer_wire_bytes(SMALL) as f64 + 2.0 * 1514.0) * 0.08;
    near(far(None), request_us + answer_us, 0.01);
    // Links to the switches that are as fast add a packet each.
    let [request_us, answer_us] = [
        request_us + 2.0 * 194.0 * 0.08,
        answer_us + 2.0 * 1514.0 * 0.08,
    ];
    let own_us = answer_wire_bytes(SMALL) as f64 * 0.08 + 194.0 * 0.08;
    near(far(Some(100)), request_us + answer_us + own_us, 0.01);
}

#[test]
fn clients_on_a_node_ask_by_switches() {
    let web = vec![node("web", None, Role::Web(free_web()))];
    let tiers = from_desk(closed(web, 0, 8, 0), None);
    let traffic = once_each(&[SMALL; 1_000], Vec::new(), 100);
    let topology = Topology::FatTree { ports: 2 };
    let result = run(&at_switches(tiers, topology, 100), &traffic);
    near(per_s(&result), carried_per_s(100.0, SMALL), 0.03);
    assert_eq!(result.received_bytes, 1_000 * SMALL);
}
