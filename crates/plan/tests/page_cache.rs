//! Plans beside the page cache of Linux.

use crate::support;

use crate::support::{any_case, options, profile};
use hotset_cache::LinuxPageCache;
use hotset_plan::{Arm, PageCacheModel, PlanError, PlanOptions, SiteTerms};
use hotset_scenario::{CostLine, Profile};
use proptest::prelude::*;

fn linux(memory_bytes: u64) -> PlanOptions {
    PlanOptions {
        page_cache: PageCacheModel::Linux,
        ..options(memory_bytes)
    }
}

/// A disk on which reading the inode takes another seek.
fn disk_with_inodes() -> Profile {
    let hdd = profile("hdd");
    let cold = CostLine {
        fixed_us: 2.0 * hdd.uncached.fixed_us,
        ..hdd.uncached
    };
    Profile {
        cold: Some(cold),
        ..hdd
    }
}

/// Places that accesses from `from` on read to open files for the first time. The few dozen files of one site have one root,
/// one block of entries and one part of the inode table.
fn places_read(case: &support::Case, memory_pages: u64, from: usize) -> u64 {
    let mut pages: Vec<u64> = case
        .sizes
        .iter()
        .map(|size| size.div_ceil(4096).max(1))
        .collect();
    let places = pages.len() as u32..pages.len() as u32 + 3;
    pages.extend([1, 1, case.sizes.len().div_ceil(16) as u64]);
    let mut cache = LinuxPageCache::new(memory_pages, &pages).expect("few pages");
    let mut read = 0;
    for (index, object) in case.accesses.iter().enumerate() {
        if !case.accesses[..index].contains(object) {
            let missing = places
                .clone()
                .filter(|&place| cache.read(place).pages > 0)
                .count();
            read += if index >= from { missing as u64 } else { 0 };
        }
        cache.read(*object);
    }
    read
}

/// Mean response of the accesses from `from` on while the objects `held` are in memory, in microseconds. All accesses before them
/// warm the page cache.
fn mean_us(case: &support::Case, memory_pages: u64, held: &[u32], from: usize) -> f64 {
    let pages: Vec<u64> = (case.sizes.iter())
        .map(|size| size.div_ceil(4096).max(1))
        .collect();
    let mut is_held = vec![false; pages.len()];
    held.iter()
        .for_each(|&object| is_held[object as usize] = true);
    let held_pages: u64 = held.iter().map(|&object| pages[object as usize]).sum();
    let mut cache = LinuxPageCache::new(memory_pages - held_pages, &pages).expect("few pages");
    let (hdd, memory) = (profile("hdd"), profile("memory"));
    let mut us = 0.0;
    for (index, &object) in case.accesses.iter().enumerate() {
        let size = case.sizes[object as usize].max(1);
        let response_us = if is_held[object as usize] {
            memory.cached_us(size)
        } else {
            let read = cache.read(object);
            let share = read.pages as f64 / pages[object as usize] as f64;
            let in_memory_us = hdd.cached_us(size) * (1.0 - share);
            let by_bytes_us = (hdd.uncached_us(size) - hdd.uncached.fixed_us) * share;
            in_memory_us + by_bytes_us + hdd.uncached.fixed_us * f64::from(read.gaps)
        };
        us += if index >= from { response_us } else { 0.0 };
    }
    us / (case.accesses.len() - from) as f64
}

proptest! {
    // In long logs, other ways are scored with page caches that the last accesses alone have warmed.
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_plan_and_the_page_cache_alone_are_exact_in_long_logs(
        files in 300usize..3000,
        exponent in 0.2f64..0.99,
        shift in prop_oneof![Just(0usize), 1usize..300],
        seed in any::<u64>(),
        memory in 0.01f64..0.95,
    ) {
        let case = support::zipf(150_000, files, exponent, shift, seed);
        let all: u64 = case.sizes.iter().map(|size| size.div_ceil(4096)).sum();
        let memory = (all as f64 * memory) as u64 + 1;
        let plan = case.plan(&linux(memory * 4096)).expect("a plan");
        prop_assume!(plan.given_up.is_none());
        let held: Vec<u32> = plan.nodes.iter().flat_map(|node| &node.objects).map(|held| held.object).collect();
        for (arm, held) in [(Arm::PageCache, &[][..]), (Arm::Plan, &held)] {
            let wanted = mean_us(&case, memory, held, plan.training_accesses as usize);
            let seen = plan.total.held_out[arm].mean_us;
            prop_assert!((seen - wanted).abs() <= 1e-9 * wanted, "{arm:?}: {seen} us, not {wanted}");
        }
    }
}

