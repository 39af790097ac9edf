//! Windows of read-ahead are those of the kernel.

use hotset_models::read_path::{Advice, ReadAhead};

/// Windows that a sequential reader of `block` pages has read: (start, pages, marker).
fn sequential(ahead: &mut ReadAhead, block: u64, until: u64) -> Vec<(u64, u64, u64)> {
    let (mut windows, mut cached, mut marker) = (Vec::new(), 0, None);
    for page in 0..until {
        let wanted = block - page % block;
        let window = if page >= cached {
            Some(ahead.miss(page, wanted, |_| 0))
        } else if marker == Some(page) {
            ahead.reach(page, wanted, |_| None)
        } else {
            None
        };
        if let Some(window) = window {
            cached = window.start + window.pages;
            marker = window.marker;
            windows.push((window.start, window.pages, window.marker.unwrap_or(0)));
        }
        if (page + 1) % block == 0 {
            ahead.has_read(page);
        }
    }
    windows
}

#[test]
fn windows_of_a_sequential_reader_grow_as_the_kernels() {
    // get_init_ra_size and get_next_ra_size of mm/readahead.c: 4 pages for the first, then ×2, up to 32.
    let mut ahead = ReadAhead::new(128 << 10, Advice::Normal);
    let windows = sequential(&mut ahead, 1, 60);
    let starts_and_sizes: Vec<_> = windows.iter().map(|it| (it.0, it.1)).collect();
    assert_eq!(
        starts_and_sizes,
        [(0, 4), (4, 8), (12, 16), (28, 32), (60, 32)]
    );
    assert_eq!(windows[0].2, 1, "all but the wanted page is ahead");
    assert_eq!(windows[3].2, 28, "later windows are marked at their start");
}

#[test]
fn advice_doubles_the_window_or_forbids_it() {
    let mut ahead = ReadAhead::new(128 << 10, Advice::Sequential);
    let windows = sequential(&mut ahead, 16, 400);
    assert_eq!(windows.last().unwrap().1, 64);
    let mut random = ReadAhead::new(128 << 10, Advice::Random);
    let window = random.miss(0, 3, |_| 0);
    assert_eq!((window.start, window.pages, window.marker), (0, 3, None));
}

#[test]
fn a_read_at_a_random_place_is_read_as_it_is() {
    let mut ahead = ReadAhead::new(128 << 10, Advice::Normal);
    ahead.has_read(5);
    let window = ahead.miss(1000, 2, |_| 0);
    assert_eq!((window.start, window.pages, window.marker), (1000, 2, None));
}

#[test]
fn a_read_larger_than_the_window_is_read_at_once() {
    let mut ahead = ReadAhead::new(128 << 10, Advice::Normal);
    let window = ahead.miss(0, 256, |_| 0);
    assert_eq!((window.pages, window.marker), (256, Some(128)));
}
