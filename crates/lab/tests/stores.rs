//! Stores on their disks: made, emptied, and gone again.
#![allow(clippy::print_stdout, reason = "measured figures are worth seeing")]

use crate::common::{bytes, drive_command, eventually, lab, output, shell};
use hotset_lab::LabError;
use hotset_lab::disk::{Disk, Plain, Seeking};
use hotset_lab::store::{Local, LocalKind, LocalOptions, Memory, MemoryKind, Store};
use hotset_machine::cgroup::DeviceNumber;
use hotset_machine::file_system::FileSystem;
use hotset_machine::process::{Launch, Process};
use hotset_machine::{BlockTrace, MachineError, cachestat, journal_runs};
use hotset_models::disk::DriveModel;
use hotset_scenario::{Journal, JournalSpec, Raid, RaidLevel};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

const MIB: u64 = 1 << 20;

fn fill(store: &dyn Store) {
    fs::create_dir(store.path().join("site")).unwrap();
    for number in 0..20 {
        fs::write(
            store.path().join(format!("site/{number}.html")),
            bytes(10_000),
        )
        .unwrap();
    }
}

fn read(store: &dyn Store) {
    for number in 0..20 {
        assert_eq!(
            fs::read(store.path().join(format!("site/{number}.html"))).unwrap(),
            bytes(10_000)
        );
    }
}

#[test]
fn local_file_systems_keep_their_files_and_lose_their_cache() {
    let Some(lab) = lab() else { return };
    for (name, kind) in [
        ("ext3", LocalKind::Ext3),
        ("ext4", LocalKind::Ext4),
        ("xfs", LocalKind::Xfs),
    ] {
        let disk = Plain::create(&lab, name, 320 * MIB).unwrap();
        let store = Local::create(&lab, name, kind, Arc::new(disk)).unwrap();
        fill(&store);
        store.drop_and_prove().unwrap();
        let before = store.disk().unwrap().counters().unwrap().read_bytes;
        read(&store);
        assert_eq!(
            store.cached().unwrap().resident_bytes(),
            20 * 3 * 4096,
            "{name}"
        );
        let read_bytes = store.disk().unwrap().counters().unwrap().read_bytes - before;
        assert!(
            read_bytes >= 20 * 10_000,
            "{name} read only {read_bytes} bytes from its disk"
        );
    }
}

/// A server that `hotset exec` has started sees the store, too, and must not keep it from being unmounted.
#[test]
fn a_store_is_emptied_beside_a_program_with_mounts_of_its_own() {
    let Some(lab) = lab() else { return };
    let disk = Plain::create(&lab, "disk", 64 * MIB).unwrap();
    let store = Local::create(&lab, "disk", LocalKind::Ext4, Arc::new(disk)).unwrap();
    fill(&store);
    let apart = ["-m", "--propagation", "slave", "sleep", "60"];
    let mut program = Command::new("unshare").args(apart).spawn().unwrap();
    let mounts = |pid: u32| fs::read_link(format!("/proc/{pid}/ns/mnt")).unwrap();
    let is_apart = || mounts(program.id()) != mounts(std::process::id());
    assert!(eventually(is_apart, |is_apart| *is_apart));
    let dropped = store.drop_and_prove();
    program.kill().unwrap();
    program.wait().unwrap();
    dropped.unwrap();
}

#[test]
fn emptying_one_store_leaves_the_caches_of_others() {
    let Some(lab) = lab() else { return };
    let make = |name: &str| {
        let disk = Plain::create(&lab, name, 64 * MIB).unwrap();
        Local::create(&lab, name, LocalKind::Ext4, Arc::new(disk)).unwrap()
    };
    let (one, other) = (make("one"), make("other"));
    fill(&one);
    fill(&other);
    one.drop_and_prove().unwrap();
    assert_eq!(other.cached().unwrap().resident_bytes(), 20 * 3 * 4096);
}

#[test]
fn a_store_in_use_is_not_emptied_and_says_by_whom_it_is_used() {
    let Some(lab) = lab() else { return };
    let disk = Plain::create(&lab, "busy", 64 * MIB).unwrap();
    let store = Local::create(&lab, "busy", LocalKind::Ext4, Arc::new(disk)).unwrap();
    fill(&store);
    let _open = File::open(store.path().join("site/1.html")).unwrap();
    let error = store.drop_caches().unwrap_err();
    assert!(
        matches!(error, LabError::Machine(MachineError::Busy { .. })),
        "{error}"
    );
    assert!(
        error
            .to_string()
            .contains(&format!("({})", std::process::id())),
        "{error}"
    );
    read(&store);
}