proptest! {
    #[test]
    fn opening_a_file_reads_its_inode_when_the_page_cache_has_lost_it(case in any_case(1), memory in 1u64..60) {
        let plain = case.plan(&linux(memory * 4096)).expect("a plan").total.held_out;
        let dearer = case.plan_on(disk_with_inodes(), &linux(memory * 4096)).expect("a plan").total.held_out;
        let places = places_read(&case, memory, case.accesses.len() - plain.accesses as usize);
        prop_assert_eq!(plain[Arm::PageCache].traffic.metadata.accesses, 0);
        prop_assert_eq!(dearer[Arm::PageCache].traffic.metadata.accesses, places);
    }

    #[test]
    fn with_room_for_all_an_inode_is_read_once_and_costs_its_line(case in any_case(2)) {
        let accesses = &case.accesses;
        let large = linux(1 << 30);
        let plain = case.plan(&large).expect("a plan").total.held_out;
        let dearer = case.plan_on(disk_with_inodes(), &large).expect("a plan").total.held_out;
        let from = accesses.len() - plain.accesses as usize;
        let site = |object: &u32| case.site_of_object[*object as usize];
        let opens = |new: u16| accesses.iter().position(|object| site(object) == new);
        let cold = (0..2).filter_map(opens).filter(|&index| index >= from).count() as u64;
        prop_assert_eq!(dearer[Arm::PageCache].traffic.metadata.accesses, 3 * cold);
        let seek_us = profile("hdd").uncached.fixed_us;
        let wanted = plain[Arm::PageCache].mean_us + cold as f64 * seek_us / plain.accesses as f64;
        let seen = dearer[Arm::PageCache].mean_us;
        prop_assert!((seen - wanted).abs() <= 1e-9 * wanted, "{seen} us, not {wanted}");
    }

    #[test]
    fn the_page_cache_alone_costs_what_its_reads_do(case in any_case(1), memory in 1u64..60) {
        let plan = case.plan(&linux(memory * 4096)).expect("a plan");
        let wanted = mean_us(&case, memory, &[], plan.training_accesses as usize);
        let seen = plan.total.held_out[Arm::PageCache].mean_us;
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

#[test]
fn reservations_that_leave_the_page_cache_no_room_are_refused_with_what_it_needs() {
    let case = support::Case::one_site([0, 1].repeat(50), vec![4096; 2]);
    let asked = |pages: u64| PlanOptions {
        terms: vec![SiteTerms {
            weight: 1.0,
            reservation_bytes: pages * 4096,
        }],
        ..linux(100 * 4096)
    };
    assert!(case.plan(&asked(95)).is_ok());
    let error = case.plan(&asked(96)).expect_err("a refusal").to_string();
    assert!(error.contains("of which 20480 stay page cache"), "{error}");
}

#[test]
fn a_plan_says_how_much_stays_page_cache() {
    let case = support::Case::one_site([0, 1].repeat(50), vec![4096; 2]);
    let floor = |asked: &PlanOptions| case.plan(asked).expect("a plan").page_cache_floor_bytes;
    assert_eq!(floor(&linux(100 * 4096)), 5 * 4096);
    assert_eq!(floor(&linux(101 * 4096)), 6 * 4096);
    let whole_files = PlanOptions {
        page_cache: PageCacheModel::WholeFiles,
        ..linux(100 * 4096)
    };
    assert_eq!(floor(&whole_files), 0);
}

#[test]
fn a_page_cache_smaller_than_a_file_does_not_keep_it() {
    let case = support::Case::one_site(vec![0; 100], vec![4 * 4096]);
    let held_out = case.plan(&linux(4096)).expect("a plan").total.held_out;
    let alone = &held_out[Arm::PageCache];
    assert_eq!(
        (alone.hit_ratio, alone.mean_us),
        (0.0, held_out[Arm::Lru].mean_us)
    );
}
