//! What every policy of the page cache does with pages that have yet to be written.

use std::collections::BTreeSet;

use hotset_cache::LinuxPageCache;
use hotset_models::page_cache::{MultiGenerational, PageCachePolicy, TwoQueues};
use proptest::prelude::*;

/// Pages of the largest cache, and one object more than fits into it.
const OBJECTS: u64 = 40;

fn policies(capacity: u64) -> Vec<(&'static str, Box<dyn PageCachePolicy>)> {
    let pages = vec![1; OBJECTS as usize];
    let linux = LinuxPageCache::new(capacity, &pages).expect("few pages");
    vec![
        ("linux", Box::new(linux)),
        (
            "generations",
            Box::new(MultiGenerational::new(capacity, &pages)),
        ),
        ("queues", Box::new(TwoQueues::new(capacity, 1000))),
    ]
}

fn held(policy: &dyn PageCachePolicy) -> Vec<u64> {
    (0..OBJECTS).filter(|&page| policy.holds(page)).collect()
}

/// Something that happens to a page.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Fetch,
    Touch,
    Write,
    Clean,
    Forget,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => Just(Deed::Fetch),
        2 => Just(Deed::Touch),
        2 => Just(Deed::Write),
        1 => Just(Deed::Clean),
        1 => Just(Deed::Forget),
    ]
}

proptest! {
    #[test]
    fn what_has_yet_to_be_written_stays_and_no_more_is_held_for_it_than_must_be(
        capacity in 1u64..20,
        deeds in prop::collection::vec((0..OBJECTS, deed()), 1..300),
    ) {
        for (name, mut policy) in policies(capacity) {
            let mut unwritten = BTreeSet::new();
            for (now, &(page, deed)) in deeds.iter().enumerate() {
                let now_ns = now as u64;
                let before = held(&*policy).len();
                match deed {
                    Deed::Fetch => policy.fetch(now_ns, page),
                    Deed::Touch => policy.touch(now_ns, page),
                    Deed::Write => {
                        policy.fetch(now_ns, page);
                        policy.set_unwritten(page, true);
                        unwritten.insert(page);
                    }
                    Deed::Clean => {
                        policy.set_unwritten(page, false);
                        unwritten.remove(&page);
                    }
                    Deed::Forget => {
                        policy.forget(page);
                        unwritten.remove(&page);
                    }
                }
                let held = held(&*policy);
                prop_assert!(
                    unwritten.iter().all(|page| held.contains(page)),
                    "{name}: {unwritten:?} of {held:?}"
                );
                // What came last is held beside what may not leave.
                let needed = (unwritten.len() + 1).max(capacity as usize);
                prop_assert!(
                    held.len() <= needed.max(before),
                    "{name}: {} held, {} unwritten, room for {capacity}", held.len(), unwritten.len()
                );
            }
        }
    }
}

#[test]
fn clean_pages_leave_before_older_ones_that_have_yet_to_be_written() {
    for (name, mut policy) in policies(8) {
        for page in 0..8 {
            policy.fetch(page, page);
            policy.set_unwritten(page, page < 4);
        }
        for page in 8..12 {
            policy.fetch(page, page);
        }
        assert_eq!(held(&*policy)[..4], [0, 1, 2, 3], "{name}");
    }
}
