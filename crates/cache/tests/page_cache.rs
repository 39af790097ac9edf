//! The page cache of Linux: equal to its plain form, and like the one of a node that was measured.

use std::path::Path;

use crate::reference::page_cache::NaivePageCache;
use crate::whole::simulate;
use hotset_cache::{CacheError, LinuxPageCache, PolicyKind, StoreRead};
use proptest::prelude::*;

fn cache(capacity_pages: u64, pages: &[u64]) -> LinuxPageCache {
    LinuxPageCache::new(capacity_pages, pages).expect("few pages")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn reads_and_keeps_what_its_plain_form_does(
        pages in prop::collection::vec(prop_oneof![0u64..40, 0u64..400], 1..12),
        requests in prop::collection::vec(0usize..12, 0..200),
        capacity in prop_oneof![0u64..40, 0u64..1200],
    ) {
        let (mut fast, mut plain) = (cache(capacity, &pages), NaivePageCache::new(capacity));
        for object in requests.iter().map(|request| request % pages.len()) {
            let StoreRead { pages: read, gaps } = fast.read(object as u32);
            prop_assert_eq!((read, gaps), plain.read(object as u32, pages[object]));
            prop_assert_eq!(fast.resident_pages(), plain.resident_pages());
            prop_assert!(fast.resident_pages().iter().sum::<u64>() <= capacity);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn objects_that_come_and_go_are_read_as_if_all_had_been_known_from_the_start(
        pages in prop::collection::vec(prop_oneof![0u64..17, 0u64..200], 1..12),
        requests in prop::collection::vec((0usize..12, prop::bool::weighted(0.1)), 0..200),
        capacity in prop_oneof![0u64..40, 0u64..600],
    ) {
        let (mut coming, mut whole) = (LinuxPageCache::empty(capacity), cache(capacity, &pages));
        let mut known: Vec<usize> = Vec::new();
        for (object, forgets) in requests {
            let object = object % pages.len();
            if forgets {
                let ids = (0..known.len() as u32).filter(|&id| coming.remembers(id));
                let ids: Vec<u32> = ids.collect();
                coming.keep(&ids);
                known = ids.iter().map(|&id| known[id as usize]).collect();
            }
            let id = match known.iter().position(|&it| it == object) {
                Some(id) => id as u32,
                None => {
                    known.push(object);
                    coming.add(pages[object]).expect("few pages")
                }
            };
            prop_assert_eq!(coming.read(id), whole.read(object as u32));
            prop_assert_eq!(coming.resident_pages(), whole.resident_pages());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]
    #[test]
    fn mapped_files_stay_as_long_as_in_its_plain_form(
        pages in prop::collection::vec(prop_oneof![0u64..40, 0u64..200], 1..12),
        deeds in prop::collection::vec((0usize..12, 0u8..4), 0..200),
        capacity in 16u64..600,
    ) {
        let (mut fast, mut plain) = (cache(capacity, &pages), NaivePageCache::new(capacity));
        for (object, deed) in deeds {
            let object = object % pages.len();
            let (id, of_file) = (object as u32, pages[object]);
            match deed {
                0 => {
                    fast.unmap(id);
                    plain.unmap(id, of_file);
                }
                1 => {
                    fast.access_mapped(id);
                    plain.access_mapped(id, of_file);
                }
                _ => {
                    let StoreRead { pages: read, gaps } = fast.read(id);
                    prop_assert_eq!((read, gaps), plain.read(id, of_file));
                }
            }
            prop_assert_eq!(fast.resident_pages(), plain.resident_pages());
        }
    }
}

/// `folio_check_references`, `mm/vmscan.c`.
#[test]
fn a_page_that_a_program_accesses_by_its_page_table_outlives_a_scan_of_others() {
    let outlives = |is_mapped: bool| {
        let mut cache = cache(64, &[8; 40]);
        cache.fetch(0);
        if is_mapped {
            cache.access_mapped(0);
        }
        (1..9).for_each(|other| cache.fetch(other));
        cache.holds(0)
    };
    assert!(outlives(true));
    assert!(!outlives(false));
}

/// Growth of `inactive_file` and `active_file` of an nginx with `sendfile` in an empty memory group, in pages, after the
/// first request for a file of so many pages. Linux 6.18, ext4, `read_ahead_kb` 128.
#[test]
fn a_first_read_activates_the_large_folios_of_a_file_as_on_a_node_that_was_measured() {
    let measured = [
        (89, [89, 0]),
        (213, [117, 96]),
        (444, [124, 320]),
        (883, [115, 768]),
        (2185, [105, 2080]),
    ];
    for (pages, lists) in measured {
        let mut cache = cache(1 << 20, &[pages]);
        assert_eq!(cache.read(0), StoreRead { pages, gaps: 1 });
        assert_eq!(cache.resident_pages(), lists, "{pages} pages");
        assert_eq!(cache.read(0), StoreRead::default());
        assert_eq!(cache.resident_pages(), [0, pages], "{pages} pages again");
    }
}

#[test]
fn a_file_pushed_out_in_part_is_read_only_where_it_is_missing() {
    let mut cache = cache(300, &[213, 150]);
    cache.read(0);
    cache.read(1);
    let again = cache.read(0);
    assert!(again.pages > 0 && again.pages < 213, "{again:?}");
}

#[test]
fn a_file_larger_than_memory_streams_through_it() {
    let mut cache = cache(100, &[1000]);
    for _ in 0..3 {
        assert!(cache.read(0).pages >= 900);
        assert!(cache.resident_pages().iter().sum::<u64>() <= 100);
    }
}

#[test]
fn a_file_larger_than_a_small_memory_passes_through_it() {
    let mut cache = cache(1, &[4, 1, 40]);
    for object in [0, 0, 2, 2] {
        let pages = [4, 1, 40][object as usize];
        assert_eq!(cache.read(object), StoreRead { pages, gaps: 1 });
        assert_eq!(cache.resident_pages(), [0, 0]);
    }
    assert_eq!(cache.read(1).pages, 1);
    assert_eq!(cache.read(1).pages, 0, "it fits");
}

#[test]
fn files_of_more_pages_than_can_be_followed_are_refused() {
    let error = LinuxPageCache::new(100, &[1 << 60, 1 << 60]).err();
    assert!(matches!(error, Some(CacheError::TooManyPages { .. })));
}

/// 12 000 requests as a node of 512 MiB served them one by one: object, its pages, pages read from its disk. Zipf classes
/// 1 and 3 at equal rates, nginx with `sendfile`, ext4, Linux 6.18; inodes and directories are among the pages read.
fn recording() -> Vec<[u64; 3]> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/node-512mib-1x3.txt");
    let text = std::fs::read_to_string(path).expect("the recording");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(row).collect()
}

/// Pages of the files that the node had room for: its limit of 131 072 less what was not file cache.
const RECORDED_CAPACITY: u64 = 128_900;

fn pages_of_objects(rows: &[[u64; 3]]) -> Vec<u64> {
    let objects = rows.iter().map(|row| row[0] + 1).max().expect("rows") as usize;
    let mut pages = vec![1; objects];
    rows.iter().for_each(|row| pages[row[0] as usize] = row[1]);
    pages
}

#[test]
fn reads_what_a_node_that_was_measured_read() {
    let rows = recording();
    let mut cache = cache(RECORDED_CAPACITY, &pages_of_objects(&rows));
    let (mut missed_alike, mut read, mut wanted) = (0, 0, 0);
    for &[object, _, measured] in &rows {
        let seen = cache.read(object as u32).pages;
        missed_alike += usize::from((seen > 0) == (measured > 0));
        (read, wanted) = (read + seen, wanted + measured);
    }
    let alike = missed_alike as f64 / rows.len() as f64;
    assert!(alike > 0.98, "{alike} of the requests miss or hit alike");
    let pages = read as f64 / wanted as f64;
    assert!((pages - 1.0).abs() < 0.02, "{pages} of the pages measured");
}

#[test]
fn whole_files_in_two_lists_promise_hits_that_the_node_did_not_have() {
    let rows = recording();
    let requests: Vec<u32> = rows.iter().map(|row| row[0] as u32).collect();
    let counts = simulate(
        PolicyKind::TwoList,
        RECORDED_CAPACITY,
        &requests,
        &pages_of_objects(&rows),
    );
    let misses = rows.len() as u64 - counts.expect("a policy").hits;
    let measured = rows.iter().filter(|row| row[2] > 0).count();
    let found = misses as f64 / measured as f64;
    assert!(found < 0.85, "{found} of the requests that missed");
}

fn row(line: &str) -> [u64; 3] {
    let mut fields = line
        .split(' ')
        .map(|field| field.parse().expect("a number"));
    [(); 3].map(|()| fields.next().expect("three fields"))
}

#[test]
fn what_reclaim_came_to_before_it_was_written_leaves_first_once_it_is() {
    let mut cache = cache(64, &[1; 200]);
    (0..64).for_each(|id| cache.fetch(id));
    cache.set_unwritten(3, true);
    cache.set_unwritten(40, true);
    (64..100).for_each(|id| cache.fetch(id));
    assert!(cache.holds(3) && cache.holds(40));
    assert!(!cache.holds(4), "clean, and as old");
    cache.set_unwritten(3, false);
    assert!(cache.holds(3), "nothing had to leave yet");
    (100..140).for_each(|id| cache.fetch(id));
    assert!(!cache.holds(3));
    assert!(cache.holds(40), "not written yet");
}

#[test]
fn where_nothing_else_is_left_more_is_held_than_the_capacity_until_it_is_written() {
    let mut cache = cache(32, &[1; 100]);
    for id in 0..40 {
        cache.fetch(id);
        cache.set_unwritten(id, true);
    }
    assert_eq!(cache.resident_pages().iter().sum::<u64>(), 40);
    (0..40).for_each(|id| cache.set_unwritten(id, false));
    cache.fetch(50);
    assert!(cache.resident_pages().iter().sum::<u64>() <= 32);
    assert!(cache.holds(50));
}
