//! The nets of file systems have the pages of the dissertation that they follow, and can be drawn.

use std::collections::BTreeSet;

use hotset_models::nets::LIBRARY;
use hotset_petri::{Choice, End, Exploration, Net, NetError};
use hotset_petri_exchange::export::{Exporter, Svg, Text};

fn built(name: &str, set: &[(&str, f64)]) -> Result<Net, NetError> {
    hotset_models::nets::find(name).unwrap().build(set)
}

fn pages(net: &Net) -> BTreeSet<String> {
    let paths = net.transitions().filter_map(|it| it.split_once('/'));
    paths.map(|(page, _)| page.to_owned()).collect()
}

#[test]
fn the_pages_are_those_of_the_figures() {
    let shared = [
        "application read",
        "fread",
        "generic_file_read",
        "copy to user",
        "read-ahead",
        "IO scheduler",
        "disk",
    ];
    for (name, own) in [
        ("ext3-read", ["buffer cache", "ext3"]),
        ("ext4-read", ["page cache", "ext4"]),
    ] {
        let expected = shared.iter().chain(&own).map(|it| (*it).to_owned());
        assert_eq!(pages(&built(name, &[]).unwrap()), expected.collect());
    }
    let shared = [
        "application write",
        "fwrite",
        "generic_file_write",
        "copy from user",
        "balance dirty pages",
        "journal",
        "data flushing",
        "IO scheduler",
        "disk",
    ];
    for (name, own) in [
        ("ext3-write", ["buffer cache", "ext3"]),
        ("ext4-write", ["page cache", "ext4"]),
    ] {
        let expected = shared.iter().chain(&own).map(|it| (*it).to_owned());
        assert_eq!(pages(&built(name, &[]).unwrap()), expected.collect());
    }
    let net = built("ext3-read", &[]).unwrap();
    for path in ["buffer cache/active queue", "buffer cache/inactive queue"] {
        assert!(net.places().any(|it| it == path), "{path}");
    }
}

#[test]
fn the_pages_of_pvfs_are_those_of_its_figures() {
    let expected = [
        "client 1",
        "client 2",
        "payload creation",
        "sending network",
        "server 1",
        "server 2",
        "server 3",
        "data segmentation",
        "receiving network",
    ];
    let expected: BTreeSet<String> = expected.iter().map(|it| (*it).to_owned()).collect();
    for name in ["pvfs-read", "pvfs-write"] {
        let net = built(name, &[("clients", 2.0), ("servers", 3.0)]).unwrap();
        assert_eq!(pages(&net), expected, "{name}");
    }
}

#[test]
fn each_page_has_a_sheet_of_the_picture() {
    for entry in LIBRARY {
        let net = entry.build(&[]).unwrap();
        let drawn = Svg.export(&net).unwrap();
        let sheets = drawn.matches("class=\"title\"").count();
        assert_eq!(sheets, 1 + pages(&net).len(), "{}", entry.name);
        let own = match entry.name {
            "pvfs-read" | "pvfs-write" => "transition create payloads",
            _ => "transition Buffer Copy",
        };
        assert!(Text.export(&net).unwrap().contains(own));
    }
}

#[test]
fn the_same_net_runs_the_same() {
    for entry in LIBRARY {
        let net = entry.build(&[("random", 1.0)]).unwrap();
        let run = |seed| {
            let mut run = net.simulate(seed, 0, Choice::Fair);
            run.run_firings(50_000).unwrap();
            run.now()
        };
        assert_eq!(run(1), run(2), "{}: nothing is left to chance", entry.name);
    }
}

/// Of the nets that write, what seconds allow: their markings count what was written so far, and have no end.
#[test]
fn a_file_that_is_read_or_written_over_and_over_never_ends_in_a_dead_marking() {
    for entry in LIBRARY {
        let net = entry.build(&[("file_bytes", 16384.0), ("block_bytes", 8192.0)]);
        let net = net.unwrap();
        let mut exploration = Exploration::default();
        if entry.name.ends_with("-write") {
            exploration.max_markings = 500_000;
        }
        let space = exploration.explore(&net, &|_| true).unwrap();
        assert_eq!(space.dead().count(), 0, "{}", entry.name);
    }
}

/// Segments pass the network in any order. Those behind the last one of their block are left, so over and over they are more and more.
#[test]
fn a_file_of_pvfs_that_is_passed_once_ends_in_every_order_of_events() {
    for name in ["pvfs-read", "pvfs-write"] {
        let set = [
            ("file_bytes", 12_288.0),
            ("block_bytes", 4096.0),
            ("strip_bytes", 4096.0),
            ("servers", 2.0),
            ("repeats", 0.0),
        ];
        let net = built(name, &set).unwrap();
        let exploration = Exploration {
            max_markings: 500_000,
            ..Exploration::default()
        };
        let space = exploration.explore(&net, &|_| true).unwrap();
        let found = (space.ended(), space.deadlocks().count());
        assert_eq!(
            found,
            (&End::Complete, 0),
            "{name}: {} markings",
            space.len()
        );
        assert!(space.dead().len() > 0, "{name}");
    }
}

#[test]
fn blocks_larger_than_the_file_and_too_many_of_them_are_refused() {
    for (set, value) in [
        (
            vec![("file_bytes", 4096.0), ("block_bytes", 8192.0)],
            "8192",
        ),
        (vec![("file_bytes", 2e9), ("block_bytes", 512.0)], "512"),
    ] {
        let error = built("ext4-read", &set).unwrap_err().to_string();
        assert!(
            error.contains("block_bytes") && error.contains(value),
            "{error}"
        );
    }
    let error = built("ext3-read", &[("memory_bytes", 4096.0)]).unwrap_err();
    assert!(error.to_string().contains("1048576"), "{error}");
}
