//! Files held by copies of them: in a hot root, or mounted over them.

use std::fs::{self, Permissions};
use std::io::Write as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, chown};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::support::Failure;
use crate::support::apart::Server;
use crate::support::site::{PATIENCE, Site, may_mount, within};
use hotset_machine::ProcessIdentity;
use rustix::fs::{XattrFlags, getxattr, setxattr};
use serde_json::json;

#[test]
fn a_hot_root_has_copies_with_the_rights_of_their_files_that_nobody_can_change() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    fs::create_dir(site.file("docs")).unwrap();
    site.write("/docs/index.html", b"the docs");
    fs::set_permissions(site.file("docs"), Permissions::from_mode(0o750)).unwrap();
    fs::set_permissions(site.file("docs/index.html"), Permissions::from_mode(0o640)).unwrap();
    chown(site.file("docs"), None, Some(12_345)).unwrap();
    chown(site.file("docs/index.html"), None, Some(12_345)).unwrap();
    site.plan(&[b"/docs/", b"/0.html"], 1 << 30);
    let (code, applied) = site.apply(&["--placer", "hot-root"]);
    assert_eq!(
        (code, &applied["placer"]),
        (Some(0), &json!("hot-root")),
        "{applied}"
    );
    assert_eq!(site.status().0, Some(0));
    let copy = site.place.path("state/copies/shop/docs/index.html");
    assert_eq!(fs::read(&copy).unwrap(), b"the docs");
    for (of, name) in [
        (&copy, "docs/index.html"),
        (&copy.parent().unwrap().into(), "docs"),
    ] {
        let (copied, file) = (of.metadata().unwrap(), site.file(name).metadata().unwrap());
        let rights = |of: &fs::Metadata| (of.uid(), of.gid(), of.mode());
        assert_eq!(rights(&copied), rights(&file), "{name}");
    }
    let modified = |path: &Path| path.metadata().unwrap().modified().unwrap();
    assert_eq!(modified(&copy), modified(&site.file("docs/index.html")));
    let refused = fs::write(&copy, b"changed").unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ReadOnlyFilesystem);
    // Who may not look into a folder any more may not look into its copy either.
    fs::set_permissions(site.file("docs"), Permissions::from_mode(0o700)).unwrap();
    within(PATIENCE, || {
        copy.parent().unwrap().metadata().unwrap().mode() & 0o777 == 0o700
    });
    site.release();
    assert!(!site.place.path("state").exists());
}

#[test]
fn a_copy_is_made_anew_when_its_file_changes_and_goes_with_it() {
    if !may_mount() {
        return;
    }
    let site = Site::new(2);
    site.apply(&["--placer", "hot-root"]);
    let copy = |name: &str| site.place.path("state/copies/shop").join(name);
    let in_place = fs::File::options().write(true).open(site.file("0.html"));
    in_place.unwrap().write_all(b"changed").unwrap();
    within(PATIENCE, || {
        fs::read(copy("0.html")).is_ok_and(|content| content.starts_with(b"changed"))
    });
    fs::set_permissions(site.file("0.html"), Permissions::from_mode(0o600)).unwrap();
    within(PATIENCE, || {
        copy("0.html")
            .metadata()
            .is_ok_and(|copy| copy.mode() & 0o777 == 0o600)
    });
    fs::remove_file(site.file("1.html")).unwrap();
    within(PATIENCE, || !copy("1.html").exists());
    // What was held and is not any more is named, with the reason.
    within(PATIENCE, || {
        site.status().1["problems"][0]["path"] == "/1.html"
    });
    let (code, status) = site.status();
    assert_eq!(code, Some(3));
    let problem = status["problems"][0]["problem"].as_str().unwrap();
    assert!(problem.contains("no such file"), "{problem}");
    assert_eq!(status["problems"].as_array().unwrap().len(), 1, "{status}");
}

/// An access control list as the kernel has it (linux/posix_acl_xattr.h): version 2, then tag, rights and user of each entry.
fn list_of_rights() -> Vec<u8> {
    let entries: [(u16, u16, u32); 5] = [
        (0x01, 6, u32::MAX),
        (0x02, 4, 12_345),
        (0x04, 4, u32::MAX),
        (0x10, 4, u32::MAX),
        (0x20, 0, u32::MAX),
    ];
    let mut list = 2_u32.to_le_bytes().to_vec();
    for (tag, rights, user) in entries {
        list.extend(tag.to_le_bytes());
        list.extend(rights.to_le_bytes());
        list.extend(user.to_le_bytes());
    }
    list
}

