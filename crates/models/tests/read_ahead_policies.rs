//! Policies of read-ahead that Linux has no more or never had, by sequences worked out by hand from their rules.

use std::collections::BTreeSet;

use hotset_models::read_ahead::{
    Adaptive, Advice, EarlyOnDemand, LARGEST_REQUEST_BYTES, Lookup, OnDemand, PreFetch,
    ReadAheadPolicy, TwoWindows, Window,
};
use proptest::prelude::*;

const MOST: u64 = 128 << 10;
const FILE_PAGES: u64 = 1000;

/// A file with what is in memory of it.
#[derive(Default)]
struct File {
    cached: BTreeSet<u64>,
    marks: BTreeSet<u64>,
    /// Pages read from the device.
    read: u64,
}

impl File {
    /// Reads so many pages; the windows that were read on the way.
    fn read(&mut self, ahead: &mut dyn ReadAheadPolicy, start: u64, pages: u64) -> Vec<Window> {
        let mut windows = Vec::new();
        let end = (start + pages).min(FILE_PAGES);
        for page in start..end {
            let found = match (self.cached.contains(&page), self.marks.remove(&page)) {
                (false, _) => Lookup::Missing,
                (true, false) => Lookup::Present,
                (true, true) => Lookup::Marked,
            };
            let cached = &self.cached;
            let mut came = Vec::new();
            let holds = |it| cached.contains(&it);
            ahead.choose(page, end - page, found, &holds, &mut came);
            for window in &came {
                let of_file = window.start..(window.start + window.pages).min(FILE_PAGES);
                self.read += of_file.clone().filter(|it| self.cached.insert(*it)).count() as u64;
                self.marks
                    .extend(window.marker.filter(|it| of_file.contains(it)));
            }
            assert!(self.cached.contains(&page), "a missing page is read");
            windows.extend(came);
        }
        ahead.has_read(end - 1);
        windows
    }

    /// Reads blocks one after the other; starts and sizes of windows.
    fn in_a_row(
        &mut self,
        ahead: &mut dyn ReadAheadPolicy,
        block: u64,
        until: u64,
    ) -> Vec<(u64, u64)> {
        let starts = (0..until).step_by(block as usize);
        let windows = starts.flat_map(|start| self.read(ahead, start, block));
        windows.map(|it| (it.start, it.pages)).collect()
    }
}

#[test]
fn an_ahead_window_is_read_as_soon_as_the_current_one_is_entered() {
    let mut ahead = TwoWindows::new(MOST, FILE_PAGES * 4096);
    let windows = File::default().in_a_row(&mut ahead, 1, 29);
    assert_eq!(
        windows,
        [(0, 4), (4, 8), (12, 16), (28, 32), (60, 32)],
        "get_init_ra_size, then get_next_ra_size"
    );
    let mut ahead = TwoWindows::new(MOST, FILE_PAGES * 4096);
    let mut file = File::default();
    assert_eq!(file.read(&mut ahead, 0, 1).len(), 1, "the current window");
    assert_eq!(file.read(&mut ahead, 1, 1).len(), 1, "the ahead window");
    assert_eq!(file.read(&mut ahead, 2, 2).len(), 0, "both are there");
}

#[test]
fn a_read_as_large_as_the_window_has_both_windows_read_at_once() {
    let mut ahead = TwoWindows::new(MOST, FILE_PAGES * 4096);
    let mut file = File::default();
    let first = file.read(&mut ahead, 0, 32);
    let starts: Vec<_> = first.iter().map(|it| (it.start, it.pages)).collect();
    assert_eq!(starts, [(0, 32), (32, 32)]);
    let second = file.read(&mut ahead, 32, 32);
    assert_eq!((second[0].start, second[0].pages), (64, 32));
}

#[test]
fn a_random_read_turns_reading_ahead_off_and_two_in_a_row_turn_it_on() {
    let mut ahead = TwoWindows::new(MOST, FILE_PAGES * 4096);
    let mut file = File::default();
    file.in_a_row(&mut ahead, 1, 5);
    let random = file.read(&mut ahead, 500, 2);
    assert_eq!(
        (random.len(), random[0].start, random[0].pages),
        (1, 500, 2)
    );
    let again = file.read(&mut ahead, 502, 1);
    assert_eq!((again[0].start, again[0].pages), (502, 4));
}

