//! What is left of a lab that was killed, and that only this is removed.

use crate::common::{example, lab, output, places, traces_of};
use hotset_lab::net::{LinkRate, Network};
use hotset_lab::store::{Memory, MemoryKind, Store};
use hotset_machine::ControlGroup;
use hotset_machine::Deployment;
use hotset_machine::cgroup::Limits;
use hotset_machine::ledger::recover;
use hotset_machine::resource::Resource;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A lab in a process of its own, to be killed.
struct Victim {
    child: Child,
    directory: TempDir,
}

impl Victim {
    fn start() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let child = Command::new(example("interrupted"))
            .arg(directory.path())
            .arg(example("drive"))
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self { child, directory }
    }

    fn ledgers(&self) -> PathBuf {
        places(self.directory.path()).ledgers
    }

    /// Waits until its ledger has so many lines, and kills it on the spot.
    fn kill_at(mut self, lines: usize) -> Killed {
        let give_up = Instant::now() + Duration::from_secs(60);
        while self.ledger_lines() < lines && Instant::now() < give_up {
            std::thread::yield_now();
        }
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        Killed(std::mem::replace(
            &mut self.directory,
            tempfile::tempdir().unwrap(),
        ))
    }

    fn ledger_lines(&self) -> usize {
        let Ok(mut runs) = fs::read_dir(self.ledgers()) else {
            return 0;
        };
        let Some(Ok(deployment)) = runs.next() else {
            return 0;
        };
        fs::read_to_string(deployment.path().join("ledger")).map_or(0, |text| text.lines().count())
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ended = self.child.kill();
        let _waited = self.child.wait();
        let _recovered = recover(&self.ledgers());
    }
}

/// What a killed lab has left. Whatever the test finds, nothing stays.
struct Killed(TempDir);

impl Killed {
    fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _recovered = recover(&places(self.path()).ledgers);
    }
}

fn tag_in(ledgers: &Path) -> String {
    let deployment = fs::read_dir(ledgers).unwrap().next().unwrap().unwrap();
    deployment.file_name().into_string().unwrap()
}

/// Processes that name the directory in their command line: the drive and the server's shell.
fn processes_about(directory: &Path) -> Vec<String> {
    let text = output("ps", &["-eo", "pid,stat,args"]);
    let name = directory.to_str().unwrap();
    text.lines()
        .filter(|line| line.contains(name))
        .map(str::to_owned)
        .collect()
}

#[test]
fn after_kill_9_at_any_point_the_next_start_removes_everything() {
    if lab().is_none() {
        return;
    }
    for lines in 1..=20 {
        let directory = Victim::start().kill_at(lines);
        let ledgers = places(directory.path()).ledgers;
        let tag = tag_in(&ledgers);
        let recovery = recover(&ledgers).unwrap();
        assert_eq!(recovery.live, Vec::<PathBuf>::new(), "at {lines} lines");
        let (_, teardown) = &recovery.dead[0];
        assert_eq!(teardown.left, Vec::<String>::new(), "at {lines} lines");
        assert_eq!(teardown.notes, Vec::<String>::new(), "at {lines} lines");
        assert_eq!(
            traces_of(&format!("hotset-{tag}")),
            Vec::<String>::new(),
            "at {lines} lines"
        );
        assert_eq!(
            traces_of(directory.path().to_str().unwrap()),
            Vec::<String>::new(),
            "at {lines} lines"
        );
        assert_eq!(
            processes_about(directory.path()),
            Vec::<String>::new(),
            "at {lines} lines"
        );
        assert_eq!(
            fs::read_dir(&ledgers).unwrap().count(),
            0,
            "at {lines} lines"
        );
        assert_eq!(
            fs::read_dir(places(directory.path()).work).map_or(0, Iterator::count),
            0
        );
    }
}

#[test]
fn a_run_whose_owner_lives_is_left_alone_by_others_that_start() {
    if lab().is_none() {
        return;
    }
    let mut victim = Victim::start();
    let mut line = String::new();
    std::io::BufRead::read_line(
        &mut std::io::BufReader::new(victim.child.stdout.take().unwrap()),
        &mut line,
    )
    .unwrap();
    let tag = line.trim().strip_prefix("standing ").unwrap().to_owned();
    let name = format!("hotset-{tag}");
    let before = traces_of(&name);

    let other = Deployment::open(&places(victim.directory.path())).unwrap();
    assert_eq!(other.recovery().live, [victim.ledgers().join(&tag)]);
    assert!(other.recovery().dead.is_empty());
    assert_eq!(other.teardown().left, Vec::<String>::new());
    assert_eq!(traces_of(&name), before);
    assert!(before.len() > 5, "{before:?}");

    let ledgers = victim.ledgers();
    let directory = victim.kill_at(0);
    let next = Deployment::open(&places(directory.path())).unwrap();
    assert_eq!(next.recovery().dead.len(), 1);
    assert!(!next.recovery().dead[0].1.removed.is_empty());
    assert_eq!(traces_of(&name), Vec::<String>::new());
    next.teardown();
    assert_eq!(fs::read_dir(ledgers).unwrap().count(), 0);
}

#[test]
fn teardown_removes_what_was_made_and_nothing_of_another_run() {
    let Some(lab) = lab() else { return };
    let directory = tempfile::tempdir().unwrap();
    let other = Deployment::open(&places(directory.path())).unwrap();
    for deployment in [&*lab, &other] {
        let _group = ControlGroup::create(deployment, "web", &Limits::default()).unwrap();
        Network::create(deployment)
            .unwrap()
            .namespace("web", LinkRate::Unlimited)
            .unwrap();
    }
    let store = Memory::create(&other, "hot", MemoryKind::Ramfs, 0).unwrap();
    fs::write(store.path().join("file"), "kept").unwrap();
    let before = traces_of(&lab.name(""));
    let teardown = other.teardown();
    assert_eq!(teardown.left, Vec::<String>::new());
    assert_eq!(traces_of(&other.name("")), Vec::<String>::new());
    assert_eq!(traces_of(&lab.name("")), before);
}

#[test]
fn dropping_the_last_reference_removes_what_was_made() {
    if lab().is_none() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let lab = Deployment::open(&places(directory.path())).unwrap();
    let name = lab.name("");
    let _store = Memory::create(&lab, "hot", MemoryKind::Tmpfs, 1 << 20).unwrap();
    assert!(
        !traces_of(&name).is_empty() || !traces_of(lab.directory().to_str().unwrap()).is_empty()
    );
    drop(lab);
    assert_eq!(traces_of(&name), Vec::<String>::new());
    assert_eq!(
        traces_of(directory.path().to_str().unwrap()),
        Vec::<String>::new()
    );
}

#[test]
fn a_directory_with_something_mounted_in_it_is_not_emptied() {
    let Some(lab) = lab() else { return };
    let store = Memory::create(&lab, "hot", MemoryKind::Tmpfs, 1 << 20).unwrap();
    fs::write(store.path().join("file"), "kept").unwrap();
    let around = Resource::Directory(store.path().parent().unwrap().to_owned());
    let error = around.undo().unwrap_err().to_string();
    assert!(error.contains("still mounted"), "{error}");
    assert_eq!(
        fs::read_to_string(store.path().join("file")).unwrap(),
        "kept"
    );
}
