//! The memory group of the server: what it is guaranteed, and what happens when it is full.

mod support;

use std::fs;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use support::Failure;
use support::site::{Group, HELD_AGAIN, Site, within};

/// Folders with the files of version 2 memory groups: a service in a slice.
struct Fake {
    slice: PathBuf,
    service: PathBuf,
}

impl Fake {
    fn new(site: &Site) -> Self {
        let slice = site.place.path("system.slice");
        let service = slice.join("nginx.service");
        fs::create_dir_all(&service).unwrap();
        for group in [&slice, &service] {
            for (file, text) in [
                ("memory.current", "8192000\n"),
                ("memory.max", "max\n"),
                ("memory.low", "0\n"),
                ("memory.high", "max\n"),
                ("memory.events", "max 0\n"),
                (
                    "memory.stat",
                    "anon 4096000\nfile 0\nkernel 4096000\nunevictable 0\nshmem 0\n",
                ),
                ("cgroup.procs", ""),
            ] {
                fs::write(group.join(file), text).unwrap();
            }
        }
        fs::write(slice.join("memory.low"), "1000\n").unwrap();
        Self { slice, service }
    }

    fn argument(&self) -> String {
        format!("cgroup:{}", self.service.display())
    }
}

fn says(file: PathBuf) -> String {
    fs::read_to_string(file).unwrap().trim().to_owned()
}

fn with_groups(site: &Site) {
    let plan = site.place.path("plan.json");
    let mut plan: Value = serde_json::from_str(&fs::read_to_string(plan).unwrap()).unwrap();
    let group = |site: &str, bytes: u64| json!({"node": "node", "site": site, "memory_bytes": 10 * bytes, "floor_bytes": bytes});
    plan["groups"] = json!([group("shop", 4_096_000), group("other", 1)]);
    site.place.write("plan.json", plan.to_string().as_bytes());
}

#[test]
fn a_site_with_a_group_gets_its_size_and_its_floor_and_so_does_every_group_above() {
    let site = Site::new(1);
    with_groups(&site);
    let fake = Fake::new(&site);
    let (code, applied) = site.apply(&["--server", &fake.argument()]);
    assert_eq!(code, Some(0), "{applied}");
    // Files, and what the server's processes and the kernel need on top.
    let floor = 4_096_000 + 4_096_000 + 4_096_000;
    assert_eq!(says(fake.service.join("memory.low")), floor.to_string());
    assert_eq!(
        says(fake.slice.join("memory.low")),
        (1_000 + floor).to_string()
    );
    assert_eq!(
        says(fake.service.join("memory.high")),
        (40_960_000 + 8_192_000).to_string()
    );
    // As `systemctl daemon-reload` does.
    fs::write(fake.service.join("memory.low"), "0\n").unwrap();
    within(HELD_AGAIN, || {
        says(fake.service.join("memory.low")) == floor.to_string()
    });
    site.release();
    assert_eq!(says(fake.service.join("memory.low")), "0");
    assert_eq!(says(fake.slice.join("memory.low")), "1000");
    assert_eq!(says(fake.service.join("memory.high")), "max");
}

#[test]
fn what_a_killed_guardian_has_guaranteed_is_taken_back() {
    let site = Site::new(1);
    with_groups(&site);
    let fake = Fake::new(&site);
    site.apply(&["--server", &fake.argument()]);
    site.guardian().kill().unwrap();
    assert_ne!(says(fake.slice.join("memory.low")), "1000");
    site.release();
    assert_eq!(says(fake.slice.join("memory.low")), "1000");
    assert_eq!(says(fake.service.join("memory.high")), "max");
}

#[test]
fn groups_of_version_1_know_no_floors_and_say_so() {
    let Some(group) = Group::new("floor", 64 << 20) else {
        return;
    };
    let site = Site::new(1);
    with_groups(&site);
    let apply = [
        "apply",
        "plan.json",
        "--root",
        "shop=www",
        "--state",
        "state",
    ];
    let server = group.argument();
    let failure = Failure::of(
        site.place
            .hotset(apply.iter().chain(&["--server", &server])),
    );
    failure.has_code(1).says("version 1");
}

#[test]
fn two_states_do_not_hold_files_for_one_server() {
    let Some(group) = Group::new("two", 64 << 20) else {
        return;
    };
    let (site, other) = (Site::new(1), Site::new(1));
    let server = ["--server", &group.argument()];
    assert_eq!(site.apply(&server).0, Some(0));
    let apply = [
        "apply",
        "plan.json",
        "--root",
        "shop=www",
        "--state",
        "state",
    ];
    let failure = Failure::of(other.place.hotset(apply.iter().chain(&server)));
    failure.has_code(1).says("another state");
    site.release();
    assert_eq!(other.apply(&server).0, Some(0));
}

/// A process in a group that takes memory of its own, a little more from time to time, and keeps it.
///
/// One that takes more at once than the headroom would have the kernel kill the holder, and itself now and then: locked
/// pages are not free yet when the kernel looks for its next victim.
struct Hog(Child);

impl Hog {
    fn start(group: &Path, bytes: u64) -> Self {
        const STEP: u64 = 64 << 10;
        let at_once = bytes / 4;
        // Without line breaks, tail keeps all that it reads.
        let line = format!(
            "echo $$ > {}/cgroup.procs; (head -c {at_once} /dev/zero; \
             for step in $(seq {}); do head -c {STEP} /dev/zero; sleep 0.2; done; sleep 100) | tail",
            group.display(),
            (bytes - at_once) / STEP,
        );
        let mut shell = Command::new("sh");
        shell
            .args(["-c", &line])
            .stdout(Stdio::null())
            .process_group(0);
        Self(shell.spawn().unwrap())
    }

    fn runs(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }
}

impl Drop for Hog {
    fn drop(&mut self) {
        let group = Pid::from_child(&self.0);
        let _ended = kill_process_group(group, Signal::KILL);
        let _waited = self.0.wait();
    }
}

#[test]
fn when_the_group_is_full_what_is_held_goes_and_the_server_stays() {
    let Some(group) = Group::new("overfull", 16 << 20) else {
        return;
    };
    let site = Site::new(0);
    let names: Vec<String> = (0..3).map(|number| format!("/{number}")).collect();
    for name in &names {
        site.write(name, &vec![b'x'; 4 << 20]);
    }
    let paths: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    site.plan(&paths, 1 << 30);
    assert_eq!(site.apply(&["--server", &group.argument()]).0, Some(0));
    let mut server = Hog::start(&group.0, 5 << 20);
    within(Duration::from_secs(30), || {
        site.state()["files"][2]["left_out"].is_string()
    });
    within(Duration::from_secs(10), || site.status().0 == Some(0));
    assert!(server.runs(), "the server was killed");
    let held = site.status().1["sites"][0]["held"]["objects"]
        .as_u64()
        .unwrap();
    assert!((1..=2).contains(&held), "{}", site.status().1);
    assert!(
        site.state()["files"][0]["held"].is_object(),
        "the most valuable stays"
    );
}
