//! Journals: what a commit takes, what it is made of, and that the journal never forgets what has yet to reach its own place.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use hotset_models::file_system::FileSystemKind;
use hotset_models::file_system::journal::{
    Area, Block, Format, Journal, JournalSettings, Metadata, NameChange, Step,
};
use hotset_models::fio::{Bottleneck, JobFile, JobResult, Operation, System, simulate};
use hotset_scenario::{Journal as Mode, Profile};
use proptest::prelude::*;

use crate::support::{near, run};

const BLOCK: u64 = 4096;
const MIB: u64 = 1 << 20;

fn settings(format: Format, mode: Mode) -> JournalSettings {
    JournalSettings {
        format,
        mode,
        barrier: true,
        forces: false,
        commit_ns: 5_000_000_000,
        start: 1 << 30,
        bytes: 4 * MIB,
    }
}

fn metadata(number: u64) -> (Block, u64) {
    (Block::Metadata(number * BLOCK), 1)
}

/// All steps until nothing is left to do, each done at once.
fn steps(journal: &mut Journal, now_ns: u64) -> Vec<Step> {
    let next = || match journal.next(now_ns) {
        Step::Rest => None,
        step => Some(step),
    };
    std::iter::from_fn(next).collect()
}

fn log(offset: u64, blocks: u64) -> Step {
    Step::Write {
        area: Area::Log,
        places: vec![((1 << 30) + offset * BLOCK, blocks * BLOCK)],
        files: vec![7],
    }
}

#[test]
fn a_commit_of_jbd2_is_blocks_a_flush_the_record_and_a_flush() {
    let mut journal = Journal::new(settings(Format::Jbd2, Mode::Ordered));
    let joined = journal.change(1, 7, [metadata(3), metadata(4), metadata(3)]);
    assert_eq!((joined.number, joined.commits_ns), (1, Some(5_000_000_001)));
    assert_eq!(journal.next(2), Step::Rest, "nobody asks for a commit");
    let later = journal.change(2, 7, [metadata(4)]);
    assert_eq!((later.number, later.commits_ns), (1, None));
    journal.order(7);
    journal.request(1);
    let expected = [
        Step::Data(vec![7]),
        log(0, 3),
        Step::Flush,
        log(3, 1),
        Step::Flush,
    ];
    assert_eq!(journal.committed(), 0);
    assert_eq!(steps(&mut journal, 3), expected);
    assert_eq!(journal.committed(), 1);
    assert_eq!(journal.free_bytes(), 4 * MIB - 4 * BLOCK);
    // Both blocks are side by side. What was brought home frees the journal.
    journal.write_home(3);
    let home = Step::Write {
        area: Area::Home,
        places: vec![(3 * BLOCK, 2 * BLOCK)],
        files: vec![7],
    };
    assert_eq!(steps(&mut journal, 9), [home]);
    assert_eq!(journal.free_bytes(), 4 * MIB);
    assert!(!journal.has_kept());
}

#[test]
fn data_is_waited_for_in_ordered_mode_only_and_flushes_come_with_barriers_only() {
    let mut plain = settings(Format::Jbd2, Mode::Writeback);
    plain.barrier = false;
    let mut journal = Journal::new(plain);
    journal.change(0, 7, [metadata(3)]);
    journal.order(7);
    journal.request_old(4_999_999_999);
    assert_eq!(journal.next(4_999_999_999), Step::Rest);
    journal.request_old(5_000_000_000);
    assert_eq!(steps(&mut journal, 5_000_000_000), [log(0, 2), log(2, 1)]);
}

#[test]
fn xfs_logs_what_has_changed_of_blocks_behind_a_flush() {
    let mut journal = Journal::new(settings(Format::Xfs, Mode::Ordered));
    journal.change(0, 7, [metadata(3), metadata(4)]);
    journal.request(1);
    let write = Step::Write {
        area: Area::Log,
        places: vec![(1 << 30, 1024)],
        files: vec![7],
    };
    assert_eq!(steps(&mut journal, 1), [Step::Flush, write, Step::Flush]);
    assert_eq!(Format::Xfs.body_bytes(1), 1024);
    // Two buffers of 32 KiB, each with a header.
    assert_eq!(Format::Xfs.body_bytes(128), (32 << 10) + 1024);
}

