//! The monitor tells the truth after holders, guardians and daemons were killed.

use crate::support::apart::Server;
use crate::support::followed::Followed;
use crate::support::site::{PATIENCE, Site, may_mount, within};
use crate::support::small_disk::SmallDisk;
use hotset_machine::ProcessIdentity;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixStream;

/// So many times in turn: before, one apply in four found a guardian that was on its way out.
const IMMEDIATE_APPLIES: usize = 20;

fn signal(process: &ProcessIdentity, signal: Signal) {
    let pid = Pid::from_raw(process.pid as i32).unwrap();
    kill_process(pid, signal).unwrap();
}

/// Kills the guardian and all others at once: nobody takes copies away.
fn kill_all(site: &Site) {
    let (guardian, workers) = (site.guardian(), site.workers());
    for process in workers.iter().chain([&guardian]) {
        signal(process, Signal::STOP);
    }
    for process in workers.iter().chain([&guardian]) {
        process.kill().unwrap();
    }
}

/// What a status says is held: files, bytes of memory.
fn held(status: &Value) -> (Option<u64>, Option<u64>) {
    let files = status["sites"][0]["held"]["objects"].as_u64();
    (files, status["memory"]["held_bytes"].as_u64())
}

#[test]
fn cached_pages_of_killed_holders_are_not_called_held() {
    let site = Site::new(3);
    site.apply(&[]);
    assert_eq!(held(&site.status().1), (Some(3), Some(3 * 12_288)));
    kill_all(&site);
    let (code, status) = site.status();
    assert_eq!(code, Some(3));
    assert_eq!(held(&status), (Some(0), Some(0)), "{status}");
    let problem = status["problems"][0]["problem"].as_str().unwrap();
    assert!(problem.contains("the process that held it is dead"));
    assert_eq!(status["problems"].as_array().unwrap().len(), 3);
}

#[test]
fn files_whose_holder_lives_are_held_without_a_guardian() {
    let site = Site::new(3);
    site.apply(&[]);
    site.guardian().kill().unwrap();
    let (code, status) = site.status();
    assert_eq!(code, Some(3));
    assert_eq!(held(&status), (Some(3), Some(3 * 12_288)), "{status}");
    assert_eq!(status["problems"], json!([]));
}

/// Copies are called held for as long as they are served.
fn copies_are_held_while_served(site: &Site, how: &[&str]) {
    site.apply(how);
    assert_eq!(held(&site.status().1), (Some(3), Some(3 * 12_288)));
    kill_all(site);
    let (code, status) = site.status();
    assert_eq!(code, Some(3));
    assert_eq!(held(&status), (Some(3), Some(3 * 12_288)), "{status}");
    assert!(status["faults"].to_string().contains("out of date"));
    site.apply(how);
    // Now those who outlive it take the copies away.
    site.guardian().kill().unwrap();
    within(PATIENCE, || held(&site.status().1) == (Some(0), Some(0)));
    assert_eq!(site.status().0, Some(3));
}

#[test]
fn mounted_copies_are_held_while_the_server_sees_them() {
    if may_mount() {
        let site = Site::new(3);
        let server = Server::apart(&site);
        copies_are_held_while_served(&site, &["--placer", "bind", "--server", &server.pid_file]);
    }
}

#[test]
fn copies_in_a_tree_are_held_while_it_is_there() {
    if may_mount() {
        copies_are_held_while_served(&Site::new(3), &["--placer", "hot-root"]);
    }
}

#[test]
fn an_apply_right_after_a_kill_starts_a_guardian() {
    let site = Site::new(2);
    site.apply(&[]);
    for _ in 0..IMMEDIATE_APPLIES {
        site.guardian().kill().unwrap();
        assert_eq!(site.apply(&[]).0, Some(0));
    }
    assert_eq!(site.status().0, Some(0));
}

