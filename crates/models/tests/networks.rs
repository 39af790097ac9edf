//! Links that several connections share: what each gets follows by hand.

use std::collections::BTreeMap;

use hotset_models::calendar::{Calendar as _, EventQueue};
use hotset_models::remote::{Direction, Line, NamedLine, Network, RemoteEvent};

fn link(name: &str, bits_per_s: u64, delay_ns: u64) -> NamedLine {
    NamedLine {
        name: name.to_owned(),
        line: Line {
            bits_per_s: Some(bits_per_s),
            delay_ns,
            mtu_bytes: 1500,
            rdma_lanes: None,
        },
    }
}

/// Sends messages to the server, each over a connection at a time, and is told when each arrives.
fn arrivals(network: &mut Network, messages: &[(u64, usize, u64)]) -> BTreeMap<u32, u64> {
    let mut events = EventQueue::<RemoteEvent>::default();
    let mut arrived = BTreeMap::new();
    let mut left = messages.iter().zip(0u32..).peekable();
    loop {
        let event = events.pop();
        let at = event.map_or(u64::MAX, |it| it.0);
        if let Some((&(now_ns, connection, bytes), call)) = left.next_if(|it| it.0.0 <= at) {
            // It comes before what takes place then.
            if let Some((at, event)) = event {
                events.at(at, event);
            }
            let way = (connection, Direction::ToServer);
            network.send(now_ns, way, (call, bytes), &mut events);
            continue;
        }
        match event {
            Some((now_ns, RemoteEvent::Comes { burst })) => {
                let arrival = network.comes(now_ns, burst, &mut events);
                arrived.extend(arrival.map(|it| (it.call, now_ns)));
            }
            Some((now_ns, RemoteEvent::LinkFree { way })) => {
                network.free(now_ns, way, &mut events);
            }
            _ => return arrived,
        }
    }
}

/// Bytes on a link of so many bytes of a message.
fn with_headers(bytes: u64) -> u64 {
    bytes + bytes.div_ceil(1448) * 52
}

#[track_caller]
fn near(value: u64, expected: u64, share: f64) {
    let off = (value as f64 / expected as f64 - 1.0).abs();
    assert!(off <= share, "{value}, expected {expected}");
}

#[test]
fn a_message_alone_takes_its_bytes_and_the_delay() {
    let mut network = Network::new(&[link("a", 8_000_000, 500)], &[vec![0]]);
    let arrived = arrivals(&mut network, &[(1_000, 0, 10_000)]);
    // A byte a microsecond.
    assert_eq!(arrived[&0], 1_000 + with_headers(10_000) * 1_000 + 500);
}

#[test]
fn messages_of_the_same_time_have_packets_of_their_own() {
    let mut network = Network::new(&[link("a", 8_000_000, 0)], &[vec![0]]);
    let arrived = arrivals(&mut network, &[(5, 0, 100), (5, 0, 100)]);
    assert_eq!(arrived[&1], 5 + 2 * with_headers(100) * 1_000);
    let (bytes, packets) = network.seen();
    assert_eq!((bytes.sent, packets.sent), (2 * with_headers(100), 2));
}

#[test]
fn connections_that_want_all_of_a_link_get_equal_parts() {
    let mut network = Network::new(&[link("a", 8_000_000, 0)], &[vec![0], vec![0], vec![0]]);
    let large = 6 << 20;
    let messages = [(0, 0, large), (0, 1, large), (0, 2, large / 2)];
    let arrived = arrivals(&mut network, &messages);
    // Max-min: a third for each until the short one is through, then a half.
    let all_ns = with_headers(large) * 1_000;
    near(arrived[&2], all_ns / 2 * 3, 0.03);
    near(arrived[&0], all_ns / 2 * 5, 0.03);
    near(arrived[&1], all_ns / 2 * 5, 0.03);
}

#[test]
fn one_that_wants_less_than_its_part_gets_all_that_it_wants() {
    let mut network = Network::new(&[link("a", 80_000_000, 0)], &[vec![0], vec![0]]);
    let mut messages = vec![(0, 0, 64 << 20)];
    // A fifth of the link, in messages of 4 KB.
    let period_ns = with_headers(4096) * 100 * 5;
    messages.extend((0..100).map(|number| (number * period_ns, 1, 4096)));
    let arrived = arrivals(&mut network, &messages);
    for call in 1..=100u32 {
        let sent_ns = u64::from(call - 1) * period_ns;
        // Behind bursts that pass and are next, never behind all of the large message.
        let most_ns = with_headers(64 << 10) * 100 * 2 + with_headers(4096) * 100;
        assert!(
            arrived[&call] - sent_ns <= most_ns,
            "{call}: {}",
            arrived[&call]
        );
    }
}