fn attribute(of: &Path, name: &str) -> Option<Vec<u8>> {
    let mut value = vec![0; 4_096];
    let length = getxattr(of, name, &mut value[..]).ok()?;
    value.truncate(length);
    Some(value)
}

#[test]
fn copies_have_the_access_control_list_and_the_security_label_of_their_files() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    let server = Server::apart(&site);
    let file = site.file("0.html");
    const LIST: &str = "system.posix_acl_access";
    const LABEL: &str = "security.hotset";
    setxattr(&file, LIST, &list_of_rights(), XattrFlags::empty()).unwrap();
    setxattr(&file, LABEL, b"label", XattrFlags::empty()).unwrap();
    let (bind, hot_root) = (
        ["--placer", "bind", "--server", &server.pid_file],
        ["--placer", "hot-root"],
    );
    let copies = [
        (&hot_root[..], site.place.path("state/copies/shop/0.html")),
        (&bind[..], server.sees(&file)),
    ];
    for (how, copy) in copies {
        assert_eq!(site.apply(how).0, Some(0));
        assert_ne!(
            copy.metadata().unwrap().dev(),
            file.metadata().unwrap().dev()
        );
        assert_eq!(attribute(&copy, LIST).unwrap(), list_of_rights());
        assert_eq!(attribute(&copy, LABEL).unwrap(), b"label");
        let rights = |of: &Path| {
            let of = of.metadata().unwrap();
            (of.uid(), of.gid(), of.mode(), of.mtime(), of.mtime_nsec())
        };
        assert_eq!(rights(&copy), rights(&file));
        // Who loses a right to the file loses it to the copy.
        rustix::fs::removexattr(&file, LIST).unwrap();
        within(PATIENCE, || attribute(&copy, LIST).is_none());
        setxattr(&file, LIST, &list_of_rights(), XattrFlags::empty()).unwrap();
        site.release();
    }
}

#[test]
fn a_copy_is_made_anew_when_its_file_changes_by_another_name() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    fs::create_dir(site.file("elsewhere")).unwrap();
    fs::hard_link(site.file("0.html"), site.file("elsewhere/same")).unwrap();
    assert_eq!(site.apply(&["--placer", "hot-root"]).0, Some(0));
    site.write("/elsewhere/same", b"changed there");
    let copy = site.place.path("state/copies/shop/0.html");
    within(PATIENCE, || {
        fs::read(&copy).is_ok_and(|content| content == b"changed there")
    });
}

#[test]
fn what_does_not_fit_into_a_full_file_system_is_left_out_until_there_is_room() {
    if !may_mount() {
        return;
    }
    let site = Site::new(6);
    site.plan(&[b"/0.html", b"/1.html"], 1 << 30);
    assert_eq!(site.apply(&["--placer", "hot-root"]).0, Some(0));
    let resize = |size: &str| {
        let resized = Command::new("mount")
            .args(["-o", &format!("remount,size={size}")])
            .arg(site.place.path("state/private/copies"))
            .status();
        assert!(resized.unwrap().success());
    };
    // Room for three files of three pages, and folders.
    resize("40k");
    let names: Vec<String> = (0..6).map(|number| format!("/{number}.html")).collect();
    let paths: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    site.plan(&paths, 1 << 30);
    let (code, applied) = site.apply(&["--placer", "hot-root"]);
    assert_eq!(
        (code, &applied["held"]["objects"]),
        (Some(4), &json!(3)),
        "{applied}"
    );
    let reason = applied["left_out"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("No space left"), "{reason}");
    assert_eq!(site.status().0, Some(0), "what is held is sound");
    let copies = || {
        site.place
            .path("state/copies/shop")
            .read_dir()
            .unwrap()
            .count()
    };
    assert_eq!(copies(), 3, "nothing half-made is served");
    resize("1m");
    within(PATIENCE, || copies() == 6);
    site.is_held_again();
}

#[test]
fn copies_that_nobody_keeps_up_to_date_are_withdrawn() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    site.apply(&["--placer", "hot-root"]);
    let copy = site.place.path("state/copies/shop/0.html");
    assert!(copy.exists());
    site.guardian().kill().unwrap();
    within(PATIENCE, || !copy.exists());
    assert_eq!(site.release()["left"], json!([]));
    assert!(!site.place.path("state").exists());
}

fn stop(process: &ProcessIdentity) {
    let stop = Command::new("kill")
        .args(["-STOP", &process.pid.to_string()])
        .status();
    assert!(stop.unwrap().success());
}

