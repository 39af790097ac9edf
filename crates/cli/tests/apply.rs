//! `hotset apply`, `hotset status` and `hotset release`: files are held, checked and let go.

mod support;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use hotset_machine::Residency;
use serde_json::{Value, json};
use support::Failure;
use support::schema::holds_to;
use support::site::{Group, HELD_AGAIN, Site, within};

fn is_resident(file: &Path) -> bool {
    Residency::of(fs::File::open(file).unwrap())
        .unwrap()
        .is_whole()
}

#[test]
fn a_plan_is_held_checked_and_released_without_a_trace() {
    let site = Site::new(3);
    let (code, applied) = site.apply(&[]);
    assert_eq!(code, Some(0), "{applied}");
    holds_to("apply.json", &applied);
    assert_eq!(applied["held"], json!({"objects": 3, "bytes": 30_000}));
    assert_eq!(
        (&applied["left_out"], &applied["placer"]),
        (&json!([]), &json!("pin"))
    );
    let (code, status) = site.status();
    assert_eq!(code, Some(0), "{status}");
    holds_to("status.json", &status);
    assert_eq!(status["state"], "held");
    assert_eq!(
        status["sites"][0]["held"],
        json!({"objects": 3, "bytes": 30_000})
    );
    assert_eq!(status["memory"]["held_bytes"], 3 * 12_288);
    assert_eq!(site.locked_bytes(), 3 * 12_288);
    let (guardian, workers) = (site.guardian(), site.workers());
    let released = site.release();
    holds_to("release.json", &released);
    assert_eq!(released["left"], json!([]));
    assert!(!guardian.is_alive() && workers.iter().all(|worker| !worker.is_alive()));
    assert!(!site.place.path("state").exists());
    let (code, status) = site.status();
    assert_eq!((code, &status["state"]), (Some(3), &json!("released")));
    assert_eq!(site.release()["removed"], json!([]), "twice is no error");
}

#[test]
fn what_is_missing_or_foreign_is_left_out_with_its_reason_and_exit_code_4() {
    let site = Site::new(1);
    symlink("/etc/passwd", site.file("out"));
    let paths: [&[u8]; 5] = [
        b"/0.html",
        b"/gone",
        b"/out",
        b"/../etc/passwd",
        b"/odd\xff\n",
    ];
    fs::write(
        site.place.path("www").join(OsStr::from_bytes(b"odd\xff\n")),
        b"odd",
    )
    .unwrap();
    site.plan(&paths, 1 << 30);
    let (code, applied) = site.apply(&[]);
    assert_eq!(code, Some(4));
    holds_to("apply.json", &applied);
    assert_eq!(applied["held"]["objects"], 2, "{applied}");
    let left_out = applied["left_out"].as_array().unwrap();
    let told = |path: &str| {
        let file = left_out.iter().find(|file| file["path"] == path).unwrap();
        file["reason"].as_str().unwrap().to_owned()
    };
    assert!(told("/gone").contains("no such file"));
    assert!(told("/out").contains("out of the site's root"));
    assert!(told("/../etc/passwd").contains("not a path within"));
    assert_eq!(site.status().0, Some(0), "all that is held is sound");
}

fn symlink(to: &str, at: PathBuf) {
    std::os::unix::fs::symlink(to, at).unwrap();
}

#[test]
fn a_dry_run_says_what_would_change_and_changes_nothing() {
    let site = Site::new(2);
    let (code, preview) = site.apply(&["--dry-run"]);
    assert_eq!(code, Some(0), "{preview}");
    holds_to("apply.json", &preview);
    assert_eq!(preview["changes"]["added"]["objects"], 2);
    assert!(!site.place.path("state").exists());
    site.apply(&[]);
    site.write("/new.html", b"new");
    site.plan(&[b"/1.html", b"/new.html"], 1 << 30);
    let changes = site.apply(&["--dry-run"]).1["changes"].clone();
    let objects = ["added", "kept", "dropped"].map(|what| changes[what]["objects"].as_u64());
    assert_eq!(objects, [Some(1); 3], "{changes}");
    assert_eq!(site.state()["files"].as_array().unwrap().len(), 2);
    assert_eq!(site.locked_bytes(), 2 * 12_288);
}

