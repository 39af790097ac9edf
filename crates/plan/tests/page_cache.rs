//! Plans beside the page cache of Linux.

mod support;

use hotset_cache::LinuxPageCache;
use hotset_plan::{PageCacheModel, PlanError, PlanOptions};
use hotset_scenario::{CostLine, Profile};
use proptest::prelude::*;
use support::{any_case, options, profile};

fn linux(memory_bytes: u64) -> PlanOptions {
    PlanOptions {
        page_cache: PageCacheModel::Linux,
        ..options(memory_bytes)
    }
}

/// A disk on which a file's first reading takes another seek.
fn disk_with_inodes() -> Profile {
    let hdd = profile("hdd");
    let first = CostLine {
        fixed_us: 2.0 * hdd.uncached.fixed_us,
        ..hdd.uncached
    };
    Profile {
        first: Some(first),
        ..hdd
    }
}

proptest! {
    #[test]
    fn only_the_first_reading_of_a_file_that_is_not_held_costs_its_inode(case in any_case(2), memory in 1u64..60) {
        let plain = case.plan(&linux(memory * 4096)).expect("a plan").total.held_out;
        let dearer = case.plan_on(disk_with_inodes(), &linux(memory * 4096)).expect("a plan").total.held_out;
        let from = case.accesses.len() - plain.accesses as usize;
        let new = (from..case.accesses.len())
            .filter(|&index| !case.accesses[..index].contains(&case.accesses[index]))
            .count() as u64;
        prop_assert_eq!(dearer.page_cache.traffic.first.accesses, new);
        // A plan holds only what the training part has seen.
        prop_assert_eq!(dearer.plan.traffic.first.accesses, new);
        let seek_us = profile("hdd").uncached.fixed_us;
        let wanted = plain.page_cache.mean_us + new as f64 * seek_us / plain.accesses as f64;
        let seen = dearer.page_cache.mean_us;
        prop_assert!((seen - wanted).abs() <= 1e-9 * wanted, "{seen} us, not {wanted}");
        let whole = case.plan_on(disk_with_inodes(), &options(memory * 4096)).expect("a plan").total.held_out;
        prop_assert_eq!(whole.page_cache.traffic.first.accesses, 0);
    }

    #[test]
    fn the_page_cache_alone_costs_what_its_reads_do(case in any_case(1), memory in 1u64..60) {
        let plan = case.plan(&linux(memory * 4096)).expect("a plan");
        let pages: Vec<u64> = case.sizes.iter().map(|size| size.div_ceil(4096).max(1)).collect();
        let mut cache = LinuxPageCache::new(memory, &pages).expect("few pages");
        let (hdd, from) = (profile("hdd"), plan.training_accesses as usize);
        let mut us = 0.0;
        for (index, &object) in case.accesses.iter().enumerate() {
            let read = cache.read(object);
            if index >= from {
                let size = case.sizes[object as usize].max(1);
                let share = read.pages as f64 / pages[object as usize] as f64;
                let in_memory_us = hdd.cached_us(size) * (1.0 - share);
                let by_bytes_us = (hdd.uncached_us(size) - hdd.uncached.fixed_us) * share;
                us += in_memory_us + by_bytes_us + hdd.uncached.fixed_us * f64::from(read.gaps);
            }
        }
        let wanted = us / (case.accesses.len() - from) as f64;
        let seen = plan.total.held_out.page_cache.mean_us;
        prop_assert!((seen - wanted).abs() <= 1e-9 * wanted, "{seen} us, not {wanted}");
    }

    #[test]
    fn a_twentieth_of_the_memory_stays_page_cache(case in any_case(2), memory in 20u64..60) {
        let plan = case.plan(&linux(memory * 4096)).expect("a plan");
        prop_assert!(plan.share <= 0.95);
        prop_assert!(plan.page_cache_bytes * 20 >= memory * 4096);
        prop_assert!(plan.validated.plan_mean_us <= plan.validated.page_cache_mean_us);
    }
}

#[test]
fn files_of_more_pages_than_can_be_followed_are_refused() {
    let case = support::Case::one_site(vec![0, 1, 0], vec![1 << 50, 10]);
    let error = case.plan(&linux(1 << 30)).err();
    assert!(matches!(error, Some(PlanError::PageCache(_))), "{error:?}");
}
