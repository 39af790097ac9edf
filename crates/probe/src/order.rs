//! Orders in which neighbours are far apart.

/// Neighbours in the folder are read this far apart, so that no file finds the disk's head beside it. A prime, to come
/// by every file once.
const STRIDE: usize = 7919;

/// Every number below `files` once, neighbours far apart.
pub fn spread(files: usize) -> impl Iterator<Item = usize> {
    let stride = if files.is_multiple_of(STRIDE) {
        1
    } else {
        STRIDE
    };
    (0..files).map(move |index| index * stride % files)
}

/// Every number below `count` once, neighbours far apart: steps of the golden section, as D. E. Knuth hashes in "The Art of
/// Computer Programming", volume 3, section 6.4.
pub(crate) fn scattered(count: u64) -> impl Iterator<Item = u64> + Clone {
    const GOLDEN_SECTION: f64 = 0.618_033_988_749_895;
    let mut step = ((count as f64 * GOLDEN_SECTION) as u64).max(1);
    while common_divisor(step, count) > 1 {
        step += 1;
    }
    (0..count).map(move |number| number * step % count)
}

fn common_divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { common_divisor(b, a % b) }
}
