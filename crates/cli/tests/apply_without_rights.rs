//! Files held by ordinary users, and what others can do about it.

use crate::support;
use hotset_test_support::skip;

use std::fs;
use std::os::unix::fs::chown;
use std::path::Path;
use std::process::Command;

use crate::support::Failure;
use crate::support::site::{Group, Site};
use serde_json::{Value, json};

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

/// What `hotset run` follows.
const SCENARIO: &[u8] = b"log = \"access.log\"\n[[node]]\nname = \"web\"\nmemory = \"1MiB\"\n\
    [[store]]\nname = \"disk\"\nprofile = \"hdd\"\n[[site]]\nname = \"shop\"\nstore = \"disk\"\nroot = \"www\"\nmatch = \"/*\"\n";

/// A site that belongs, with the folder around it, to the user without rights.
fn of_nobody(files: usize) -> Option<Site> {
    if !rustix::process::geteuid().is_root() {
        return None;
    }
    let site = Site::new(files);
    for path in [site.place.folder(), &site.place.path("www")] {
        chown(path, Some(65_534), Some(65_534)).unwrap();
    }
    for number in 0..files {
        let file = site.file(&format!("{number}.html"));
        chown(file, Some(65_534), Some(65_534)).unwrap();
    }
    Some(site)
}

/// Runs a line of shell, in which `hotset` is the command, as the user without rights.
fn as_nobody(site: &Site, line: &str) -> std::process::Output {
    let line = line.replace("hotset", support::hotset().to_str().unwrap());
    let mut command = Command::new(AS_NOBODY[0]);
    command.args(&AS_NOBODY[1..]).args(["sh", "-c", &line]);
    command.current_dir(site.place.folder()).output().unwrap()
}

#[test]
fn a_user_without_the_right_to_mount_is_told_which_one_it_is() {
    let Some(site) = of_nobody(1) else { return };
    let line = "hotset apply plan.json --root shop=www --state state --placer hot-root";
    let refused = as_nobody(&site, line);
    Failure::of(refused).has_code(1).says("CAP_SYS_ADMIN");
    let refused = as_nobody(&site, &format!("{line} --dry-run"));
    Failure::of(refused).has_code(1).says("CAP_SYS_ADMIN");
    let refused = as_nobody(&site, "hotset exec -- true");
    Failure::of(refused).has_code(1).says("unshare -Ur");
    let line = "hotset apply plan.json --root shop=www --state /no-state-of-users";
    let hint = "name a folder of your own with --state, or run hotset as root";
    Failure::of(as_nobody(&site, line)).has_code(1).says(hint);
    site.place.write("sites.toml", SCENARIO);
    let line = "hotset run sites.toml --state /no-state-of-users";
    Failure::of(as_nobody(&site, line)).has_code(1).says(hint);
    // What may not be read is left out, with the right that it takes.
    chown(site.file("0.html"), Some(0), Some(0)).unwrap();
    fs::set_permissions(
        site.file("0.html"),
        std::os::unix::fs::PermissionsExt::from_mode(0o600),
    )
    .unwrap();
    let line = "hotset apply plan.json --root shop=www --state state --owner 0 --json";
    let applied = as_nobody(&site, line);
    assert_eq!(applied.status.code(), Some(4));
    let applied = String::from_utf8(applied.stdout).unwrap();
    assert!(applied.contains("CAP_DAC_READ_SEARCH"), "{applied}");
    as_nobody(&site, "hotset release --state state");
}

