//! The nets that write do what the fast form does with the same writes, and what the simulation of fio's jobs does.

mod fast;

use hotset_models::fio::Operation;
use hotset_models::nets::{CopyCost, NetDisk, NetScheduler, WriteJob, ext3_write, ext4_write};
use hotset_models::storage::WrittenBytes;
use hotset_petri::{Choice, End, Exploration, Net, NetError, Time};
use hotset_scenario::{
    CostLine, FileSystemSpec, Journal, PageCacheKind, Profile, Reading, Writing,
};
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_pcg::Pcg64Mcg;

use crate::support::run;

const PAGE: u64 = 4096;
/// What is looked at of the time after the program has ended: until then the flusher and the journal have done all they do.
const AFTERWARDS_NS: u64 = 100_000_000_000;

/// What writing a file comes to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// When the program has ended.
    end_ns: u64,
    /// Blocks that were neither paused nor waited for the journal.
    at_once: u64,
    /// What the disk has been given a while later.
    bytes: WrittenBytes,
}

/// Firings that each block takes at least.
const FIRINGS: u64 = 12;

/// What the only run of a job's net comes to.
fn run_net(net: &Net, job: &WriteJob) -> Totals {
    let mut run = net.simulate(1, 0, Choice::Fair);
    let names: Vec<&str> = net.monitors().collect();
    let at = |name: &str| names.iter().position(|it| *it == name).unwrap();
    let ends = at("application write/ends");
    let least = job.offsets.len() as u64 * FIRINGS;
    run.run_firings(least).unwrap();
    assert_eq!(run.counts()[ends], Some(0));
    while run.counts()[ends] == Some(0) {
        assert_eq!(
            run.run_firings(1).unwrap(),
            1,
            "the program comes to an end"
        );
    }
    let end = run.now();
    let until = end + Time::from_nanos(AFTERWARDS_NS);
    run.run_firings_until(until, u64::MAX).unwrap();
    let counts = run.counts();
    let count = |name: &str| counts[at(name)].unwrap();
    Totals {
        end_ns: end.nanos(),
        at_once: count("application write/blocks written at once"),
        bytes: WrittenBytes {
            data: count("disk/pages") * PAGE,
            journal: count("disk/journal blocks") * PAGE,
            metadata: count("disk/blocks at their places") * PAGE,
        },
    }
}

/// A file that is written in a row and synced at the end, on a disk of 100 µs and 500 bytes/µs.
fn sequential(blocks: u64, block_bytes: u64) -> WriteJob {
    WriteJob {
        file_bytes: blocks * block_bytes,
        offsets: (0..blocks).map(|it| it * block_bytes).collect(),
        block_bytes,
        repeats: false,
        is_new: true,
        is_buffered: false,
        sync_every: None,
        syncs_at_end: true,
        memory_bytes: 1 << 30,
        loop_ns: 122,
        call_ns: 1000,
        copy: CopyCost::constant(1000.0),
        writing: Writing::default(),
        journal: Journal::Ordered,
        journal_bytes: 64 << 20,
        commit_ns: Some(5_000_000_000),
        flush_ns: 0,
        scheduler: NetScheduler::None,
        disk: NetDisk::constant(99_000, 2.0),
    }
}

/// The same with blocks in a random order.
fn random(mut job: WriteJob, seed: u64) -> WriteJob {
    job.offsets.shuffle(&mut Pcg64Mcg::seed_from_u64(seed));
    job
}

