//! When servers are warm after a restart: pages a second over a few seconds, beside what they were before.

/// Over so many seconds pages are counted.
pub(super) const WINDOW_SECONDS: usize = 5;
/// What of the warm rate is as good as warm.
pub(super) const WARM_SHARE: f64 = 0.9;

/// After how many seconds pages a second, over the last five, first were at least 90 % of `warm_per_s`; nothing where that did not come.
///
/// `pages` are those that were answered in each second. Before the first second there were none.
pub fn seconds_until_warm(pages: &[u64], warm_per_s: f64) -> Option<u64> {
    let wanted = WARM_SHARE * warm_per_s * WINDOW_SECONDS as f64;
    let is_warm = |end: &usize| {
        let from = end.saturating_sub(WINDOW_SECONDS);
        let answered: u64 = pages[from..*end].iter().sum();
        answered as f64 >= wanted
    };
    let mut ends = 1..=pages.len();
    ends.find(is_warm).map(|end| end as u64)
}