/// What the daemon answers for a path.
fn get(site: &Followed, path: &str) -> String {
    let mut stream = UnixStream::connect(site.place.path("state.socket")).unwrap();
    let question = format!("GET {path} HTTP/1.1\r\nHost: hotset\r\n\r\n");
    stream.write_all(question.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// What is written down of what is held; null while a guardian is replaced.
fn state(site: &Followed) -> Value {
    let text = std::fs::read(site.place.path("state/runs/guardian/state.json"));
    serde_json::from_slice(&text.unwrap_or_default()).unwrap_or_default()
}

#[test]
fn a_dead_daemon_is_a_fault_until_somebody_releases() {
    let mut site = Followed::new(5, 5);
    site.start(&[]);
    site.comes_to_hold(0..5);
    site.kill();
    let dead = |site: &Followed| {
        let output = site.place.hotset(["status", "--state", "state", "--json"]);
        let status: Value = serde_json::from_slice(&output.stdout).unwrap();
        let is_named = status["faults"].to_string().contains("`hotset run`");
        (output.status.code(), is_named, held(&status).0)
    };
    assert_eq!(dead(&site), (Some(3), true, Some(5)));
    site.place.hotset(["release", "--state", "state"]);
    assert_eq!(dead(&site), (Some(3), false, None));
}

#[test]
fn metrics_count_what_living_processes_hold_and_the_daemon_holds_again() {
    let mut site = Followed::new(5, 5);
    // Long enough that the next choice does not come first.
    site.start(&["--interval", "5s"]);
    site.comes_to_hold(0..5);
    within(PATIENCE, || {
        let metrics = get(&site, "/metrics");
        metrics.contains("hotset_held_files{site=\"shop\"} 5")
            && metrics.contains("hotset_faults 0")
    });
    let guardian: ProcessIdentity =
        serde_json::from_value(state(&site)["guardian"].clone()).unwrap();
    let workers: Vec<ProcessIdentity> =
        serde_json::from_value(state(&site)["workers"].clone()).unwrap();
    signal(&guardian, Signal::STOP);
    workers
        .iter()
        .for_each(|worker| assert!(worker.kill().unwrap()));
    let metrics = get(&site, "/metrics");
    assert!(
        metrics.contains("hotset_held_files{site=\"shop\"} 0"),
        "{metrics}"
    );
    assert!(
        metrics.contains("hotset_held_bytes{site=\"shop\"} 0"),
        "{metrics}"
    );
    assert!(metrics.contains("hotset_faults 1.0"), "{metrics}");
    guardian.kill().unwrap();
    let holds_again = || {
        within(PATIENCE, || {
            get(&site, "/metrics").contains("hotset_held_files{site=\"shop\"} 5")
        });
    };
    holds_again();
    // A choice may come first, but not each time.
    for _ in 0..5 {
        let guardian = state(&site)["guardian"].clone();
        let guardian: ProcessIdentity = serde_json::from_value(guardian).unwrap();
        guardian.kill().unwrap();
        within(PATIENCE, || {
            let pid = state(&site)["guardian"]["pid"].as_u64();
            pid.is_some_and(|pid| pid != u64::from(guardian.pid))
        });
        holds_again();
    }
    let printed = site.stop();
    assert!(printed.contains("event=\"holds again\""), "{printed}");
}

#[test]
fn what_nobody_holds_any_more_is_held_before_the_first_choice_of_a_new_daemon() {
    let mut site = Followed::new(5, 5);
    let interval = ["--interval", "3s"];
    site.start(&interval);
    site.comes_to_hold(0..5);
    site.kill();
    for who in ["guardian", "workers"] {
        let of = state(&site)[who].clone();
        let one = serde_json::from_value(of.clone()).map(|one: ProcessIdentity| vec![one]);
        let all = one.or_else(|_| serde_json::from_value(of)).unwrap();
        all.iter()
            .for_each(|process| assert!(process.kill().unwrap()));
    }
    assert_eq!(held(&site.status()).0, Some(0));
    site.start(&interval);
    within(PATIENCE, || held(&site.status()).0 == Some(5));
    let printed = site.stop();
    assert!(printed.contains("event=\"holds again\""), "{printed}");
}

#[test]
fn a_state_that_found_no_room_on_its_disk_is_written_down_once_there_is() {
    let site = Site::new(3);
    let Some(disk) = SmallDisk::mount(site.place.path("small"), "1m") else {
        return;
    };
    let state = ["--state", "small/state"];
    let apply = [
        "apply",
        "plan.json",
        "--root",
        "shop=www",
        "--placer",
        "pin",
    ];
    site.place.succeeds(apply.iter().chain(&state));
    let written = site.place.path("small/state/runs/guardian/state.json");
    let workers = || {
        let state: Value = serde_json::from_slice(&std::fs::read(&written).unwrap()).unwrap();
        serde_json::from_value::<Vec<ProcessIdentity>>(state["workers"].clone()).unwrap()
    };
    let before = workers();
    let mut filler = std::fs::File::create(site.place.path("small/filler")).unwrap();
    while filler.write_all(&[0; 4096]).is_ok() {}
    before
        .iter()
        .for_each(|worker| assert!(worker.kill().unwrap()));
    let status = || {
        let status = ["status", "--json"].iter().chain(&state);
        serde_json::from_slice::<Value>(&site.place.hotset(status).stdout).unwrap()
    };
    // The guardian holds again within a second, and cannot write that down.
    std::thread::sleep(std::time::Duration::from_millis(1500));
    assert_eq!(held(&status()).0, Some(0));
    drop(filler);
    std::fs::remove_file(site.place.path("small/filler")).unwrap();
    within(PATIENCE, || held(&status()).0 == Some(3));
    assert!(workers() != before);
    site.place.succeeds(["release"].iter().chain(&state));
    drop(disk);
}