#[test]
fn another_plan_takes_the_place_of_the_first_and_keeps_what_both_hold() {
    let site = Site::new(2);
    site.apply(&[]);
    let (guardian, workers) = (site.guardian(), site.workers());
    site.write("/new.html", b"new");
    site.plan(&[b"/1.html", b"/new.html"], 1 << 30);
    let (code, applied) = site.apply(&[]);
    assert_eq!(code, Some(0));
    assert_eq!(applied["held"], json!({"objects": 2, "bytes": 10_003}));
    assert_eq!(site.locked_bytes(), 12_288 + 4_096);
    assert_eq!((site.guardian(), site.workers()), (guardian, workers));
}

#[test]
fn a_file_that_is_replaced_changed_or_removed_is_held_as_it_is_now() {
    let site = Site::new(4);
    site.apply(&[]);
    site.write("/next", &[b'y'; 20_000]);
    fs::rename(site.file("next"), site.file("0.html")).unwrap();
    site.write("/1.html", &[b'y'; 50_000]);
    fs::File::options()
        .write(true)
        .open(site.file("2.html"))
        .unwrap()
        .set_len(100)
        .unwrap();
    site.is_held_again();
    assert_eq!(site.locked_bytes(), (5 + 13 + 1 + 3) * 4_096);
    fs::remove_file(site.file("3.html")).unwrap();
    within(HELD_AGAIN, || site.locked_bytes() == (5 + 13 + 1) * 4_096);
    // It comes back when the file does.
    site.write("/3.html", b"back");
    within(HELD_AGAIN, || {
        site.locked_bytes() == (5 + 13 + 1 + 1) * 4_096
    });
}

#[test]
fn a_link_to_the_current_release_is_followed_when_it_is_switched() {
    let site = Site::new(0);
    for release in ["one", "two"] {
        fs::create_dir(site.file(release)).unwrap();
        site.write(
            &format!("/{release}/page"),
            release.repeat(5_000).as_bytes(),
        );
    }
    symlink("one", site.file("current"));
    site.plan(&[b"/current/page"], 1 << 30);
    assert_eq!(site.apply(&[]).0, Some(0));
    symlink("two", site.file("next"));
    fs::rename(site.file("next"), site.file("current")).unwrap();
    let (code, status) = site.status();
    assert!(
        code == Some(3) || is_resident(&site.file("two/page")),
        "{status}"
    );
    site.is_held_again();
    assert!(is_resident(&site.file("two/page")));
}

#[test]
fn a_dead_holder_is_replaced_and_its_files_are_held_again() {
    let site = Site::new(3);
    site.apply(&[]);
    let before = site.workers();
    assert!(before[0].kill().unwrap());
    site.is_held_again();
    assert_ne!(site.workers(), before);
    assert_eq!(site.locked_bytes(), 3 * 12_288);
}

#[test]
fn files_stay_held_without_their_guardian_and_release_takes_them_back() {
    let site = Site::new(3);
    site.apply(&[]);
    site.guardian().kill().unwrap();
    assert_eq!(site.locked_bytes(), 3 * 12_288);
    let (code, status) = site.status();
    assert_eq!(code, Some(3));
    assert!(
        status["faults"][0]
            .as_str()
            .unwrap()
            .contains("guardian is dead")
    );
    let workers = site.workers();
    assert_eq!(site.release()["left"], json!([]));
    assert!(workers.iter().all(|worker| !worker.is_alive()));
    assert!(!site.place.path("state").exists());
}

#[test]
fn a_plan_is_applied_anew_after_its_guardian_was_killed() {
    let site = Site::new(2);
    site.apply(&[]);
    let workers = site.workers();
    site.guardian().kill().unwrap();
    assert_eq!(site.apply(&[]).0, Some(0));
    assert!(workers.iter().all(|worker| !worker.is_alive()));
    assert_eq!(site.status().0, Some(0));
}

