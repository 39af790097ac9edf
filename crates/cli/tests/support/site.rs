//! A site whose files are held by `hotset apply`.

use hotset_test_support::{skip, together};
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use hotset_machine::cgroup::{Hierarchies, MemoryGroup};
use hotset_machine::{ProcessIdentity, memory};
use serde_json::{Value, json};

use super::Workplace;

/// What is waited for comes before that on the busiest machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// What was replaced or lost is held again by then on a machine that is not busy.
const HELD_AGAIN: Duration = Duration::from_secs(2);

/// So often a machine is given the chance not to be busy.
const ATTEMPTS: usize = 20;

/// A site with files of 10 000 bytes, a plan for them, and a state that is released whatever the test finds.
pub struct Site {
    pub place: Workplace,
}

impl Site {
    pub fn new(files: usize) -> Self {
        let site = Self {
            place: Workplace::new(),
        };
        fs::create_dir(site.place.path("www")).unwrap();
        let names: Vec<String> = (0..files).map(|number| format!("/{number}.html")).collect();
        for name in &names {
            site.write(name, &[b'x'; 10_000]);
        }
        let names: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
        site.plan(&names, 1 << 30);
        site
    }

    pub fn file(&self, path: &str) -> PathBuf {
        self.place.path("www").join(path.trim_start_matches('/'))
    }

    pub fn write(&self, path: &str, content: &[u8]) {
        fs::write(self.file(path), content).unwrap();
    }

    /// A plan for these paths, the first the most valuable.
    pub fn plan(&self, paths: &[&[u8]], memory_bytes: u64) {
        let path = |path: &[u8]| match std::str::from_utf8(path) {
            Ok(text) => json!(text),
            Err(_) => json!(path),
        };
        let file = |(order, bytes): (usize, &&[u8])| {
            json!({
                "site": "shop", "path": path(bytes), "size_bytes": 10_000, "mtime_ns": null,
                "store": "memory", "node": "node", "order": order,
                "reason": {
                    "requests_per_hour": null, "requests": 1, "size_bytes": 10_000,
                    "saved_us_per_byte": 1.0,
                },
            })
        };
        let files: Vec<Value> = paths.iter().enumerate().map(file).collect();
        let plan = json!({
            "version": 1, "memory_bytes": memory_bytes, "held_pages": 0, "files": files,
        });
        self.place.write("plan.json", plan.to_string().as_bytes());
    }

    pub fn apply(&self, more: &[&str]) -> (Option<i32>, Value) {
        let apply = [
            "apply",
            "plan.json",
            "--root",
            "shop=www",
            "--state",
            "state",
            "--json",
        ];
        self.run(apply.iter().chain(more))
    }

    /// With these roots alone.
    pub fn apply_with(&self, roots: &[&str]) -> (Option<i32>, Value) {
        let apply = ["apply", "plan.json", "--state", "state", "--json"];
        self.run(apply.iter().chain(roots))
    }

    pub fn status(&self) -> (Option<i32>, Value) {
        self.run(["status", "--state", "state", "--json"])
    }

    pub fn release(&self) -> Value {
        self.place.json(["release", "--state", "state", "--json"])
    }

    pub fn run(&self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> (Option<i32>, Value) {
        let output = self.place.hotset(args);
        let text = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        let json = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}{errors}"));
        (output.status.code(), json)
    }

    pub fn state(&self) -> Value {
        let text = fs::read_to_string(self.place.path("state/runs/guardian/state.json")).unwrap();
        serde_json::from_str(&text).unwrap()
    }

    pub fn workers(&self) -> Vec<ProcessIdentity> {
        serde_json::from_value(self.state()["workers"].clone()).unwrap()
    }

    pub fn guardian(&self) -> ProcessIdentity {
        serde_json::from_value(self.state()["guardian"].clone()).unwrap()
    }

    pub fn locked_bytes(&self) -> u64 {
        let workers = self.workers();
        let locked = workers
            .iter()
            .map(|worker| memory::locked_bytes(worker.pid));
        locked.filter_map(Result::ok).sum()
    }

    /// All is held again in the promised time after it was disturbed.
    #[track_caller]
    pub fn is_held_again_in_time_after(&self, disturb: impl Fn(&Self)) {
        let mut tries = (0..ATTEMPTS).map(|_| {
            disturb(self);
            let began = Instant::now();
            self.is_held_again();
            began.elapsed()
        });
        assert!(tries.any(|took| took < HELD_AGAIN));
    }

    /// Waits until all is held as it should be.
    #[track_caller]
    pub fn is_held_again(&self) {
        let give_up = Instant::now() + PATIENCE;
        loop {
            let (code, status) = self.status();
            if code == Some(0) {
                return;
            }
            assert!(Instant::now() < give_up, "{status}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.place.hotset(["release", "--state", "state"]);
    }
}

/// Copies are made in a file system that has to be mounted.
pub fn may_mount() -> bool {
    let may = rustix::process::geteuid().is_root();
    match may {
        true => together(),
        false => skip("only root can mount"),
    }
    may
}

/// A memory group of version 1 with a limit; none without the right to make one.
pub struct Group(pub PathBuf);

impl Group {
    pub fn new(name: &str, limit_bytes: u64) -> Option<Self> {
        let group = Self::make(name, limit_bytes);
        if group.is_none() {
            skip("no right to make memory groups of version 1");
        }
        group
    }

    /// The same, for a test that goes on without.
    pub fn make(name: &str, limit_bytes: u64) -> Option<Self> {
        together();
        let root = Hierarchies::detect().unwrap().v1.get("memory").cloned()?;
        let path = root.join(format!("hotset-test-{name}-{}", std::process::id()));
        fs::create_dir(&path).ok()?;
        fs::write(path.join("memory.limit_in_bytes"), limit_bytes.to_string()).unwrap();
        Some(Self(path))
    }

    /// Without a limit, in another group.
    pub fn inside(other: &Self, name: &str) -> Self {
        let path = other.0.join(name);
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    pub fn argument(&self) -> String {
        format!("cgroup:{}", self.0.display())
    }

    pub fn unreclaimable_bytes(&self) -> u64 {
        let group = MemoryGroup::at(&self.0).unwrap();
        group.unreclaimable_bytes().unwrap()
    }

    /// Pages that were charged to it since it was made, those that went meanwhile included.
    pub fn pages_charged(&self) -> u64 {
        let text = fs::read_to_string(self.0.join("memory.stat")).unwrap();
        let charged = text.lines().find_map(|line| line.strip_prefix("pgpgin "));
        charged.unwrap().parse().unwrap()
    }

    pub fn unevictable_bytes(&self) -> u64 {
        MemoryGroup::at(&self.0)
            .unwrap()
            .unevictable_bytes()
            .unwrap()
    }
}

/// Who is still in it, as are those who hold files that are released later, goes to the group above.
impl Drop for Group {
    fn drop(&mut self) {
        let give_up = Instant::now() + PATIENCE;
        while fs::remove_dir(&self.0).is_err() && Instant::now() < give_up {
            let processes = fs::read_to_string(self.0.join("cgroup.procs"));
            for pid in processes.unwrap_or_default().lines() {
                // It may have ended.
                let _moved = fs::write(self.0.join("../cgroup.procs"), pid);
            }
            thread::sleep(Duration::from_millis(10));
        }
    }
}

#[track_caller]
pub fn within(patience: Duration, holds: impl Fn() -> bool) {
    let give_up = Instant::now() + patience;
    while !holds() {
        assert!(Instant::now() < give_up, "not within {patience:?}");
        thread::sleep(Duration::from_millis(10));
    }
}
