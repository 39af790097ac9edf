//! A site whose log is followed by `hotset run`.

use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::Workplace;

/// What is waited for comes before that on the busiest machine.
pub const PATIENCE: Duration = Duration::from_secs(300);

/// A site of files of 10 000 bytes whose log is followed by a daemon.
pub struct Followed {
    pub place: Workplace,
    pub daemon: Option<Child>,
}

impl Followed {
    /// With room for so many files: three quarters of the memory for files are for held ones.
    pub fn new(files: u64, room: u64) -> Followed {
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

    pub fn start(&mut self, more: &[&str]) {
        let mut usual = vec!["run", "sites.toml", "--state", "state"];
        if !more.contains(&"--interval") {
            usual.extend(["--interval", "1s"]);
        }
        if !more.contains(&"--placer") {
            usual.extend(["--placer", "pin"]);
        }
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
        while UnixStream::connect(self.place.path("state.socket")).is_err() {
            assert!(started.elapsed() < PATIENCE);
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Logs so many requests for each of these files.
    pub fn log(&self, files: std::ops::Range<u64>, requests: u64) {
        let lines = files.flat_map(|number| {
            (0..requests).map(move |client| {
                format!(
                    "10.0.0.{client} - - [22/Nov/2026:10:05:03 +0000] \"GET /{number}.html HTTP/1.1\" 200 10000 \"-\" \"agent\""
                )
            })
        });
        self.log_lines(lines);
    }

    /// Logs these lines.
    pub fn log_lines(&self, lines: impl IntoIterator<Item = String>) {
        let path = self.place.path("access.log");
        let mut log = OpenOptions::new().append(true).open(path).unwrap();
        let text: String = lines.into_iter().map(|line| line + "\n").collect();
        log.write_all(text.as_bytes()).unwrap();
    }

    pub fn held(&self) -> Vec<String> {
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
    pub fn comes_to_hold(&self, files: std::ops::Range<u64>) {
        self.comes_to_hold_while(files.clone(), || self.log(files.clone(), 20));
    }

    /// Does the same again and again until just these files are held.
    #[track_caller]
    pub fn comes_to_hold_while(&self, files: std::ops::Range<u64>, mut log: impl FnMut()) {
        let mut wanted: Vec<String> = files.map(|number| format!("/{number}.html")).collect();
        wanted.sort();
        let started = Instant::now();
        while self.held() != wanted {
            assert!(started.elapsed() < PATIENCE, "{:?} held", self.held());
            log();
            thread::sleep(Duration::from_millis(100));
        }
    }

    pub fn status(&self) -> Value {
        let output = self.place.hotset(["status", "--state", "state", "--json"]);
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Goes on logging requests for these files until the status is as wanted.
    #[track_caller]
    pub fn comes_to_tell(
        &self,
        files: std::ops::Range<u64>,
        wanted: impl Fn(&Value) -> bool,
    ) -> Value {
        let started = Instant::now();
        loop {
            let status = self.status();
            if wanted(&status) {
                return status;
            }
            assert!(started.elapsed() < PATIENCE, "{status}");
            self.log(files.clone(), 20);
            thread::sleep(Duration::from_millis(100));
        }
    }

    pub fn signal(&self, signal: &str) {
        let pid = self.daemon.as_ref().unwrap().id().to_string();
        let sent = Command::new("kill").args([signal, &pid]).status();
        assert!(sent.unwrap().success());
    }

    pub fn kill(&mut self) {
        let mut daemon = self.daemon.take().unwrap();
        daemon.kill().unwrap();
        daemon.wait().unwrap();
    }

    /// Ends the daemon as a service manager does; what it printed.
    pub fn stop(&mut self) -> String {
        self.signal("-TERM");
        let mut daemon = self.daemon.take().unwrap();
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
