//! Web nodes whose files are on several servers: round trips and calls by hand, and what becomes of requests where a server is down.

use std::sync::Arc;

use hotset_models::calculate::{HitRatioMethod, calculate};
use hotset_models::remote::cluster::{
    ClusterPart, ClusterProtocol, ClusterServers, GlusterFs, Lustre, MooseFs,
};
use hotset_models::remote::nfs::Mount;
use hotset_models::remote::pvfs::{OrangeFs, ParallelPart, Protocol, Pvfs1, Striping};
use hotset_models::remote::{Outage, Part, Transport};
use hotset_models::tiers::{
    Arrivals, Change, ClientClass, Event, Export, Files, Node, Role, Store, Tiers, TiersError,
    TiersResult, Traffic,
};
use hotset_petri::Stream;
use hotset_scenario::{Profile, Reading};

use crate::mounted_sites::{NOTHING, V3, far, files, server, traffic};
use crate::support::near;
use crate::tiers::{closed, free_web, node, response_us, run};

const SECOND_NS: u64 = 1_000_000_000;

fn lustre() -> (Part, Transport) {
    cluster(ClusterProtocol::Lustre(Lustre::default()))
}

/// With nothing but calls that takes time, and no small files that come with their names.
fn glusterfs(redundancy: u32, quick_read_bytes: u64) -> (Part, Transport) {
    cluster(ClusterProtocol::GlusterFs(GlusterFs {
        redundancy,
        quick_read_bytes,
        fuse: NOTHING,
        ..GlusterFs::default()
    }))
}

/// A distributed volume of which no name holds: each open looks it up.
fn asking_glusterfs() -> (Part, Transport) {
    cluster(ClusterProtocol::GlusterFs(GlusterFs {
        quick_read_bytes: 0,
        cache_ns: 0,
        fuse: NOTHING,
        ..GlusterFs::default()
    }))
}

fn moosefs(copies: u32) -> (Part, Transport) {
    cluster(ClusterProtocol::MooseFs(MooseFs {
        copies,
        fuse: NOTHING,
        ..MooseFs::default()
    }))
}

/// How many servers there are.
const COUNT: usize = 3;

/// The first server's part of Lustre, GlusterFS or MooseFS. All calls wait for their answers for as long as the protocol says.
fn cluster(protocol: ClusterProtocol) -> (Part, Transport) {
    let transport = Transport {
        timeout_ns: protocol.patience_ns(),
        retransmissions: 0,
        is_soft: true,
        outage: match protocol {
            ClusterProtocol::GlusterFs(_) => Outage::Breaks,
            ClusterProtocol::Lustre(_) | ClusterProtocol::MooseFs(_) => Outage::Loses,
        },
        ..Transport::TCP
    };
    let part = ClusterPart {
        protocol,
        servers: ClusterServers {
            count: COUNT,
            with_data: COUNT,
            metadata: 0,
        },
        place: 0,
    };
    (Part::Cluster(part), transport)
}

/// That of a parallel file system with files in strips of 64 KiB on all servers. Buffers of flows cost nothing.
fn parallel(protocol: Protocol) -> (Part, Transport) {
    let part = ParallelPart {
        protocol,
        striping: Striping::usual(COUNT as u32),
        data_servers: COUNT,
        metadata: 0,
        place: 0,
    };
    (Part::Parallel(part), Transport::TCP)
}

fn pvfs1() -> (Part, Transport) {
    parallel(Protocol::Pvfs1(Pvfs1::default()))
}

fn orangefs() -> (Part, Transport) {
    parallel(Protocol::OrangeFs(OrangeFs {
        server_buffer_ns: 0,
        client_buffer_ns: 0,
        ..OrangeFs::default()
    }))
}

