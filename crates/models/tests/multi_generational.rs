//! The multi-generational lists spare what comes back.

use hotset_models::page_cache::{MultiGenerational, PageCachePolicy as _};
use proptest::prelude::*;

/// Reads objects, one after the other; how many were in memory.
fn read(cache: &mut MultiGenerational, objects: impl IntoIterator<Item = u64>) -> u32 {
    let mut hits = 0;
    for object in objects {
        hits += u32::from(cache.holds(object));
        cache.fetch(0, object);
        cache.touch(0, object);
    }
    hits
}

#[test]
fn what_was_read_once_leaves_in_the_order_in_which_it_came() {
    let mut cache = MultiGenerational::new(4, &[1; 10]);
    assert_eq!(read(&mut cache, 0..6), 0);
    let held: Vec<u64> = (0..10).filter(|&it| cache.holds(it)).collect();
    assert_eq!(held, [2, 3, 4, 5]);
}

#[test]
fn what_is_read_often_and_comes_back_is_spared_for_what_passes_by() {
    // More pass by between two rounds than fit: a plain queue would hold nothing of the hundred when they come again.
    let mut cache = MultiGenerational::new(300, &[1; 40_100]);
    let mut passing = 100..40_100;
    let mut round = || {
        let hits = read(&mut cache, 0..100);
        for _ in 0..3 {
            read(&mut cache, 0..100);
        }
        read(&mut cache, passing.by_ref().take(400));
        hits
    };
    for _ in 0..40 {
        round();
    }
    let hits: u32 = (0..10).map(|_| round()).sum();
    assert!(hits > 500, "{hits}");
}

#[test]
fn what_was_dropped_is_forgotten() {
    let mut cache = MultiGenerational::new(4, &[2; 3]);
    read(&mut cache, [0, 0, 0, 0, 0, 1]);
    cache.forget(0);
    assert!(!cache.holds(0) && cache.resident_pages() == 2);
    cache.touch(0, 0);
    read(&mut cache, [0, 2]);
    assert!(!cache.holds(1) && cache.holds(0) && cache.holds(2));
}

#[test]
fn an_object_larger_than_the_cache_stays_outside() {
    let mut cache = MultiGenerational::new(2, &[3, 1]);
    read(&mut cache, [0, 1]);
    assert!(!cache.holds(0) && cache.holds(1));
}

proptest! {
    #[test]
    fn no_more_is_held_than_fits_and_what_was_just_read_is(
        capacity in 1_u64..40,
        pages in prop::collection::vec(1_u64..6, 30),
        reads in prop::collection::vec((0_u64..30, 0_u8..10), 0..400),
    ) {
        let mut cache = MultiGenerational::new(capacity, &pages);
        for (object, deed) in reads {
            if deed == 0 {
                cache.forget(object);
                prop_assert!(!cache.holds(object));
            } else {
                cache.fetch(0, object);
                cache.touch(0, object);
                prop_assert_eq!(cache.holds(object), pages[object as usize] <= capacity);
            }
            let held = (0..30).filter(|&it| cache.holds(it)).map(|it| pages[it as usize]);
            prop_assert_eq!(held.sum::<u64>(), cache.resident_pages());
            prop_assert!(cache.resident_pages() <= capacity);
        }
    }
}