#[test]
fn a_device_that_writes_past_its_cache_needs_no_flush_behind_the_last_write_of_a_commit() {
    let forced = |format| JournalSettings {
        forces: true,
        ..settings(format, Mode::Ordered)
    };
    let of = |format| {
        let mut journal = Journal::new(forced(format));
        journal.change(0, 7, [metadata(3)]);
        journal.request(1);
        steps(&mut journal, 1)
    };
    assert_eq!(of(Format::Jbd2), [log(0, 2), Step::Flush, log(2, 1)]);
    let [Step::Flush, Step::Write { .. }] = of(Format::Xfs)[..] else {
        panic!("a flush, then the log: {:?}", of(Format::Xfs));
    };
    // Blocks are not written so to their own places.
    let [Step::Write { .. }, Step::Flush] = of(Format::InPlace)[..] else {
        panic!("in place, then a flush: {:?}", of(Format::InPlace));
    };
}

#[test]
fn without_a_journal_blocks_are_written_in_place() {
    let mut journal = Journal::new(settings(Format::InPlace, Mode::None));
    journal.change(0, 7, [metadata(9), metadata(3)]);
    journal.request(1);
    let home = Step::Write {
        area: Area::Home,
        places: vec![(3 * BLOCK, BLOCK), (9 * BLOCK, BLOCK)],
        files: vec![7],
    };
    assert_eq!(steps(&mut journal, 1), [home, Step::Flush]);
    assert!(!journal.has_kept() && !journal.ask_for_room());
}

#[test]
fn descriptors_are_as_many_as_their_tags_need() {
    let blocks = |of: u64| Format::Jbd2.body_bytes(of) / BLOCK - of;
    assert_eq!([1, 254, 255, 508, 509].map(blocks), [1, 1, 2, 2, 3]);
}

#[test]
fn deeds_change_the_blocks_that_they_do_in_the_kernel() {
    let ext4 = Metadata::of(FileSystemKind::Ext4);
    let distinct = |change| {
        let blocks = ext4.name(change, 40, 300 << 20);
        blocks.into_iter().collect::<BTreeSet<_>>().len()
    };
    // The directory's block and inode, and the file's own inode.
    assert_eq!(distinct(NameChange::Rename), 3);
    // The bitmap of inodes, and a descriptor.
    assert_eq!(distinct(NameChange::Create), 5);
    // The bitmap of blocks; its descriptor is in the same block.
    assert_eq!(distinct(NameChange::Unlink), 6);
    assert_eq!(ext4.allocation(0).len(), 2);
    assert_eq!(Metadata::of(FileSystemKind::Xfs).allocation(0).len(), 3);
    assert_eq!(ext4.inode(0), ext4.inode(4), "sixteen share a block");
    assert_ne!(ext4.inode(0), ext4.inode(5));
    assert_eq!(ext4.extent_map(0, 9, 10, 4), None, "the inode lists them");
    assert!(ext4.extent_map(0, 9, 10, 5).is_some());
}

/// A journal in the plainest form: all transactions that ever were, looked through anew each time.
#[derive(Default)]
struct Plain {
    committed: Vec<(BTreeSet<Block>, u64)>,
    home: BTreeMap<Block, usize>,
}

impl Plain {
    /// Bytes from the first transaction that is still needed to the last. One is needed while a block of it is not at home and not in a later
    /// one.
    fn taken_bytes(&self) -> u64 {
        let is_needed = |number: &usize| {
            let (blocks, _) = &self.committed[*number];
            blocks.iter().any(|block| {
                let is_home = self.home.get(block).is_some_and(|last| last > number);
                let later = &self.committed[number + 1..];
                !is_home && !later.iter().any(|(blocks, _)| blocks.contains(block))
            })
        };
        let first = (0..self.committed.len()).find(is_needed);
        let needed = first.map_or(&[][..], |first| &self.committed[first..]);
        needed.iter().map(|(_, bytes)| bytes).sum()
    }

    /// The last transaction that has a block is at its own place.
    fn bring_home(&mut self, block: Block) {
        self.home.insert(block, self.committed.len());
    }
}

