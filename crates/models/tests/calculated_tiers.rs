//! Calculated data-centres beside simulated ones: the same nodes and requests.

use std::sync::Arc;

use hotset_models::calculate::{HitRatioMethod, Method, calculate};
use hotset_models::tiers::{
    Arrivals, ClientClass, ClientNode, DirectLink, File, Link, LinkCounts, Needs, Node, Processors,
    Proxy, Role, Store, Tiers, TiersResult, Traffic, Web, simulate,
};
use hotset_petri::Stream;
use hotset_scenario::{Balance, CostLine, Profile};

use crate::support::near;
use crate::support::random_tiers::{Asking, bottleneck, case};

/// Files of one size, each asked for in turn.
fn traffic(files: u32, bytes: u64, requests: u32) -> Traffic {
    Traffic {
        sites: vec!["site".to_owned()],
        files: (0..files).map(|_| File { site: 0, bytes }).collect(),
        requests: (0..requests).map(|it| it % files).collect(),
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: requests as usize / 2,
    }
}

/// One web server, of which nothing takes time but its link and a request.
fn web(mbit: u64, memory_bytes: u64, request_ns: u64) -> Node {
    let free = CostLine {
        fixed_us: 0.0,
        bytes_per_us: 1e9,
    };
    Node {
        name: "web".to_owned(),
        link: Some(Link {
            bits_per_s: mbit * 1_000_000,
            delay_ns: 0,
            mtu_bytes: 1500,
        }),
        processors: Processors::of(Some(1.0), 1.0, 1),
        role: Role::Web(Web {
            stores: Arc::from([Store {
                name: "store".to_owned(),
                profile: Profile::of_lines("free", free, free, ""),
                request_ns,
                in_memory: false,
            }]),
            store_of_site: Arc::from([]),
            memory_bytes,
            groups: Arc::from([]),
            held: Arc::from([]),
            workers: None,
            keep_alive: None,
            follow: None,
            needs: Needs::default(),
        }),
    }
}

fn closed(node: Node, clients: u32, think_ns: u64) -> Tiers {
    Tiers {
        nodes: vec![node],
        arrivals: Arrivals::Closed(vec![ClientClass {
            asks: 0,
            clients,
            think_ns,
            timeout_ns: None,
            node: None,
        }]),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    }
}

#[test]
fn one_client_alone_is_never_held_up() {
    // Pieces overlap: a piece is on the link while the next one is handed over.
    for bytes in [0, 5_000, 65_536, 1_000_000] {
        let tiers = closed(web(100, 1 << 40, 300_000), 1, 0);
        let traffic = traffic(4, bytes, 400);
        let simulated = simulate(&tiers, &Arc::new(traffic.clone()), 1, &|| true).unwrap();
        let calculated = calculate(&tiers, &traffic, HitRatioMethod::Exact).unwrap();
        assert_eq!(calculated.method, Method::ExactMva);
        near(
            calculated.result.total.mean_us().unwrap(),
            simulated.total.mean_us().unwrap(),
            0.01,
        );
        let first = |it: &hotset_outcome::Score| it.latencies.first_byte.clone().unwrap().mean_us;
        near(
            first(&calculated.result.total).unwrap(),
            first(&simulated.total).unwrap(),
            0.01,
        );
    }
}

#[test]
fn what_passes_links_and_what_is_in_memory_is_what_is_simulated() {
    let tiers = closed(web(100, 40 * 65_536, 10_000), 3, 1_000_000);
    let mut traffic = traffic(100, 60_000, 4_000);
    // Some files are asked for again and again.
    traffic
        .requests
        .iter_mut()
        .enumerate()
        .for_each(|(row, file)| {
            if row % 3 > 0 {
                *file %= 20;
            }
        });
    let simulated = simulate(&tiers, &Arc::new(traffic.clone()), 1, &|| true).unwrap();
    let exact = calculate(&tiers, &traffic, HitRatioMethod::Exact).unwrap();
    let [simulated, exact] = [&simulated, &exact.result].map(|it| &it.nodes[0]);
    let hits = [simulated, exact].map(|it| it.cache.unwrap().hit_ratio().unwrap());
    assert!(hits[0] > 0.2 && hits[0] < 0.9, "{hits:?}");
    near(hits[1], hits[0], 0.02);
    let sent = [simulated, exact].map(|it| it.link.as_ref().unwrap().sent_bytes as f64);
    near(sent[1], sent[0], 0.01);
}

