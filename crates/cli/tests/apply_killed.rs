//! Whoever places files may be killed at any moment: `hotset release` leaves nothing of it.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::apart::Server;
use crate::support::hotset;
use crate::support::site::{PATIENCE, Site, may_mount, within};
use hotset_machine::ProcessIdentity;
use serde_json::Value;

/// An `apply` that is under way.
fn begin(site: &Site, how: &[&str]) -> Child {
    Command::new(hotset())
        .args([
            "apply",
            "plan.json",
            "--root",
            "shop=www",
            "--state",
            "state",
        ])
        .args(how)
        .current_dir(site.place.folder())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Whole lines of the ledger.
fn ledger(site: &Site) -> Vec<Value> {
    let text = fs::read_to_string(site.place.path("state/runs/guardian/ledger"));
    let text = text.unwrap_or_default();
    let lines = text
        .split_inclusive('\n')
        .filter(|line| line.ends_with('\n'));
    lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect()
}

/// Processes of this program that work for a folder.
fn processes_for(folder: &Path) -> Vec<String> {
    let folder = folder.to_str().unwrap();
    let command = |entry: fs::DirEntry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&line).replace('\0', " "))
    };
    let all = fs::read_dir("/proc").unwrap().flatten().filter_map(command);
    all.filter(|line| line.contains(" live ") && line.contains(folder))
        .collect()
}

#[track_caller]
fn leaves_nothing(site: &Site, what: &str) {
    let released = site.release();
    assert_eq!(
        released["left"],
        Value::Array(Vec::new()),
        "{what}: {released}"
    );
    let folder = site.place.path("state");
    assert_eq!(processes_for(&folder), Vec::<String>::new(), "{what}");
    let mounts = fs::read_to_string("/proc/self/mountinfo").unwrap();
    assert!(!mounts.contains(folder.to_str().unwrap()), "{what}");
    assert!(!folder.exists(), "{what}: {:?}", site.place.entries());
}

/// Kills the guardian as soon as its ledger has so many lines.
#[track_caller]
fn kill_guardian_at(site: &Site, lines: usize) {
    let give_up = Instant::now() + PATIENCE;
    let mut so_far = ledger(site);
    while so_far.len() < lines {
        assert!(Instant::now() < give_up, "{lines} lines: {so_far:?}");
        so_far = ledger(site);
    }
    let owner = serde_json::from_value::<ProcessIdentity>(so_far[0]["owner"].clone());
    owner.unwrap().kill().unwrap();
}

/// `server` starts a server where the placer needs one.
fn is_released_after_each_line(placer: &str, server: impl Fn(&Site) -> Option<Server>) {
    let begin_on = |site: &Site, server: &Option<Server>| {
        let mut how = vec!["--placer", placer];
        if let Some(server) = server {
            how.extend(["--server", &server.pid_file]);
        }
        begin(site, &how)
    };
    let lines = {
        let site = Site::new(20);
        let server = server(&site);
        begin_on(&site, &server).wait().unwrap();
        let lines = ledger(&site).len();
        leaves_nothing(&site, placer);
        lines
    };
    assert!(lines >= 2, "{lines}");
    for line in 1..=lines {
        let site = Site::new(20);
        let server = server(&site);
        let mut apply = begin_on(&site, &server);
        kill_guardian_at(&site, line);
        apply.wait().unwrap();
        leaves_nothing(&site, &format!("{placer}, killed at line {line}"));
        let mounts = server.map_or(0, |server| server.mounts_below(site.place.folder()));
        assert_eq!(mounts, 0, "{placer}, killed at line {line}");
    }
}

#[test]
fn a_guardian_that_pins_may_be_killed_at_each_line_of_its_ledger() {
    is_released_after_each_line("pin", |_| None);
}

#[test]
fn a_guardian_that_copies_may_be_killed_at_each_line_of_its_ledger() {
    if may_mount() {
        is_released_after_each_line("hot-root", |_| None);
    }
}

#[test]
fn a_guardian_that_binds_may_be_killed_at_each_line_of_its_ledger() {
    if may_mount() {
        is_released_after_each_line("bind", |site| Some(Server::apart(site)));
    }
}

#[test]
fn an_apply_that_is_killed_leaves_what_release_takes_back() {
    for pause_ms in [0, 1, 2, 5, 10, 20, 50] {
        let site = Site::new(50);
        let mut apply = begin(&site, &["--placer", "pin"]);
        std::thread::sleep(Duration::from_millis(pause_ms));
        apply.kill().unwrap();
        apply.wait().unwrap();
        // A guardian that has just been started has not said so yet: then it has no ledger.
        std::thread::sleep(Duration::from_millis(100));
        let folder = site.place.path("state");
        within(PATIENCE, || {
            processes_for(&folder).is_empty() || !ledger(&site).is_empty()
        });
        leaves_nothing(&site, &format!("killed after {pause_ms} ms"));
    }
}