#[test]
fn a_mapped_file_keeps_its_store_and_its_process_is_named() {
    let Some(lab) = lab() else { return };
    let disk = Plain::create(&lab, "busy", 64 * MIB).unwrap();
    let store = Local::create(&lab, "busy", LocalKind::Ext4, Arc::new(disk)).unwrap();
    let program = store.path().join("sleep");
    fs::copy("/bin/sleep", &program).unwrap();
    let sleeper = Launch::new("sleeper", &program)
        .arguments(["100"])
        .start(&lab)
        .unwrap();
    sleeper
        .wait_until(Duration::from_secs(20), || {
            fs::read_link(format!("/proc/{}/exe", sleeper.pid())).is_ok_and(|exe| exe == program)
        })
        .unwrap();
    let error = store.drop_caches().unwrap_err().to_string();
    assert!(
        error.contains(&format!("sleep ({})", sleeper.pid())),
        "{error}"
    );
}

#[test]
fn a_store_is_emptied_as_soon_as_who_uses_it_ends() {
    let Some(lab) = lab() else { return };
    let disk = Plain::create(&lab, "held", 64 * MIB).unwrap();
    let store = Local::create(&lab, "held", LocalKind::Ext4, Arc::new(disk)).unwrap();
    fill(&store);
    let open = File::open(store.path().join("site/1.html")).unwrap();
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(Duration::from_millis(200));
            drop(open);
        });
        store.drop_and_prove().unwrap();
    });
    read(&store);
}

/// Such a process has copies of all files that its parent has open, until it becomes the program.
#[test]
fn processes_that_are_being_started_do_not_keep_a_store_from_being_emptied() {
    let Some(lab) = lab() else { return };
    let disk = Plain::create(&lab, "forks", 64 * MIB).unwrap();
    let store = Local::create(&lab, "forks", LocalKind::Ext4, Arc::new(disk)).unwrap();
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        let start_programs = || {
            while !done.load(Ordering::Relaxed) {
                assert!(Command::new("true").status().unwrap().success());
            }
        };
        scope.spawn(start_programs);
        scope.spawn(start_programs);
        let emptied = (0..50).try_for_each(|number| {
            fs::write(store.path().join("file"), bytes(number * 1000)).unwrap();
            store.drop_and_prove()
        });
        done.store(true, Ordering::Relaxed);
        emptied.unwrap();
    });
}

#[test]
fn a_store_that_another_mount_namespace_holds_is_emptied_as_soon_as_it_is_let_go() {
    let Some(lab) = lab() else { return };
    let disk = Plain::create(&lab, "held", 64 * MIB).unwrap();
    let store = Local::create(&lab, "held", LocalKind::Ext4, Arc::new(disk)).unwrap();
    fill(&store);
    let held = shell("holder", "exec unshare -m --propagation private sleep 1.5")
        .start(&lab)
        .unwrap();
    held.wait_until(Duration::from_secs(10), || own_namespace(&held))
        .unwrap();
    store.drop_and_prove().unwrap();
    read(&store);
}

fn own_namespace(process: &Process) -> bool {
    let namespace = |pid: &str| fs::read_link(format!("/proc/{pid}/ns/mnt")).ok();
    namespace(&process.pid().to_string()) != namespace("self")
}

#[test]
fn memory_file_systems_keep_what_is_in_them() {
    let Some(lab) = lab() else { return };
    for (name, kind) in [("tmpfs", MemoryKind::Tmpfs), ("ramfs", MemoryKind::Ramfs)] {
        let store = Memory::create(&lab, name, kind, 16 * MIB).unwrap();
        fill(&store);
        store.drop_and_prove().unwrap();
        read(&store);
        assert_eq!(
            store.cached().unwrap().resident_bytes(),
            20 * 3 * 4096,
            "{name}"
        );
        assert_eq!(store.kind(), name);
    }
}

#[test]
fn tmpfs_is_full_at_its_size() {
    let Some(lab) = lab() else { return };
    let store = Memory::create(&lab, "small", MemoryKind::Tmpfs, MIB).unwrap();
    let error = fs::write(store.path().join("large"), bytes(2 << 20)).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::StorageFull);
}