/// A net and the file system that it is of.
type Pair = (&'static str, fn(&WriteJob) -> Result<Net, NetError>);

const PAIRS: [Pair; 2] = [("ext3", ext3_write), ("ext4", ext4_write)];
const JOURNALS: [Journal; 4] = [
    Journal::None,
    Journal::Writeback,
    Journal::Ordered,
    Journal::Data,
];

/// The profile whose costs those of [`sequential`] are: a call of 1 µs, a page a microsecond from memory; 99 µs, then 500 bytes/µs.
fn profile(job: &WriteJob, kind: &str) -> Profile {
    let page_cache = match kind {
        "ext3" => PageCacheKind::TwoQueues,
        _ => PageCacheKind::default(),
    };
    Profile {
        open_us: 0.0,
        cached: CostLine {
            fixed_us: 1.0,
            bytes_per_us: 4096.0,
        },
        uncached: CostLine {
            fixed_us: 100.0,
            bytes_per_us: 500.0,
        },
        reading: Some(Reading {
            page_cache,
            ..Reading::default()
        }),
        writing: Some(job.writing),
        flush_us: (job.flush_ns > 0).then_some(job.flush_ns as f64 / 1e3),
        file_system: Some(FileSystemSpec {
            journal: Some(job.journal),
            journal_bytes: Some(job.journal_bytes),
            commit_s: job.commit_ns.map(|ns| ns as f64 / 1e9),
            ..FileSystemSpec::new(kind, PAGE)
        }),
        ..Profile::builtin("memory").unwrap()
    }
}

fn shown(job: &WriteJob, kind: &str) -> String {
    let first: Vec<u64> = job.offsets.iter().copied().take(6).collect();
    let (every, journal, flush_ns) = (job.sync_every, job.journal, job.flush_ns);
    format!("{kind}: {first:?}…, fsync {every:?}, {journal:?}, flush {flush_ns} ns")
}

/// Blocks of a page: the net is the fast form to the nanosecond.
#[track_caller]
fn are_alike(job: &WriteJob) {
    for (kind, net) in PAIRS {
        let net = run_net(&net(job).unwrap(), job);
        let fast = fast::written(job, &profile(job, kind));
        assert_eq!(net, fast, "{}", shown(job, kind));
    }
}

#[test]
fn a_synced_file_is_written_as_by_the_fast_form_under_every_journal() {
    for (number, journal) in JOURNALS.into_iter().enumerate() {
        for (case, sync_every) in [None, Some(1), Some(7)].into_iter().enumerate() {
            let job = WriteJob {
                journal,
                sync_every,
                flush_ns: [0, 500_000][(number + case) % 2],
                ..sequential(60, PAGE)
            };
            are_alike(&job);
            are_alike(&random(job, 3));
        }
    }
}

#[test]
fn a_file_that_has_its_data_is_overwritten_as_by_the_fast_form() {
    for journal in JOURNALS {
        let job = WriteJob {
            journal,
            is_new: false,
            sync_every: Some(5),
            flush_ns: 200_000,
            ..sequential(40, PAGE)
        };
        let mut twice = random(job, 9);
        twice.offsets.extend_from_within(..);
        are_alike(&twice);
    }
}

#[test]
fn timers_of_flusher_and_journal_go_off_as_in_the_fast_form() {
    for journal in [Journal::None, Journal::Ordered, Journal::Data] {
        // A page every 300 ms: the first are old after 100 blocks.
        let job = WriteJob {
            journal,
            loop_ns: 300_000_000,
            syncs_at_end: false,
            ..sequential(150, PAGE)
        };
        are_alike(&job);
    }
}

#[test]
fn a_small_journal_makes_room_as_in_the_fast_form() {
    for journal in [Journal::Ordered, Journal::Data] {
        let job = WriteJob {
            journal,
            journal_bytes: 1 << 20,
            sync_every: Some(1),
            ..random(sequential(120, PAGE), 5)
        };
        are_alike(&job);
    }
    let job = WriteJob {
        journal: Journal::Data,
        journal_bytes: 1 << 20,
        ..sequential(600, PAGE)
    };
    let totals = run_net(&ext3_write(&job).unwrap(), &job);
    assert!(totals.at_once < 600, "some wait for room: {totals:?}");
    are_near(&job, 0.02);
}

/// The same data reaches the disk, in about the same time.
#[track_caller]
fn are_near(job: &WriteJob, share: f64) {
    for (kind, net) in PAIRS {
        let net = run_net(&net(job).unwrap(), job);
        let fast = fast::written(job, &profile(job, kind));
        let shown = shown(job, kind);
        assert_eq!(net.bytes.data, fast.bytes.data, "{shown}");
        let apart = net.end_ns as f64 / fast.end_ns as f64 - 1.0;
        assert!(apart.abs() <= share, "{net:?}, {fast:?}: {shown}");
    }
}

#[test]
fn a_program_is_paused_as_by_the_fast_form_where_too_much_is_dirty() {
    for (memory, syncs_at_end) in [(4 << 20, true), (8 << 20, false)] {
        let job = WriteJob {
            memory_bytes: memory,
            syncs_at_end,
            ..sequential(4096, PAGE)
        };
        let totals = run_net(&ext4_write(&job).unwrap(), &job);
        assert!(totals.at_once < 4096, "some are paused: {totals:?}");
        are_near(&job, 0.03);
    }
}

#[test]
fn blocks_of_several_pages_take_as_long_as_in_the_fast_form() {
    for block in [16_384, 65_536] {
        let job = WriteJob {
            sync_every: Some(4),
            ..sequential(60, block)
        };
        are_near(&job, 0.01);
        are_near(&random(job, 2), 0.01);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn any_order_of_blocks_is_written_as_by_the_fast_form(
        places in prop::collection::vec(0u64..80, 1..60),
        journal in prop::sample::select(JOURNALS.to_vec()),
        sync_every in prop::option::of(1u32..9),
        is_new in any::<bool>(),
        syncs_at_end in any::<bool>(),
        flush_us in prop::sample::select(vec![0u64, 300]),
        loop_us in prop::sample::select(vec![0u64, 40, 900_000]),
    ) {
        let job = WriteJob {
            offsets: places.iter().map(|it| it * PAGE).collect(),
            journal,
            sync_every,
            is_new,
            syncs_at_end,
            flush_ns: flush_us * 1000,
            loop_ns: loop_us * 1000 + 122,
            ..sequential(80, PAGE)
        };
        for (kind, net) in PAIRS {
            let net = run_net(&net(&job).unwrap(), &job);
            let fast = fast::written(&job, &profile(&job, kind));
            prop_assert_eq!(net, fast, "{}", shown(&job, kind));
        }
    }
}

#[test]
fn jobs_of_fio_are_simulated_as_the_nets_write() {
    for (kind, net) in PAIRS {
        for every in [0, 1, 8] {
            let job = WriteJob {
                sync_every: (every > 0).then_some(every),
                flush_ns: 300_000,
                ..sequential(100, PAGE)
            };
            let text = format!("[a]\nrw=write\nbs=4k\nsize=400k\nfsync={every}\nend_fsync=1\n");
            let fio = run(&text, &profile(&job, kind), Some(job.memory_bytes)).remove(0);
            let net = run_net(&net(&job).unwrap(), &job);
            assert_eq!(
                (fio.seconds * 1e9).round() as u64,
                net.end_ns,
                "{kind}, {every}"
            );
            assert_eq!(fio.device_written_bytes.data, net.bytes.data);
            let writes = fio.operations.iter();
            let mut writes = writes.filter(|it| it.operation == Operation::Write);
            assert_eq!(writes.next().unwrap().requests, 100);
            assert_eq!(fio.outcome.total.hits, Some(net.at_once));
        }
    }
}

/// Bytes from and to of the calls that a net makes of blocks.
fn calls(job: &WriteJob) -> Vec<(u64, u64)> {
    let net = ext4_write(job).unwrap();
    let mut names = net.transitions();
    let returns = names.position(|it| it == "generic_file_write/return");
    let mut run = net.simulate(1, 0, Choice::Fair);
    let mut calls = Vec::new();
    while let Some(event) = run.step().unwrap() {
        if Some(event.transition) == returns {
            let number = |name: &str| {
                let (_, value) = event.binding.split_once(name).unwrap();
                let digits = value.split(|it: char| !it.is_ascii_digit()).next();
                digits.unwrap().parse::<u64>().unwrap()
            };
            calls.push((number("from: "), number("end: ")));
        }
    }
    calls
}

#[test]
fn the_c_library_fills_its_buffer_before_it_writes_past_it() {
    let buffered = |blocks, block_bytes| WriteJob {
        is_buffered: true,
        ..sequential(blocks, block_bytes)
    };
    // glibc: the first block goes past the buffer, of each other one 4 KiB are kept first.
    let expected = [
        (0, 16_384),
        (16_384, 20_480),
        (20_480, 32_768),
        (32_768, 36_864),
        (36_864, 49_152),
    ];
    assert_eq!(calls(&buffered(3, 16_384)), expected);
    // Blocks of 4 KiB: one past the buffer, one into it.
    let expected = [(0, 4096), (4096, 8192), (8192, 12_288), (12_288, 16_384)];
    assert_eq!(calls(&buffered(4, 4096)), expected);
    // Eight of 512 bytes are gathered.
    assert_eq!(calls(&buffered(16, 512)), [(0, 4096), (4096, 8192)]);
    // Without a buffer each block is a call.
    assert_eq!(
        calls(&sequential(2, 16_384)),
        [(0, 16_384), (16_384, 32_768)]
    );
}

/// A net of three pages, or of as many as told, in all orders of its first events and in one long order. Its markings count what was written so
/// far: they have no end.
#[track_caller]
fn never_stops(name: &str, set: &[(&str, f64)]) {
    const FIRINGS: u64 = 100_000;
    let small = [("file_bytes", 12_288.0), ("block_bytes", 4096.0)];
    let set: Vec<_> = small.iter().chain(set).copied().collect();
    let net = hotset_models::nets::find(name).unwrap().build(&set);
    let net = net.unwrap();
    let exploration = Exploration {
        max_markings: 20_000,
        ..Exploration::default()
    };
    let space = exploration.explore(&net, &|_| true).unwrap();
    assert_eq!(space.dead().count(), 0, "{name}, {set:?}");
    let mut run = net.simulate(1, 0, Choice::Fair);
    assert_eq!(
        run.run_firings(FIRINGS).unwrap(),
        FIRINGS,
        "{name}, {set:?}"
    );
}

#[test]
fn no_order_of_events_leads_into_a_dead_marking() {
    for name in ["ext3-write", "ext4-write"] {
        never_stops(name, &[("disk", 0.0)]);
        for journal in [0.0, 1.0, 3.0] {
            let set = [
                ("file_bytes", 8192.0),
                ("journal", journal),
                ("journal_bytes", 1_048_576.0),
                ("flush_s", 0.0),
                ("commit_s", 0.0),
                ("cache_us", 100.0),
                ("sync_every", 2.0),
                ("disk", 0.0),
            ];
            never_stops(name, &set);
        }
    }
}

/// The net of a file of three pages that is written once, without timers.
fn written_once(name: &str, set: &[(&str, f64)]) -> Net {
    let small = [
        ("file_bytes", 12_288.0),
        ("block_bytes", 4096.0),
        ("repeats", 0.0),
        ("flush_s", 0.0),
        ("commit_s", 0.0),
        ("disk", 0.0),
    ];
    let set: Vec<_> = small.iter().chain(set).copied().collect();
    let entry = hotset_models::nets::find(name).unwrap();
    entry.build(&set).unwrap()
}

/// All markings of a net are gone through. Where nothing can fire, the net has ended.
#[track_caller]
fn ends_in_every_order(net: &Net, shown: &str) {
    let exploration = Exploration {
        max_markings: 500_000,
        ..Exploration::default()
    };
    let space = exploration.explore(net, &|_| true).unwrap();
    let shown = format!("{net:?}, {shown}: {} markings", space.len());
    assert_eq!(*space.ended(), End::Complete, "{shown}");
    assert!(space.dead().len() > 0, "{shown}");
    assert_eq!(space.deadlocks().count(), 0, "{shown}");
}

#[test]
fn a_file_that_is_written_once_ends_in_every_order_of_events() {
    for name in ["ext3-write", "ext4-write"] {
        ends_in_every_order(&written_once(name, &[]), "ordered");
        for journal in [0.0, 1.0, 3.0] {
            let set = [
                ("journal", journal),
                ("journal_bytes", 1_048_576.0),
                ("cache_us", 100.0),
                ("sync_every", 2.0),
            ];
            ends_in_every_order(&written_once(name, &set), &format!("journal {journal}"));
        }
    }
}

#[test]
fn a_write_without_room_in_the_journal_is_a_deadlock() {
    let job = WriteJob {
        // Less than a journal keeps free.
        journal_bytes: 16 * PAGE,
        commit_ns: None,
        writing: Writing {
            flush_s: 0.0,
            ..Writing::default()
        },
        ..sequential(3, PAGE)
    };
    for (kind, net) in PAIRS {
        let net = net(&job).unwrap();
        let space = Exploration::default().explore(&net, &|_| true).unwrap();
        assert_eq!(*space.ended(), End::Complete, "{kind}");
        let deadlock = space.deadlocks().next().expect(kind);
        let waiting = net.places().position(|it| it == "waiting for room");
        let waiting = waiting.expect("a place of calls that wait");
        assert_eq!(space.marking(deadlock).tokens(waiting), 1, "{kind}");
    }
}

#[test]
fn blocks_that_are_no_whole_pages_are_refused_unless_they_are_gathered() {
    let built = |set: &[(&str, f64)]| {
        let entry = hotset_models::nets::find("ext3-write").unwrap();
        entry.build(set).map(|_| ()).map_err(|it| it.to_string())
    };
    assert_eq!(built(&[("block_bytes", 512.0)]), Ok(()));
    for set in [
        [("block_bytes", 512.0), ("random", 1.0)],
        [("block_bytes", 512.0), ("buffered", 0.0)],
        [("block_bytes", 6000.0), ("random", 0.0)],
    ] {
        let error = built(&set).unwrap_err();
        assert!(
            error.contains("block_bytes") && error.contains("multiple of 4096"),
            "{error}"
        );
    }
}
