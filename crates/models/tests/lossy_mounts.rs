//! File servers that stop, and ways that lose packets: hard and soft mounts over TCP and UDP.

use std::sync::Arc;

use hotset_models::remote::{Protocol, Transport};
use hotset_models::tiers::{Change, Event, Export, Files, Role, Tiers, TiersResult};
use hotset_petri::Stream;

use crate::mounted_sites::{NOTHING, V3, V4, far, files, server, traffic};
use crate::support::near;
use crate::tiers::{closed, free_web, node, response_us, run};

const SECOND_NS: u64 = 1_000_000_000;

/// One client of a web node, with a file server a millisecond away from which so many packets are lost each way.
fn tiers(transport: Transport, loss: f64) -> Tiers {
    let exported = files(V3, NOTHING);
    let export = Export {
        transport,
        ..exported.exports[0]
    };
    let exported = Files {
        exports: Arc::new([export]),
        losses: Arc::new([loss]),
        ..exported
    };
    let web = node("web", None, Role::Web(free_web()));
    let nodes = vec![web, server(far(1_000_000), exported)];
    closed(nodes, 0, 1, 0)
}

/// The same, where the server is down from the first second until then.
fn stopped(transport: Transport, until_s: u64) -> Tiers {
    let up = |at_s: u64, is_up: bool| Event {
        at_ns: at_s * SECOND_NS,
        change: Change::Up { node: 1, is_up },
    };
    Tiers {
        events: vec![up(1, false), up(until_s, true)],
        ..tiers(transport, 0.0)
    }
}

/// Requests for one file, a GETATTR each but for the first.
fn look(tiers: &Tiers, requests: usize) -> TiersResult {
    run(tiers, &traffic(&[4096], vec![0; requests]))
}

/// Requests answered in each second.
fn by_second(result: &TiersResult) -> Vec<u64> {
    let timeline = result.total.timeline.as_ref().expect("a timeline");
    timeline.requests.clone()
}

#[test]
fn a_connection_finds_a_server_again_when_its_timer_says_so() {
    let result = look(&stopped(Transport::TCP, 11), 2000);
    let requests = by_second(&result);
    // 202 ms after the call that was lost, then 404 ms and so on: the first after ten seconds comes at 12.726 s.
    assert_eq!(requests[2..13].iter().sum::<u64>(), 0, "{requests:?}");
    assert!((100..180).contains(&requests[13]), "{requests:?}");
    assert_eq!((result.asked, result.ended), (2000, 2000));
    assert_eq!(result.total.errors, Some(0));
}

#[test]
fn datagrams_find_it_when_the_clients_timer_says_so() {
    let result = look(&stopped(Transport::UDP, 11), 2000);
    let requests = by_second(&result);
    // 1.1 s, 3.3 s, 7.7 s and 16.5 s after the call that was lost.
    assert_eq!(requests[2..17].iter().sum::<u64>(), 0, "{requests:?}");
    assert!((200..280).contains(&requests[17]), "{requests:?}");
    assert_eq!(result.total.errors, Some(0));
}

#[test]
fn a_run_ends_where_a_server_never_comes_back() {
    for transport in [Transport::TCP, Transport::UDP] {
        let mut tiers = stopped(transport, 2);
        tiers.events.truncate(1);
        let result = look(&tiers, 2000);
        assert_eq!(result.asked, result.ended + 1, "{transport:?}");
        assert!((450..550).contains(&result.ended), "{}", result.ended);
    }
}

#[test]
fn a_soft_mount_fails_requests() {
    let soft = Transport {
        is_soft: true,
        ..Transport::UDP
    };
    let result = look(&stopped(soft, 31), 2000);
    // At 17.5 s and, as the next call is not sent again between 25.2 s and then, at 34 s.
    assert_eq!(result.total.errors, Some(2));
    assert_eq!((result.asked, result.ended), (2000, 2000));
    let requests = by_second(&result);
    assert_eq!(requests[2..33].iter().sum::<u64>(), 0, "{requests:?}");
}

#[test]
fn a_lost_packet_of_a_lone_call_costs_the_connections_timer() {
    let result = look(&tiers(Transport::TCP, 0.01), 20_000);
    assert_eq!((result.asked, result.ended), (20_000, 20_000));
    // A round trip, and 202 ms for each packet of which one in a hundred is lost, twice as long where that is lost again.
    let of_packet_us = 0.01 * 202e3 + 0.01 * 0.01 * 404e3;
    near(response_us(&result), 2e3 + 2.0 * of_packet_us, 0.15);
}

#[test]
fn a_lost_datagram_costs_the_clients_timer() {
    let result = look(&tiers(Transport::UDP, 0.01), 20_000);
    let of_either = 1.0 - 0.99 * 0.99;
    let expected_us = 2e3 + of_either * 1.1e6 + of_either * of_either * 2.2e6;
    near(response_us(&result), expected_us, 0.2);
}

#[test]
fn what_follows_a_lost_packet_has_it_sent_again_at_once() {
    // A megabyte has hundreds of packets, and some of each are lost.
    let sizes = vec![1 << 20; 50];
    let lossy = run(
        &tiers(Transport::TCP, 0.01),
        &traffic(&sizes, (0..50).collect()),
    );
    let whole = run(
        &tiers(Transport::TCP, 0.0),
        &traffic(&sizes, (0..50).collect()),
    );
    let extra_us = response_us(&lossy) - response_us(&whole);
    // Far less than a timer for each of several READs, and more than nothing.
    assert!((1e3..400e3).contains(&extra_us), "{extra_us}");
}

#[test]
fn hard_mounts_have_every_request_answered() {
    for seed in 0..30 {
        let mut random = Stream::named(seed, 0, "lossy mounts");
        let protocol = match random.below(2) {
            0 => Protocol::Tcp,
            _ => Protocol::Udp,
        };
        let usual = match protocol {
            Protocol::Tcp => Transport::TCP,
            Protocol::Udp => Transport::UDP,
        };
        let mut tiers = tiers(usual, 0.02 * random.unit());
        if protocol == Protocol::Tcp && random.below(2) == 0 {
            for node in &mut tiers.nodes {
                if let Role::Files(exported) = &mut node.role {
                    let mount = files(V4, NOTHING).exports[0].mount;
                    let export = Export {
                        mount,
                        ..exported.exports[0]
                    };
                    exported.exports = Arc::new([export]);
                }
            }
        }
        let sizes: Vec<u64> = (0..10).map(|_| random.below(100_000)).collect();
        let requests: Vec<u32> = (0..200).map(|_| random.below(10) as u32).collect();
        let wanted = requests.iter().map(|&it| sizes[it as usize]).sum::<u64>();
        let result = run(&tiers, &traffic(&sizes, requests));
        assert_eq!((result.asked, result.ended), (200, 200), "seed {seed}");
        assert_eq!(result.received_bytes, wanted, "seed {seed}");
    }
}
