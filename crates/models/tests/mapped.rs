//! Jobs of fio that map their files: what follows from faults and pages must come out.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use hotset_models::fio::{Job, JobFile, JobResult, Offsets, System, simulate};
use hotset_scenario::{CostLine, Profile, Reading};
use proptest::prelude::*;

const PAGE: u64 = 4096;
const SEED: u64 = 7;
/// What fio's own loop takes between two reads.
const LOOP_US: f64 = 0.122;
const FAULT_US: f64 = 3.0;

/// A call of 1 µs and 8000 bytes/µs from memory; a device of 99 µs, then 500 bytes/µs; a fault of 3 µs.
fn profile() -> Profile {
    let line = |fixed_us, bytes_per_us| CostLine {
        fixed_us,
        bytes_per_us,
    };
    Profile {
        reading: Some(Reading {
            fault_us: Some(FAULT_US),
            ..Reading::default()
        }),
        ..Profile::of_lines("test", line(1.0, 8000.0), line(100.0, 500.0), "")
    }
}

fn job(options: &str) -> Job {
    let text = format!("[a]\nioengine=mmap\n{options}");
    let mut file = JobFile::parse(&text, Path::new("jobs.fio")).unwrap();
    file.jobs.remove(0)
}

fn run(job: &Job, memory_bytes: Option<u64>) -> JobResult {
    let profile = profile();
    let system = System {
        profile: &profile,
        memory_bytes,
        seed: SEED,
    };
    let jobs = std::slice::from_ref(job);
    simulate(jobs, &system, &|| true).unwrap().remove(0)
}

#[track_caller]
fn near(value: f64, expected: f64, share: f64) {
    assert!(
        (value / expected - 1.0).abs() <= share,
        "{value}, expected {expected}"
    );
}

/// Microseconds and pages from the device of a job at random, as a kernel with memory for its file reads it page by page.
fn plain(job: &Job, reads: u64) -> (f64, u64) {
    let mut offsets = Offsets::new(job, SEED).unwrap();
    let pages = job.size_bytes / PAGE;
    let mut present: BTreeSet<u64> = BTreeSet::new();
    let mut mapped = BTreeSet::new();
    if !job.invalidate {
        present.extend(0..pages);
    }
    let (mut us, mut from_device) = (0.0, 0);
    for _ in 0..reads {
        let place = offsets.advance();
        if place.begins {
            mapped.clear();
            if job.invalidate {
                present.clear();
            }
        }
        for page in place.offset / PAGE..(place.offset + place.bytes).div_ceil(PAGE) {
            if mapped.contains(&page) {
                continue;
            }
            if present.insert(page) {
                us += 99.0 + PAGE as f64 / 500.0;
                from_device += 1;
            }
            us += FAULT_US;
            let around = page / 16 * 16..(page / 16 + 1) * 16;
            mapped.extend(around.filter(|it| present.contains(it)));
        }
        us += place.bytes as f64 / 8000.0 + LOOP_US;
    }
    (us, from_device)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn pages_at_random_are_read_one_by_one_and_mapped_sixteen_at_a_time(
        block_pages in prop::sample::select(vec![1u64, 3, 4, 16]),
        blocks in 1u64..200,
        loops in 1u32..4,
        invalidate in 0u8..2,
        anew in 0u8..2,
    ) {
        let block = block_pages * PAGE;
        let job = job(&format!(
            "rw=randread\nbs={block}\nsize={}\nloops={loops}\ninvalidate={invalidate}\nnorandommap={anew}\n",
            blocks * block,
        ));
        let result = run(&job, None);
        let reads = result.outcome.total.requests.unwrap();
        let (us, pages) = plain(&job, reads);
        prop_assert_eq!(result.device_bytes, pages * PAGE);
        // The last read's loop comes after it; nanoseconds are cut off at each step.
        let apart_us = (result.seconds * 1e6 + LOOP_US - us).abs();
        prop_assert!(apart_us <= 0.01 * (reads * (block_pages + 2)) as f64, "{apart_us} µs of {us}");
    }
}

#[test]
fn a_mapped_file_in_memory_costs_copying_and_a_fault_for_sixteen_pages() {
    let result = run(&job("rw=read\nbs=4k\nsize=16m\ninvalidate=0\n"), None);
    let mean_us = result.outcome.total.mean_us().unwrap();
    near(mean_us, 4096.0 / 8000.0 + FAULT_US / 16.0, 0.001);
    assert_eq!(result.outcome.total.hit_ratio(), Some(1.0));
}

#[test]
fn a_mapped_scan_gets_the_rate_of_the_device_by_read_ahead_and_reads_each_page_once() {
    for bs in ["4k", "64k", "1m"] {
        let result = run(&job(&format!("rw=read\nbs={bs}\nsize=64m\n")), None);
        near(result.bytes_per_s / 1e6, 500.0, 0.05);
        assert_eq!(result.device_bytes, 64 << 20, "{bs}");
    }
}

/// Nine of ten reads are of a tenth of the file, which fits into memory. Without advice, reclaim sees which pages were accessed.
#[test]
fn without_advice_what_is_accessed_often_stays_in_memory() {
    let bare = profile();
    let profile = Profile {
        reading: bare.reading.map(|reading| Reading {
            read_ahead_bytes: 0,
            ..reading
        }),
        ..bare
    };
    let from_device = |hint: u8| {
        let job = job(&format!(
            "rw=randread\nbs=4k\nsize=64m\nio_size=256m\nnorandommap\n\
             random_distribution=zoned:90/10:10/90\nfadvise_hint={hint}\n"
        ));
        let system = System {
            profile: &profile,
            memory_bytes: Some(16 << 20),
            seed: SEED,
        };
        simulate(&[job], &system, &|| true).unwrap()[0].device_bytes
    };
    let (seen, unseen) = (from_device(0), from_device(1));
    assert!(seen as f64 <= 0.9 * unseen as f64, "{seen} and {unseen}");
}

