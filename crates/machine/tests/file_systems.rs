//! What the kernel tells of file systems: journals of images that are made for it, and what of this machine may be dirty.

use hotset_machine::file_system::{DirtyLimits, DirtyThresholds, FileSystem, JournalInfo};
use hotset_machine::journal_runs;
use hotset_test_support::skip;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file system in a file; unmounted when dropped.
struct Image(PathBuf);

impl Image {
    /// Made by `mkfs` with its arguments and mounted with options; nothing where a tool or a right for it lacks.
    fn mounted(within: &Path, kind: &str, arguments: &[&str], options: &str) -> Option<Self> {
        let (image, place) = (within.join("image"), within.join("place"));
        File::create(&image).unwrap().set_len(400 << 20).unwrap();
        fs::create_dir(&place).unwrap();
        let run = |command: &mut Command| {
            let output = command.output();
            output.is_ok_and(|output| output.status.success())
        };
        let made = run(Command::new(format!("/sbin/mkfs.{kind}"))
            .args(arguments)
            .arg(&image));
        let mut mount = Command::new("mount");
        mount.args(["-o", options]).args([&image, &place]);
        (made && run(&mut mount)).then(|| Self(place))
    }
}

impl Drop for Image {
    fn drop(&mut self) {
        let _ended = Command::new("umount").arg(&self.0).output();
    }
}

/// The journal of an image of this kind.
fn journal_of(kind: &str, arguments: &[&str], options: &str) -> Option<JournalInfo> {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let Some(image) = Image::mounted(folder.path(), kind, arguments, options) else {
        skip(format_args!("{kind} cannot be made and mounted here"));
        return None;
    };
    let system = FileSystem::of(&image.0).unwrap();
    assert_eq!(system.kind, kind);
    let runs = journal_runs(&system.source).expect("root may read the device");
    let bytes: u64 = runs.iter().map(|run| run.end - run.start).sum();
    let told = system.journal.as_ref().and_then(|it| it.bytes).unwrap_or(0);
    // Blocks of pointers lie between those of ext3's.
    assert!(
        (told..=told + (told >> 8)).contains(&bytes),
        "{kind}: {bytes} for {told}"
    );
    let share = system.dirty_share.unwrap();
    assert!(share.most_percent <= 100, "{share:?}");
    let journal = system.journal.unwrap();
    assert_eq!(journal.at, runs.first().map(|run| run.start));
    Some(journal)
}

#[test]
fn the_journal_of_ext4_is_as_it_was_made_and_mounted() {
    let options = "loop,data=writeback,commit=7,nobarrier";
    if let Some(journal) = journal_of("ext4", &["-q", "-J", "size=8"], options) {
        let wanted = JournalInfo {
            mode: Some("writeback".to_owned()),
            commit_s: Some(7),
            bytes: Some(8 << 20),
            at: journal.at,
            barrier: Some(false),
        };
        assert_eq!(journal, wanted);
    }
}

#[test]
fn ext4_without_a_journal_is_told_from_one_with_its_defaults() {
    if let Some(journal) = journal_of("ext4", &["-q", "-O", "^has_journal"], "loop") {
        assert_eq!(journal.mode.as_deref(), Some("none"));
        assert_eq!(journal.bytes, None);
    }
    if let Some(journal) = journal_of("ext4", &["-q"], "loop") {
        assert_eq!(journal.mode.as_deref(), Some("ordered"));
        assert_eq!((journal.commit_s, journal.barrier), (Some(5), Some(true)));
        assert!(journal.bytes.unwrap() >= 4 << 20, "{journal:?}");
    }
}

#[test]
fn the_log_of_xfs_has_its_size() {
    if let Some(journal) = journal_of("xfs", &["-q", "-l", "size=64m"], "loop") {
        assert_eq!((journal.mode, journal.bytes), (None, Some(64 << 20)));
        assert_eq!(journal.barrier, Some(true));
    }
}

#[test]
fn a_memory_file_system_has_no_journal() {
    match FileSystem::of(Path::new("/dev/shm")) {
        Some(system) if system.kind == "tmpfs" => assert_eq!(system.journal, None),
        _ => skip("/dev/shm is no tmpfs"),
    }
}

#[test]
fn of_a_share_and_bytes_that_may_be_dirty_one_is_in_force() {
    let Some(limits) = DirtyLimits::of_machine() else {
        skip("/proc/sys/vm is not there");
        return;
    };
    let background = (limits.background_percent, limits.background_bytes);
    assert_ne!(background.0.is_some(), background.1.is_some(), "{limits:?}");
    let limit = (limits.limit_percent, limits.limit_bytes);
    assert_ne!(limit.0.is_some(), limit.1.is_some(), "{limits:?}");
}

#[test]
fn the_machine_begins_to_write_before_programs_wait() {
    let Some(thresholds) = DirtyThresholds::of_machine() else {
        skip("/proc/vmstat has no thresholds");
        return;
    };
    let DirtyThresholds {
        background_bytes,
        limit_bytes,
    } = thresholds;
    assert!(
        0 < background_bytes && background_bytes < limit_bytes,
        "{thresholds:?}"
    );
}
