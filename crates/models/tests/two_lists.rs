//! The cache of two queues does what its description says, page by page.

use hotset_models::page_cache::{PageCachePolicy, TwoQueues};
use proptest::prelude::*;

/// Long enough that nothing goes back by itself.
const LONG: u64 = u64::MAX;

fn fetched(capacity: u64, pages: impl IntoIterator<Item = u64>) -> TwoQueues {
    let mut lists = TwoQueues::new(capacity, LONG);
    for (now, page) in pages.into_iter().enumerate() {
        lists.fetch(now as u64, page);
    }
    lists
}

#[test]
fn the_second_access_promotes() {
    let mut lists = fetched(4, [1, 2]);
    lists.touch(10, 1);
    assert_eq!((lists.inactive(), lists.active()), (vec![1, 2], vec![]));
    lists.touch(11, 1);
    assert_eq!((lists.inactive(), lists.active()), (vec![2], vec![1]));
}

#[test]
fn reclaim_takes_inactive_pages_first_and_the_oldest_of_them() {
    let mut lists = fetched(3, [1, 2, 3]);
    lists.touch(10, 1);
    lists.touch(11, 1);
    lists.touch(12, 2);
    lists.fetch(20, 4);
    assert_eq!((lists.inactive(), lists.active()), (vec![3, 4], vec![1]));
}

#[test]
fn where_no_page_is_inactive_the_one_unused_longest_leaves() {
    let mut lists = fetched(2, [1, 2]);
    for (now, page) in [(10, 1), (11, 1), (12, 2), (13, 2), (14, 1)] {
        lists.touch(now, page);
    }
    lists.fetch(20, 3);
    assert_eq!((lists.inactive(), lists.active()), (vec![3], vec![1]));
}

#[test]
fn a_page_that_is_not_used_for_long_enough_goes_back_and_loses_its_flags() {
    let mut lists = TwoQueues::new(4, 100);
    lists.fetch(0, 1);
    lists.touch(1, 1);
    lists.touch(2, 1);
    lists.fetch(101, 2);
    assert_eq!(lists.active(), [1], "99 ns have passed");
    lists.fetch(102, 3);
    assert_eq!(lists.inactive(), [2, 1, 3]);
    lists.touch(103, 1);
    assert!(lists.active().is_empty(), "it is a first access again");
}

#[test]
fn clean_pages_leave_first_mapped_pages_last_and_dirty_ones_not_before_they_are_written() {
    let mut lists = fetched(3, [1, 2, 3]);
    lists.set_mapped(1, true);
    lists.set_dirty(2, true);
    lists.fetch(10, 4);
    assert!(!lists.holds(3), "the clean one");
    lists.set_dirty(4, true);
    lists.set_mapped(4, true);
    lists.fetch(11, 5);
    assert!(!lists.holds(1), "the mapped one");
    assert!(lists.holds(2) && lists.holds(4), "dirty ones");
    lists.set_dirty(2, false);
    lists.fetch(12, 6);
    assert!(!lists.holds(2), "written, and the oldest clean one");
    assert!(lists.holds(4), "not written yet");
}

#[test]
fn where_all_pages_are_dirty_memory_holds_more_than_its_capacity() {
    let mut lists = fetched(2, [1, 2]);
    lists.set_dirty(1, true);
    lists.set_dirty(2, true);
    lists.fetch(10, 3);
    assert!(lists.holds(1) && lists.holds(2) && lists.holds(3));
    lists.set_dirty(1, false);
    lists.set_dirty(2, false);
    lists.fetch(11, 4);
    assert_eq!(lists.inactive(), [3, 4]);
}

/// The same by looking at every page each time.
#[derive(Default)]
struct Plain {
    capacity: usize,
    unused: u64,
    /// Page, first flag, active, since.
    pages: Vec<(u64, bool, bool, u64)>,
}

impl Plain {
    fn age(&mut self, now: u64) {
        for page in &mut self.pages {
            if page.2 && now - page.3 >= self.unused {
                *page = (page.0, false, false, now);
            }
        }
    }

    fn of(&self, active: bool) -> Vec<u64> {
        let mut of: Vec<_> = self.pages.iter().filter(|it| it.2 == active).collect();
        of.sort_by_key(|it| (it.3, it.0));
        of.into_iter().map(|it| it.0).collect()
    }

    fn fetch(&mut self, now: u64, page: u64) {
        self.age(now);
        if self.pages.iter().any(|it| it.0 == page) {
            return;
        }
        if self.pages.len() == self.capacity {
            let first = |active| self.of(active).first().copied();
            let victim = first(false).or_else(|| first(true)).unwrap();
            self.pages.retain(|it| it.0 != victim);
        }
        self.pages.push((page, false, false, now));
    }

    fn touch(&mut self, now: u64, page: u64) {
        self.age(now);
        if let Some(it) = self.pages.iter_mut().find(|it| it.0 == page) {
            let becomes_active = it.1 || it.2;
            it.1 = true;
            if becomes_active {
                (it.2, it.3) = (true, now);
            }
        }
    }
}

proptest! {
    #[test]
    fn the_queues_are_those_of_a_plain_reference(
        capacity in 1usize..12,
        unused in 1u64..60,
        steps in prop::collection::vec((0u64..5, 0u64..20, any::<bool>()), 1..200),
    ) {
        let mut lists = TwoQueues::new(capacity as u64, unused);
        let mut plain = Plain { capacity, unused, ..Plain::default() };
        let mut now = 0;
        for (pause, page, fetches) in steps {
            now += pause;
            if fetches {
                lists.fetch(now, page);
                plain.fetch(now, page);
            } else {
                lists.touch(now, page);
                plain.touch(now, page);
            }
            prop_assert_eq!(lists.inactive(), plain.of(false));
            prop_assert_eq!(lists.active(), plain.of(true));
        }
    }
}
