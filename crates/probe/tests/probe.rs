//! A directory is measured, and left as it was.
use hotset_test_support::skip;
use std::cell::{Cell, RefCell};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use hotset_machine::file_system::DirtyLimits;
use hotset_probe::{
    DirectRead, DirectReads, DirectWrite, DirectWrites, Figure, Findings, InFlight, Probe,
    ProbeError,
};
use hotset_scenario::{DeviceKind, Profile};
use proptest::prelude::*;

/// Few and small files, so that it takes a moment.
pub(crate) fn small() -> Probe {
    Probe {
        files: vec![(4096, 8), (65_536, 4)],
        large_bytes: 4 << 20,
        blocks: vec![4096, 1 << 20],
        working_sets: vec![65_536, 4 << 20],
        readers: vec![1, 2],
        direct: vec![4096, 65_536],
        in_flight: vec![1, 2],
        written: vec![4096, 65_536],
        synced: vec![4096],
        writers: vec![1, 2],
        idle_ms: vec![5],
        patience: Duration::from_millis(20),
    }
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).unwrap().next().is_none()
}

fn measured(directory: &Path) -> Findings {
    small().measure(directory, &|_| true).unwrap()
}

/// A folder that was measured once for several tests: it takes seconds.
struct Measured {
    findings: Findings,
    /// What was told of how far it was.
    shares: Vec<f64>,
    /// Whether nothing was left, neither its own nor what a killed probe had left there before.
    is_empty: bool,
}

/// Not in a temporary folder, which may be nothing but memory.
static MEASURED: LazyLock<Measured> = LazyLock::new(|| {
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let left = place.path().join(".probe.hotset-aB3dE9");
    fs::create_dir(&left).unwrap();
    fs::write(left.join("large"), "left").unwrap();
    let shares = RefCell::new(Vec::new());
    let goes_on = |share: f64| {
        shares.borrow_mut().push(share);
        true
    };
    let findings = small().measure(place.path(), &goes_on).unwrap();
    Measured {
        findings,
        is_empty: is_empty(place.path()),
        shares: shares.into_inner(),
    }
});

#[test]
fn every_figure_lies_in_its_interval_and_nothing_is_left() {
    let _sockets = crate::sockets();
    let findings = &MEASURED.findings;
    assert!(MEASURED.is_empty, "its files are gone");
    for (name, figure) in findings.figures() {
        assert!(figure.samples >= 8, "{name}");
        assert!(0.0 < figure.low_us, "{name}");
        assert!(figure.low_us <= figure.median_us, "{name}");
        assert!(figure.median_us <= figure.high_us, "{name}");
    }
    let sizes: Vec<u64> = findings.files.iter().map(|it| it.bytes).collect();
    assert_eq!(sizes, [4096, 65_536]);
    let profile = findings.profile().unwrap();
    assert!(profile.cached_us(4096) > 0.0);
    assert_eq!(
        findings.outcome().groups.len() % 2,
        0,
        "as many for each size"
    );
}

#[test]
fn a_profile_is_written_as_it_is_read() {
    let _sockets = crate::sockets();
    let findings = &MEASURED.findings;
    let profile = findings.profile().unwrap();
    let text = findings.comments(&profile) + &profile.to_toml().unwrap();
    let read = Profile::parse(&text, Path::new("store.toml")).unwrap();
    assert_eq!(read, profile);
}