#[test]
fn cachestat_agrees_with_what_mincore_sees() {
    let Some(lab) = lab() else { return };
    let disk = Plain::create(&lab, "twin", 64 * MIB).unwrap();
    let store = Local::create(&lab, "twin", LocalKind::Ext4, Arc::new(disk)).unwrap();
    let path = store.path().join("file");
    fs::write(&path, bytes(8 << 20)).unwrap();
    store.drop_and_prove().unwrap();
    let file = File::open(&path).unwrap();
    let mut buffer = vec![0; 4096];
    for place in [0_u64, 3 << 20, 7 << 20] {
        file.read_exact_at(&mut buffer, place).unwrap();
        let resident = cachestat::of_file(&path).unwrap().resident_bytes();
        assert_eq!(resident, mincore_bytes(&path));
        assert!(resident >= 4096);
    }
}

/// fincore maps the file and asks mincore(2).
fn mincore_bytes(path: &Path) -> u64 {
    let text = output(
        "fincore",
        &[
            "--bytes",
            "--noheadings",
            "--output",
            "RES",
            path.to_str().unwrap(),
        ],
    );
    text.trim().parse().unwrap()
}

#[test]
fn cachestat_names_the_file_that_is_not_there() {
    let error = cachestat::of_file(Path::new("/nowhere/at/all")).unwrap_err();
    assert!(error.to_string().contains("/nowhere/at/all"), "{error}");
}

#[test]
fn a_disk_without_room_for_its_image_is_refused_and_leaves_none() {
    let Some(lab) = lab() else { return };
    let error = Plain::create(&lab, "huge", 1 << 60).unwrap_err();
    assert!(error.to_string().contains("huge.img"), "{error}");
    assert!(!lab.work().join("huge.img").exists());
}

#[test]
fn a_seeking_disk_takes_a_drives_time_for_random_and_for_sequential_reads() {
    let Some(lab) = lab() else { return };
    let disk = Seeking::create(
        &lab,
        "slow",
        2 << 30,
        DriveModel::default(),
        &drive_command(),
    )
    .unwrap();
    let played = || disk.statistics().unwrap().expect("a drive");
    let random_ms = random_read_ms(disk.device(), 2 << 30, 150);
    let after_random = played();
    let before = disk.counters().unwrap();
    let rate = sequential_mb_per_s(disk.device(), 64 * MIB);
    let statistics = played();
    println!("random 4 KB {random_ms:.2} ms, sequential {rate:.1} MB/s, {statistics:?}");
    // What the drive reckons holds on any machine; what is seen is never quicker, and slower where the machine is too
    // busy to wake the drive and its reader in time.
    let moved_us = after_random.seek_us + after_random.rotation_us;
    let reckoned_ms = moved_us as f64 / after_random.requests as f64 / 1000.0;
    assert!((11.0..16.0).contains(&reckoned_ms), "{reckoned_ms} ms");
    assert!(random_ms > 11.0, "{random_ms} ms");
    assert!(rate < 40.0, "{rate} MB/s");
    let sequential_bytes = disk.counters().unwrap().read_bytes - before.read_bytes;
    let reckoned_rate =
        sequential_bytes as f64 / (statistics.busy_us - after_random.busy_us) as f64;
    assert!(reckoned_rate > 20.0, "{reckoned_rate} MB/s");
    disk.set_delays(false).unwrap();
    // What was read ahead may have come in until now.
    let delayed_reads = played().requests;
    let undelayed_ms = eventually(
        || random_read_ms(disk.device(), 2 << 30, 30),
        |&ms| ms < random_ms / 2.0,
    );
    assert!(undelayed_ms < random_ms / 2.0, "{undelayed_ms} ms");
    assert_eq!(
        played().requests,
        delayed_reads,
        "only delayed requests are counted"
    );
}

#[test]
fn a_drive_at_half_its_speed_takes_twice_as_long() {
    let Some(lab) = lab() else { return };
    let (size, model) = (2 << 30, DriveModel::default());
    let disk = Seeking::create(&lab, "slow", size, model, &drive_command()).unwrap();
    let reckoned_us = |speed: f64| {
        for deed in disk.at_speed(speed).unwrap() {
            deed.perform().unwrap();
        }
        let before = disk.statistics().unwrap().unwrap();
        random_read_ms(disk.device(), size, 40);
        let own = disk.statistics().unwrap().unwrap().since(&before);
        own.busy_us as f64 / own.requests as f64
    };
    let [whole, half, again] = [1.0, 0.5, 1.0].map(reckoned_us);
    assert!(
        (1.6..2.5).contains(&(half / whole)),
        "{half} µs, {whole} µs"
    );
    assert!(
        (0.7..1.4).contains(&(again / whole)),
        "{again} µs, {whole} µs"
    );
}