/// The share of a request that a site asks is its own.
#[test]
fn each_site_has_its_own_demands() {
    let mut traffic = traffic(2, 10_000, 1_000);
    traffic.sites.push("large".to_owned());
    traffic.files[1] = File {
        site: 1,
        bytes: 60_000,
    };
    let tiers = closed(web(100, 1 << 40, 10_000), 2, 0);
    let calculated = calculate(&tiers, &traffic, HitRatioMethod::Exact).unwrap();
    let out = |site: usize| {
        let mut demands = calculated.demands.iter();
        let found = demands.find(|it| it.resource == "link out" && it.site == site);
        found.unwrap().seconds
    };
    // 10,256 bytes in 8 packets and 60,256 in 42, at 80 ns.
    near(out(0), (10_256.0 + 8.0 * 66.0) * 80e-9, 1e-9);
    near(out(1), (60_256.0 + 42.0 * 66.0) * 80e-9, 1e-9);
    let sites = &calculated.result.sites;
    assert!(sites[0].mean_us() < sites[1].mean_us());
    let bounds = calculated.bounds[0];
    let per_s = calculated.result.total.throughput_per_s.unwrap();
    let asymptotic = bounds.asymptotic;
    // Sums in another order differ in their last digit.
    let (low, high) = (
        asymptotic.low_per_s * (1.0 - 1e-9),
        asymptotic.high_per_s * (1.0 + 1e-9),
    );
    assert!(
        (low..=high).contains(&per_s),
        "{per_s} is not within {asymptotic:?}"
    );
}

#[test]
fn requests_that_come_faster_than_they_are_served_have_no_response() {
    let mut traffic = traffic(4, 10_000, 1_000);
    let service_ns = (10_256 + 8 * 66) * 80;
    let at = |gap_ns: u64| (0..1_000).map(|it| it * gap_ns).collect();
    let tiers = Tiers {
        arrivals: Arrivals::Open(vec![0]),
        ..closed(web(100, 1 << 40, 0), 1, 0)
    };
    traffic.times_ns = at(service_ns / 2);
    let result = calculate(&tiers, &traffic, HitRatioMethod::Exact)
        .unwrap()
        .result;
    assert_eq!(result.total.mean_us(), None);
    near(
        result.asked_per_s / result.total.throughput_per_s.unwrap(),
        2.0,
        1e-3,
    );
    traffic.times_ns = at(service_ns * 2);
    let result = calculate(&tiers, &traffic, HitRatioMethod::Exact)
        .unwrap()
        .result;
    assert_eq!(result.total.throughput_per_s, Some(result.asked_per_s));
    assert!(result.total.mean_us().is_some());
}

#[test]
fn ches_approximation_is_near_the_page_cache() {
    let mut apart = Vec::new();
    for number in 0..7 {
        let of = case(number, 8_000, Asking::Closed);
        let hits = [HitRatioMethod::Exact, HitRatioMethod::Che].map(|method| {
            let calculated = calculate(&of.tiers, &of.traffic, method).unwrap();
            calculated.result.total.hit_ratio().unwrap()
        });
        apart.push((hits[0] - hits[1]).abs());
    }
    apart.sort_by(f64::total_cmp);
    assert!(apart[apart.len() / 2] < 0.08, "{apart:?}");
}

/// What is simulated and what is calculated of a proxy that takes no time, with a link or none. It is before two web servers with links of
/// these rates. Requests come at random times, for files at random.
fn balanced(
    balance: Balance,
    (front, mbits): (Option<u64>, [u64; 2]),
    per_s: f64,
) -> [TiersResult; 2] {
    let link = |mbit: u64| Link {
        mtu_bytes: 1500,
        bits_per_s: mbit * 1_000_000,
        delay_ns: 0,
    };
    let proxy = Node {
        name: "front".to_owned(),
        link: front.map(link),
        processors: Processors::of(None, 1.0, 8),
        role: Role::Proxy(Proxy {
            upstream: vec![1, 2],
            balance,
            cache: None,
            request_ns: 0,
            answer_ns: 0,
            ns_per_byte: 0.0,
        }),
    };
    let [first, mut second] = mbits.map(|mbit| web(mbit, 1 << 40, 0));
    second.name = "other".to_owned();
    let tiers = Tiers {
        nodes: vec![proxy, first, second],
        arrivals: Arrivals::Open(vec![0]),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    };
    let mut random = Stream::named(5, 0, "balanced");
    let mut traffic = traffic(100, 50_000, 20_000);
    let mut now_s = 0.0;
    for file in &mut traffic.requests {
        *file = random.below(100) as u32;
        now_s += random.exponential() / per_s;
        traffic.times_ns.push((now_s * 1e9) as u64);
    }
    let calculated = calculate(&tiers, &traffic, HitRatioMethod::Exact).unwrap();
    let simulated = simulate(&tiers, &Arc::new(traffic), 1, &|| true).unwrap();
    [simulated, calculated.result]
}

