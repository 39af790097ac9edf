//! Files that a node holds by the traffic, whoever chooses them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use hotset_models::tiers::{Chooser, Follow, FollowSince, Moves, Role, TiersResult, Traffic, Web};
use hotset_scenario::{CostLine, Profile};

use crate::mounted_sites::{NOTHING, V3, far, files, server};
use crate::tiers::{closed, free_web, node, once_each, run, store};

const FILE_BYTES: u64 = 65_536;
const FILES: usize = 16;
const REQUESTS: usize = 1_600;
const INTERVAL_NS: u64 = 100_000_000;

/// Holds the first four files after the first interval, and gives them up after the third where it is to.
struct First {
    gives_up: bool,
    choices: u32,
    reads: Arc<AtomicU64>,
}

impl Chooser for First {
    fn read(&mut self, _now_ns: u64, _file: u32) {
        self.reads.fetch_add(1, Ordering::Relaxed);
    }

    fn choose(&mut self, now_ns: u64) -> Moves {
        self.choices += 1;
        assert!(now_ns >= u64::from(self.choices) * INTERVAL_NS);
        let four: Vec<u32> = (0..4).collect();
        match self.choices {
            1 => Moves {
                taken: four,
                ..Moves::default()
            },
            3 if self.gives_up => Moves {
                given_up: four,
                ..Moves::default()
            },
            _ => Moves::default(),
        }
    }
}

fn follow(gives_up: bool, since: FollowSince, reads: &Arc<AtomicU64>) -> Follow {
    let reads = Arc::clone(reads);
    Follow {
        chooser: Arc::new(move || -> Box<dyn Chooser> {
            Box::new(First {
                gives_up,
                choices: 0,
                reads: Arc::clone(&reads),
            })
        }),
        interval_ns: INTERVAL_NS,
        since,
        slice_ns: 10_000_000,
        rest: 4,
    }
}

/// A client who asks for sixteen files in turn, on a node with memory for so many. A read of the disk takes a millisecond.
fn served(memory_files: u64, follow: Option<Follow>) -> TiersResult {
    let line = |fixed_us| CostLine {
        fixed_us,
        bytes_per_us: 1e9,
    };
    let disk = Profile::of_lines("disk", line(0.0), line(1_000.0), "");
    let web = Web {
        stores: Arc::new([store("disk", disk, 0)]),
        memory_bytes: memory_files * FILE_BYTES,
        follow,
        ..free_web()
    };
    let tiers = closed(vec![node("web", None, Role::Web(web))], 0, 1, 1_000_000);
    run(&tiers, &in_turn())
}

fn in_turn() -> Arc<Traffic> {
    Arc::new(Traffic {
        requests: (0..FILES as u32).cycle().take(REQUESTS).collect(),
        warm_up: REQUESTS / 2,
        ..(*once_each(&[FILE_BYTES; FILES], Vec::new(), 0)).clone()
    })
}

#[test]
fn what_is_chosen_is_read_and_held_and_takes_its_memory_from_the_page_cache() {
    let reads = Arc::default();
    let alone = served(8, None);
    let result = served(8, Some(follow(false, FollowSince::Start, &reads)));
    let of_held = (REQUESTS / 2 / FILES * 4) as u64;
    assert_eq!(result.nodes[0].held.unwrap().files, of_held);
    // Whoever reads files in turn that do not fit finds few of them in the page cache.
    let hits = |result: &TiersResult| result.total.hits.unwrap();
    assert!(hits(&result) >= of_held, "{}", hits(&result));
    assert!(hits(&alone) < of_held, "{}", hits(&alone));
    assert_eq!(result.asked, result.ended);
    assert_eq!(reads.load(Ordering::Relaxed), REQUESTS as u64);
}

#[test]
fn what_is_given_up_is_a_file_of_the_page_cache_again() {
    let reads = Arc::default();
    let result = served(20, Some(follow(true, FollowSince::Start, &reads)));
    let node = &result.nodes[0];
    assert!(node.held.is_none(), "given up before it is measured");
    assert_eq!(node.cache.unwrap().device_bytes, 0);
}

#[test]
fn what_is_to_follow_warm_caches_does_not_see_what_warms_them() {
    let reads = Arc::default();
    served(20, Some(follow(false, FollowSince::WarmUp, &reads)));
    let reads = reads.load(Ordering::Relaxed);
    let measured = (REQUESTS / 2) as u64;
    assert!(reads.abs_diff(measured) <= 2, "{reads}");
}

#[test]
fn what_is_chosen_is_read_from_a_file_server_too() {
    let reads = Arc::default();
    let web = Web {
        memory_bytes: 8 * FILE_BYTES,
        follow: Some(follow(false, FollowSince::Start, &reads)),
        ..free_web()
    };
    let away = server(far(1_000_000), files(V3, NOTHING));
    let nodes = vec![node("web", None, Role::Web(web)), away];
    let result = run(&closed(nodes, 0, 1, 1_000_000), &in_turn());
    assert_eq!(result.asked, result.ended);
    let of_held = (REQUESTS / 2 / FILES * 4) as u64;
    let held = result.nodes[0].held.map_or(0, |it| it.files);
    // The last one may be under way when measuring ends.
    assert!((of_held - 1..=of_held).contains(&held), "{held}");
}