/// Past the page cache, so that each is one read of the disk.
fn open_direct(device: &Path) -> File {
    use std::os::unix::fs::OpenOptionsExt;
    let direct = rustix::fs::OFlags::DIRECT.bits();
    File::options()
        .read(true)
        .custom_flags(direct as i32)
        .open(device)
        .unwrap()
}

fn random_read_ms(device: &Path, size: u64, count: u32) -> f64 {
    let file = open_direct(device);
    let mut random = Pcg64Mcg::seed_from_u64(7);
    let mut buffer = Aligned([0; 4096]);
    let began = Instant::now();
    for _ in 0..count {
        let place = random.random_range(0..size / 4096) * 4096;
        file.read_exact_at(&mut buffer.0, place).unwrap();
    }
    began.elapsed().as_secs_f64() * 1e3 / f64::from(count)
}

#[repr(align(4096))]
struct Aligned([u8; 4096]);

/// Through the page cache, with its read-ahead.
fn sequential_mb_per_s(device: &Path, length: u64) -> f64 {
    let mut file = File::open(device).unwrap();
    let began = Instant::now();
    let read = std::io::copy(
        &mut std::io::Read::take(&mut file, length),
        &mut std::io::sink(),
    )
    .unwrap();
    read as f64 / 1e6 / began.elapsed().as_secs_f64()
}

#[test]
fn a_file_system_on_a_seeking_disk_is_emptied_and_read_back_slowly() {
    let Some(lab) = lab() else { return };
    let disk = Seeking::create(
        &lab,
        "slow",
        1 << 30,
        DriveModel::default(),
        &drive_command(),
    )
    .unwrap();
    let store = Local::create(&lab, "slow", LocalKind::Ext4, Arc::new(disk)).unwrap();
    fill(&store);
    store.drop_and_prove().unwrap();
    let time = || {
        let began = Instant::now();
        read(&store);
        began.elapsed()
    };
    let first = time();
    let again = eventually(time, |&again| first > 5 * again);
    assert!(first > 5 * again, "{first:?}, then {again:?}");
}

#[test]
fn files_on_drives_that_act_as_one_are_read_back_from_all_of_them() {
    let Some(lab) = lab() else { return };
    for (level, disks) in [
        (RaidLevel::Raid0, 3),
        (RaidLevel::Raid1, 2),
        (RaidLevel::Raid5, 4),
        (RaidLevel::Raid10, 4),
    ] {
        let raid = Raid {
            level,
            disks,
            chunk_bytes: 64 << 10,
        };
        let name = format!("raid-{}", level.number());
        let drives = (DriveModel::default(), Some(raid));
        let disk = Seeking::create_array(&lab, &name, 256 << 20, drives, &drive_command());
        let disk: Arc<dyn Disk> = Arc::new(disk.unwrap());
        disk.set_delays(false).unwrap();
        let store = Local::create(&lab, &name, LocalKind::Ext4, Arc::clone(&disk)).unwrap();
        fill(&store);
        store.drop_and_prove().unwrap();
        disk.set_delays(true).unwrap();
        read(&store);
        let played = disk.statistics().unwrap().expect("drives");
        assert!(played.requests > 0 && played.busy_us > 0, "{played:?}");
        let path = store.path().join("small");
        fs::write(&path, [1; 4096]).unwrap();
        fs::File::open(&path).unwrap().sync_all().unwrap();
        let after = disk.statistics().unwrap().expect("drives");
        let more = after.since(&played).requests;
        // Data and the journal's blocks, on each of them with what parity is computed from.
        let least = if level == RaidLevel::Raid5 { 8 } else { 2 };
        assert!(more >= least, "{level:?}: {more}");
    }
}

