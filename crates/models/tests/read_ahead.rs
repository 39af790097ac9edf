//! Windows of read-ahead are those of the kernel.

use hotset_models::read_ahead::{Advice, LARGEST_REQUEST_BYTES, OnDemand, ReadAheadPolicy as _};

/// Windows that a sequential reader of `block` pages has read: (start, pages, marker).
fn sequential(ahead: &mut OnDemand, block: u64, until: u64) -> Vec<(u64, u64, u64)> {
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

/// Windows of a reader of single pages: starts and sizes, until they are as long as read-ahead goes without advice.
const FIRST_WINDOWS: [(u64, u64); 9] = [
    (0, 4),
    (4, 8),
    (12, 4),
    (16, 8),
    (24, 8),
    (32, 16),
    (48, 16),
    (64, 32),
    (96, 32),
];

/// Starts and sizes as Linux 6.18 logged them of a file on ext4 that was read in such blocks, with 128 KiB of read-ahead:
/// `/sys/kernel/tracing/trace`, with `events/readahead/page_cache_ra_order/enable` on. The second half of the first window is ahead,
/// or all but the page that was wanted; of later ones all is.
fn assert_windows(advice: Advice, block: u64, logged: &[(u64, u64)]) {
    let mut ahead = OnDemand::new(128 << 10, LARGEST_REQUEST_BYTES, advice);
    let (last, _) = logged[logged.len() - 1];
    let windows = sequential(&mut ahead, block, last);
    let first_marker = if block == 1 { 1 } else { logged[0].1 / 2 };
    let markers = std::iter::once(first_marker).chain(logged[1..].iter().map(|it| it.0));
    let wanted = logged.iter().zip(markers);
    let wanted: Vec<_> = wanted.map(|(it, marker)| (it.0, it.1, marker)).collect();
    assert_eq!(windows[..logged.len()], wanted);
}

#[test]
fn windows_of_a_sequential_reader_grow_as_the_kernels() {
    let of_pages = [&FIRST_WINDOWS[..], &[(128, 32)]].concat();
    assert_windows(Advice::Normal, 1, &of_pages);
    assert_windows(Advice::Normal, 16, &[(0, 32), (32, 32), (64, 32), (96, 32)]);
}

#[test]
fn advice_doubles_the_window() {
    let of_pages = [&FIRST_WINDOWS[..], &[(128, 64), (192, 64)]].concat();
    assert_windows(Advice::Sequential, 1, &of_pages);
    assert_windows(
        Advice::Sequential,
        16,
        &[(0, 32), (32, 64), (96, 64), (160, 32), (192, 64), (256, 64)],
    );
}

#[test]
fn windows_of_large_reads_are_as_large_as_requests() {
    // The same tracepoint, of blocks of 4 MiB on a device that takes 1280 KiB. The window from page 4160 ends where a folio does that
    // divides the 256 pages that were left of the read.
    assert_windows(
        Advice::Sequential,
        1024,
        &[
            (0, 320),
            (320, 320),
            (640, 320),
            (960, 320),
            (1280, 320),
            (1600, 320),
            (1920, 320),
            (2240, 320),
            (2560, 320),
            (2880, 320),
            (3200, 320),
            (3520, 320),
            (3840, 320),
            (4160, 192),
            (4352, 320),
        ],
    );
    let mut ahead = OnDemand::new(128 << 10, 1 << 20, Advice::Normal);
    assert_eq!(ahead.miss(0, 1024, |_| 0).pages, 256);
}

#[test]
fn advice_of_random_reads_forbids_windows() {
    let mut random = OnDemand::new(128 << 10, LARGEST_REQUEST_BYTES, Advice::Random);
    let window = random.miss(0, 3, |_| 0);
    assert_eq!((window.start, window.pages, window.marker), (0, 3, None));
}

#[test]
fn a_read_at_a_random_place_is_read_as_it_is() {
    let mut ahead = OnDemand::new(128 << 10, LARGEST_REQUEST_BYTES, Advice::Normal);
    ahead.has_read(5);
    let window = ahead.miss(1000, 2, |_| 0);
    assert_eq!((window.start, window.pages, window.marker), (1000, 2, None));
}

#[test]
fn a_read_larger_than_the_window_is_read_at_once() {
    let mut ahead = OnDemand::new(128 << 10, LARGEST_REQUEST_BYTES, Advice::Normal);
    let window = ahead.miss(0, 256, |_| 0);
    assert_eq!((window.pages, window.marker), (256, Some(128)));
}