/// Three servers, each a millisecond away.
fn servers((part, transport): (Part, Transport)) -> Vec<Node> {
    let one = |place: usize| {
        let exported = files(V3, NOTHING);
        let nfs = exported.exports[0];
        let read_bytes = match part {
            Part::Cluster(it) => it.protocol.most_bytes(),
            Part::Parallel(_) => 64 << 10,
        };
        let export = Export {
            mount: Mount {
                read_bytes,
                ..nfs.mount
            },
            transport,
            part: Some(part.at(place)),
            ..nfs
        };
        let files = Files {
            exports: Arc::new([export]),
            ..exported
        };
        Node {
            name: format!("files{place}"),
            ..server(far(1_000_000), files)
        }
    };
    (0..COUNT).map(one).collect()
}

/// One client of a web node, which thinks for so long.
fn tiers(store: (Part, Transport), think_ns: u64) -> Tiers {
    let mut nodes = vec![node("web", None, Role::Web(free_web()))];
    nodes.extend(servers(store));
    closed(nodes, 0, 1, think_ns)
}

/// A request for each of so many files of 4 KiB.
fn each(count: u32) -> Arc<Traffic> {
    traffic(&vec![4096; count as usize], (0..count).collect())
}

fn count(result: &TiersResult, call: &str) -> u64 {
    result.nodes[0].calls.get(call).map_or(0, |it| it.count)
}

/// A request after a millisecond of thinking takes so many round trips of two milliseconds the first time, and so many when the file is known.
#[track_caller]
fn takes(store: (Part, Transport), first: f64, then: f64) -> TiersResult {
    let tiers = tiers(store, 1_000_000);
    let of_each = run(&tiers, &each(51));
    near(response_us(&of_each), first * 2_000.0, 0.01);
    let again = run(&tiers, &traffic(&[4096], vec![0; 51]));
    let expected_us = (first + 49.0 * then) / 50.0 * 2_000.0;
    near(response_us(&again), expected_us, 0.02);
    again
}

#[test]
fn glusterfs_asks_nothing_of_a_file_that_it_has_while_its_name_holds() {
    let result = takes(glusterfs(0, 0), 3.0, 0.0);
    let counts = ["lookup", "open", "readv"].map(|it| count(&result, it));
    assert_eq!(counts, [1, 1, 1]);
}

#[test]
fn glusterfs_looks_names_up_and_reads_once() {
    let result = takes(asking_glusterfs(), 3.0, 1.0);
    let counts = ["lookup", "open", "readv"].map(|it| count(&result, it));
    assert_eq!(counts, [50, 1, 1]);
}

#[test]
fn small_files_of_glusterfs_come_with_their_names() {
    let result = takes(glusterfs(0, 64 << 10), 1.0, 0.0);
    let counts = ["lookup", "open", "readv"].map(|it| count(&result, it));
    assert_eq!(counts, [1, 0, 0]);
}

#[test]
fn a_dispersed_volume_locks_all_bricks_before_it_reads() {
    // Lookup, open, the lock, the versions and the data.
    let tiers = tiers(glusterfs(1, 0), 1_000_000);
    let result = run(&tiers, &each(51));
    near(response_us(&result), 10_000.0, 0.01);
    let counts = ["lookup", "open", "fxattrop", "readv"].map(|it| count(&result, it));
    assert_eq!(counts, [150, 150, 150, 100]);
}

#[test]
fn moosefs_asks_its_master_for_each_open_and_reads_once() {
    let result = takes(moosefs(1), 4.0, 2.0);
    let counts = ["fuse_lookup", "fuse_open", "fuse_read_chunk", "read"];
    assert_eq!(counts.map(|it| count(&result, it)), [50, 50, 1, 1]);
}

#[test]
fn lustre_locks_and_reads_once_and_opens_each_time() {
    let result = takes(lustre(), 3.0, 1.0);
    let counts = ["ldlm_enqueue", "ost_read"].map(|it| count(&result, it));
    assert_eq!(counts, [51, 1]);
}