#[test]
fn a_state_that_was_written_before_the_machine_started_anew_is_released() {
    let site = Site::new(2);
    site.apply(&[]);
    site.guardian().kill().unwrap();
    let ledger = site.place.path("state/runs/guardian/ledger");
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap();
    let text = fs::read_to_string(&ledger).unwrap();
    let workers = site.workers();
    let other = text.replace(boot.trim(), "00000000-0000-0000-0000-000000000000");
    fs::write(&ledger, other).unwrap();
    assert_eq!(site.release()["left"], json!([]));
    assert!(
        workers[0].is_alive(),
        "pids of another start are somebody else's"
    );
    workers[0].kill().unwrap();
    assert!(!site.place.path("state").exists());
}

#[test]
fn other_names_of_a_file_are_held_once_and_those_outside_the_site_refuse_it() {
    let site = Site::new(2);
    fs::hard_link(site.file("0.html"), site.file("same.html")).unwrap();
    fs::hard_link(site.file("1.html"), site.place.path("outside")).unwrap();
    site.plan(&[b"/0.html", b"/same.html", b"/1.html"], 1 << 30);
    let (code, applied) = site.apply(&[]);
    assert_eq!(code, Some(4));
    assert_eq!(applied["held"], json!({"objects": 2, "bytes": 10_000}));
    assert_eq!(applied["left_out"][0]["path"], "/1.html");
    assert_eq!(site.locked_bytes(), 12_288);
}