#[test]
fn writing_is_measured_by_size_and_by_writers_and_reaches_the_profile() {
    let _sockets = crate::sockets();
    let findings = &MEASURED.findings;
    let writes = &findings.writes;
    let blocks: Vec<u64> = writes.blocks.iter().map(|it| it.bytes).collect();
    assert_eq!(blocks, [4096, 65_536]);
    let (small, large) = (&writes.blocks[0], &writes.blocks[1]);
    assert!(small.over.median_us < large.over.median_us, "{writes:?}");
    let (_, page_us) = writes.call_and_page_us().unwrap();
    assert!(page_us > 0.0, "{page_us}");
    let writers: Vec<usize> = writes.writers.iter().map(|it| it.writers).collect();
    assert_eq!(writers, [1, 2]);
    for name in ["create", "unlink", "rename", "mkdir", "truncate", "fsync"] {
        assert!(findings.operation(name).is_some(), "{name}");
    }
    let profile = findings.profile().unwrap();
    assert_eq!(profile.write_us(4096), Some(small.over.median_us));
    assert!(profile.calls.unwrap().mkdir_us.unwrap() > 0.0);
    let synced: Vec<_> = profile
        .fsync
        .iter()
        .map(|it| (it.bytes, it.writers))
        .collect();
    assert_eq!(synced, [(4096, 1), (4096, 2)]);
    let system = findings.file_system.as_ref().unwrap();
    let cache = system.device.as_ref().and_then(|it| it.volatile_cache);
    let flush_us = writes.flush.map(|it| it.median_us);
    assert_eq!(profile.flush_us, flush_us.filter(|_| cache == Some(true)));
    let flushed: Vec<u64> = writes.flushes.iter().map(|it| it.bytes).collect();
    match writes.flush {
        Some(_) => assert_eq!(flushed, [4096, 65_536, 1 << 20]),
        None => assert!(flushed.is_empty(), "{flushed:?}"),
    }
    let rows = profile.flush.iter().map(|it| (it.bytes, it.us));
    let measured = writes
        .flushes
        .iter()
        .map(|it| (it.bytes, it.figure.median_us));
    assert!(profile.flush.is_empty() || rows.eq(measured));
    assert_eq!(profile.flush.is_empty(), profile.flush_us.is_none());
    assert_eq!(
        profile.write_new_pages_us(4096),
        Some(small.appended.median_us)
    );
    let after = small.after_sync_quantiles_us;
    assert_eq!(after, profile.write[0].after_sync_quantiles_us);
    let grown: Vec<u64> = writes.grown.iter().map(|it| it.bytes).collect();
    assert_eq!(grown, [4096]);
    let idle: Vec<u64> = writes.idle.iter().map(|it| it.idle_ms).collect();
    assert_eq!(idle, [5]);
    let woken: Vec<u64> = writes.wakes.iter().map(|it| it.idle_ms).collect();
    assert_eq!(woken, [0, 5]);
    let known = system.journal.as_ref().and_then(|it| it.mode.as_deref());
    let told = profile.file_system.and_then(|it| it.journal);
    assert_eq!(known.is_some(), told.is_some(), "{known:?}");
}

#[test]
fn writes_after_syncs_can_be_measured_alone() {
    let _sockets = crate::sockets();
    let place = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let writes = small().writes_after_syncs(place.path(), &|_| true).unwrap();
    let sizes: Vec<u64> = writes.iter().map(|it| it.bytes).collect();
    assert_eq!(sizes, small().written);
    for write in &writes {
        let (figure, quantiles) = (write.figure, write.quantiles_us);
        assert!(figure.median_us > 0.0, "{write:?}");
        assert_eq!(quantiles.is_some(), figure.samples >= 100, "{write:?}");
        assert!(quantiles.is_none_or(|it| it.is_sorted()), "{write:?}");
    }
    assert!(is_empty(place.path()), "its files are gone");
    let error = small().writes_after_syncs(place.path(), &|_| false);
    assert!(matches!(error, Err(ProbeError::Interrupted)));
}

#[test]
fn limits_of_what_may_be_dirty_are_those_of_the_kernel() {
    let _sockets = crate::sockets();
    let mut findings = known();
    findings.dirty_limits = Some(DirtyLimits {
        background_percent: Some(5),
        background_bytes: None,
        limit_percent: None,
        limit_bytes: Some(64 << 20),
        expire_centiseconds: 1500,
        flush_centiseconds: 0,
    });
    let profile = findings.profile().unwrap();
    let writing = profile.writing.unwrap();
    assert_eq!(writing.dirty_background_ratio, 5.0);
    assert_eq!(writing.dirty_background_bytes, None);
    assert_eq!(writing.dirty_limit_bytes, Some(64 << 20));
    assert_eq!(writing.expire_s, 15.0);
    let text = profile.to_toml().unwrap();
    let read = Profile::parse(&text, Path::new("store.toml")).unwrap();
    assert_eq!(
        read.writing,
        Some(writing),
        "never flushing is readable too"
    );
    findings.dirty_limits = None;
    assert_eq!(findings.profile().unwrap().writing, None);
}

