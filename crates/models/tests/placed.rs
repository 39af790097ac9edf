//! Files whose places are known: the layout that is assumed, told as extents, changes nothing; pieces cost what they must.

use crate::support;

use std::path::Path;

use crate::support::{drive, profile, rate};
use hotset_models::file_system::{Extent, FilePlaces};
use hotset_models::fio::{JobFile, JobResult, System, simulate_placed};
use hotset_scenario::Profile;
use proptest::prelude::*;

const PAGE: u64 = 4096;

fn placed(jobs: &str, profile: &Profile, extents: &[(u64, u64, u64)]) -> Vec<JobResult> {
    let file = JobFile::parse(jobs, Path::new("jobs.fio")).unwrap();
    let extent = |&(page, block, pages): &(u64, u64, u64)| Extent {
        page,
        offset: block * PAGE,
        pages,
    };
    let extents = extents.iter().map(extent).collect();
    let system = System {
        profile,
        memory_bytes: Some(4 << 20),
        seed: 7,
    };
    let places = FilePlaces([("data".to_owned(), extents)].into());
    simulate_placed(&file.jobs, &system, &places, &|| true).unwrap()
}

fn on(file_system: &str) -> Profile {
    let system = format!("[file_system]\nkind = \"{file_system}\"\nblock_bytes = 4096\n");
    profile(&drive(1 << 30, "elevator", &system))
}

/// Blocks 12 to 12 + 1024 and so on have a block before them that lists them, the second and third one another for those.
fn as_ext3_lays_out(pages: u64) -> Vec<(u64, u64, u64)> {
    let runs = pages.saturating_sub(12).div_ceil(1024);
    let run = |number: u64| {
        let page = 12 + number * 1024;
        let before = if number == 0 { 1 } else { number + 2 };
        (page, page + before, 1024.min(pages - page))
    };
    [(0, 0, pages.min(12))]
        .into_iter()
        .chain((0..runs).map(run))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_layout_told_as_extents_is_as_the_one_assumed(
        pages in 1_u64..3000,
        random in any::<bool>(),
        is_ext3 in any::<bool>(),
        pieces in 1_u64..4,
    ) {
        let name = if is_ext3 { "ext3" } else { "ext4" };
        let profile = on(name);
        let mode = if random { "randread" } else { "read" };
        let jobs = format!("[a]\nfilename=data\nrw={mode}\nbs=4k\nsize={}\n", pages * PAGE);
        let extents = match is_ext3 {
            true => as_ext3_lays_out(pages),
            // Told in pieces that lie side by side; four of them need no block of their own.
            false => (0..pieces)
                .map(|it| (it * pages / pieces, (it + 1) * pages / pieces))
                .map(|(first, end)| (first, first, end - first))
                .filter(|it| it.2 > 0)
                .collect(),
        };
        let assumed = support::run(&jobs, &profile, Some(4 << 20));
        prop_assert_eq!(placed(&jobs, &profile, &extents), assumed);
    }
}

#[test]
fn a_file_in_pieces_far_apart_pays_a_seek_for_each() {
    let jobs = "[a]\nfilename=data\nrw=read\nbs=64k\nsize=4m\n";
    let profile = on("xfs");
    let whole = placed(jobs, &profile, &[(0, 0, 1024)]);
    // Sixteen pieces of 64 pages, each 32 MiB behind the last: XFS lists them in the inode.
    let pieces: Vec<_> = (0..16).map(|it| (it * 64, it * 8192, 64)).collect();
    let aged = placed(jobs, &profile, &pieces);
    assert_eq!(aged[0].device_bytes, whole[0].device_bytes);
    let seconds = |results: &[JobResult]| (4 << 20) as f64 / rate(results);
    // A seek over 1/32 of the drive takes 800 µs + 7700 µs · 15/8 · √(1/32), and then at most a turn is waited for.
    let seek_s = 800e-6 + 7700e-6 * 15.0 / 8.0 / 32_f64.sqrt();
    let turn_s = 60.0 / 7200.0;
    let each_s = (seconds(&aged) - seconds(&whole)) / 15.0;
    assert!((seek_s..seek_s + turn_s).contains(&each_s), "{each_s}");
}

#[test]
fn more_extents_than_an_inode_lists_need_a_block_that_is_read_once() {
    let jobs = "[a]\nfilename=data\nrw=read\nbs=64k\nsize=4m\n";
    let profile = on("ext4");
    let pieces = |count: u64| -> Vec<_> {
        let pages = 1024 / count;
        (0..count)
            .map(|it| (it * pages, it * 4096, pages))
            .collect()
    };
    let file_bytes = 4 << 20;
    let memory_less = |extents: &[_]| placed(jobs, &profile, extents)[0].device_bytes;
    assert_eq!(memory_less(&pieces(4)), file_bytes);
    // It is in memory from laying out, where there is room for it.
    assert!((file_bytes..=file_bytes + PAGE).contains(&memory_less(&pieces(8))));
}

#[test]
fn extents_in_any_order_and_with_gaps_are_followed() {
    let jobs = "[a]\nfilename=data\nrw=randread\nbs=4k\nsize=1m\n";
    let profile = on("ext4");
    let results = placed(jobs, &profile, &[(128, 9000, 64), (16, 100, 16)]);
    assert_eq!(results[0].device_bytes, 1 << 20);
}