#[test]
fn the_least_valuable_files_are_left_out_when_the_plans_memory_is_full() {
    let site = Site::new(4);
    let paths: [&[u8]; 4] = [b"/3.html", b"/2.html", b"/1.html", b"/0.html"];
    site.plan(&paths, 30_000);
    let (code, applied) = site.apply(&[]);
    assert_eq!(code, Some(4));
    let left_out: Vec<&Value> = (applied["left_out"].as_array().unwrap().iter())
        .map(|file| &file["path"])
        .collect();
    assert_eq!(left_out, ["/1.html", "/0.html"]);
    assert!(
        applied["left_out"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("no room")
    );
}

#[test]
fn sparse_and_empty_files_take_what_their_size_says() {
    let site = Site::new(0);
    site.write("/empty", b"");
    fs::File::create(site.file("sparse"))
        .unwrap()
        .set_len(1 << 20)
        .unwrap();
    fs::File::create(site.file("huge"))
        .unwrap()
        .set_len(1 << 42)
        .unwrap();
    site.plan(&[b"/huge", b"/empty", b"/sparse"], 1 << 43);
    let (code, applied) = site.apply(&[]);
    assert_eq!(code, Some(4), "{applied}");
    assert_eq!(applied["held"], json!({"objects": 2, "bytes": 1 << 20}));
    assert_eq!(applied["left_out"][0]["path"], "/huge");
    assert_eq!(site.status().0, Some(0));
}

#[test]
fn the_servers_group_pays_for_what_is_held_even_where_it_was_cached_before() {
    let Some(group) = Group::new("pays", 64 << 20) else {
        return;
    };
    let site = Site::new(0);
    // Written, and so cached, by this test, in another group.
    site.write("/big", &vec![b'x'; 8 << 20]);
    site.plan(&[b"/big"], 1 << 30);
    let (code, applied) = site.apply(&["--server", &group.argument()]);
    assert_eq!(code, Some(0), "{applied}");
    assert_eq!(applied["charge"]["missing_bytes"], 0, "{applied}");
    // The kernel adds up what its processors count now and then.
    within(Duration::from_secs(10), || {
        group.unevictable_bytes() >= 8 << 20
    });
    let budget = applied["memory"]["budget_bytes"].as_u64().unwrap();
    assert!(
        budget <= (64 << 20) - (64 << 20) / 20,
        "headroom is kept: {budget}"
    );
    site.release();
    assert!(group.unevictable_bytes() < 1 << 20);
}

#[test]
fn a_group_is_not_filled_beyond_its_headroom_and_nothing_is_killed() {
    let Some(group) = Group::new("full", 16 << 20) else {
        return;
    };
    let site = Site::new(0);
    let names: Vec<String> = (0..10).map(|number| format!("/{number}")).collect();
    for name in &names {
        site.write(name, &vec![b'x'; 4 << 20]);
    }
    let paths: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    site.plan(&paths, 1 << 30);
    let (code, applied) = site.apply(&["--server", &group.argument()]);
    assert_eq!(code, Some(4), "{applied}");
    assert_eq!(applied["held"]["objects"], 3, "{applied}");
    assert_eq!(
        applied["left_out"][0]["path"], "/3",
        "the most valuable are held"
    );
    assert_eq!(site.status().0, Some(0));
    // Somebody takes what is left: the least valuable file goes, and nobody is killed.
    let kills = || fs::read_to_string(group.0.join("memory.oom_control")).unwrap();
    assert!(kills().contains("oom_kill 0"), "{}", kills());
}

#[test]
fn what_cannot_be_asked_for_is_refused_before_anything_is_made() {
    let site = Site::new(1);
    let refuse = |more: &[&str]| {
        let apply = [
            "apply",
            "plan.json",
            "--root",
            "shop=www",
            "--state",
            "state",
        ];
        Failure::of(site.place.hotset(apply.iter().chain(more)))
    };
    refuse(&["--server", "pid:/no/such/file"]).has_code(1);
    refuse(&["--server", "cgroup:/no/such/group"]).has_code(1);
    refuse(&["--server", "nginx"]).has_code(2);
    refuse(&["--placer", "magic"]).has_code(2);
    refuse(&["--node", "other"]).has_code(2);
    refuse(&["--root", "shop=/no/such/folder"]).has_code(1);
    assert!(!site.place.path("state").exists());
    site.place.write("plan.json", b"{\"version\": 99}");
    refuse(&[]).has_code(1);
    site.place.write("plan.json", b"not a plan");
    refuse(&[]).has_code(1);
}

/// Becomes a user without any rights, who may lock 40 960 bytes.
const AS_NOBODY: [&str; 7] = [
    "prlimit",
    "--memlock=40960:40960",
    "setpriv",
    "--reuid=65534",
    "--regid=65534",
    "--clear-groups",
    "--bounding-set=-all",
];

#[test]
fn an_ordinary_user_locks_as_much_as_the_limit_allows_and_is_told_what_to_raise() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let site = Site::new(4);
    for path in [site.place.folder(), &site.place.path("www")] {
        chown(path, Some(65_534), Some(65_534)).unwrap();
    }
    for number in 0..4 {
        chown(
            site.file(&format!("{number}.html")),
            Some(65_534),
            Some(65_534),
        )
        .unwrap();
    }
    let hotset = |args: &[&str]| {
        let mut command = Command::new(AS_NOBODY[0]);
        command
            .args(&AS_NOBODY[1..])
            .arg(support::hotset())
            .args(args);
        command.current_dir(site.place.folder()).output().unwrap()
    };
    let apply = [
        "apply",
        "plan.json",
        "--root",
        "shop=www",
        "--state",
        "state",
        "--json",
    ];
    let applied = hotset(&apply);
    assert_eq!(applied.status.code(), Some(4), "{applied:?}");
    let applied: Value = serde_json::from_slice(&applied.stdout).unwrap();
    assert_eq!(applied["held"]["objects"], 3, "{applied}");
    let reason = applied["left_out"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("40960") && reason.contains("LimitMEMLOCK"),
        "{reason}"
    );
    let status = hotset(&["status", "--state", "state"]);
    assert_eq!(status.status.code(), Some(0), "{status:?}");
    // Somebody else's state is not to be used by root, who could be made to kill any process with it.
    let foreign = site.place.hotset([
        "apply",
        "plan.json",
        "--root",
        "shop=www",
        "--state",
        "state",
    ]);
    Failure::of(foreign).has_code(1).says("another user");
    let foreign = site.place.hotset(["release", "--state", "state"]);
    Failure::of(foreign).has_code(1).says("another user");
    assert!(hotset(&["release", "--state", "state"]).status.success());
    assert!(!site.place.path("state").exists());
}