#[test]
fn files_of_a_memory_file_system_are_never_uncached() {
    let _sockets = crate::sockets();
    let memory = Path::new("/dev/shm");
    let Ok(place) = tempfile::tempdir_in(memory) else {
        skip(format_args!("no files can be made in {}", memory.display()));
        return;
    };
    let findings = measured(place.path());
    if findings.kind() != "tmpfs" {
        skip(format_args!(
            "{} is of {}",
            memory.display(),
            findings.kind()
        ));
        return;
    }
    assert!(findings.files.iter().all(|it| it.uncached.is_none()));
    assert!(findings.readers.iter().all(|it| it.uncached.is_none()));
    let profile = findings.profile().unwrap();
    assert_eq!((&findings.direct, &profile.device), (&None, &None));
    assert_eq!((findings.writes.flush, profile.flush_us), (None, None));
    let doubts = findings.doubts(&profile).join(" ");
    assert!(doubts.contains("The device is not measured: files of this file system are in memory"));
    assert_eq!(profile.uncached, profile.cached);
}

#[test]
fn whoever_interrupts_it_finds_the_directory_as_it_was() {
    let _sockets = crate::sockets();
    let place = tempfile::tempdir().unwrap();
    for polls in [0, 1, 5, 40] {
        let left = Cell::new(polls);
        let goes_on = |_| {
            left.set(left.get() - 1);
            left.get() >= 0
        };
        let error = small().measure(place.path(), &goes_on).unwrap_err();
        assert!(matches!(error, ProbeError::Interrupted), "{error}");
        assert!(is_empty(place.path()), "after {polls} polls");
    }
}

#[test]
fn the_share_that_is_done_grows_to_all() {
    let _sockets = crate::sockets();
    let shares = &MEASURED.shares;
    assert!(shares.is_sorted(), "{shares:?}");
    let last = *shares.last().unwrap();
    assert!((0.9..=1.0).contains(&last), "{last}");
}

#[test]
fn what_a_killed_probe_left_is_removed_by_the_next() {
    let _sockets = crate::sockets();
    assert!(MEASURED.is_empty);
}

#[test]
fn what_a_killed_probe_left_is_removed_where_there_is_no_room_besides() {
    let _sockets = crate::sockets();
    let place = tempfile::tempdir().unwrap();
    fs::create_dir(place.path().join(".probe.hotset-aB3dE9")).unwrap();
    let large = Probe {
        large_bytes: 1 << 50,
        ..small()
    };
    let error = measure_error(&large, place.path());
    assert!(error.contains("are free; free some"), "{error}");
    assert!(is_empty(place.path()));
}

#[test]
fn a_directory_that_cannot_be_measured_is_refused_with_what_to_do() {
    let _sockets = crate::sockets();
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "").unwrap();
    for none in [place.path().join("none"), file] {
        let error = measure_error(&small(), &none);
        assert!(error.contains("is not a folder; name one"), "{error}");
    }
    let large = Probe {
        large_bytes: 1 << 50,
        ..small()
    };
    let error = measure_error(&large, place.path());
    assert!(
        error.contains("are free; free some, or name a folder"),
        "{error}"
    );
}

fn measure_error(probe: &Probe, directory: &Path) -> String {
    let error = probe.measure(directory, &|_| true).unwrap_err();
    let text = error.to_string();
    assert!(text.starts_with(&directory.display().to_string()), "{text}");
    text
}

/// A figure whose samples all took as long.
pub(crate) fn exactly(us: f64) -> Figure {
    Figure::of(&[us; 8]).unwrap()
}

