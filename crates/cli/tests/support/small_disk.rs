//! A file system that is soon full.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use hotset_test_support::skip;

/// A small file system in memory, mounted until it is dropped.
pub struct SmallDisk(PathBuf);

impl SmallDisk {
    /// Mounts one of a size as `mount` takes it, such as `64k`, on a new folder; the test is skipped where nobody may.
    pub fn mount(folder: PathBuf, size: &str) -> Option<Self> {
        fs::create_dir(&folder).expect("a new folder");
        let disk = Self(folder);
        let mounted = disk.set(&format!("size={size}"));
        if !mounted {
            skip("no right to mount a small file system");
        }
        mounted.then_some(disk)
    }

    /// Whether it has another size now; nobody may write meanwhile.
    pub fn shrink(&self, size: &str) -> bool {
        self.set(&format!("remount,size={size}"))
    }

    fn set(&self, options: &str) -> bool {
        let mut mount = Command::new("mount");
        mount
            .args(["-t", "tmpfs", "-o", options, "tmpfs"])
            .arg(&self.0);
        mount.output().is_ok_and(|output| output.status.success())
    }

    /// Names of what is on it.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("mounted");
        let name = |entry: fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        entries
            .map(|entry| name(entry.expect("readable")))
            .collect()
    }
}

impl Drop for SmallDisk {
    /// Lazily: a program that another test just starts has our open files until it runs.
    fn drop(&mut self) {
        let _ended = Command::new("umount").arg("--lazy").arg(&self.0).output();
    }
}