#[test]
fn copies_are_withdrawn_when_guardian_and_worker_are_killed_together() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    site.apply(&["--placer", "hot-root"]);
    let copy = site.place.path("state/copies/shop/0.html");
    let (guardian, workers) = (site.guardian(), site.workers());
    stop(&guardian);
    stop(&workers[0]);
    workers[0].kill().unwrap();
    guardian.kill().unwrap();
    within(PATIENCE, || !copy.exists());
    assert_eq!(site.status().0, Some(3));
    assert_eq!(site.release()["left"], json!([]));
    assert!(!site.place.path("state").exists());
}

#[test]
fn copies_of_replaced_files_are_held_again_within_two_seconds() {
    if !may_mount() {
        return;
    }
    let site = Site::new(2);
    let server = Server::apart(&site);
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    for how in [&["--placer", "hot-root"][..], &bind] {
        assert_eq!(site.apply(how).0, Some(0));
        site.is_held_again_in_time_after(|site| {
            site.write("/next", &[b'y'; 20_000]);
            fs::rename(site.file("next"), site.file("0.html")).unwrap();
        });
        site.release();
    }
}

#[test]
fn a_killed_worker_is_replaced_in_the_state_too() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    site.apply(&["--placer", "hot-root"]);
    for at in [0, 1] {
        let worker = site.workers()[at].clone();
        worker.kill().unwrap();
        within(PATIENCE, || !site.workers().contains(&worker));
        site.is_held_again();
    }
}

#[test]
fn nobody_gets_at_a_copy_who_cannot_get_at_its_file() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    let folder = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode));
    let (above, top) = (site.place.path(""), site.place.path("state/copies/shop"));
    let rights = || {
        let top = top.metadata().unwrap();
        (top.mode() & 0o777, top.gid())
    };
    folder(&site.place.path("www"), 0o755).unwrap();
    folder(&above, 0o755).unwrap();
    assert_eq!(site.apply(&["--placer", "hot-root"]).0, Some(0));
    assert_eq!(rights().0, 0o755);
    folder(&above, 0o700).unwrap();
    site.apply(&["--placer", "hot-root"]);
    assert_eq!(rights().0, 0o700);
    chown(&above, None, Some(12_345)).unwrap();
    folder(&above, 0o710).unwrap();
    site.apply(&["--placer", "hot-root"]);
    assert_eq!(rights(), (0o750, 12_345));
    let runs = site.place.path("state/runs").metadata().unwrap();
    assert_eq!(runs.mode() & 0o777, 0o700, "paths of all sites are in it");
}

#[test]
fn folders_of_copies_have_the_access_control_lists_of_the_sites() {
    if !may_mount() {
        return;
    }
    const LIST: &str = "system.posix_acl_access";
    let site = Site::new(0);
    fs::create_dir(site.file("docs")).unwrap();
    site.write("/docs/page", b"page");
    let give = |path: &Path| setxattr(path, LIST, &list_of_rights(), XattrFlags::empty());
    give(&site.file("docs")).unwrap();
    site.plan(&[b"/docs/page"], 1 << 30);
    assert_eq!(site.apply(&["--placer", "hot-root"]).0, Some(0));
    let docs = site.place.path("state/copies/shop/docs");
    assert_eq!(attribute(&docs, LIST).unwrap(), list_of_rights());
    rustix::fs::removexattr(site.file("docs"), LIST).unwrap();
    within(PATIENCE, || attribute(&docs, LIST).is_none());
    // Whom the list of a folder above keeps out is not known: nobody but its owner gets at copies.
    let above = site.place.path("");
    fs::set_permissions(&above, Permissions::from_mode(0o755)).unwrap();
    give(&above).unwrap();
    fs::set_permissions(&above, Permissions::from_mode(0o755)).unwrap();
    site.apply(&["--placer", "hot-root"]);
    let top = site.place.path("state/copies/shop").metadata().unwrap();
    assert_eq!(top.mode() & 0o777, 0o700);
}

