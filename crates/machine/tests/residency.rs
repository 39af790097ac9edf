//! What of a file is in memory is what the kernel has of it there.
use hotset_machine::Residency;
use hotset_test_support::skip;
use rustix::fs::{Advice, fadvise};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;

const BYTES: usize = 1 << 20;

/// Pages in memory of a new file: once read, and once evicted.
fn read_and_evicted(folder: &Path) -> (Residency, Residency) {
    let path = folder.join("file");
    fs::write(&path, vec![1; BYTES]).unwrap();
    let file = File::open(&path).unwrap();
    file.sync_all().unwrap();
    fs::read(&path).unwrap();
    let read = Residency::of(&file).unwrap();
    fadvise(&file, 0, None, Advice::DontNeed).unwrap();
    (read, Residency::of(&file).unwrap())
}

#[test]
fn a_file_that_was_read_is_in_memory_until_it_is_evicted() {
    // Not in a temporary folder, which may be nothing but memory.
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let (read, evicted) = read_and_evicted(folder.path());
    assert!(read.is_whole(), "{read:?}");
    assert!(evicted.resident < evicted.pages, "{evicted:?}");
}

/// A folder of two, as containers have theirs; unmounted when dropped.
struct Overlay(PathBuf);

impl Overlay {
    fn mount(within: &Path) -> Option<Self> {
        for name in ["lower", "upper", "work", "merged"] {
            fs::create_dir(within.join(name)).unwrap();
        }
        let mount = "-o lowerdir=lower,upperdir=upper,workdir=work merged";
        let mut command = Command::new("mount");
        command
            .args(["-t", "overlay", "overlay"])
            .args(mount.split(' '));
        let mounted = command.current_dir(within).output();
        let is_mounted = mounted.is_ok_and(|output| output.status.success());
        is_mounted.then(|| Self(within.join("merged")))
    }
}

impl Drop for Overlay {
    fn drop(&mut self) {
        let _ended = Command::new("umount").arg(&self.0).output();
    }
}

#[test]
fn a_file_of_an_overlay_is_found_in_memory_where_the_file_below_has_its_pages() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let Some(overlay) = Overlay::mount(folder.path()) else {
        skip("an overlay cannot be mounted here");
        return;
    };
    let (read, evicted) = read_and_evicted(&overlay.0);
    assert!(read.is_whole(), "{read:?}");
    assert!(evicted.resident < evicted.pages, "{evicted:?}");
}