#[test]
fn a_file_in_memory_is_not_looked_ahead_in_until_a_page_is_missed() {
    let mut ahead = TwoWindows::new(MOST, FILE_PAGES * 4096);
    let mut file = File {
        cached: (0..500).collect(),
        ..File::default()
    };
    file.in_a_row(&mut ahead, 1, 400);
    let later = file.in_a_row(&mut ahead, 1, 0);
    assert!(later.is_empty());
    let missed = file.read(&mut ahead, 400, 101);
    let pages: Vec<_> = missed.iter().map(|it| (it.start, it.pages)).collect();
    assert_eq!(pages, [(500, 1)], "the missed page alone");
}

#[test]
fn a_window_is_smaller_after_a_page_that_was_read_ahead_was_gone() {
    let mut ahead = TwoWindows::new(MOST, FILE_PAGES * 4096);
    let mut file = File::default();
    file.in_a_row(&mut ahead, 1, 28);
    file.cached.remove(&28);
    // Coming to 28 has (60, 32) read, then misses 28 itself.
    file.read(&mut ahead, 28, 32);
    let next = file.read(&mut ahead, 60, 1);
    assert_eq!((next[0].start, next[0].pages), (92, 30), "two pages less");
}

#[test]
fn adaptive_read_ahead_doubles_in_a_row() {
    let windows = File::default().in_a_row(&mut Adaptive::new(MOST), 1, 29);
    assert_eq!(windows, [(0, 4), (4, 8), (12, 16), (28, 32), (60, 32)]);
}

#[test]
fn adaptive_read_ahead_halves_with_each_random_read_and_ends() {
    let (mut ahead, mut file) = (Adaptive::new(MOST), File::default());
    file.in_a_row(&mut ahead, 1, 29);
    // 32 pages; 16, 8, 4 after three random reads, then off.
    for place in [200, 300, 400] {
        assert_eq!(file.read(&mut ahead, place, 1)[0].pages, 1);
    }
    let on = file.read(&mut ahead, 401, 1);
    assert_eq!(on[0].pages, 8, "doubled from 4");
    for place in [600, 700, 800] {
        file.read(&mut ahead, place, 1);
    }
    let off = file.read(&mut ahead, 801, 1);
    assert_eq!(off[0].pages, 4, "from the least again");
}

#[test]
fn adaptive_read_ahead_stops_where_pages_are_in_memory_or_read_again() {
    let (mut ahead, mut file) = (Adaptive::new(MOST), File::default());
    file.read(&mut ahead, 0, 1);
    file.cached.remove(&0);
    assert_eq!(file.read(&mut ahead, 0, 1)[0].pages, 1, "the same page");
    file.cached.extend(0..FILE_PAGES);
    file.marks.clear();
    let mut ahead = Adaptive::new(MOST);
    let windows = file.in_a_row(&mut ahead, 1, FILE_PAGES);
    assert!(windows.is_empty());
}

fn runs(windows: Vec<Window>) -> Vec<(u64, u64)> {
    let windows = windows.into_iter();
    windows.map(|it| (it.start, it.pages)).collect()
}

#[test]
fn windows_on_demand_double_at_their_marks() {
    let windows = File::default().in_a_row(&mut EarlyOnDemand::new(MOST), 1, 29);
    assert_eq!(windows, [(0, 4), (4, 8), (12, 16), (28, 32), (60, 32)]);
    let (mut ahead, mut file) = (EarlyOnDemand::new(MOST), File::default());
    assert_eq!(runs(file.read(&mut ahead, 0, 1)), [(0, 4)]);
    assert_eq!(runs(file.read(&mut ahead, 1, 1)), [(4, 8)], "at the mark");
    assert_eq!(runs(file.read(&mut ahead, 2, 2)), [], "before the next");
}