/// The same where the web node reads nothing ahead, and asks for so many bytes of a file at a time.
fn asking_for(mut tiers: Tiers, read_bytes: u64) -> Tiers {
    for node in &mut tiers.nodes {
        match &mut node.role {
            Role::Web(web) => {
                let stores = web.stores.iter().map(|it| Store {
                    profile: Profile {
                        reading: Some(Reading {
                            read_ahead_bytes: 0,
                            ..Reading::default()
                        }),
                        ..it.profile.clone()
                    },
                    ..it.clone()
                });
                let stores: Vec<Store> = stores.collect();
                web.stores = stores.into();
            }
            Role::Files(files) => {
                let exports = files.exports.iter().map(|it| Export {
                    mount: Mount {
                        read_bytes,
                        ..it.mount
                    },
                    ..*it
                });
                let exports: Vec<Export> = exports.collect();
                files.exports = exports.into();
            }
            Role::Proxy(_) => {}
        }
    }
    tiers
}

#[test]
fn a_server_that_reads_three_strips_at_a_time_asks_all_servers_at_once() {
    // Six strips on three servers. The second request ends the run.
    let traffic = traffic(&[384 << 10; 2], vec![0, 1]);
    let reading = |read_bytes: u64| {
        let tiers = asking_for(tiers(pvfs1(), 1_000_000), read_bytes);
        let result = run(&tiers, &traffic);
        assert_eq!(count(&result, "read"), 6, "{read_bytes}");
        response_us(&result)
    };
    // A round trip of two milliseconds opens the file, and then each read has one.
    near(reading(64 << 10), 14_000.0, 0.01);
    near(reading(192 << 10), 6_000.0, 0.01);
    near(reading(128 << 10), 8_000.0, 0.01);
}

#[test]
fn pvfs1_opens_and_reads_each_time() {
    let result = takes(pvfs1(), 2.0, 2.0);
    let counts = ["open", "read"].map(|it| count(&result, it));
    assert_eq!(counts, [50, 50]);
}

#[test]
fn orangefs_asks_level_by_level_and_then_knows_the_file() {
    // Four questions, the first server and the two behind it, and the data.
    let result = takes(orangefs(), 7.0, 1.0);
    let counts = ["getattr", "lookup", "tree-getattr", "small-read"];
    assert_eq!(counts.map(|it| count(&result, it)), [3, 1, 3, 50]);
}

#[test]
fn larger_parts_of_files_are_flows() {
    // Two strips on two servers, and one of them again.
    let result = run(
        &tiers(orangefs(), 1_000_000),
        &traffic(&[100_000], vec![0; 11]),
    );
    let counts = ["read", "small-read"].map(|it| count(&result, it));
    assert_eq!(counts, [20, 0]);
}

#[test]
fn servers_share_the_files() {
    let result = run(&tiers(glusterfs(0, 0), 0), &each(301));
    let reads = |at: usize| result.nodes[at].cache.map_or(0, |it| it.files);
    assert_eq!([1, 2, 3].map(reads), [100, 100, 100]);
}

/// The second server is down from the first second on, until this one where it comes back.
fn stopped(store: (Part, Transport), until_s: Option<u64>) -> Tiers {
    let up = |at_s: u64, is_up: bool| Event {
        at_ns: at_s * SECOND_NS,
        change: Change::Up { node: 2, is_up },
    };
    let mut events = vec![up(1, false)];
    events.extend(until_s.map(|at_s| up(at_s, true)));
    Tiers {
        events,
        ..tiers(store, 0)
    }
}

/// Requests answered in each second.
fn by_second(result: &TiersResult) -> Vec<u64> {
    let timeline = result.total.timeline.as_ref().expect("a timeline");
    timeline.requests.clone()
}

#[test]
fn a_distributed_volume_fails_what_is_on_a_brick_that_keeps_silent() {
    // Two files, of which the second is on the second brick.
    let requests = (0..2000).map(|row| row % 2).collect();
    let traffic = traffic(&[4096, 4096], requests);
    let result = run(&stopped(asking_glusterfs(), Some(3600)), &traffic);
    let requests = by_second(&result);
    // After 42 s it is known, and then requests fail at once.
    assert_eq!(requests[2..43].iter().sum::<u64>(), 0, "{requests:?}");
    assert!(requests[43] > 100, "{requests:?}");
    // A round trip of two milliseconds each: some 500 are answered in the first second, and half of the others fail.
    let errors = result.total.errors.unwrap_or_default();
    assert!((700..800).contains(&errors), "{errors}");
    assert_eq!((result.asked, result.ended), (2000, 2000));
}