#[test]
fn what_left_memory_is_not_mapped_any_more() {
    let options = "rw=read\nbs=4k\nsize=16m\nloops=3\ninvalidate=0\n";
    let result = run(&job(options), Some(8 << 20));
    let least = 3 * (16 << 20) - (8 << 20);
    assert!(result.device_bytes >= least, "{}", result.device_bytes);
}

/// Bytes from the device and faults' pages of a job at random without advice, as `do_sync_mmap_readahead`, `filemap_map_pages` and
/// `do_async_mmap_readahead` of `mm/filemap.c` have them where all windows arrive at once: each page by itself, marks by name.
fn plain_around(job: &Job, reads: u64, window: u64) -> u64 {
    let mut offsets = Offsets::new(job, SEED).unwrap();
    let pages = job.size_bytes / PAGE;
    let (mut present, mut mapped) = (BTreeSet::new(), BTreeSet::new());
    let mut marked = BTreeSet::new();
    // `ra->start`, `ra->size`, `ra->async_size` and `ra->order`.
    let mut ahead = (0, 0, 0, 0);
    let mut from_device = 0;
    let mut read =
        |of: Range<u64>, marker: u64, present: &mut BTreeSet<u64>, marked: &mut BTreeSet<u64>| {
            for page in of.start..of.end.min(pages) {
                if present.insert(page) {
                    from_device += 1;
                    if page == marker {
                        marked.insert(page);
                    }
                }
            }
        };
    for _ in 0..reads {
        let place = offsets.advance();
        for page in place.offset / PAGE..(place.offset + place.bytes) / PAGE {
            if mapped.contains(&page) {
                continue;
            }
            if !present.contains(&page) {
                let start = page.saturating_sub(window / 2);
                ahead = (start, window, window / 4, 0);
                read(
                    start..start + window,
                    start + window - window / 4,
                    &mut present,
                    &mut marked,
                );
            } else if marked.remove(&page) {
                let (start, size, asynchronous, order) = ahead;
                let is_expected = page == start + size - asynchronous;
                let (next, wanted) = match is_expected {
                    // `get_next_ra_size` of a window that was cut short.
                    true if size < window / 16 => (start + size, 4 * size),
                    true if size <= window / 2 => (start + size, 2 * size),
                    true => (start + size, window),
                    // The first page behind it that is not in memory (`page_cache_next_miss`).
                    false => {
                        let next = (page + 1..).find(|it| !present.contains(it)).unwrap();
                        (next, window)
                    }
                };
                // Nothing is read ahead where a whole window is there already.
                if is_expected || next - page <= window {
                    let order = order + 2;
                    let folio = 1 << window.trailing_zeros().min(order);
                    let end = (next + wanted) / folio * folio;
                    let size = if end > next { end - next } else { wanted };
                    ahead = (next, size, size, order.min(size.ilog2()));
                    read(next..next + size, next, &mut present, &mut marked);
                }
            }
            let around = page / 16 * 16..(page / 16 + 1) * 16;
            let may = |it: &u64| *it == page || present.contains(it) && !marked.contains(it);
            mapped.extend(around.filter(may));
        }
    }
    from_device
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn without_advice_a_missing_page_has_the_window_around_it_read(
        block_pages in prop::sample::select(vec![1u64, 4, 16]),
        blocks in 64u64..1000,
        reads in 1u64..200,
    ) {
        let block = block_pages * PAGE;
        let reads = reads.min(blocks);
        let job = job(&format!(
            "rw=randread\nbs={block}\nsize={}\nio_size={}\nfadvise_hint=0\n",
            blocks * block,
            reads * block,
        ));
        let result = run(&job, None);
        prop_assert_eq!(result.device_bytes, PAGE * plain_around(&job, reads, 32));
    }
}

#[test]
fn reads_at_random_without_advice_read_thirty_two_pages_for_each() {
    // fio 3.33 on ext4 with 128 KiB of read-ahead, Linux 6.18: 64 reads of a file of 1 GiB read 8 MiB.
    let options = "rw=randread\nbs=4k\nsize=1g\nio_size=256k\nfadvise_hint=0\n";
    let result = run(&job(options), None);
    near(result.device_bytes as f64, (8 << 20) as f64, 0.03);
}

#[test]
fn a_mapped_scan_without_advice_reads_each_page_once_at_the_rate_of_the_device() {
    let result = run(&job("rw=read\nbs=64k\nsize=64m\nfadvise_hint=0\n"), None);
    assert_eq!(result.device_bytes, 64 << 20);
    near(result.bytes_per_s / 1e6, 500.0, 0.05);
}

#[test]
fn copying_of_what_is_mapped_takes_what_the_profile_measured_of_it() {
    let profile = Profile {
        mapped: vec![hotset_scenario::CopyCost {
            working_set_bytes: None,
            block_bytes: 4096,
            sequential_us: 0.7,
            random_us: 1.9,
        }],
        ..profile()
    };
    for (order, us) in [("read", 0.7), ("randread", 1.9)] {
        let job = job(&format!("rw={order}\nbs=4k\nsize=16m\ninvalidate=0\n"));
        let system = System {
            profile: &profile,
            memory_bytes: None,
            seed: SEED,
        };
        let results = simulate(&[job], &system, &|| true).unwrap();
        let mean_us = results[0].outcome.total.mean_us().unwrap();
        near(mean_us, us + FAULT_US / 16.0, 0.001);
    }
}