#[derive(Clone, Copy, Debug)]
enum Deed {
    Change(u64),
    Data(u32),
    Commit,
    DataIsHome(u32),
    WriteHome,
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        6 => (0u64..30).prop_map(Deed::Change),
        3 => (0u32..30).prop_map(Deed::Data),
        4 => Just(Deed::Commit),
        3 => (0u32..30).prop_map(Deed::DataIsHome),
        1 => Just(Deed::WriteHome),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]
    #[test]
    fn what_is_free_is_what_no_needed_transaction_takes(deeds in prop::collection::vec(deed(), 1..120)) {
        let mut journal = Journal::new(settings(Format::Jbd2, Mode::Data));
        let (mut plain, mut changed) = (Plain::default(), BTreeMap::<Block, u64>::new());
        let mut last = 0;
        let data = |extent| Block::Data { file: 7, extent };
        for (now_ns, deed) in (1u64..).zip(deeds) {
            match deed {
                Deed::Change(number) => {
                    last = journal.change(now_ns, 7, [metadata(number)]).number;
                    changed.insert(Block::Metadata(number * BLOCK), 1);
                }
                Deed::Data(extent) => {
                    last = journal.change(now_ns, 7, [(data(extent), 2)]).number;
                    changed.insert(data(extent), 2);
                }
                Deed::Commit => {
                    journal.request(last);
                    steps(&mut journal, now_ns);
                    let blocks: u64 = changed.values().sum();
                    if blocks > 0 {
                        let bytes = Format::Jbd2.body_bytes(blocks) + BLOCK;
                        let all = std::mem::take(&mut changed);
                        plain.committed.push((all.into_keys().collect(), bytes));
                    }
                }
                Deed::DataIsHome(extent) => {
                    journal.reach_home(data(extent));
                    plain.bring_home(data(extent));
                }
                Deed::WriteHome => {
                    journal.write_home(now_ns);
                    steps(&mut journal, now_ns);
                    let all = plain.committed.iter().flat_map(|it| it.0.iter().copied());
                    for block in all.collect::<BTreeSet<Block>>() {
                        plain.bring_home(block);
                    }
                }
            }
            prop_assert_eq!(journal.free_bytes(), 4 * MIB - plain.taken_bytes());
        }
    }
}

/// A call of 1 µs and 8000 bytes/µs from memory; a device of 99 µs, then 500 bytes/µs, one request at a time.
fn store(top: &str, system: &str) -> Profile {
    let text = format!(
        "open_us = 0.0\n{top}[cached]\nfixed_us = 1.0\nbytes_per_us = 8000.0\n[uncached]\nfixed_us = 100.0\nbytes_per_us = 500.0\n\
         [file_system]\nblock_bytes = 4096\n{system}"
    );
    Profile::parse(&text, Path::new("test.toml")).unwrap()
}

fn one(jobs: &str, profile: &Profile) -> JobResult {
    run(jobs, profile, None).remove(0)
}

fn syncs(result: &JobResult) -> (u64, f64) {
    let mut all = result.operations.iter();
    let found = all.find(|it| it.operation == Operation::Fsync);
    found.map_or((0, 0.0), |it| (it.requests, it.mean_us))
}

#[test]
fn syncs_of_several_at_once_share_commits() {
    let ext4 = store("", "kind = \"ext4\"\n");
    let blocks_per_sync = |processes: u32| {
        let job = format!("[a]\nrw=write\nbs=4k\nsize=400k\nfsync=1\nnumjobs={processes}\n");
        let result = one(&job, &ext4);
        let (requests, _) = syncs(&result);
        assert_eq!(requests, 99 * u64::from(processes));
        result.device_written_bytes.journal as f64 / 4096.0 / requests as f64
    };
    near(blocks_per_sync(1), 3.0, 0.001);
    let together = blocks_per_sync(8);
    assert!(together < 2.4, "{together}");
}

#[test]
fn ext3_has_the_data_of_all_new_blocks_written_before_it_commits_in_order() {
    let jobs = "[big]\nrw=write\nbs=64k\nsize=64m\n\
                [small]\nrw=write\nbs=4k\nsize=4k\nend_fsync=1\nstartdelay=1\n";
    let of = |journal: &str| {
        let system = format!("kind = \"ext3\"\njournal = \"{journal}\"\n");
        let results = run(jobs, &store("", &system), None);
        (results[0].device_written_bytes.data, syncs(&results[1]).1)
    };
    let (data, us) = of("ordered");
    assert_eq!(data, 64 * MIB);
    assert!(us > 64.0 * 1048576.0 / 500.0, "{us}");
    let (data, us) = of("writeback");
    assert_eq!(data, 0);
    assert!(us < 5_000.0, "{us}");
}