#[test]
fn a_window_on_demand_that_is_wanted_whole_has_the_next_one_read_at_once() {
    let (mut ahead, mut file) = (EarlyOnDemand::new(MOST), File::default());
    assert_eq!(runs(file.read(&mut ahead, 0, 32)), [(0, 32), (32, 32)]);
    assert_eq!(runs(file.read(&mut ahead, 32, 32)), [(64, 32)]);
}

/// In what Linux has become, both have a window read.
#[test]
fn early_windows_on_demand_begin_nowhere_but_where_the_last_read_ended() {
    let (mut ahead, mut file) = (EarlyOnDemand::new(MOST), File::default());
    file.cached.extend(480..500);
    assert_eq!(runs(file.read(&mut ahead, 500, 1)), [(500, 1)], "at random");
    assert_eq!(
        runs(file.read(&mut ahead, 0, 1)),
        [(0, 1)],
        "the start again"
    );
    assert_eq!(runs(file.read(&mut ahead, 1, 1)), [(1, 4)], "in a row");
}

#[test]
fn a_mark_of_another_reader_has_as_much_read_as_is_there_twice() {
    let (mut ahead, mut file) = (EarlyOnDemand::new(MOST), File::default());
    file.cached.extend(100..106);
    file.marks.insert(100);
    file.read(&mut ahead, 300, 1);
    assert_eq!(runs(file.read(&mut ahead, 100, 1)), [(106, 12)]);
}

/// "The kernel attempts to pre-fetch a pre-defined value number of pages […]. If the read pattern is random, the pre-fetch mechanism
/// will reduce the number of read-ahead pages to a minimum number": the dissertation, p. 61.
#[test]
fn the_pre_fetch_reads_a_set_number_of_pages_in_a_row_and_a_minimum_at_random() {
    let (mut ahead, mut file) = (PreFetch::new(MOST, 16 << 10), File::default());
    let windows = file.in_a_row(&mut ahead, 1, 65);
    assert_eq!(windows, [(0, 32), (32, 32), (64, 32)]);
    assert_eq!(runs(file.read(&mut ahead, 500, 1)), [(500, 4)], "at random");
    assert_eq!(runs(file.read(&mut ahead, 501, 4)), [(504, 32)], "in a row");
}

fn policies() -> Vec<Box<dyn ReadAheadPolicy>> {
    vec![
        Box::new(EarlyOnDemand::new(MOST)),
        Box::new(PreFetch::new(MOST, 16 << 10)),
        Box::new(TwoWindows::new(MOST, FILE_PAGES * 4096)),
        Box::new(Adaptive::new(MOST)),
        Box::new(OnDemand::new(MOST, LARGEST_REQUEST_BYTES, Advice::Normal)),
    ]
}

proptest! {
    /// Whatever is read, missing pages are read (`File::read` asserts it), no window is larger than the limit or the largest
    /// read so far, and no page is read twice while it is in memory.
    #[test]
    fn windows_cover_what_is_missing_and_are_not_larger_than_allowed(
        reads in prop::collection::vec((0u64..FILE_PAGES, 1u64..40, any::<bool>()), 1..60),
    ) {
        for mut ahead in policies() {
            let mut file = File::default();
            let (mut at, mut largest) = (0, 32);
            for &(place, pages, jumps) in &reads {
                let start = if jumps || at >= FILE_PAGES { place } else { at };
                largest = largest.max(pages);
                for window in file.read(&mut *ahead, start, pages) {
                    prop_assert!(window.pages <= largest, "{window:?}");
                }
                at = start + pages;
            }
            prop_assert_eq!(file.read, file.cached.len() as u64);
        }
    }

    /// A file read in a row by any block is read from the device once, and no window is asked for twice.
    #[test]
    fn a_file_in_a_row_is_read_once(block in 1u64..70) {
        for mut ahead in policies() {
            let mut file = File::default();
            let windows = file.in_a_row(&mut *ahead, block, FILE_PAGES);
            prop_assert_eq!(file.read, FILE_PAGES);
            let starts: BTreeSet<_> = windows.iter().map(|it| it.0).collect();
            prop_assert_eq!(starts.len(), windows.len());
        }
    }
}
