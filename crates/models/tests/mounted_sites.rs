//! Web nodes whose files are on a file server: round trips and calls by hand, bytes on links, and what gives out.

use std::sync::Arc;

use hotset_models::remote::nfs::{Mount, Version};
use hotset_models::remote::{CallCosts, Protocol, Transport};
use hotset_models::tiers::{
    Arrivals, Change, ClientClass, DirectLink, Event, Export, File, Files, Link, Node, Role, Tiers,
    TiersResult, Traffic, Web,
};
use hotset_petri::Stream;
use hotset_scenario::{CostLine, Profile};

use crate::support::near;
use crate::tiers::{REQUEST_WIRE_BYTES, closed, free_web, node, response_us, run};

const FREE: CostLine = CostLine {
    fixed_us: 0.0,
    bytes_per_us: 1e9,
};
pub(crate) const NOTHING: CallCosts = CallCosts {
    call_ns: 0,
    ns_per_byte: 0.0,
    stack_ns_per_byte: [0.0; 2],
};
pub(crate) const V3: Version = Version::V3;
pub(crate) const V4: Version = Version::V4 { minor: 2 };
const V40: Version = Version::V4 { minor: 0 };

fn mount(version: Version) -> Mount {
    Mount {
        version,
        protocol: Protocol::Tcp,
        read_bytes: 1 << 20,
        write_bytes: 1 << 20,
        attributes_s: None,
        sync: false,
    }
}

/// A file server with the one store of its web nodes, of which nothing but calls takes time.
pub(crate) fn files(version: Version, costs: CallCosts) -> Files {
    Files {
        exports: Arc::new([Export {
            store: 0,
            mount: mount(version),
            transport: Transport::TCP,
            client_costs: NOTHING,
            part: None,
            inode_bytes: None,
        }]),
        profile: Arc::new(Profile::of_lines("free", FREE, FREE, "")),
        memory_bytes: 1 << 40,
        processors: 1,
        threads: 8,
        is_async: false,
        costs,
        losses: Arc::new([]),
    }
}

/// A link that takes nothing but its delay, as near as that goes.
pub(crate) fn far(delay_ns: u64) -> Option<Link> {
    Some(Link {
        bits_per_s: 1_000_000_000_000,
        delay_ns,
        mtu_bytes: 1500,
    })
}

pub(crate) fn server(link: Option<Link>, files: Files) -> Node {
    Node {
        link,
        ..node("files", None, Role::Files(files))
    }
}

/// These requests for files of these sizes, all measured.
pub(crate) fn traffic(sizes: &[u64], requests: Vec<u32>) -> Arc<Traffic> {
    Arc::new(Traffic {
        sites: vec!["site".to_owned()],
        files: sizes.iter().map(|&bytes| File { site: 0, bytes }).collect(),
        requests,
        times_ns: Vec::new(),
        connections: Vec::new(),
        warm_up: 0,
    })
}

fn count(result: &TiersResult, at: usize, call: &str) -> u64 {
    result.nodes[at].calls.get(call).map_or(0, |it| it.count)
}

/// One web node without a link and a file server a millisecond away. A client thinks for as long between two requests.
fn far_away(version: Version) -> Tiers {
    let web = node("web", None, Role::Web(free_web()));
    let nodes = vec![web, server(far(1_000_000), files(version, NOTHING))];
    closed(nodes, 0, 1, 1_000_000)
}

/// A request for each of so many files. It is measured until the last one is made.
fn each(count: u32) -> Arc<Traffic> {
    let sizes = vec![4096; count as usize];
    traffic(&sizes, (0..count).collect())
}

#[test]
fn a_file_of_version_3_takes_three_round_trips_and_then_one() {
    let tiers = far_away(V3);
    // LOOKUP, ACCESS and READ, one after the other.
    let first = run(&tiers, &each(51));
    near(response_us(&first), 6_000.0, 0.01);
    // GETATTR alone from then on.
    let all = run(&tiers, &traffic(&[4096], vec![0; 51]));
    near(response_us(&all), (6_000.0 + 49.0 * 2_000.0) / 50.0, 0.01);
    let counts = ["lookup", "access", "read", "getattr"].map(|it| count(&all, 0, it));
    assert_eq!(counts, [1, 1, 1, 49]);
}

