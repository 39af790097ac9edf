//! Web nodes without a disk: their log and the files of their system on a file server, and the memory of their workers.

use std::sync::Arc;

use hotset_models::remote::nfs::Version;
use hotset_models::tiers::{
    Arrivals, ClientClass, Export, Files, MemoryCounts, Needs, Node, Role, SystemFiles, Tiers,
    TiersResult, Web,
};
use hotset_scenario::{CostLine, FileSystemSpec, Profile};

use crate::mounted_sites::{NOTHING, V3, far, files, server, traffic};
use crate::tiers::{closed, free_web, node, response_us, run, store};

const FREE: CostLine = CostLine {
    fixed_us: 0.0,
    bytes_per_us: 1e9,
};
const MIB: u64 = 1 << 20;
const KIB: u64 = 1 << 10;

/// A web node with its site on one file server and the rest on another, both a millisecond away. A client thinks for a second.
fn diskless(needs: Needs, memory_bytes: u64) -> Tiers {
    mounted(V3, needs, memory_bytes)
}

/// The same over another version of NFS.
fn mounted(version: Version, needs: Needs, memory_bytes: u64) -> Tiers {
    let stores = ["content", "system"];
    let stores = stores.map(|name| store(name, Profile::of_lines("free", FREE, FREE, ""), 0));
    let web = Web {
        stores: Arc::new(stores),
        memory_bytes,
        needs,
        ..free_web()
    };
    let content = files(version, NOTHING);
    let system = Files {
        exports: Arc::new([Export {
            store: 1,
            ..content.exports[0]
        }]),
        ..content.clone()
    };
    let system = Node {
        name: "system".to_owned(),
        ..server(far(1_000_000), system)
    };
    let nodes = vec![
        node("web", None, Role::Web(web)),
        server(far(1_000_000), content),
        system,
    ];
    closed(nodes, 0, 1, 1_000_000_000)
}

fn count(result: &TiersResult, call: &str) -> u64 {
    result.nodes[0].calls.get(call).map_or(0, |it| it.count)
}

#[test]
fn lines_of_the_log_are_written_when_they_have_been_dirty_for_long() {
    let needs = Needs {
        log: Some(1),
        ..Needs::default()
    };
    let traffic = traffic(&[4096], vec![0; 100]);
    let result = run(&diskless(needs, MIB), &traffic);
    // A line each second; they are written 35 s after the first of them, and put on the disk then.
    assert_eq!((count(&result, "write"), count(&result, "commit")), (2, 2));
    assert_eq!((result.asked, result.ended), (100, 100));
    let without = run(&diskless(Needs::default(), MIB), &traffic);
    assert_eq!(count(&without, "write"), 0);
    assert_eq!(response_us(&result), response_us(&without));
}

#[test]
fn version_2_has_no_commit_for_lines_of_the_log() {
    let needs = Needs {
        log: Some(1),
        ..Needs::default()
    };
    let result = run(
        &mounted(Version::V2, needs, MIB),
        &traffic(&[4096], vec![0; 100]),
    );
    assert_eq!((count(&result, "write"), count(&result, "commit")), (2, 0));
}

#[test]
fn files_of_the_system_are_read_anew_where_memory_does_not_hold_them() {
    let needs = Needs {
        system: Some(SystemFiles {
            store: 1,
            bytes: MIB,
        }),
        ..Needs::default()
    };
    let traffic = traffic(&[4096], vec![0; 200]);
    let of = |memory_bytes| run(&diskless(needs, memory_bytes), &traffic);
    let (roomy, tight) = (of(4 * MIB), of(64 * KIB));
    let reads = [&roomy, &tight].map(|it| count(it, "read"));
    assert!(reads[0] >= 2 && reads[1] > 5 * reads[0], "{reads:?}");
    assert!(response_us(&tight) > response_us(&roomy));
    let from = |result: &TiersResult| result.nodes[2].cache.map_or(0, |it| it.files);
    assert!(from(&tight) > from(&roomy));
}

