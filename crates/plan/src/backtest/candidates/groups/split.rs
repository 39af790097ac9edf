//! How much of the memory each site's group gets.

use super::curve::SiteCurve;

/// The least pages of a group. The kernel counts a group's memory in batches of 64 pages for each processor
/// (`MEMCG_CHARGE_BATCH`, include/linux/memcontrol.h), so that a smaller group is throttled at random.
pub(super) const LEAST_PAGES: u64 = 256;

/// A stretch of a site's savings that a straight line lies on or above: pages that save so much each.
struct Stretch {
    site: usize,
    pages: u64,
    saved_us_per_page: f64,
}

/// Pages for each site's group, `pages` in all: first the `least` that each is owed, then where a page saves most.
///
/// A site is owed what it reserves, then what its targets need, then what brings it nearest to targets that no memory meets.
/// Where memory is too short for all needs, sites of a larger weight come first. Savings count by weight, and by their least concave bound: what a page saves falls along it, so that the
/// steepest stretches first is the best there is (Fox, "Discrete optimization via marginal analysis", 1966).
pub(super) fn split(
    curves: &[&SiteCurve],
    weights: &[f64],
    least: Vec<u64>,
    pages: u64,
) -> Vec<u64> {
    let mut groups = least;
    let mut free = pages.saturating_sub(groups.iter().sum());
    let mut give = |site: usize, wanted: u64, groups: &mut Vec<u64>| {
        let given = wanted.min(free);
        free -= given;
        groups[site] += given;
        free
    };
    let mut by_weight: Vec<usize> = (0..curves.len()).collect();
    by_weight.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
    for wanted in [SiteCurve::needed_pages, SiteCurve::nearest_pages] {
        for &site in &by_weight {
            let wanted = wanted(curves[site]).saturating_sub(groups[site]);
            give(site, wanted, &mut groups);
        }
    }
    let mut stretches: Vec<Stretch> = (0..curves.len())
        .flat_map(|site| stretches(site, curves[site], weights[site], groups[site]))
        .collect();
    stretches.sort_by(|a, b| b.saved_us_per_page.total_cmp(&a.saved_us_per_page));
    let mut left = give(0, 0, &mut groups);
    for stretch in stretches {
        left = give(stretch.site, stretch.pages, &mut groups);
    }
    share_out(left, &mut groups);
    groups
}

/// The concave bound of what `site` saves beyond its first `from` pages.
fn stretches(site: usize, curve: &SiteCurve, weight: f64, from: u64) -> Vec<Stretch> {
    let mut at_start = 0.0;
    let mut bound: Vec<(u64, f64)> = Vec::new();
    for (pages, saved_us) in curve.savings() {
        if pages <= from {
            at_start = saved_us;
            continue;
        }
        let slope = |(a, a_us): (u64, f64), (b, b_us): (u64, f64)| (b_us - a_us) / (b - a) as f64;
        let new = (pages, saved_us);
        while let Some(&last) = bound.last() {
            let before = bound
                .len()
                .checked_sub(2)
                .map_or((from, at_start), |at| bound[at]);
            if slope(before, last) > slope(last, new) {
                break;
            }
            bound.pop();
        }
        bound.push(new);
    }
    let mut last = (from, at_start);
    let stretch = |(pages, saved_us): (u64, f64)| {
        let length = pages - last.0;
        let saved_us_per_page = weight * (saved_us - last.1) / length as f64;
        last = (pages, saved_us);
        Stretch {
            site,
            pages: length,
            saved_us_per_page,
        }
    };
    bound.into_iter().map(stretch).collect()
}

/// Shares out pages that save nobody anything: in proportion to what each group has.
fn share_out(pages: u64, groups: &mut [u64]) {
    let all: u64 = groups.iter().sum();
    let mut left = pages;
    for group in groups.iter_mut() {
        let more = (u128::from(pages) * u128::from(*group) / u128::from(all.max(1))) as u64;
        *group += more;
        left -= more;
    }
    if let Some(first) = groups.iter_mut().find(|pages| **pages > 0) {
        *first += left;
    }
}
