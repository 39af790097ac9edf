//! `hotset run`: logs are followed, and what is worth holding is held.

mod support;

use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use support::Workplace;

/// What is waited for comes before that on the busiest machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A site of files of 10 000 bytes whose log is followed by a daemon.
struct Followed {
    place: Workplace,
    daemon: Option<Child>,
}

impl Followed {
    /// With room for so many files: three quarters of the memory for files are for held ones.
    fn new(files: u64, room: u64) -> Followed {
        let place = Workplace::new();
        fs::create_dir(place.path("www")).unwrap();
        for number in 0..files {
            fs::write(
                place.path("www").join(format!("{number}.html")),
                [b'x'; 10_000],
            )
            .unwrap();
        }
        let memory = room * 3 * 4096 * 4 / 3 + 4096;
        let scenario = format!(
            "log = \"access.log\"\n[[node]]\nname = \"web\"\nmemory = {memory}\n\
             [[store]]\nname = \"disk\"\nprofile = \"hdd\"\n\
             [[site]]\nname = \"shop\"\nstore = \"disk\"\nroot = \"www\"\nmatch = \"/*\"\n"
        );
        place.write("sites.toml", scenario.as_bytes());
        place.write("access.log", b"");
        Followed {
            place,
            daemon: None,
        }
    }

    fn start(&mut self, more: &[&str]) {
        let usual = [
            "run",
            "sites.toml",
            "--state",
            "state",
            "--interval",
            "1s",
            "--placer",
            "pin",
        ];
        let daemon = Command::new(env!("CARGO_BIN_EXE_hotset"))
            .args(usual.iter().chain(more))
            .current_dir(self.place.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        self.daemon = Some(daemon);
        // Nothing is read that was logged before it started.
        let started = Instant::now();
        while !self.place.path("state.lock").exists() {
            assert!(started.elapsed() < PATIENCE);
            thread::sleep(Duration::from_millis(20));
        }
        thread::sleep(Duration::from_millis(500));
    }

    /// Logs so many requests for each of these files.
    fn log(&self, files: std::ops::Range<u64>, requests: u64) {
        let mut log = OpenOptions::new()
            .append(true)
            .open(self.place.path("access.log"))
            .unwrap();
        for number in files {
            for client in 0..requests {
                writeln!(
                    log,
                    "10.0.0.{client} - - [22/Nov/2026:10:05:03 +0000] \"GET /{number}.html HTTP/1.1\" 200 10000 \"-\" \"agent\""
                )
                .unwrap();
            }
        }
    }

    fn held(&self) -> Vec<String> {
        let path = self.place.path("state/runs/guardian/state.json");
        let Ok(text) = fs::read_to_string(path) else {
            return Vec::new();
        };
        let state: Value = serde_json::from_str(&text).unwrap();
        let files = state["files"].as_array().unwrap().iter();
        let mut held: Vec<String> = files
            .filter(|file| file.get("left_out").is_none())
            .map(|file| file["path"].as_str().unwrap().to_owned())
            .collect();
        held.sort();
        held
    }

    /// Goes on logging requests for these files until just these are held.
    #[track_caller]
    fn comes_to_hold(&self, files: std::ops::Range<u64>) {
        let mut wanted: Vec<String> = files
            .clone()
            .map(|number| format!("/{number}.html"))
            .collect();
        wanted.sort();
        let started = Instant::now();
        while self.held() != wanted {
            assert!(started.elapsed() < PATIENCE, "{:?} held", self.held());
            self.log(files.clone(), 20);
            thread::sleep(Duration::from_millis(100));
        }
    }

    /// Ends the daemon as a service manager does; what it printed.
    fn stop(&mut self) -> String {
        let mut daemon = self.daemon.take().unwrap();
        let pid = daemon.id().to_string();
        assert!(
            Command::new("kill")
                .args(["-TERM", &pid])
                .status()
                .unwrap()
                .success()
        );
        assert!(daemon.wait().unwrap().success());
        let mut text = String::new();
        daemon
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut text)
            .unwrap();
        text
    }
}

impl Drop for Followed {
    fn drop(&mut self) {
        if let Some(daemon) = &mut self.daemon {
            let _ended = daemon.kill().and_then(|()| daemon.wait());
        }
        self.place.hotset(["release", "--state", "state"]);
    }
}

#[test]
fn what_is_asked_for_is_held_and_other_files_when_others_are_asked_for() {
    let mut site = Followed::new(20, 5);
    site.start(&[]);
    site.comes_to_hold(0..5);
    site.comes_to_hold(10..15);
    let printed = site.stop();
    assert!(
        printed.contains("event=held files=5 left_out=0"),
        "{printed}"
    );
    assert!(printed.ends_with("event=stopped\n"), "{printed}");
    assert!(!site.place.path("state").exists(), "everything is released");
}

#[test]
fn what_was_learnt_survives_a_restart() {
    let mut site = Followed::new(20, 5);
    site.start(&[]);
    site.comes_to_hold(3..8);
    site.stop();
    // What was logged meanwhile is read as well, and it is not enough to change anything.
    site.log(12..13, 1);
    site.start(&[]);
    let started = Instant::now();
    while site.held().len() < 5 {
        assert!(started.elapsed() < PATIENCE);
        thread::sleep(Duration::from_millis(100));
    }
    assert!(
        site.held().iter().all(|path| path != "/12.html"),
        "{:?}",
        site.held()
    );
}

#[test]
fn no_more_is_moved_than_the_churn_allows() {
    let mut site = Followed::new(20, 10);
    site.start(&["--churn", "30000"]);
    let started = Instant::now();
    while site.held().len() < 3 {
        assert!(started.elapsed() < PATIENCE);
        site.log(0..10, 20);
        thread::sleep(Duration::from_millis(100));
    }
    assert_eq!(site.held().len(), 3);
}

#[test]
fn names_of_no_files_and_requests_that_read_none_make_nothing_hot() {
    let mut site = Followed::new(4, 4);
    fs::remove_file(site.place.path("www/3.html")).unwrap();
    site.start(&[]);
    site.comes_to_hold(0..2);
    site.log(3..4, 2000);
    let mut log = OpenOptions::new()
        .append(true)
        .open(site.place.path("access.log"))
        .unwrap();
    for _ in 0..500 {
        writeln!(
            log,
            "10.0.0.1 - - [22/Nov/2026:10:05:03 +0000] \"HEAD /2.html HTTP/1.1\" 200 10000 \"-\" \"agent\""
        )
        .unwrap();
    }
    thread::sleep(Duration::from_millis(2500));
    assert_eq!(site.held(), ["/0.html", "/1.html"]);
}

#[test]
fn a_second_daemon_with_the_same_state_and_scenarios_without_logs_are_refused() {
    let mut site = Followed::new(1, 1);
    site.start(&[]);
    let second = site.place.hotset(["run", "sites.toml", "--state", "state"]);
    let said = String::from_utf8_lossy(&second.stderr).into_owned();
    assert!(
        !second.status.success() && said.contains("another `hotset run`"),
        "{said}"
    );
    site.stop();
    let text = fs::read_to_string(site.place.path("sites.toml")).unwrap();
    site.place.write(
        "silent.toml",
        text.replace("log = \"access.log\"\n", "").as_bytes(),
    );
    let silent = site
        .place
        .hotset(["run", "silent.toml", "--state", "state"]);
    let said = String::from_utf8_lossy(&silent.stderr).into_owned();
    assert!(
        !silent.status.success() && said.contains("no logs to follow"),
        "{said}"
    );
}