#[test]
fn a_star_is_as_fast_as_the_link_that_all_share() {
    let links = [
        link("first", 80_000_000, 0),
        link("second", 80_000_000, 0),
        link("server", 80_000_000, 0),
    ];
    let mut network = Network::new(&links, &[vec![0, 2], vec![1, 2]]);
    let large = 4 << 20;
    let arrived = arrivals(&mut network, &[(0, 0, large), (0, 1, large)]);
    near(
        arrived[&0].max(arrived[&1]),
        with_headers(large) * 100 * 2,
        0.03,
    );
    let carried = network.links();
    for link in &carried {
        assert_eq!(link.bytes.sent, link.passed_bytes.sent, "{}", link.name);
    }
    assert_eq!(carried[2].bytes.sent, carried[0].bytes.sent * 2);
}

/// A link that takes nothing but its delay.
fn far(delay_ns: u64) -> NamedLine {
    let NamedLine { name, line } = link("far", 1, delay_ns);
    let line = Line {
        bits_per_s: None,
        ..line
    };
    NamedLine { name, line }
}

#[test]
fn a_window_opens_by_what_is_acknowledged() {
    const DELAY_NS: u64 = 1_000_000;
    let mut network = Network::new(&[far(DELAY_NS)], &[vec![0]]);
    let bytes = 100 * 1448;
    // 10 segments, then 20, 40 and the last 30, a round trip after each other.
    let messages = [
        (0, 0, bytes),
        // The window is open then.
        (8 * DELAY_NS, 0, 40 * 1448),
        // After ten seconds it is as at first: 10, 20 and the last 10.
        (10_000_000_000, 0, 40 * 1448),
    ];
    let arrived = arrivals(&mut network, &messages);
    assert_eq!(arrived[&0], 7 * DELAY_NS);
    assert_eq!(arrived[&1], 9 * DELAY_NS);
    assert_eq!(arrived[&2], 10_000_000_000 + 5 * DELAY_NS);
}

#[test]
fn messages_that_wait_for_a_window_all_come_in_their_order() {
    let links = [far(300_000), link("near", 100_000_000, 20_000)];
    let mut network = Network::new(&links, &[vec![0, 1], vec![1]]);
    let sizes = [1, 1448, 100_000, 30_000, 1_000_000, 5];
    let messages = (0..60u64).map(|number| {
        let size = sizes[number as usize % sizes.len()];
        (number * 40_000, (number % 2) as usize, size)
    });
    let messages: Vec<(u64, usize, u64)> = messages.collect();
    let arrived = arrivals(&mut network, &messages);
    assert_eq!(arrived.len(), messages.len());
    for connection in 0..2usize {
        let own = (0..60u32).filter(|call| *call as usize % 2 == connection);
        let times: Vec<u64> = own.map(|call| arrived[&call]).collect();
        assert!(times.is_sorted(), "{times:?}");
    }
    let sent: u64 = messages.iter().map(|it| with_headers(it.2)).sum();
    let carried = network.links();
    let near = carried.iter().find(|it| it.name == "near");
    assert_eq!(near.map(|it| it.passed_bytes.sent), Some(sent));
}

/// A link whose adapters move messages, a byte a microsecond.
fn rdma(lanes: u32) -> NamedLine {
    let NamedLine { name, line } = link("fabric", 8_000_000, 0);
    let line = Line {
        mtu_bytes: 4096 + 26,
        rdma_lanes: Some(lanes),
        ..line
    };
    NamedLine { name, line }
}

#[test]
fn adapters_move_messages_in_packets_of_4_kb_without_acknowledgements() {
    let mut network = Network::new(&[rdma(1)], &[vec![0]]);
    let arrived = arrivals(&mut network, &[(0, 0, 10_000)]);
    assert_eq!(arrived[&0], (10_000 + 3 * 26) * 1_000);
    let (bytes, packets) = network.seen();
    assert_eq!((bytes.sent, packets.sent), (10_078, 3));
    assert_eq!((bytes.received, packets.received), (0, 0));
}

#[test]
fn a_delay_does_not_slow_adapters_down() {
    let far = NamedLine {
        line: Line {
            delay_ns: 1_000_000,
            ..rdma(1).line
        },
        ..rdma(1)
    };
    let mut network = Network::new(&[far], &[vec![0]]);
    let arrived = arrivals(&mut network, &[(0, 0, 1 << 20)]);
    let bytes = (1 << 20) + (1 << 8) * 26;
    assert_eq!(arrived[&0], bytes * 1_000 + 1_000_000);
}

#[test]
fn lanes_take_turns_and_what_shares_one_follows_each_other() {
    let large = 4 << 20;
    // Before a small message of another connection, a large one of each of two others.
    let small_ns = |lanes: u32| {
        let mut network = Network::new(&[rdma(lanes)], &[vec![0], vec![0], vec![0]]);
        let messages = [(0, 0, large), (0, 1, large), (1, 2, 100)];
        arrivals(&mut network, &messages)[&2]
    };
    let all_ns = (2 * large + 2 * (large / 4096) * 26 + 126) * 1_000;
    assert_eq!(small_ns(1), all_ns);
    // By itself it waits for a burst of each lane at most.
    assert!(small_ns(3) < 4 * 65_536 * 1_000);
    // With two lanes it follows the first message, which shares the link with the second.
    near(small_ns(2), all_ns, 0.03);
}