#[test]
fn a_dispersed_volume_goes_on_without_a_brick() {
    let result = run(&stopped(glusterfs(1, 0), Some(3600)), &each(2000));
    let requests = by_second(&result);
    assert_eq!(requests[2..43].iter().sum::<u64>(), 0, "{requests:?}");
    assert!(requests[44] > 50, "{requests:?}");
    assert_eq!(result.total.errors, Some(0));
    assert_eq!((result.asked, result.ended), (2000, 2000));
}

#[test]
fn moosefs_reads_another_copy_after_two_seconds() {
    let result = run(&stopped(moosefs(2), Some(31)), &each(1000));
    let requests = by_second(&result);
    // One file of three waits, for two seconds.
    let meanwhile: u64 = requests[2..31].iter().sum();
    assert!((38..50).contains(&meanwhile), "{requests:?}");
    assert!(requests[33] > 100, "{requests:?}");
    assert_eq!(result.total.errors, Some(0));
}

#[test]
fn moosefs_without_another_copy_gives_up_after_thirty_more_tries() {
    let result = run(&stopped(moosefs(1), None), &each(160));
    let requests = by_second(&result);
    // Two files of three are on other servers.
    assert_eq!(requests[4..62].iter().sum::<u64>(), 0, "{requests:?}");
    let errors = result.total.errors.unwrap_or_default();
    assert!((8..16).contains(&errors), "{errors}");
    assert_eq!((result.asked, result.ended), (160, 160));
}

#[test]
fn parallel_file_systems_wait_until_tcp_sends_again() {
    for store in [pvfs1(), orangefs()] {
        let result = run(&stopped(store, Some(11)), &each(1000));
        let requests = by_second(&result);
        // The sixth time comes 12.7 s after the call that was lost.
        assert_eq!(requests[2..13].iter().sum::<u64>(), 0, "{requests:?}");
        assert!(requests[14] > 50, "{requests:?}");
        assert_eq!(result.total.errors, Some(0));
        assert_eq!((result.asked, result.ended), (1000, 1000));
    }
}

#[test]
fn lustre_waits_until_a_server_is_there_again() {
    let result = run(&stopped(lustre(), Some(61)), &each(1000));
    let requests = by_second(&result);
    // It asks again each 25 s: 76 s is the first time after the server is back.
    assert_eq!(requests[2..76].iter().sum::<u64>(), 0, "{requests:?}");
    assert!(requests[77] > 100, "{requests:?}");
    assert_eq!(result.total.errors, Some(0));
    assert_eq!((result.asked, result.ended), (1000, 1000));
}

#[test]
fn every_request_is_answered_whatever_the_protocol() {
    let stores = [
        pvfs1(),
        orangefs(),
        lustre(),
        glusterfs(0, 64 << 10),
        glusterfs(1, 0),
        moosefs(2),
    ];
    for seed in 0..24 {
        let mut random = Stream::named(seed, 0, "cluster sites");
        let store = stores[seed as usize % stores.len()];
        let mut tiers = tiers(store, 0);
        if let Arrivals::Closed(classes) = &mut tiers.arrivals {
            let more = ClientClass {
                clients: 6,
                ..classes[0]
            };
            classes.push(more);
        }
        let sizes: Vec<u64> = (0..20).map(|_| random.below(400_000)).collect();
        let requests: Vec<u32> = (0..300).map(|_| random.below(20) as u32).collect();
        let wanted = requests.iter().map(|&it| sizes[it as usize]).sum::<u64>();
        let result = run(&tiers, &traffic(&sizes, requests));
        assert_eq!((result.asked, result.ended), (300, 300), "seed {seed}");
        assert_eq!(result.received_bytes, wanted, "seed {seed}");
    }
}

#[test]
fn calls_to_several_servers_are_not_calculated() {
    for store in [lustre(), pvfs1()] {
        let refused = calculate(&tiers(store, 0), &each(4), HitRatioMethod::Exact);
        assert!(
            matches!(refused, Err(TiersError::SeveralServers { .. })),
            "{:?}",
            refused.err()
        );
    }
}