#[test]
fn a_drive_with_a_cache_of_writes_has_on_its_platters_what_was_synced() {
    let Some(lab) = lab() else { return };
    let model = DriveModel {
        write_cache_bytes: 8 << 20,
        ..DriveModel::default()
    };
    let disk = Seeking::create(&lab, "cached", 256 << 20, model, &drive_command());
    let disk: Arc<dyn Disk> = Arc::new(disk.unwrap());
    disk.set_delays(false).unwrap();
    let store = Local::create(&lab, "cached", LocalKind::Ext4, Arc::clone(&disk)).unwrap();
    store.drop_and_prove().unwrap();
    disk.set_delays(true).unwrap();
    let before = disk.statistics().unwrap().expect("a drive");
    let path = store.path().join("small");
    fs::write(&path, [7; 65_536]).unwrap();
    fs::File::open(&path).unwrap().sync_all().unwrap();
    let played = disk.statistics().unwrap().expect("a drive").since(&before);
    assert!(played.requests >= 2, "data and journal: {played:?}");
    store.drop_and_prove().unwrap();
    assert!(fs::read(&path).unwrap().iter().all(|&byte| byte == 7));
}

#[test]
fn a_drive_program_that_ends_at_once_is_an_error_with_its_log() {
    let Some(lab) = lab() else { return };
    let command = [
        "sh".into(),
        "-c".into(),
        "echo no drive today; exit 3".into(),
    ];
    let error =
        Seeking::create(&lab, "none", 1 << 30, DriveModel::default(), &command).unwrap_err();
    assert!(error.to_string().contains("no drive today"), "{error}");
}

#[test]
fn a_store_has_the_journal_and_the_dirty_limit_that_it_is_given() {
    let Some(lab) = lab() else { return };
    let disk = Arc::new(Plain::create(&lab, "own", 320 * MIB).unwrap());
    let share = |file: &str| {
        let number = DeviceNumber::of(disk.device()).unwrap();
        let text = fs::read_to_string(format!("/sys/class/bdi/{number}/{file}")).unwrap();
        text.trim().parse::<u64>().unwrap()
    };
    let before = (share("max_ratio"), share("strict_limit"));
    let options = LocalOptions {
        journal: JournalSpec {
            mode: Some(Journal::Data),
            commit_s: Some(2),
            bytes: Some(8 * MIB),
            barrier: Some(false),
        },
        dirty_limit_bytes: Some(16 * MIB),
    };
    let device: Arc<dyn Disk> = disk.clone();
    let store = Local::create_with(&lab, "own", LocalKind::Ext4, device, &options).unwrap();
    for again in [false, true] {
        let system = FileSystem::of(store.path()).unwrap();
        let journal = system.journal.unwrap();
        assert_eq!(journal.mode.as_deref(), Some("journal"), "again: {again}");
        assert_eq!(
            (journal.commit_s, journal.bytes, journal.barrier),
            (Some(2), Some(8 * MIB), Some(false))
        );
        let limits = system.dirty_share.unwrap();
        assert_eq!(limits.is_strict, Some(true));
        let bytes = limits.most_bytes.unwrap();
        assert!(bytes.abs_diff(16 * MIB) < MIB, "{bytes}");
        store.drop_caches().unwrap();
    }
    assert_eq!(lab.teardown().left, Vec::<String>::new());
    assert_eq!((share("max_ratio"), share("strict_limit")), before);
}

#[test]
fn what_a_disk_is_given_is_traced_and_told_apart_from_its_journal() {
    let Some(lab) = lab() else { return };
    let disk: Arc<dyn Disk> = Arc::new(Plain::create(&lab, "own", 320 * MIB).unwrap());
    let store = Local::create(&lab, "own", LocalKind::Ext4, Arc::clone(&disk)).unwrap();
    let runs = journal_runs(disk.device()).unwrap();
    let [journal] = &runs[..] else {
        panic!("a small journal lies in one place")
    };
    let Ok(trace) = BlockTrace::prepare(&lab, disk.device()) else {
        hotset_test_support::skip("the kernel has no tracepoints");
        return;
    };
    for bytes in [4 * MIB, 0] {
        trace.begin().unwrap();
        let file = File::create(store.path().join("file")).unwrap();
        file.write_all_at(&vec![1; bytes as usize], 0).unwrap();
        file.sync_all().unwrap();
        let requests = trace.end().unwrap().expect("few enough");
        let lies_in = |it: &&std::ops::Range<u64>| journal.contains(&it.start);
        let sum = |it: u64, range: &std::ops::Range<u64>| it + (range.end - range.start);
        let in_journal = requests.iter().filter(lies_in).fold(0, sum);
        let elsewhere = requests.iter().fold(0, sum) - in_journal;
        // A descriptor, changed blocks and a commit record.
        assert!((3 * 4096..MIB).contains(&in_journal), "{in_journal}");
        assert!((bytes..bytes + MIB).contains(&elsewhere), "{elsewhere}");
    }
}