/// Six of ten links' time is used. By the file, requests wait for each other by chance. In turn and by load, they do less.
#[test]
fn how_evenly_requests_are_handed_on_is_how_long_they_wait() {
    let mut responses = Vec::new();
    for balance in [
        Balance::Hash,
        Balance::RoundRobin,
        Balance::LeastConnections,
    ] {
        let [simulated, calculated] = balanced(balance, (None, [100, 100]), 286.0);
        let [simulated, calculated] = [simulated, calculated].map(|it| it.total.mean_us().unwrap());
        near(calculated, simulated, 0.1);
        responses.push(calculated);
    }
    assert!(responses[1] < 0.85 * responses[0], "{responses:?}");
    assert!(responses[2] < 0.85 * responses[0], "{responses:?}");
}

/// The one with the faster link is asked more often, as it has fewer requests.
#[test]
fn a_faster_node_with_fewest_connections_is_asked_more_often() {
    let results = balanced(Balance::LeastConnections, (None, [100, 400]), 286.0);
    let busy = results.each_ref().map(|it| {
        let link = it.nodes[1].link.as_ref().unwrap();
        link.ways[1].utilisation.unwrap()
    });
    assert!(busy[1] < 0.55, "{busy:?}");
    assert!((busy[0] - busy[1]).abs() < 0.05, "{busy:?}");
    let [simulated, calculated] = results.map(|it| it.total.mean_us().unwrap());
    near(calculated, simulated, 0.15);
}

/// Over links of half its rate, answers come to the proxy's no faster than they pass. They wait for hardly more than each other's
/// first packets, and requests for one answer of each node at most.
#[test]
fn what_comes_over_slower_links_hardly_waits() {
    let [simulated, calculated] = balanced(Balance::Hash, (Some(200), [100, 100]), 143.0);
    let [simulated, calculated] = [simulated, calculated].map(|it| it.total.mean_us().unwrap());
    near(calculated, simulated, 0.12);
}

fn link(mbit: u64, delay_ns: u64) -> Link {
    Link {
        bits_per_s: mbit * 1_000_000,
        delay_ns,
        mtu_bytes: 1500,
    }
}

/// Clients on a node, number 2, with a link or none. They ask a proxy, number 0, before a web server, number 1. Some of them have links of
/// their own to each other.
fn on_desk(clients: u32, desk: Option<u64>, direct: &[([usize; 2], u64)]) -> Tiers {
    let front = Node {
        name: "front".to_owned(),
        link: Some(link(200, 50_000)),
        processors: Processors::of(None, 1.0, 8),
        role: Role::Proxy(Proxy {
            upstream: vec![1],
            balance: Balance::RoundRobin,
            cache: None,
            request_ns: 20_000,
            answer_ns: 20_000,
            ns_per_byte: 0.5,
        }),
    };
    let direct = direct.iter().map(|&(between, mbit)| DirectLink {
        between,
        link: link(mbit, 10_000),
    });
    Tiers {
        nodes: vec![front, web(100, 1 << 40, 100_000)],
        arrivals: Arrivals::Closed(vec![ClientClass {
            asks: 0,
            clients,
            think_ns: 0,
            timeout_ns: None,
            node: Some(0),
        }]),
        events: Vec::new(),
        client_nodes: vec![ClientNode {
            name: "desk".to_owned(),
            link: desk.map(|mbit| link(mbit, 1_000_000)),
        }],
        direct_links: direct.collect(),
        stacks: Vec::new(),
        switches: None,
    }
}

/// What is simulated and what is calculated.
fn both(tiers: &Tiers, bytes: u64) -> [TiersResult; 2] {
    let traffic = traffic(50, bytes, 2_000);
    let calculated = calculate(tiers, &traffic, HitRatioMethod::Exact).unwrap();
    let simulated = simulate(tiers, &Arc::new(traffic), 1, &|| true).unwrap();
    [simulated, calculated.result]
}

/// All links of a result, by their names.
fn links(result: &TiersResult) -> Vec<(String, LinkCounts)> {
    let nodes = result.nodes.iter().enumerate();
    let of_nodes = nodes.filter_map(|(at, it)| Some((at.to_string(), it.link.clone()?)));
    let others = result.other_links.iter();
    let others = others.map(|it| (it.name.clone(), it.counts.clone()));
    of_nodes.chain(others).collect()
}