#[test]
fn files_that_htaccess_rules_govern_have_no_copies_unless_the_server_is_no_apache() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    fs::create_dir_all(site.file("a/b")).unwrap();
    site.write("/a/b/page", b"page");
    site.write("/a?b", b"question");
    site.plan(&[b"/0.html", b"/a/b/page", b"/a?b"], 1 << 30);
    let (code, applied) = site.apply(&["--placer", "hot-root"]);
    assert_eq!((code, &applied["held"]["objects"]), (Some(4), &json!(2)));
    let reason = applied["left_out"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("question mark"), "{reason}");
    let copy = site.place.path("state/copies/shop/a/b/page");
    assert!(copy.exists());
    site.write("/a/.htaccess", b"Require all denied");
    within(PATIENCE, || !copy.exists());
    within(PATIENCE, || {
        let (code, status) = site.status();
        code == Some(3) && status["problems"].to_string().contains("a/.htaccess")
    });
    assert!(site.place.path("state/copies/shop/0.html").exists());
    fs::remove_file(site.file("a/.htaccess")).unwrap();
    within(PATIENCE, || copy.exists());
    site.release();
    site.write("/a/.htaccess", b"Require all denied");
    let server = Server::start(&site, &["env"]);
    let how = ["--placer", "hot-root", "--server", &server.pid_file];
    let (code, applied) = site.apply(&how);
    assert_eq!(
        (code, &applied["held"]["objects"]),
        (Some(0), &json!(3)),
        "{applied}"
    );
    site.release();
}

#[test]
fn a_file_that_somebody_writes_to_is_not_bound() {
    if !may_mount() {
        return;
    }
    let site = Site::new(2);
    let server = Server::apart(&site);
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    let writer = fs::File::options().append(true).open(site.file("1.html"));
    let (code, applied) = site.apply(&bind);
    assert_eq!(
        (code, &applied["held"]["objects"]),
        (Some(4), &json!(1)),
        "{applied}"
    );
    let reason = applied["left_out"][0]["reason"].as_str().unwrap();
    assert!(reason.contains("--placer pin"), "{reason}");
    drop(writer);
    let www = site.place.path("www");
    within(PATIENCE, || server.mounts_below(&www) == 2);
}

#[test]
fn every_name_of_a_file_has_the_copy() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    std::os::unix::fs::symlink("0.html", site.file("link.html")).unwrap();
    fs::hard_link(site.file("0.html"), site.file("same.html")).unwrap();
    site.plan(&[b"/0.html", b"/link.html", b"/same.html"], 1 << 30);
    let server = Server::apart(&site);
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    for how in [&["--placer", "hot-root"][..], &bind] {
        let (code, applied) = site.apply(how);
        assert_eq!(code, Some(0), "{applied}");
        assert_eq!(applied["held"], json!({"objects": 3, "bytes": 10_000}));
        let (code, status) = site.status();
        assert_eq!(code, Some(0), "{status}");
        site.write("/0.html", b"written in place");
        site.is_held_again();
        site.plan(&[b"/0.html", b"/same.html"], 1 << 30);
        assert_eq!(site.apply(how).0, Some(0));
        assert!(!site.place.path("state/copies/shop/link.html").exists());
        site.release();
        site.plan(&[b"/0.html", b"/link.html", b"/same.html"], 1 << 30);
        site.write("/0.html", &[b'x'; 10_000]);
    }
}

#[test]
fn no_copy_stays_mounted_that_is_not_held_when_folders_are_renamed() {
    if !may_mount() {
        return;
    }
    let site = Site::new(0);
    fs::create_dir(site.file("d")).unwrap();
    let names: Vec<String> = (0..50).map(|number| format!("/d/{number}")).collect();
    for name in &names {
        site.write(name, b"old");
    }
    let paths: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    site.plan(&paths, 1 << 30);
    let server = Server::apart(&site);
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    let (here, there) = (site.file("d"), site.file("e"));
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !is_over.load(Ordering::Relaxed) {
                fs::rename(&here, &there).unwrap();
                thread::sleep(Duration::from_millis(2));
                fs::rename(&there, &here).unwrap();
                thread::sleep(Duration::from_millis(3));
            }
        });
        for _ in 0..4 {
            site.apply(&bind);
            thread::sleep(Duration::from_millis(700));
        }
        is_over.store(true, Ordering::Relaxed);
    });
    for name in &names {
        site.write(name, b"new bytes");
    }
    let is_new = |name: &String| {
        fs::read(server.sees(&site.file(name))).is_ok_and(|content| content == b"new bytes")
    };
    within(PATIENCE, || names.iter().all(is_new));
    within(PATIENCE, || {
        server.mounts_below(&site.place.path("www")) == 50 && site.status().0 == Some(0)
    });
}

#[test]
fn copies_whose_keepers_were_all_killed_are_no_longer_called_held() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    site.apply(&["--placer", "hot-root"]);
    let (guardian, workers) = (site.guardian(), site.workers());
    // A stopped process cannot withdraw before it is killed, or start another.
    for process in workers.iter().chain([&guardian]) {
        stop(process);
    }
    guardian.kill().unwrap();
    for worker in &workers {
        worker.kill().unwrap();
    }
    let (code, status) = site.status();
    assert_eq!(code, Some(3));
    let faults = status["faults"].to_string();
    assert!(
        faults.contains("guardian is dead") && faults.contains("out of date"),
        "{faults}"
    );
    assert_eq!(site.release()["left"], json!([]));
    assert!(!site.place.path("state").exists());
}