/// Writes of 50 µs and 1000 bytes/µs, 30 µs less in sequence. A small one among four takes twice as long; large ones pass at
/// 2000 bytes/µs.
fn known_writes() -> DirectWrites {
    let write = |bytes: u64| {
        let us = 50.0 + bytes as f64 / 1000.0;
        DirectWrite {
            bytes,
            random: exactly(us),
            sequential: exactly(us - 30.0),
        }
    };
    let small_us = 50.0 + 4.096;
    let in_flight = [(1, small_us), (4, 2.0 * small_us / 4.0)];
    let in_flight = in_flight.map(|(requests, us)| InFlight {
        requests,
        small: exactly(us),
        large_bytes: 1 << 20,
        large: exactly(524.288),
    });
    DirectWrites {
        alone: [4096, 65_536, 1 << 20].map(write).to_vec(),
        in_flight: in_flight.to_vec(),
        quantiles_us: Some([44.096, 50.0, 54.096, 60.0, 94.096, 504.096]),
        segment: Some(exactly(0.5)),
    }
}

/// A device of 100 µs and 500 bytes/µs alone, which serves eight requests at a time, 1000 bytes/µs in all.
pub(crate) fn known() -> Findings {
    let read = |bytes: u64| DirectRead {
        bytes,
        figure: exactly(100.0 + bytes as f64 / 500.0),
    };
    Findings {
        direct: Some(DirectReads {
            alone: [4096, 65_536, 1 << 20].map(read).to_vec(),
            in_flight: vec![InFlight {
                requests: 16,
                small: exactly((100.0 + 4096.0 / 500.0) / 8.0),
                large_bytes: 1 << 20,
                large: exactly(1048.576),
            }],
            quantiles_us: Some([90.0, 95.0, 108.192, 120.0, 150.0, 900.0]),
            segment: Some(exactly(3.5)),
        }),
        direct_writes: Some(known_writes()),
        // Nothing is known of a queue, and nothing streams.
        file_system: None,
        blocks: Vec::new(),
        ..MEASURED.findings.clone()
    }
}

#[test]
fn the_device_of_a_profile_is_what_its_requests_took() {
    let _sockets = crate::sockets();
    let findings = known();
    let profile = findings.profile().unwrap();
    let device = profile.device.as_ref().unwrap();
    let DeviceKind::Measured(device) = &device.kind else {
        panic!("{device:?}");
    };
    let close = |seen: f64, wanted: f64| (seen / wanted - 1.0).abs() < 1e-6;
    assert!(close(device.delay_us, 100.0), "{device:?}");
    assert!(close(device.bytes_per_us, 500.0), "{device:?}");
    assert!(close(device.total_bytes_per_us, 1000.0), "{device:?}");
    assert_eq!((device.slots, device.max_request_bytes), (8, 1 << 20));
    assert_eq!(device.in_flight_us, None, "a request alone was not timed");
    assert!(close(device.segment_us, 3.5), "{device:?}");
    assert_eq!(device.stream_bytes_per_us, None, "nothing streams");
    let quantiles = device.delay_quantiles_us.unwrap();
    assert!(close(quantiles[2], 100.0) && close(quantiles[5], 900.0 - 8.192));
}

#[test]
fn the_device_of_a_profile_has_prices_of_its_own_for_writes() {
    let _sockets = crate::sockets();
    let profile = known().profile().unwrap();
    let device = profile.device.as_ref().unwrap();
    let DeviceKind::Measured(device) = &device.kind else {
        panic!("{device:?}");
    };
    let writes = device.write.as_ref().unwrap();
    let close = |seen: f64, wanted: f64| (seen / wanted - 1.0).abs() < 1e-6;
    assert!(close(writes.delay_us, 50.0), "{writes:?}");
    assert!(close(writes.sequential_delay_us, 20.0), "{writes:?}");
    assert!(close(writes.bytes_per_us, 1000.0), "{writes:?}");
    assert!(close(writes.total_bytes_per_us, 2000.0), "{writes:?}");
    assert!(close(writes.segment_us, 0.5), "{writes:?}");
    let quantiles = writes.delay_quantiles_us.unwrap();
    assert!(close(quantiles[2], 50.0) && close(quantiles[5], 500.0));
    let pairs = writes.in_flight_us.as_ref().unwrap();
    assert_eq!(pairs.len(), 2);
    assert!(close(pairs[0].1, 54.096) && close(pairs[1].1, 2.0 * 54.096));
    let lacks = profile.lacks_of_writing();
    assert!(!lacks.contains(&"[device.write]"), "{lacks:?}");
    let mut older = known();
    older.direct_writes = None;
    let lacks = older.profile().unwrap().lacks_of_writing();
    assert!(lacks.contains(&"[device.write]"), "{lacks:?}");
}