#[test]
fn opens_of_version_4_0_wait_for_each_other() {
    let response = |version: Version| {
        let web = node("web", None, Role::Web(free_web()));
        let nodes = vec![web, server(far(1_000_000), files(version, NOTHING))];
        response_us(&run(&closed(nodes, 0, 8, 0), &each(400)))
    };
    // With a session, OPEN and READ take 4 ms, however many clients there are.
    near(response(V4), 4_000.0, 0.05);
    // Without one, OPEN and CLOSE of eight files come one after the other (RFC 7530, 9.1.7): 8 times 4 ms until each has its turn again.
    near(response(V40), 32_000.0, 0.1);
}

#[test]
fn a_delegation_of_version_4_makes_calls_needless() {
    let tiers = far_away(V4);
    // OPEN and READ; nobody waits for CLOSE.
    let first = run(&tiers, &each(51));
    near(response_us(&first), 4_000.0, 0.01);
    let all = run(&tiers, &traffic(&[4096], vec![0; 51]));
    near(response_us(&all), 4_000.0 / 50.0, 0.01);
    let counts = ["open", "close", "read", "getattr"].map(|it| count(&all, 0, it));
    assert_eq!(counts, [1, 1, 1, 0]);
}

#[test]
fn a_link_between_both_is_the_way_of_calls() {
    let web = node("web", None, Role::Web(free_web()));
    let nodes = vec![web, server(None, files(V4, NOTHING))];
    let link = far(1_000_000).map(|link| DirectLink {
        between: [0, 1],
        link,
    });
    let tiers = Tiers {
        direct_links: link.into_iter().collect(),
        ..closed(nodes, 0, 1, 0)
    };
    let first = run(&tiers, &each(51));
    near(response_us(&first), 4_000.0, 0.01);
}

#[test]
fn what_the_server_sends_is_what_its_clients_receive() {
    let nodes = vec![
        node("web", Some(1000), Role::Web(free_web())),
        server(far(0), files(V3, NOTHING)),
    ];
    let sizes = [1_000, 70_000, 3_000_000, 4_096];
    let requests = vec![0, 1, 2, 3, 0, 1, 2, 3];
    let result = run(&closed(nodes, 0, 1, 0), &traffic(&sizes, requests));
    let of_link = |at: usize| result.nodes[at].link.as_ref().map(|it| it.all_bytes);
    let (Some([web_in, _]), Some([_, sent])) = (of_link(0), of_link(1)) else {
        panic!("both have links");
    };
    assert_eq!(web_in - 8 * REQUEST_WIRE_BYTES, sent);
    let all: u64 = sizes.iter().sum();
    // Each file comes once, with headers of packets, calls and attributes.
    assert!((all..all + all / 10).contains(&sent), "{sent}");
    assert_eq!(result.received_bytes, 2 * all);
}

#[test]
fn a_server_that_works_a_millisecond_a_call_gives_out_at_a_thousand_requests() {
    let costs = CallCosts {
        call_ns: 1_000_000,
        ns_per_byte: 0.0,
        stack_ns_per_byte: [0.0; 2],
    };
    let web = |name: &str| node(name, None, Role::Web(free_web()));
    let mut nodes = vec![web("one"), web("two")];
    nodes.push(server(None, files(V3, costs)));
    let mut tiers = closed(nodes, 0, 8, 0);
    if let Arrivals::Closed(classes) = &mut tiers.arrivals {
        let second = ClientClass {
            asks: 1,
            ..classes[0]
        };
        classes.push(second);
    }
    let requests = vec![0; 4000];
    let result = run(&tiers, &traffic(&[4096], requests));
    // Each request takes a GETATTR of its node; the file itself is read once by each.
    let per_s = result.total.throughput_per_s.unwrap_or_default();
    near(per_s, 1000.0, 0.02);
    let busy = result.nodes[2].processors.utilisation.unwrap_or_default();
    assert!(busy > 0.98, "{busy}");
    assert_eq!(count(&result, 0, "read") + count(&result, 1, "read"), 2);
}