#[test]
fn many_copies_are_bound_and_given_up_together() {
    if !may_mount() {
        return;
    }
    let site = Site::new(300);
    let server = Server::apart(&site);
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    assert_eq!(site.apply(&bind).0, Some(0));
    let www = site.place.path("www");
    assert_eq!(server.mounts_below(&www), 300);
    site.plan(&[b"/7.html"], 1 << 30);
    assert_eq!(site.apply(&bind).0, Some(0));
    assert_eq!(server.mounts_below(&www), 1);
    assert_eq!(site.status().0, Some(0));
}

#[test]
fn copies_are_bound_over_the_files_that_the_server_sees_and_nobody_else_sees_them() {
    if !may_mount() {
        return;
    }
    let site = Site::new(2);
    let server = Server::apart(&site);
    let device = |path: &Path| path.metadata().unwrap().dev();
    let (file, seen) = (site.file("0.html"), server.sees(&site.file("0.html")));
    assert_eq!(device(&seen), device(&file));
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    let (code, applied) = site.apply(&bind);
    assert_eq!(
        (code, &applied["placer"]),
        (Some(0), &json!("bind")),
        "{applied}"
    );
    assert_eq!(site.status().0, Some(0), "{}", site.status().1);
    assert_ne!(device(&seen), device(&file), "the server sees the copy");
    assert_eq!(fs::read(&seen).unwrap(), fs::read(&file).unwrap());
    assert_eq!(
        seen.metadata().unwrap().modified().unwrap(),
        file.metadata().unwrap().modified().unwrap()
    );
    let refused = fs::write(&seen, b"lost").unwrap_err();
    assert_eq!(refused.kind(), std::io::ErrorKind::ReadOnlyFilesystem);
    fs::write(site.file("1.html"), b"written in place").unwrap();
    within(PATIENCE, || {
        fs::read(server.sees(&site.file("1.html"))).unwrap() == b"written in place"
    });
    site.write("/next", b"another");
    fs::rename(site.file("next"), &file).unwrap();
    assert_eq!(
        fs::read(&seen).unwrap(),
        b"another",
        "a file that is replaced is seen at once"
    );
    within(PATIENCE, || device(&seen) != device(&file));
    site.is_held_again();
    assert_eq!(site.release()["left"], json!([]));
    assert_eq!(device(&seen), device(&file));
    assert_eq!(server.mounts_below(site.place.folder()), 0);
}

#[test]
fn bound_copies_that_nobody_keeps_up_to_date_are_withdrawn() {
    if !may_mount() {
        return;
    }
    let site = Site::new(3);
    let server = Server::apart(&site);
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    assert_eq!(site.apply(&bind).0, Some(0));
    assert!(server.mounts_below(&site.place.path("www")) == 3);
    site.guardian().kill().unwrap();
    within(PATIENCE, || server.mounts_below(site.place.folder()) <= 1);
    assert_eq!(site.release()["left"], json!([]));
    assert_eq!(server.mounts_below(site.place.folder()), 0);
    assert!(!site.place.path("state").exists());
}

#[test]
fn a_server_that_is_started_anew_has_copies_bound_again() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    let first = Server::apart_in_no_group(&site);
    let bind = ["--placer", "bind", "--server", &first.pid_file];
    assert_eq!(site.apply(&bind).0, Some(0));
    drop(first);
    let second = Server::apart_in_no_group(&site);
    within(PATIENCE, || {
        second.mounts_below(&site.place.path("www")) == 1
    });
    site.is_held_again();
}

#[test]
fn nothing_is_bound_for_a_server_that_shares_its_mounts() {
    if !may_mount() {
        return;
    }
    let site = Site::new(1);
    let server = Server::start(&site, &["env"]);
    let arguments = [
        "apply",
        "plan.json",
        "--root",
        "shop=www",
        "--state",
        "state",
    ];
    let bind = ["--placer", "bind", "--server", &server.pid_file];
    let failure = Failure::of(site.place.hotset(arguments.iter().chain(&bind)));
    failure.has_code(1).says("shares its mounts");
    assert!(!site.place.path("state").exists());
    let preview = arguments.iter().chain(&bind).chain(&["--dry-run"]);
    Failure::of(site.place.hotset(preview))
        .has_code(1)
        .says("shares its mounts");
}
