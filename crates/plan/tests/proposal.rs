//! Sizes to choose from, and what other reads it takes before a page cache loses a file.

use crate::support::{Case, any_case, options};
use hotset_cache::{LinuxPageCache, PAGE_BYTES};
use hotset_plan::{PlanOptions, SizeReason, scan_bytes};
use proptest::prelude::*;

/// A page cache written out: what was used longest ago goes first.
struct LeastRecentlyUsed {
    pages: u64,
    /// Files with their pages, the one used last at the end.
    files: Vec<(u32, u64)>,
}

impl LeastRecentlyUsed {
    /// Whether the file was there.
    fn read(&mut self, file: u32, pages: u64) -> bool {
        let was_there = self.files.iter().position(|it| it.0 == file);
        was_there.map(|at| self.files.remove(at));
        self.files.push((file, pages));
        while self.files.iter().map(|it| it.1).sum::<u64>() > self.pages {
            self.files.remove(0);
        }
        was_there.is_some()
    }
}

/// Pages of the site's files, free pages beyond them, and pages that a backup reads in between.
fn scans() -> impl Strategy<Value = (Vec<u64>, u64, u64)> {
    (prop::collection::vec(1u64..9, 1..12), 0u64..120, 0u64..240)
}

proptest! {
    /// The least recently used is the first to go, and a backup of a page more than there is room for has one file lost.
    #[test]
    fn a_cache_loses_a_file_only_after_so_many_bytes_of_others((files, spare, scanned) in scans()) {
        let all: u64 = files.iter().sum();
        let told = scan_bytes((all + spare) * PAGE_BYTES, all * PAGE_BYTES);
        prop_assert_eq!(told, Some(spare * PAGE_BYTES));
        let mut cache = LeastRecentlyUsed { pages: all + spare, files: Vec::new() };
        for (file, &pages) in (0..).zip(&files) {
            cache.read(file, pages);
        }
        (0..scanned).for_each(|page| _ = cache.read(1_000 + page as u32, 1));
        let lost = (0..).zip(&files).any(|(file, &pages)| !cache.read(file, pages));
        prop_assert_eq!(lost, scanned > spare);
    }

    /// The page cache of Linux keeps at least as much.
    #[test]
    fn the_page_cache_of_linux_loses_nothing_before((files, spare, scanned) in scans()) {
        let all: u64 = files.iter().sum();
        let backup = spare.min(scanned);
        let sizes: Vec<u64> = files.iter().copied().chain((0..backup).map(|_| 1)).collect();
        let mut cache = LinuxPageCache::new(all + spare, &sizes).expect("few pages");
        let site = 0..files.len() as u32;
        let reads = site.clone().chain(files.len() as u32..sizes.len() as u32);
        reads.for_each(|file| _ = cache.read(file));
        for file in site {
            prop_assert_eq!(cache.read(file).pages, 0);
        }
    }

    #[test]
    fn sizes_are_those_of_the_curve_and_what_is_free(case in any_case(2), pages in 1u64..80) {
        let asked = PlanOptions { curve_points: 6, ..options(pages * PAGE_BYTES) };
        let plan = case.plan(&asked).expect("a plan");
        let gain = plan.curve.first();
        let proposal = plan.proposal(Some("/web".to_owned()), PAGE_BYTES, gain);
        let sizes = &proposal.sizes;
        prop_assert!(sizes.is_sorted_by(|a, b| a.memory_bytes < b.memory_bytes));
        let size_of = |reason| {
            let mut sizes = sizes.iter();
            sizes.find(|size| size.reasons.contains(&reason)).map(|size| size.memory_bytes)
        };
        prop_assert_eq!(size_of(SizeReason::Free), Some(pages * PAGE_BYTES));
        prop_assert_eq!(size_of(SizeReason::Knee), plan.knee_memory_bytes);
        prop_assert_eq!(size_of(SizeReason::Gain), gain.map(|point| point.memory_bytes));
        prop_assert_eq!(size_of(SizeReason::Targets), None);
        for size in sizes {
            let point = plan.curve.iter().find(|point| point.memory_bytes == size.memory_bytes);
            let point = point.expect("a point of the curve");
            prop_assert_eq!((&size.page_cache, &size.plan), (&point.page_cache, &point.plan));
        }
    }
}

#[test]
fn a_size_for_targets_is_the_least_that_meets_them() {
    let hot = (0..4_000u32).map(|i| i % 7);
    let case = Case::one_site(hot.collect(), vec![40_000; 7]);
    let asked = PlanOptions {
        objective: hotset_scenario::Objective::Targets,
        targets: vec![vec!["mean < 2ms".parse().expect("a target")]],
        curve_points: 8,
        ..options(1 << 20)
    };
    let plan = case.plan(&asked).expect("a plan");
    let proposal = plan.proposal(None, 7 * 40_960, None);
    let mut sizes = proposal.sizes.iter();
    let first = sizes
        .find(|size| size.reasons.contains(&SizeReason::Targets))
        .expect("a size for the targets");
    assert!(first.plan.mean_us < 2_000.0, "{first:?}");
    let smaller = plan
        .curve
        .iter()
        .filter(|point| point.memory_bytes < first.memory_bytes);
    assert!(smaller.clone().count() > 0);
    for point in smaller {
        assert!(point.validated.missed_targets > 0);
    }
}