#[test]
fn two_nodes_share_the_files_of_a_system_and_have_logs_of_their_own() {
    let needs = Needs {
        system: Some(SystemFiles {
            store: 1,
            bytes: MIB,
        }),
        log: Some(1),
        ..Needs::default()
    };
    let mut tiers = diskless(needs, MIB);
    let other = Node {
        name: "other".to_owned(),
        ..tiers.nodes[0].clone()
    };
    tiers.nodes.push(other);
    if let Arrivals::Closed(classes) = &mut tiers.arrivals {
        let second = ClientClass {
            asks: 3,
            ..classes[0]
        };
        classes.push(second);
    }
    let result = run(
        &tiers,
        &traffic(&[4096, 0, 70_000], vec![0, 1, 2, 0, 1, 2, 0, 1]),
    );
    assert_eq!((result.asked, result.ended), (8, 8));
}

/// What 64 clients at a time take of 32 MiB with so many bytes a worker, beside so much swap.
fn memory(worker_bytes: u64, swap_bytes: u64) -> MemoryCounts {
    let disk = CostLine {
        fixed_us: 10_000.0,
        ..FREE
    };
    let web = Web {
        stores: Arc::new([store("disk", Profile::of_lines("disk", FREE, disk, ""), 0)]),
        memory_bytes: 32 * MIB,
        workers: Some(64),
        needs: Needs {
            worker_bytes,
            swap_bytes,
            ..Needs::default()
        },
        ..free_web()
    };
    let tiers = closed(vec![node("web", None, Role::Web(web))], 0, 64, 0);
    let result = run(
        &tiers,
        &traffic(&[4096; 200], (0..200).cycle().take(400).collect()),
    );
    result.nodes[0].memory.expect("workers have memory")
}

#[test]
fn workers_leave_the_page_cache_what_they_do_not_take() {
    let few = memory(64 * KIB, 0);
    assert!(few.most_workers > 56, "{few:?}");
    assert!(few.least_cache_bytes < 32 * MIB - 56 * 64 * KIB, "{few:?}");
    assert_eq!((few.shortages, few.most_swapped_bytes), (0, 0));
    let many = memory(MIB, 0);
    assert!(many.shortages > 0, "{many:?}");
    assert_eq!(many.least_cache_bytes, MIB / 2);
    let swapped = memory(MIB, 64 * MIB);
    assert_eq!(swapped.shortages, 0);
    assert!(swapped.most_swapped_bytes > 20 * MIB, "{swapped:?}");
}

#[test]
fn a_file_that_nothing_is_known_of_is_found_by_reading_its_inode() {
    let disk = CostLine {
        fixed_us: 1000.0,
        ..FREE
    };
    let response_us = |inode_bytes: Option<u64>| {
        let file_system = FileSystemSpec {
            inode_bytes,
            ..FileSystemSpec::new("ext4", 4096)
        };
        let profile = Profile {
            file_system: Some(file_system),
            ..Profile::of_lines("disk", FREE, disk, "")
        };
        let web = Web {
            stores: Arc::new([store("disk", profile, 0)]),
            ..free_web()
        };
        let tiers = closed(vec![node("web", None, Role::Web(web))], 0, 1, 1_000_000_000);
        response_us(&run(&tiers, &traffic(&[4096; 64], (0..64).collect())))
    };
    // Files lie one behind the other, and are read as a stream. 64 inodes of 128 bytes are in two pages, which are read once each. The second one
    // interrupts the stream, which takes a delay as well.
    let more_us = 63.0 * (response_us(Some(128)) - response_us(None));
    assert!((2_999.0..3_001.0).contains(&more_us), "{more_us}");
}

#[test]
fn a_server_reads_the_inode_of_a_file_that_it_looks_up() {
    let reads = |inode_bytes: Option<u64>| {
        let exported = files(V3, NOTHING);
        let exported = Files {
            exports: Arc::new([Export {
                inode_bytes,
                ..exported.exports[0]
            }]),
            ..exported
        };
        let nodes = vec![
            node("web", None, Role::Web(free_web())),
            server(far(1_000_000), exported),
        ];
        let result = run(
            &closed(nodes, 0, 1, 1_000_000_000),
            &traffic(&[4096], vec![0; 3]),
        );
        result.nodes[1].cache.map_or(0, |it| it.files)
    };
    // READ alone, or LOOKUP and GETATTR as well. The last request is under way when measuring ends.
    assert_eq!((reads(None), reads(Some(128))), (1, 3));
}
