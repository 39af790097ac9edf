//! `hotset apply`, `hotset status` and `hotset release`: files are held, checked and let go.

use crate::support;
use hotset_test_support::skip;

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::support::Failure;
use crate::support::schema::holds_to;
use crate::support::site::{Group, PATIENCE, Site, within};
use hotset_machine::{ProcessIdentity, Residency};
use serde_json::{Value, json};

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
fn a_plan_keeps_the_roots_that_it_was_made_with() {
    let site = Site::new(3);
    let place = &site.place;
    let line = |i: usize| support::combined_line(&format!("/{}.html", i % 3), 10_000);
    let log: String = (0..300).map(line).collect();
    place.write("a.log", log.as_bytes());
    let plan = |root: &str| {
        place.hotset([
            "plan",
            "--memory",
            "1MiB",
            "--root",
            root,
            "a.log",
            "-o",
            "made.json",
        ])
    };
    Failure::of(plan("shop=www"))
        .has_code(1)
        .says("no site is named \"shop\": the sites are all");
    assert!(plan("www").status.success());
    let plan: Value = serde_json::from_slice(&fs::read(place.path("made.json")).unwrap()).unwrap();
    let folder = fs::canonicalize(place.path("www")).unwrap();
    assert_eq!(
        plan["roots"],
        json!([{"site": "all", "prefix": "/", "folder": folder}])
    );
    // What a plan holds is another matter: here, files of a site called `shop`.
    let read = |name: &str| fs::read(place.path(name)).unwrap();
    let mut whole: Value = serde_json::from_slice(&read("plan.json")).unwrap();
    whole["roots"] = json!([{"site": "shop", "prefix": "/", "folder": folder}]);
    place.write("plan.json", whole.to_string().as_bytes());
    fs::create_dir(place.path("elsewhere")).unwrap();
    for (roots, held) in [
        (&[][..], 3),
        (&["--root", "elsewhere"][..], 0),
        (&["--root", "www"], 3),
    ] {
        let (_, applied) = site.apply_with(&[roots, &["--dry-run"]].concat());
        assert_eq!(applied["held"]["objects"], held, "{roots:?} {applied}");
    }
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

#[test]
fn a_plan_of_which_nothing_can_be_held_is_a_fault() {
    let site = Site::new(0);
    site.plan(&[b"/gone", b"/away"], 1 << 30);
    assert_eq!(site.apply(&[]).0, Some(4));
    let (code, status) = site.status();
    assert_eq!((code, &status["state"]), (Some(3), &json!("degraded")));
    let fault = status["faults"][0].as_str().unwrap();
    assert!(fault.contains("no file is held"), "{fault}");
    assert!(fault.contains("no such file"), "{fault}");
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
    within(PATIENCE, || site.locked_bytes() == (5 + 13 + 1) * 4_096);
    // It comes back when the file does.
    site.write("/3.html", b"back");
    within(PATIENCE, || site.locked_bytes() == (5 + 13 + 1 + 1) * 4_096);
}

#[test]
fn a_file_that_is_replaced_and_one_whose_holder_dies_are_held_again_within_two_seconds() {
    let site = Site::new(4);
    site.apply(&[]);
    site.is_held_again_in_time_after(|site| {
        site.write("/next", &[b'y'; 20_000]);
        fs::rename(site.file("next"), site.file("0.html")).unwrap();
    });
    site.is_held_again_in_time_after(|site| {
        site.workers()[0].kill().unwrap();
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
fn a_plan_for_files_that_have_changed_since_holds_them_as_they_are() {
    let site = Site::new(3);
    site.write("/0.html", &[b'y'; 70_000]);
    site.write("/1.html", b"");
    fs::remove_file(site.file("2.html")).unwrap();
    fs::create_dir(site.file("2.html")).unwrap();
    let (code, applied) = site.apply(&[]);
    assert_eq!(code, Some(4));
    assert_eq!(applied["held"], json!({"objects": 2, "bytes": 70_000}));
    let reason = applied["left_out"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("not a regular file"), "{reason}");
    assert_eq!(site.locked_bytes(), 18 * 4_096);
}

#[test]
fn a_scenario_with_its_own_logs_is_planned_for_and_applied() {
    let site = Site::new(0);
    let made = [
        "generate",
        "zipf",
        "--objects",
        "60",
        "--working-set",
        "1MiB",
        "--requests",
        "4000",
        "--files",
        "files",
        "--log",
        "access.log",
    ];
    site.place.succeeds(made);
    let scenario = "[[node]]\nname = \"web\"\nmemory = \"512KiB\"\n\
        [[store]]\nname = \"disk\"\nprofile = \"hdd\"\n\
        [[site]]\nname = \"shop\"\nmatch = \"/*\"\nstore = \"disk\"\nroot = \"files/zipf\"\n";
    site.place.write("without.toml", scenario.as_bytes());
    let with_log = format!("log = \"access.log\"\n{scenario}");
    site.place.write("shop.toml", with_log.as_bytes());
    let apply = |file| ["apply", file, "--state", "state", "--json"];
    Failure::of(site.place.hotset(apply("without.toml")))
        .has_code(1)
        .says("`log`");
    let (code, applied) = site.run(apply("shop.toml"));
    assert_eq!(code, Some(0), "{applied}");
    site.place.succeeds([
        "plan",
        "--scenario",
        "shop.toml",
        "-o",
        "by-hand.json",
        "access.log",
    ]);
    let plan = fs::read(site.place.path("by-hand.json")).unwrap();
    let plan: Value = serde_json::from_slice(&plan).unwrap();
    let planned = plan["files"].as_array().unwrap().len();
    assert!(planned > 0);
    assert_eq!(applied["held"]["objects"], planned);
    assert_eq!(site.status().0, Some(0));
    // The options of both say where files are.
    let nowhere = scenario.replace("root = \"files/zipf\"\n", "");
    site.place.write(
        "nowhere.toml",
        format!("log = \"access.log\"\n{nowhere}").as_bytes(),
    );
    Failure::of(site.place.hotset(apply("nowhere.toml")))
        .has_code(2)
        .says("--root");
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
    within(PATIENCE, || group.unevictable_bytes() >= 8 << 20);
    let budget = applied["memory"]["budget_bytes"].as_u64().unwrap();
    assert!(
        budget <= (64 << 20) - (64 << 20) / 20,
        "headroom is kept: {budget}"
    );
    site.release();
    within(PATIENCE, || group.unevictable_bytes() < 1 << 20);
}

#[test]
fn what_the_server_has_read_itself_is_not_read_again_to_be_held() {
    if !rustix::process::geteuid().is_root() {
        return skip("only root is told which group a page is charged to");
    }
    let Some(group) = Group::new("reads", 64 << 20) else {
        return;
    };
    let site = Site::new(0);
    site.write("/big", &vec![b'x'; 8 << 20]);
    site.plan(&[b"/big"], 1 << 30);
    let file = fs::File::open(site.file("/big")).unwrap();
    file.sync_all().unwrap();
    rustix::fs::fadvise(&file, 0, None, rustix::fs::Advice::DontNeed).unwrap();
    let read = "echo $$ > \"$0\" && exec cat \"$1\" > /dev/null";
    let read = Command::new("sh")
        .args(["-c", read])
        .args([group.0.join("cgroup.procs"), site.file("/big")])
        .status();
    assert!(read.unwrap().success());
    let before = group.pages_charged();
    let (code, applied) = site.apply(&["--server", &group.argument()]);
    assert_eq!(code, Some(0), "{applied}");
    assert_eq!(applied["charge"]["missing_bytes"], 0, "{applied}");
    within(PATIENCE, || group.unevictable_bytes() >= 8 << 20);
    // The file has 2048 pages; the processes that hold it have some of their own.
    let charged = group.pages_charged() - before;
    assert!(charged < 1500, "{charged} pages");
}

#[test]
fn a_group_is_not_filled_beyond_its_headroom_and_nothing_is_killed() {
    let Some(group) = Group::new("full", 32 << 20) else {
        return;
    };
    let site = Site::new(0);
    let names: Vec<String> = (0..10).map(|number| format!("/{number}")).collect();
    for name in &names {
        site.write(name, &vec![b'x'; 8 << 20]);
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
    refuse(&["--server", "pid:/no/such/file"])
        .has_code(1)
        .says("name the file that it writes its pid to");
    make_pipe(&site.place.path("pipe"));
    refuse(&["--server", "pid:pipe"]).has_code(1).says("pid");
    refuse(&["--server", "cgroup:/no/such/group"])
        .has_code(1)
        .says("/proc/PID/cgroup");
    let without_systemd = if Path::new("/run/systemd/system").exists() {
        "systemctl"
    } else {
        "pid:FILE"
    };
    refuse(&["--server", "unit:hotset-has-no-such-unit"])
        .has_code(1)
        .says(without_systemd);
    refuse(&["--server", "nginx"]).has_code(2);
    refuse(&["--placer", "magic"]).has_code(2);
    refuse(&["--node", "other"]).has_code(2);
    refuse(&["--root", "shop=/no/such/folder"]).has_code(1);
    assert!(!site.place.path("state").exists());
    site.place.write("plan.json", b"{\"version\": 99}");
    refuse(&[]).has_code(1);
    site.place.write("plan.json", b"not a plan");
    refuse(&[]).has_code(1);
    let plan = site.place.path("plan.json");
    fs::remove_file(&plan).unwrap();
    refuse(&[]).has_code(1).says("`hotset plan -o plan.json");
    // Nobody writes to it, and nobody is waited for.
    make_pipe(&plan);
    refuse(&[]).has_code(1);
}

fn make_pipe(at: &Path) {
    let made = Command::new("mkfifo").arg(at).status();
    assert!(made.unwrap().success());
}

#[test]
fn a_state_whose_name_is_misspelt_is_refused() {
    let site = Site::new(1);
    site.apply(&[]);
    let state = site.place.path("state");
    let held = state.to_str().unwrap();
    for (misspelt, says) in [("stat", held), ("stat/e", "no such folder")] {
        for command in ["release", "status"] {
            let failure = Failure::of(site.place.hotset([command, "--state", misspelt]));
            failure.has_code(1).says(says);
        }
    }
    assert_eq!(site.status().0, Some(0));
    // What has to be released first is said by the command that does it.
    let other = [
        "apply",
        "plan.json",
        "--root",
        "shop=www",
        "--state",
        "state",
        "--placer",
        "hot-root",
    ];
    let release = format!("`hotset release --state {held}`");
    for more in [&[][..], &["--dry-run"]] {
        let failure = Failure::of(site.place.hotset(other.iter().chain(more)));
        failure.has_code(1).says(&release);
    }
}

#[test]
fn a_plan_that_is_applied_again_does_not_tell_the_figures_of_the_first_time() {
    let Some(group) = Group::new("again", 64 << 20) else {
        return;
    };
    let site = Site::new(2);
    let server = ["--server", &group.argument()];
    assert!(site.apply(&server).1["charge"].is_object());
    let (code, applied) = site.apply(&server);
    assert_eq!(
        (code, &applied["charge"]),
        (Some(0), &Value::Null),
        "{applied}"
    );
}

#[test]
fn files_that_lie_in_memory_are_said_to_stay_charged_to_others() {
    let Some(group) = Group::new("tmpfs", 64 << 20) else {
        return;
    };
    let site = Site::new(1);
    let shm = tempfile::tempdir_in("/dev/shm").unwrap();
    fs::write(shm.path().join("0.html"), [b'x'; 10_000]).unwrap();
    let root = format!("shop={}", shm.path().display());
    let (code, applied) = site.apply_with(&["--root", &root, "--server", &group.argument()]);
    assert_eq!(code, Some(0), "{applied}");
    assert_eq!(applied["charge"]["lay_in_memory"], true, "{applied}");
}

/// Stops the guardian of an `apply` that is under way before it has placed everything.
fn stopped_while_placing(site: &Site) -> Option<(std::process::Child, ProcessIdentity)> {
    let mut apply = Command::new(support::hotset());
    apply.args([
        "apply",
        "plan.json",
        "--root",
        "shop=www",
        "--state",
        "state",
    ]);
    apply.current_dir(site.place.folder()).stdout(Stdio::null());
    let mut apply = apply.spawn().unwrap();
    let run = site.place.path("state/runs/guardian");
    let owner = || hotset_machine::ledger::owner(&run).ok().flatten();
    within(PATIENCE, || owner().is_some());
    let guardian = owner().unwrap();
    signal(&guardian, "-STOP");
    if !run.join("state.json").exists() {
        return Some((apply, guardian));
    }
    signal(&guardian, "-CONT");
    apply.wait().unwrap();
    site.release();
    None
}

fn signal(process: &ProcessIdentity, name: &str) {
    let sent = Command::new("kill")
        .args([name, &process.pid.to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_first_plan_that_is_being_applied_is_told_from_none() {
    let site = Site::new(2_000);
    let stopped = (0..20).find_map(|_| stopped_while_placing(&site));
    let (mut apply, guardian) = stopped.expect("it was too quick");
    let (code, status) = site.status();
    holds_to("status.json", &status);
    assert_eq!((code, &status["state"]), (Some(3), &json!("placing")));
    // Whoever does not wait for it is told what goes on.
    signal(&guardian, "-CONT");
    assert!(apply.wait().unwrap().success());
    assert_eq!(site.status().1["state"], "held");
}

#[test]
fn whoever_interrupts_an_apply_is_told_that_it_goes_on() {
    let site = Site::new(2_000);
    let stopped = (0..20).find_map(|_| {
        let mut apply = Command::new(support::hotset());
        apply.args([
            "apply",
            "plan.json",
            "--root",
            "shop=www",
            "--state",
            "state",
        ]);
        apply.current_dir(site.place.folder()).stdout(Stdio::null());
        let apply = apply.stderr(Stdio::piped()).spawn().unwrap();
        let run = site.place.path("state/runs/guardian");
        // Its first line names the guardian, the second what that makes when it is asked.
        let lines =
            || fs::read_to_string(run.join("ledger")).map_or(0, |text| text.lines().count());
        within(PATIENCE, || lines() >= 2);
        let interrupted = Command::new("kill")
            .args(["-INT", &apply.id().to_string()])
            .status();
        assert!(interrupted.unwrap().success());
        let output = apply.wait_with_output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let was_in_time = output.status.code() == Some(130);
        if !was_in_time {
            site.release();
        }
        was_in_time.then_some(said)
    });
    let said = stopped.expect("it was too quick");
    assert!(
        said.contains("placing goes on") && said.contains("hotset release"),
        "{said}"
    );
    site.is_held_again();
}

#[test]
fn a_server_that_moves_to_another_memory_group_is_followed() {
    let (Some(first), Some(second)) = (Group::new("from", 64 << 20), Group::new("to", 64 << 20))
    else {
        return;
    };
    let site = Site::new(0);
    site.write("/big", &vec![b'x'; 8 << 20]);
    site.plan(&[b"/big"], 1 << 30);
    let mut server = Command::new("sleep").arg("600").spawn().unwrap();
    let pid = server.id().to_string();
    fs::write(first.0.join("cgroup.procs"), &pid).unwrap();
    site.place.write("pid", pid.as_bytes());
    let named = format!("pid:{}", site.place.path("pid").display());
    assert_eq!(site.apply(&["--server", &named]).0, Some(0));
    fs::write(second.0.join("cgroup.procs"), &pid).unwrap();
    within(PATIENCE, || second.unevictable_bytes() >= 8 << 20);
    within(PATIENCE, || first.unevictable_bytes() < 1 << 20);
    site.is_held_again();
    site.release();
    server.kill().unwrap();
    server.wait().unwrap();
}

#[test]
fn a_site_whose_name_is_misspelt_is_refused_and_what_is_held_stays() {
    let site = Site::new(2);
    site.apply(&[]);
    let refuse = |roots: &[&str]| {
        let apply = ["apply", "plan.json", "--state", "state"];
        Failure::of(site.place.hotset(apply.iter().chain(roots)))
    };
    refuse(&["--root", "shopp=www"]).has_code(2).says("shop");
    assert_eq!(site.status().0, Some(0));
    assert_eq!(site.locked_bytes(), 2 * 12_288);
}

#[test]
fn a_guardian_whose_folder_was_removed_lets_go_of_everything() {
    let site = Site::new(2);
    site.apply(&[]);
    let (guardian, workers) = (site.guardian(), site.workers());
    fs::remove_dir_all(site.place.path("state")).unwrap();
    within(PATIENCE, || {
        !guardian.is_alive() && workers.iter().all(|worker| !worker.is_alive())
    });
}