#[test]
fn what_one_node_has_read_is_in_the_servers_memory_for_the_other() {
    let web = |name: &str| {
        let web = Web {
            memory_bytes: 4096,
            ..free_web()
        };
        node(name, None, Role::Web(web))
    };
    let mut nodes = vec![web("one"), web("two")];
    nodes.push(server(None, files(V3, NOTHING)));
    let mut tiers = closed(nodes, 0, 1, 0);
    tiers.arrivals = Arrivals::Open(vec![0, 1]);
    // The last one is made when the others are answered.
    let files = traffic(&[4096, 4096], vec![0, 0, 1, 1, 0, 0, 0]);
    let files = Traffic {
        times_ns: (0..7).map(|it| it * 1_000_000_000).collect(),
        ..Traffic::clone(&files)
    };
    let result = run(&tiers, &Arc::new(files));
    let Some(cache) = result.nodes[2].cache else {
        panic!("a file server has a page cache");
    };
    // Neither node has room for two files, and of each file the server reads its disk once.
    assert_eq!((cache.files, cache.hits), (6, 4));
}

#[test]
fn the_servers_disk_may_become_slower() {
    let response_us = |speed: f64| {
        let disk = CostLine {
            fixed_us: 1000.0,
            ..FREE
        };
        let exported = Files {
            profile: Arc::new(Profile::of_lines("disk", FREE, disk, "")),
            memory_bytes: 4096,
            ..files(V3, NOTHING)
        };
        let web = Web {
            memory_bytes: 4096,
            ..free_web()
        };
        let nodes = vec![node("web", None, Role::Web(web)), server(None, exported)];
        let change = Change::Speed {
            node: 1,
            store: 0,
            speed,
        };
        let tiers = Tiers {
            events: vec![Event { at_ns: 0, change }],
            ..closed(nodes, 0, 1, 0)
        };
        // Neither memory has room for both files.
        let requests = (0..400).map(|row| row % 2).collect();
        response_us(&run(&tiers, &traffic(&[4096, 4096], requests)))
    };
    near(response_us(0.5), 2.0 * response_us(1.0), 0.03);
}

#[test]
fn answers_to_calls_wait_for_no_worker() {
    let web = Web {
        workers: Some(1),
        ..free_web()
    };
    let nodes = vec![
        node("web", Some(100), Role::Web(web)),
        server(far(100_000), files(V3, NOTHING)),
    ];
    let sizes = [4_096, 200_000, 1, 65_536];
    let requests: Vec<u32> = (0..200).map(|row| row % 4).collect();
    let result = run(&closed(nodes, 0, 16, 0), &traffic(&sizes, requests));
    assert_eq!((result.asked, result.ended), (200, 200));
}

#[test]
fn every_request_is_answered_whatever_the_way_and_the_protocol() {
    for seed in 0..40 {
        let mut random = Stream::named(seed, 0, "mounted sites");
        let mut link = |most: u64| match random.below(3) {
            0 => None,
            _ => Some(Link {
                bits_per_s: 1_000_000 * (1 + random.below(most)),
                delay_ns: random.below(1_000_000),
                mtu_bytes: 576 + random.below(9_000),
            }),
        };
        let links = [link(1000), link(1000), link(100)];
        let version = if random.below(2) == 0 { V3 } else { V4 };
        let web = |name: &str, link| Node {
            link,
            ..node(
                name,
                None,
                Role::Web(Web {
                    memory_bytes: 1 << 20,
                    workers: (seed % 3 == 0).then_some(2),
                    ..free_web()
                }),
            )
        };
        let costs = CallCosts::ASSUMED;
        let mut exported = files(version, costs);
        exported.memory_bytes = 1 << 21;
        exported.threads = 1 + random.below(3) as usize;
        let nodes = vec![
            web("one", links[0]),
            server(links[1], exported),
            web("two", links[2]),
        ];
        let mut tiers = closed(nodes, 0, 6, 0);
        if let Arrivals::Closed(classes) = &mut tiers.arrivals {
            let second = ClientClass {
                asks: 2,
                ..classes[0]
            };
            classes.push(second);
        }
        let sizes: Vec<u64> = (0..20).map(|_| random.below(400_000)).collect();
        let requests: Vec<u32> = (0..300).map(|_| random.below(20) as u32).collect();
        let wanted = requests.iter().map(|&it| sizes[it as usize]).sum::<u64>();
        let result = run(&tiers, &traffic(&sizes, requests));
        assert_eq!((result.asked, result.ended), (300, 300), "seed {seed}");
        assert_eq!(result.received_bytes, wanted, "seed {seed}");
    }
}
