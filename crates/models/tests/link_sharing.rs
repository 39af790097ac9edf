//! Connections that share a link: exact results of processor sharing, and a plain simulation of the same answers packet by packet.

use std::collections::VecDeque;
use std::sync::Arc;

use hotset_models::tiers::{Arrivals, Change, Event, File, Role, Tiers, TiersResult, Traffic};
use hotset_petri::Stream;
use hotset_scenario::Balance;
use proptest::prelude::*;

use crate::support::near;
use crate::tiers::{REQUEST_WIRE_BYTES, answer_wire_bytes, free_web, node, proxy, run};

/// A full packet on a link.
const PACKET_BYTES: u64 = 1514;
/// What is in line at most.
const LINE_US: f64 = 12_000.0;
const LINE_MIN_BYTES: u64 = 16 * 1024;

/// How long so many bytes pass a link of so many Mbit/s.
fn us(bytes: u64, mbit: u64) -> f64 {
    bytes as f64 * 8.0 / mbit as f64
}

/// Requests at these times for files of these sizes, each of a site of its own, of a web server that nothing holds up but its link. One more
/// comes when all others have ended.
fn on_a_link(mbit: u64, requests: &[(u64, u64)], events: Vec<Event>) -> TiersResult {
    let all: Vec<(u64, u64)> = requests.iter().copied().chain([(1 << 50, 1)]).collect();
    let files = all.iter().zip(0u16..);
    let files = files.map(|(&(_, bytes), site)| File { site, bytes });
    let traffic = Traffic {
        sites: (0..all.len()).map(|it| it.to_string()).collect(),
        files: files.collect(),
        requests: (0..all.len() as u32).collect(),
        times_ns: all.iter().map(|it| it.0).collect(),
        connections: Vec::new(),
        warm_up: 0,
    };
    let tiers = Tiers {
        nodes: vec![node("web", Some(mbit), Role::Web(free_web()))],
        arrivals: Arrivals::Open(vec![0]),
        events,
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    };
    run(&tiers, &Arc::new(traffic))
}

fn response_us(result: &TiersResult, request: usize) -> f64 {
    result.sites[request].mean_us().unwrap()
}