#[test]
fn full_data_goes_into_the_journal_and_to_its_own_place() {
    let job = "[a]\nrw=write\nbs=64k\nsize=16m\nend_fsync=1\n";
    let of = |more: &str| {
        let system = format!("kind = \"ext4\"\njournal = \"data\"\n{more}");
        one(job, &store("", &system))
    };
    for more in ["", "journal_bytes = \"4MiB\"\n"] {
        let result = of(more);
        assert_eq!(result.device_written_bytes.data, 16 * MIB, "{more}");
        let journal = result.device_written_bytes.journal as f64;
        near(journal, 16.0 * 1048576.0, 0.04);
        let least_s = 2.0 * 16.0 * 1048576.0 / 500e6;
        assert!(result.seconds > least_s, "{} s", result.seconds);
    }
    let narrow = of("journal_bytes = \"4MiB\"\n");
    assert_eq!(narrow.bottleneck, Some(Bottleneck::Journal));
}

#[test]
fn a_journal_commits_by_itself_as_often_as_it_is_told() {
    let job = "[a]\nrw=write\nbs=4k\nsize=64k\nthinktime=1000\ntime_based\nruntime=21\n";
    for (commit_s, commits) in [("5.0", 4), ("1.0", 20)] {
        let system = format!("kind = \"ext4\"\ncommit_s = {commit_s}\n");
        let result = one(job, &store("", &system));
        // Descriptor, inode, record.
        assert_eq!(result.device_written_bytes.journal, commits * 3 * BLOCK);
    }
}

#[test]
fn commits_flush_the_devices_cache_twice_unless_they_are_told_not_to() {
    let job = "[a]\nrw=write\nbs=4k\nsize=400k\nfsync=1\n";
    let us = |top: &str, more: &str| {
        let system = format!("kind = \"ext4\"\n{more}");
        syncs(&one(job, &store(top, &system))).1
    };
    let bare = us("", "");
    near(us("flush_us = 1000.0\n", "") - bare, 2000.0, 0.001);
    near(us("flush_us = 1000.0\n", "barrier = false\n"), bare, 0.001);
    near(
        us("flush_us = 1000.0\nfua = true\n", "") - bare,
        1000.0,
        0.001,
    );
}

#[test]
fn a_commit_wakes_threads_and_one_more_behind_a_flush() {
    let job = "[a]\nrw=write\nbs=4k\nsize=400k\nfsync=1\n";
    let more_us = |top: &str, system: &str| {
        let us = |top: &str| syncs(&one(job, &store(top, system))).1;
        us(&format!("wake_us = 50.0\n{top}")) - us(top)
    };
    for kind in ["ext3", "ext4", "xfs"] {
        let system = format!("kind = \"{kind}\"\n");
        near(more_us("", &system), 100.0, 0.01);
        near(more_us("flush_us = 1000.0\n", &system), 150.0, 0.01);
    }
    let none = "kind = \"ext4\"\njournal = \"none\"\n";
    assert_eq!(more_us("", none), 0.0, "whoever waits writes it");
    // Those who wait together share a commit.
    let together = format!("{job}numjobs=4\n");
    let blocks = |top: &str| {
        let result = one(&together, &store(top, "kind = \"ext4\"\n"));
        let (requests, _) = syncs(&result);
        result.device_written_bytes.journal as f64 / 4096.0 / requests as f64
    };
    assert!(blocks("wake_us = 50.0\n") <= blocks("") * 1.05);
}

