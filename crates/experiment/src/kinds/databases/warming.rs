//! When a warm-up is over: once the disk is asked for no fewer pages than a moment before.

use super::result::DatabasesComparison;

/// How long visitors come between two looks at the disk, seconds.
pub(super) const STEP_SECONDS: u64 = 5;
/// The least that a warm-up takes.
pub(super) const LEAST_SECONDS: u64 = 3 * STEP_SECONDS;
/// Reads for a page fall as long as they are less than this share of those a step before.
const NO_LESS: f64 = 0.9;
/// So few reads for a page are as good as none.
const FEW: f64 = 0.1;

/// Whether the disk's reads for a page, in one step of five seconds after the other, no longer fall: in the last of at least three they are at
/// least 90 % of those before it, or hardly any.
pub fn reads_are_steady(reads_per_page: &[f64]) -> bool {
    let [.., earlier, last] = reads_per_page else {
        return false;
    };
    let seconds = reads_per_page.len() as u64 * STEP_SECONDS;
    seconds >= LEAST_SECONDS && (*last <= FEW || *last >= NO_LESS * earlier)
}

/// How many runs were measured before they were steady.
pub(super) fn remarks(points: &[DatabasesComparison]) -> Vec<String> {
    let details = points.iter().map(|point| &point.kept.measured.detail);
    let warm_ups = details.filter_map(|detail| detail.warm_up.as_ref());
    let unsteady = warm_ups.filter(|it| !it.is_steady).count();
    let said = (unsteady > 0).then(|| {
        format!(
            "In {unsteady} of {} runs the disk's reads still fell when the warm-up ended; raise `warm_up_seconds`.",
            points.len()
        )
    });
    said.into_iter().collect()
}