#[test]
fn an_ordinary_user_holds_files_in_a_user_namespace_where_the_kernel_lets_it() {
    let Some(site) = of_nobody(2) else { return };
    if !as_nobody(&site, "unshare -Urm true").status.success() {
        skip("the kernel gives ordinary users no namespaces");
        return;
    }
    for placer in ["pin", "hot-root"] {
        let line = format!(
            "exec unshare -Urm sh -c '
             hotset apply plan.json --root shop=www --state state --placer {placer} || exit
             hotset status --state state || exit
             test {placer} = pin || cmp state/copies/shop/1.html www/1.html || exit
             hotset release --state state && test ! -e state'"
        );
        let done = as_nobody(&site, &line);
        assert!(done.status.success(), "{placer}: {done:?}");
    }
    // A server with mounts of its own in the same user namespace.
    let line = "exec unshare -Urm sh -c '
         hotset exec -- sleep 60 & server=$!; echo $server > pid
         until test $(readlink /proc/$server/ns/mnt) != $(readlink /proc/$$/ns/mnt); do sleep 0.05; done
         hotset apply plan.json --root shop=www --state state --placer bind --server pid:pid || exit
         hotset status --state state || exit
         hotset release --state state && test ! -e state; code=$?; kill $server; exit $code'";
    let done = as_nobody(&site, line);
    assert!(done.status.success(), "bind: {done:?}");
    // Being root there does not lift the limit of locked memory.
    let names: Vec<String> = (0..8).map(|number| format!("/{number}.html")).collect();
    for name in &names {
        site.write(name, &[b'x'; 10_000]);
        chown(site.file(name), Some(65_534), Some(65_534)).unwrap();
    }
    let paths: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    site.plan(&paths, 1 << 30);
    let line = "exec unshare -Urm sh -c '
         hotset apply plan.json --root shop=www --state state --placer pin --json; echo $? >&2
         hotset release --state state > /dev/null'";
    let done = as_nobody(&site, line);
    let said = String::from_utf8(done.stdout).unwrap();
    assert!(said.contains("limit of locked memory"), "{said}");
}

#[test]
fn an_ordinary_user_locks_as_much_as_the_limit_allows_and_is_told_what_to_raise() {
    if !rustix::process::geteuid().is_root() {
        return skip("only root can become another user");
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
    assert!(hotset(&["release", "--state", "state"]).status.success());
    site.apply(&[]);
    let status = hotset(&["status", "--state", "state"]);
    Failure::of(status).has_code(1).says("who applied the plan");
    site.release();
    assert_eq!(hotset(&apply).status.code(), Some(4));
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

#[test]
fn a_locked_ledger_is_never_taken_for_nothing_held() {
    let site = Site::new(1);
    site.apply(&[]);
    let ledger = site.place.path("state/runs/guardian/ledger");
    let mode =
        |path: &Path| std::os::unix::fs::MetadataExt::mode(&path.metadata().unwrap()) & 0o777;
    assert_eq!(
        mode(&ledger),
        0o600,
        "others cannot open it, and so not lock it"
    );
    let worker = site.workers()[0].clone();
    let guardian = site.guardian();
    guardian.kill().unwrap();
    let lock = fs::File::open(&ledger).unwrap();
    lock.lock().unwrap();
    let failure = Failure::of(site.place.hotset(["release", "--state", "state"]));
    failure.has_code(1).says("locked");
    assert!(worker.is_alive());
    drop(lock);
    assert_eq!(site.release()["left"], json!([]));
    assert!(!worker.is_alive());
}

#[test]
fn a_lock_that_anybody_can_take_keeps_nobody_from_holding_files() {
    let Some(group) = Group::new("locked", 64 << 20) else {
        return;
    };
    let site = Site::new(1);
    let others = fs::File::open(&group.0).unwrap();
    others.lock().unwrap();
    let (code, applied) = site.apply(&["--server", &group.argument()]);
    assert_eq!(code, Some(0), "{applied}");
    // A state that does hold files for it is named.
    let other = Site::new(1);
    let failure = Failure::of(other.place.hotset([
        "apply",
        "plan.json",
        "--root",
        "shop=www",
        "--state",
        "state",
        "--server",
        &group.argument(),
    ]));
    let state = site.place.path("state");
    failure.has_code(1).says(state.to_str().unwrap());
}