/// Mbit/s of the link of the clients' node, and links between nodes with theirs.
type LinkCase = (Option<u64>, &'static [([usize; 2], u64)]);

#[test]
fn links_of_clients_and_between_nodes_take_a_lone_request_as_long_as_simulated() {
    let cases: [LinkCase; 4] = [
        (Some(50), &[]),
        (None, &[([0, 2], 80)]),
        (Some(1000), &[([1, 0], 60)]),
        (Some(50), &[([0, 1], 300), ([2, 0], 60)]),
    ];
    for (desk, direct) in cases {
        for bytes in [5_000, 300_000] {
            let [simulated, calculated] = both(&on_desk(1, desk, direct), bytes);
            let times = [&simulated, &calculated].map(|it| {
                let latencies = &it.total.latencies;
                let first = latencies.first_byte.as_ref().unwrap().mean_us;
                (it.total.mean_us().unwrap(), first.unwrap())
            });
            near(times[1].0, times[0].0, 0.02);
            near(times[1].1, times[0].1, 0.02);
            let passed = [&simulated, &calculated].map(links);
            assert_eq!(passed[0].len(), passed[1].len());
            for ((name, was), (called, is)) in passed[0].iter().zip(&passed[1]) {
                assert_eq!(name, called);
                near(
                    is.received_bytes as f64 + 1.0,
                    was.received_bytes as f64 + 1.0,
                    0.02,
                );
                near(
                    is.sent_bytes as f64 + 1.0,
                    was.sent_bytes as f64 + 1.0,
                    0.02,
                );
                for (is, was) in is.ways.iter().zip(&was.ways) {
                    let apart = is.utilisation.unwrap() - was.utilisation.unwrap();
                    assert!(apart.abs() < 0.02, "{name}: {is:?}, {was:?}");
                }
            }
        }
    }
}

/// The slowest link is busy all the time. Where two are as slow, answers that have waited on one do not wait on the next.
#[test]
fn clients_wait_for_the_slowest_link_once() {
    let cases: [LinkCase; 4] = [
        (Some(30), &[]),
        (Some(100), &[]),
        (Some(1000), &[([0, 1], 40)]),
        (None, &[([0, 1], 1000), ([0, 2], 60)]),
    ];
    for (desk, direct) in cases {
        let [simulated, calculated] = both(&on_desk(8, desk, direct), 50_000);
        let per_s = |it: &TiersResult| it.total.throughput_per_s.unwrap();
        near(per_s(&calculated), per_s(&simulated), 0.08);
        let mean_us = |it: &TiersResult| it.total.mean_us().unwrap();
        near(mean_us(&calculated), mean_us(&simulated), 0.08);
    }
}

/// Clients in two places who ask the same node wait for their own links alone.
#[test]
fn clients_in_two_places_have_what_their_links_carry() {
    let mut tiers = on_desk(4, Some(20), &[]);
    tiers.client_nodes.push(ClientNode {
        name: "hall".to_owned(),
        link: Some(link(40, 0)),
    });
    let of = |node: usize| ClientClass {
        asks: 0,
        clients: 4,
        think_ns: 0,
        timeout_ns: None,
        node: Some(node),
    };
    tiers.arrivals = Arrivals::Closed(vec![of(0), of(1)]);
    let [simulated, calculated] = both(&tiers, 50_000);
    for (was, is) in simulated.other_links.iter().zip(&calculated.other_links) {
        let busy = [was, is].map(|it| it.counts.ways[0].utilisation.unwrap());
        near(busy[1], busy[0], 0.08);
    }
    assert_eq!(calculated.other_links.len(), 2);
}

/// A few of those that `examples/calculated_beside_simulated.rs` has many of.
#[test]
fn random_tiers_are_near_their_simulations() {
    let mut alike = 0;
    let mut apart = Vec::new();
    for number in 0..8 {
        let asking = if number < 6 {
            Asking::Closed
        } else {
            Asking::Open
        };
        let of = case(number, 6_000, asking);
        let simulated = simulate(&of.tiers, &of.traffic, number, &|| true).unwrap();
        let calculated = calculate(&of.tiers, &of.traffic, HitRatioMethod::Exact).unwrap();
        let ratio = |it: fn(&hotset_outcome::Score) -> Option<f64>| {
            let of = |score| it(score).unwrap();
            (of(&calculated.result.total) / of(&simulated.total) - 1.0).abs()
        };
        let throughput = ratio(|it| it.throughput_per_s);
        assert!(throughput < 0.1, "{number}: {throughput}");
        apart.push(ratio(|it| it.mean_us()));
        alike += u32::from(bottleneck(&calculated.result) == bottleneck(&simulated));
    }
    apart.sort_by(f64::total_cmp);
    assert!(apart[apart.len() / 2] < 0.15, "{apart:?}");
    assert!(alike >= 7, "{alike}");
}