/// When each answer has passed, microseconds, and how many shared the link at most. Packet by packet, who has one left has its turn, as soon
/// as the line has room.
fn packet_by_packet(mbit: u64, requests: &[(u64, u64)]) -> (Vec<f64>, usize) {
    let line_us = LINE_US.max(us(LINE_MIN_BYTES, mbit));
    let mut free_us = 0.0f64;
    let comes = requests.iter().map(|&(time_ns, bytes)| {
        free_us = free_us.max(time_ns as f64 / 1e3) + us(REQUEST_WIRE_BYTES, mbit);
        (free_us, answer_wire_bytes(bytes))
    });
    let mut comes: VecDeque<(usize, (f64, u64))> = comes.enumerate().collect();
    let mut sharing: VecDeque<(usize, u64)> = VecDeque::new();
    let (mut ends_us, mut most) = (vec![0.0; requests.len()], 0);
    let (mut now_us, mut free_us) = (0.0f64, 0.0f64);
    while !comes.is_empty() || !sharing.is_empty() {
        let packet = |left: u64| left.min(PACKET_BYTES);
        let room_us = sharing.front().map_or(f64::INFINITY, |&(_, left)| {
            now_us.max(free_us + us(packet(left), mbit) - line_us)
        });
        if let Some(&(request, (comes_us, bytes))) = comes.front()
            && comes_us <= room_us
        {
            comes.pop_front();
            now_us = comes_us;
            sharing.push_back((request, bytes));
            most = most.max(sharing.len());
            continue;
        }
        now_us = room_us;
        if let Some((request, left)) = sharing.pop_front() {
            free_us = free_us.max(now_us) + us(packet(left), mbit);
            match left - packet(left) {
                0 => ends_us[request] = free_us,
                left => sharing.push_back((request, left)),
            }
        }
    }
    (ends_us, most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn answers_share_a_link_as_packets_in_turn_do(
        requests in prop::collection::vec((1u64..20_000_000, 1u64..400_000), 1..24),
        mbit in prop_oneof![5u64..50, 50u64..500],
    ) {
        let mut now_ns = 0;
        let requests: Vec<(u64, u64)> = requests
            .iter()
            .map(|&(gap_ns, bytes)| {
                now_ns += gap_ns;
                (now_ns, bytes)
            })
            .collect();
        let (ends_us, most) = packet_by_packet(mbit, &requests);
        let result = on_a_link(mbit, &requests, Vec::new());
        // A turn of each packet, at the beginning and at the end.
        let within_us = (2 * most + 4) as f64 * us(PACKET_BYTES, mbit);
        for (request, (end_us, (time_ns, _))) in ends_us.iter().zip(&requests).enumerate() {
            let expected_us = end_us - *time_ns as f64 / 1e3;
            let response_us = response_us(&result, request);
            prop_assert!(
                (response_us - expected_us).abs() <= within_us,
                "{request}: {response_us}, packet by packet {expected_us}, within {within_us}"
            );
        }
        let link = result.nodes[0].link.as_ref().unwrap();
        let wire: u64 = requests.iter().map(|&(_, bytes)| answer_wire_bytes(bytes)).sum();
        prop_assert_eq!(link.all_bytes[1], wire + answer_wire_bytes(1));
    }
}

/// Poisson arrivals for files of these sizes on a link of 10 Mbit/s, which is busy for `load`: the mean response, and what it is under
/// processor sharing: E\[S\] / (1 − ρ), whatever the services are (S. F. Yashkov, "Processor-sharing queues", Queueing Systems 2, 1987). The line
/// is short beside the answers.
fn mean_on_a_link(sizes: &[u64], load: f64) -> (f64, f64) {
    const MBIT: u64 = 10;
    let service_us = sizes.iter().map(|&it| us(answer_wire_bytes(it), MBIT));
    let mean_us = service_us.sum::<f64>() / sizes.len() as f64;
    let mut random = Stream::named(5, 0, "arrivals");
    let mut now_us = 0.0;
    let times = sizes.iter().map(|_| {
        now_us += mean_us / load * random.exponential();
        (now_us * 1e3) as u64
    });
    let traffic = Traffic {
        sites: vec!["site".to_owned()],
        times_ns: times.collect(),
        files: sizes.iter().map(|&bytes| File { site: 0, bytes }).collect(),
        requests: (0..sizes.len() as u32).collect(),
        connections: Vec::new(),
        warm_up: 0,
    };
    let tiers = Tiers {
        nodes: vec![node("web", Some(MBIT), Role::Web(free_web()))],
        arrivals: Arrivals::Open(vec![0]),
        events: Vec::new(),
        client_nodes: Vec::new(),
        direct_links: Vec::new(),
        stacks: Vec::new(),
        switches: None,
    };
    let result = run(&tiers, &Arc::new(traffic));
    let load = mean_us * sizes.len() as f64 / now_us;
    let out = &result.nodes[0].link.as_ref().unwrap().ways[1];
    near(out.utilisation.unwrap(), load, 0.02);
    let response_us = result.total.mean_us().unwrap();
    // Little's law. Pieces of an answer wait one by one, so that more are there than answers.
    let present = result.total.throughput_per_s.unwrap() * response_us / 1e6;
    assert!(out.mean_queue_length.unwrap() > 0.95 * present);
    (response_us, mean_us / (1.0 - load))
}

fn exponential(mean: f64, random: &mut Stream) -> u64 {
    1 + (mean * random.exponential()) as u64
}

#[test]
fn the_mean_response_over_a_shared_link_depends_on_the_mean_size_alone() {
    let mut random = Stream::named(9, 0, "sizes");
    // One after the other, the mean response would be 0.7 times as long.
    let equal = vec![300_000; 8_000];
    let exponentials: Vec<u64> = (0..12_000)
        .map(|_| exponential(300_000.0, &mut random))
        .collect();
    // One after the other, the mean response would be twice as long and more.
    let hyperexponentials: Vec<u64> = (0..16_000)
        .map(|_| match random.chance(0.9) {
            true => exponential(100_000.0, &mut random),
            false => exponential(1_000_000.0, &mut random),
        })
        .collect();
    for (sizes, load, within) in [
        (equal, 0.6, 0.1),
        (exponentials, 0.5, 0.15),
        (hyperexponentials, 0.5, 0.2),
    ] {
        let (mean_us, expected_us) = mean_on_a_link(&sizes, load);
        near(mean_us, expected_us, within);
    }
}

#[test]
fn a_short_answer_waits_for_the_line_and_not_for_all_of_a_long_one() {
    let result = on_a_link(100, &[(1, 10_000_000), (200_000_000, 10_000)], Vec::new());
    let alone_us = us(answer_wire_bytes(10_000), 100);
    let short_us = response_us(&result, 1) - us(REQUEST_WIRE_BYTES, 100);
    // Both share the room that comes free.
    near(short_us, LINE_US + 2.0 * alone_us, 0.02);
    let first_byte = result.sites[1].latencies.first_byte.as_ref().unwrap();
    assert!(first_byte.mean_us.unwrap() < LINE_US + 2_000.0);
    let both_us = us(answer_wire_bytes(10_000_000), 100) + alone_us;
    near(response_us(&result, 0), both_us, 1e-3);
}

#[test]
fn an_answer_passes_a_link_at_the_rate_that_it_has_at_the_time() {
    const BYTES: u64 = 10_000_000;
    for (before, after) in [(100, 50), (50, 100)] {
        let change = Change::Rate {
            link: 0,
            bits_per_s: after * 1_000_000,
        };
        let events = vec![Event {
            at_ns: 400_000_000,
            change,
        }];
        let result = on_a_link(before, &[(1, BYTES)], events);
        // Bits in a microsecond are Mbit/s.
        let left_bits = answer_wire_bytes(BYTES) as f64 * 8.0 - 400_000.0 * before as f64;
        let expected_us = 400_000.0 + left_bits / after as f64;
        near(response_us(&result, 0), expected_us, 0.03);
        assert_eq!(result.total.errors, Some(0));
    }
}

/// The last request comes when the slowest link has carried an eighth of the file: that of the server, or of the proxy before it.
#[test]
fn a_server_reads_no_further_ahead_than_its_socket_holds() {
    let traffic = Traffic {
        sites: vec!["site".to_owned()],
        files: [10_000_000, 1]
            .map(|bytes| File { site: 0, bytes })
            .to_vec(),
        requests: vec![0, 1],
        times_ns: vec![0, 1_000_000_000],
        connections: Vec::new(),
        warm_up: 0,
    };
    let traffic = Arc::new(traffic);
    let web = |mbit| node("web", Some(mbit), Role::Web(free_web()));
    let front = node("front", Some(10), proxy(&[1], Balance::RoundRobin));
    for nodes in [vec![web(10)], vec![front, web(1000)]] {
        let tiers = Tiers {
            nodes,
            arrivals: Arrivals::Open(vec![0]),
            events: Vec::new(),
            client_nodes: Vec::new(),
            direct_links: Vec::new(),
            stacks: Vec::new(),
            switches: None,
        };
        let result = run(&tiers, &traffic);
        let caches = result.nodes.iter().filter_map(|it| it.cache);
        let read_bytes: u64 = caches.map(|it| it.device_bytes).sum();
        assert!((1_250_000..2_500_000).contains(&read_bytes), "{read_bytes}");
        assert_eq!(result.received_bytes, 10_000_001);
    }
}