#[test]
fn a_flush_takes_what_its_rows_say_of_the_bytes_since_the_last_one() {
    let row = |bytes: u64, us: f64| format!("[[flush]]\nbytes = {bytes}\nus = {us:?}\n");
    // Of 2 ms, and as much more for each further 4 KiB.
    let rows = row(4096, 2000.0) + &row(1 << 20, 512_000.0);
    let us = |rows: &str, writes: u64| {
        let job = format!("[a]\nrw=write\nbs=4k\nsize=400k\nfsync={writes}\n");
        let system = format!("kind = \"ext4\"\n{rows}");
        syncs(&one(&job, &store("", &system))).1
    };
    // Data, descriptor and inode before the first flush; the record before the second.
    near(us(&rows, 1) - us("", 1), 6000.0 + 2000.0, 0.01);
    near(us(&rows, 2) - us("", 2), 8000.0 + 2000.0, 0.01);
    let scattered = rows.replace(
        "us = 2000.0\n",
        "us = 2000.0\nquantiles_us = [1000.0, 1000.0, 1000.0, 3000.0, 3000.0, 3000.0]\n",
    );
    assert_ne!(scattered, rows);
    // Not all rows have quantiles.
    near(us(&scattered, 1), us(&rows, 1), 0.001);
    // Half of them take 1 ms, a quarter 3 ms, and those between 2 ms on average.
    let first = scattered.find("[[flush]]\nbytes = 1048576").unwrap();
    near(us(&scattered[..first], 1) - us("", 1), 2.0 * 1750.0, 0.15);
}

/// A job of two writes with a sync between them: whether its flush is a long one, and whether the write after it is.
#[test]
fn flushes_and_the_writes_behind_them_scatter_apart() {
    let system = "kind = \"ext4\"\n\
        [[flush]]\nbytes = 4096\nus = 1000.0\nquantiles_us = [1.0, 1.0, 1.0, 2000.0, 2000.0, 2000.0]\n\
        [[write]]\nblock_bytes = 4096\nus = 5.0\nafter_sync_quantiles_us = [5.0, 5.0, 5.0, 105.0, 105.0, 105.0]\n";
    let profile = store("fua = true\n", system);
    let job = "[a]\nrw=write\nbs=4k\nsize=8k\nfsync=1\n";
    let file = JobFile::parse(job, Path::new("jobs.fio")).unwrap();
    let are_long = |seed: u64| {
        let system = System {
            profile: &profile,
            memory_bytes: None,
            seed,
        };
        let result = simulate(&file.jobs, &system, &|| true).unwrap().remove(0);
        let mut operations = result.operations.iter();
        let writes = operations.find(|it| it.operation == Operation::Write);
        let write_us = writes.map_or(0.0, |it| it.mean_us);
        (syncs(&result).1 > 1300.0, write_us > 30.0)
    };
    let all: Vec<(bool, bool)> = (0..64).map(are_long).collect();
    let differ = all.iter().filter(|it| it.0 != it.1).count();
    assert!((10..=54).contains(&differ), "{differ} of 64: {all:?}");
}

#[test]
fn a_flush_takes_longer_once_in_a_tick() {
    let us = |more: &str| {
        let job = "[a]\nrw=write\nbs=4k\nsize=4m\nfsync=1\n";
        let row = "kind = \"ext4\"\n[[flush]]\nbytes = 4096\nus = 100.0\n";
        syncs(&one(job, &store("", &format!("{row}{more}")))).1
    };
    // Of each four milliseconds one is spent on what is new with the tick.
    near(us("new_tick_us = 1100.0\n"), us("") / 0.75, 0.03);
}

#[test]
fn a_sync_on_xfs_logs_an_inode() {
    let job = "[a]\nrw=write\nbs=4k\nsize=400k\nfsync=1\n";
    let result = one(job, &store("", "kind = \"xfs\"\n"));
    assert_eq!(result.device_written_bytes.journal, 99 * 1024);
    let expected = 1.0 + 2.0 * 99.0 + (4096.0 + 1024.0) / 500.0;
    near(syncs(&result).1, expected, 0.01);
}

#[test]
fn journals_that_a_file_system_has_not_are_refused_by_name() {
    let profile = store("", "kind = \"xfs\"\njournal = \"data\"\n");
    let file = JobFile::parse("[a]\nrw=write\nsize=1m\n", Path::new("a.fio")).unwrap();
    let system = System {
        profile: &profile,
        memory_bytes: None,
        seed: 0,
    };
    let error = simulate(&file.jobs, &system, &|| true).unwrap_err();
    let says = "the profile has xfs with the journal `data`, which xfs does not have; write --set file_system.journal=ordered";
    assert_eq!(error.to_string(), says);
}
