//! A lab in directories of its own, for tests that are root.
use hotset_machine::{Deployment, Directories};
use hotset_test_support::{skip, together};
use std::ffi::OsString;
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub struct TestLab {
    lab: Arc<Deployment>,
    /// Removed with the lab.
    _directory: TempDir,
}

impl Deref for TestLab {
    type Target = Arc<Deployment>;
    fn deref(&self) -> &Arc<Deployment> {
        &self.lab
    }
}

impl Drop for TestLab {
    /// Also when the test panics. What is left then would be left by the lab as well.
    fn drop(&mut self) {
        let teardown = self.lab.teardown();
        if !std::thread::panicking() {
            assert_eq!(teardown.left, Vec::<String>::new());
            assert_eq!(teardown.notes, Vec::<String>::new());
            assert_eq!(traces_of(&self.lab.name("")), Vec::<String>::new());
        }
    }
}

/// `None`, with the reason printed, where a lab cannot be. Labs stand beside each other; a test that has taken the machine for itself
/// keeps it.
pub fn lab() -> Option<TestLab> {
    use hotset_machine::Requirements;
    if let Err(error) = Requirements::check(&hotset_lab::basic_needs()) {
        skip(error);
        return None;
    }
    together();
    let directory = tempfile::tempdir().unwrap();
    let lab = Deployment::open(&places(directory.path())).unwrap();
    Some(TestLab {
        lab,
        _directory: directory,
    })
}

pub fn places(directory: &Path) -> Directories {
    Directories {
        ledgers: directory.join("ledgers"),
        work: directory.join("work"),
    }
}

/// The program that plays a seeking disk.
pub fn drive_command() -> Vec<OsString> {
    vec![example("drive").into_os_string()]
}

/// Cargo builds examples together with tests, beside the tests' directory, unless it is told to build one test only.
pub fn example(name: &str) -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let example = test.ancestors().nth(2).unwrap().join("examples").join(name);
    assert!(
        example.exists(),
        "first run `cargo build -p hotset-lab --examples`"
    );
    example
}

pub fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Lines about things named `name…`: namespaces, interfaces, mounts, loop devices, groups.
pub fn traces_of(name: &str) -> Vec<String> {
    let name = name.trim_end_matches('-');
    let mut text = output("ls", &["/run/netns"]);
    text += &output("ls", &["/sys/class/net"]);
    text += &std::fs::read_to_string("/proc/self/mountinfo").unwrap();
    text += &output("losetup", &["-a"]);
    text += &output("find", &["/sys/fs/cgroup", "-name", "hotset-*"]);
    text.lines()
        .filter(|line| line.contains(name))
        .map(str::to_owned)
        .collect()
}

/// Asks until `holds` says so, which a kernel that counts in batches or a busy machine may make late, or for good.
pub fn eventually<T>(mut ask: impl FnMut() -> T, holds: impl Fn(&T) -> bool) -> T {
    let give_up = Instant::now() + Duration::from_secs(20);
    loop {
        let answer = ask();
        if holds(&answer) || Instant::now() > give_up {
            return answer;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Runs a shell line inside a process of the lab and waits for it.
pub fn shell<'a>(name: &str, line: &str) -> hotset_machine::process::Launch<'a> {
    hotset_machine::process::Launch::new(name, "sh").arguments(["-c", line])
}

/// Bytes that do not compress or repeat, of a size.
pub fn bytes(size: usize) -> Vec<u8> {
    let mut state = 1_u64;
    let mut next = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    };
    std::iter::repeat_with(&mut next).take(size).collect()
}