#[test]
fn writing_past_the_page_cache_is_measured_where_reading_is() {
    let _sockets = crate::sockets();
    let findings = &MEASURED.findings;
    let Some(direct) = &findings.direct else {
        skip("files cannot be read past the page cache here");
        return;
    };
    let writes = findings.direct_writes.as_ref().unwrap();
    let sizes: Vec<u64> = writes.alone.iter().map(|it| it.bytes).collect();
    let read: Vec<u64> = direct.alone.iter().map(|it| it.bytes).collect();
    assert_eq!(sizes, read);
    let numbers: Vec<usize> = writes.in_flight.iter().map(|it| it.requests).collect();
    assert_eq!(numbers, [1, 2]);
    for write in &writes.alone {
        assert!(write.random.low_us > 0.0 && write.sequential.low_us > 0.0);
    }
    let names: Vec<String> = findings.figures().map(|it| it.0).collect();
    let name = "direct write of 4K in sequence".to_owned();
    assert!(names.contains(&name), "{names:?}");
}

#[test]
fn a_segment_whose_time_is_lost_in_the_noise_takes_none() {
    let _sockets = crate::sockets();
    let mut findings = known();
    let direct = findings.direct.as_mut().unwrap();
    direct.segment = Figure::of(&[-9.0, -8.0, -1.0, 1.0, 2.0, 3.0, 8.0, 9.0]);
    let device = findings.profile().unwrap().device.unwrap();
    let DeviceKind::Measured(device) = device.kind else {
        panic!("{device:?}");
    };
    assert_eq!(device.segment_us, 0.0);
}

#[test]
fn what_is_doubtful_stands_in_comments_of_the_profile() {
    let _sockets = crate::sockets();
    let mut findings = known();
    findings.files[1].cached = exactly(1e6);
    findings.files[0].cached = exactly(1.0);
    findings.readers[0].cached = Figure::of(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).unwrap();
    let profile = findings.profile().unwrap();
    let comments = findings.comments(&profile);
    assert!(
        comments
            .lines()
            .all(|line| line.starts_with("# ") && line.len() < 120)
    );
    let comments = comments.replace("\n# ", " ");
    assert!(
        comments.contains("The line `cached` of whole files is at most"),
        "{comments}"
    );
    assert!(comments.contains("1 reader cached"), "{comments}");
}

/// Chance that at most `most` of `count` fair coins show heads, by Pascal's triangle.
fn at_most(count: usize, most: usize) -> f64 {
    let mut row = vec![1.0];
    for _ in 0..count {
        let next = (0..=row.len()).map(|at| {
            let left = at.checked_sub(1).map_or(0.0, |left| row[left]);
            (left + row.get(at).copied().unwrap_or(0.0)) / 2.0
        });
        row = next.collect();
    }
    row[..=most].iter().sum()
}

proptest! {
    /// The interval is the narrowest of order statistics that covers 95 %.
    #[test]
    fn the_interval_of_a_median_covers_95_percent_and_hardly_more(count in 6_usize..200) {
        let samples: Vec<f64> = (0..count).map(|number| number as f64).collect();
        let figure = Figure::of(&samples).unwrap();
        let outside = figure.low_us as usize;
        prop_assert_eq!(figure.high_us as usize, count - 1 - outside);
        prop_assert!(2.0 * at_most(count, outside) <= 0.05);
        prop_assert!(2.0 * at_most(count, outside + 1) > 0.05);
    }

    #[test]
    fn samples_in_any_order_make_the_same_figure(mut samples in prop::collection::vec(0.1..1e6, 1..40)) {
        let figure = Figure::of(&samples).unwrap();
        samples.reverse();
        let again = Figure::of(&samples).unwrap();
        prop_assert_eq!(figure.median_us, again.median_us);
        prop_assert_eq!((figure.low_us, figure.high_us), (again.low_us, again.high_us));
    }
}

#[test]
fn no_samples_make_no_figure() {
    let _sockets = crate::sockets();
    assert_eq!(Figure::of(&[]), None);
}
