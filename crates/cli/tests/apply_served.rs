//! What a server sends of files that are held, while they are replaced, changed and removed: never a part of one, never a
//! mixture of two, never an error that it would not send without hotset.

use std::fs;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::content::{content, is_beginning, is_whole};
use crate::support::nginx::Nginx;
use crate::support::site::{PATIENCE, Site, may_mount, within};
use hotset_test_support::alone;
use serde_json::Value;

/// How long files are changed and asked for.
const DURATION: Duration = Duration::from_secs(4);
const FILES: usize = 8;

fn replace(site: &Site, name: &str, turn: u64) {
    let next = format!("next-{name}");
    site.write(&next, &content(turn as usize));
    fs::rename(site.file(&next), site.file(name)).unwrap();
}

/// Replaces files by renaming, again and again, and removes one now and then, while nginx is asked for them.
#[track_caller]
fn serves_whole_files(site: &Site, nginx: &Nginx) {
    let (stop, answers) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0.. {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                replace(site, &format!("{}.html", turn as usize % FILES), turn);
                thread::sleep(Duration::from_millis(1));
            }
        });
        for reader in 0..2 {
            let (stop, answers) = (&stop, &answers);
            scope.spawn(move || {
                for turn in reader.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let (status, body) = nginx.get(&format!("/{}.html", turn % FILES));
                    let whole = is_whole(&body);
                    if status != 200 || !whole {
                        stop.store(true, Ordering::Relaxed);
                    }
                    assert_eq!(status, 200);
                    assert!(whole, "{} bytes", body.len());
                    answers.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
        thread::sleep(DURATION);
        let give_up = Instant::now() + PATIENCE;
        let is_enough = || answers.load(Ordering::Relaxed) > 100 || Instant::now() > give_up;
        while !is_enough() && !stop.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(10));
        }
        stop.store(true, Ordering::Relaxed);
    });
    assert!(answers.load(Ordering::Relaxed) > 100);
}

fn site() -> Site {
    let site = Site::new(FILES);
    for number in 0..FILES {
        replace(&site, &format!("{number}.html"), 0);
    }
    site
}

#[test]
fn a_hot_root_serves_whole_files_while_they_are_replaced() {
    if !may_mount() {
        return;
    }
    let site = site();
    let config = ["config", "nginx", "--root", "shop=www", "--state", "state"];
    let lines = site.place.succeeds(config);
    let Some(nginx) = Nginx::start(site.place.folder(), &lines) else {
        return;
    };
    assert_eq!(
        nginx.get("/0.html").0,
        200,
        "without copies it serves the files"
    );
    assert_eq!(site.apply(&["--placer", "hot-root"]).0, Some(0));
    serves_whole_files(&site, &nginx);
    site.is_held_again();
    for number in 0..FILES {
        let name = format!("{number}.html");
        let (_, body) = nginx.get(&format!("/{name}"));
        assert_eq!(body, fs::read(site.file(&name)).unwrap(), "the current one");
    }
    // What is removed is gone within the same time as it would be held again.
    fs::remove_file(site.file("0.html")).unwrap();
    within(PATIENCE, || nginx.get("/0.html").0 == 404);
    site.release();
    assert_eq!(nginx.get("/1.html").0, 200, "and without copies again");
}

/// Sends a signal to whoever keeps the copies up to date.
fn signal_guardian(site: &Site, name: &str) {
    let pid = site.guardian().pid.to_string();
    let sent = Command::new("kill").args([name, &pid]).status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_hot_root_serves_the_copies_of_an_alias() {
    if !may_mount() {
        return;
    }
    let site = site();
    let up = site.place.path("up");
    fs::create_dir_all(up.join("docs")).unwrap();
    fs::write(up.join("page"), b"old").unwrap();
    fs::write(up.join("docs/index.html"), b"the docs").unwrap();
    fs::write(up.join("other"), b"no copy").unwrap();
    let roots = ["--root", "shop=www", "--root", "shop:/img/=up"];
    let config = ["config", "nginx", "--state", "state"];
    let lines = site.place.succeeds(config.iter().chain(&roots));
    let Some(nginx) = Nginx::start(site.place.folder(), &lines) else {
        return;
    };
    site.plan(&[b"/0.html", b"/img/page", b"/img/docs/"], 1 << 30);
    let hot_root = ["--placer", "hot-root"];
    let (code, applied) = site.apply_with(&[&roots[..], &hot_root].concat());
    assert_eq!(code, Some(0), "{applied}");
    // Nobody renews the copy meanwhile, so that it shows which one is sent.
    signal_guardian(&site, "-STOP");
    fs::write(up.join("page"), b"new").unwrap();
    assert_eq!(nginx.get("/img/page"), (200, b"old".to_vec()));
    assert_eq!(nginx.get("/img/other"), (200, b"no copy".to_vec()));
    assert_eq!(nginx.get("/img/docs/"), (200, b"the docs".to_vec()));
    assert_eq!(nginx.get("/img/missing").0, 404);
    signal_guardian(&site, "-CONT");
    within(PATIENCE, || nginx.get("/img/page").1 == b"new");
    site.release();
    assert_eq!(nginx.get("/img/page"), (200, b"new".to_vec()));
}

#[test]
fn bound_copies_are_served_whole_while_their_files_are_replaced() {
    if !may_mount() {
        return;
    }
    let site = site();
    let root = site.place.path("www");
    let lines = format!("root {};", root.display());
    let Some(nginx) = Nginx::start_apart(site.place.folder(), &lines) else {
        return;
    };
    let server = format!("pid:{}", site.place.path("nginx/pid").display());
    let bind = ["--placer", "bind", "--server", &server];
    assert_eq!(site.apply(&bind).0, Some(0));
    serves_whole_files(&site, &nginx);
    site.is_held_again();
}

#[test]
fn pinned_files_are_served_whole_while_they_are_replaced() {
    let site = site();
    let lines = format!("root {};", site.place.path("www").display());
    let Some(nginx) = Nginx::start(site.place.folder(), &lines) else {
        return;
    };
    assert_eq!(site.apply(&[]).0, Some(0));
    serves_whole_files(&site, &nginx);
    site.is_held_again();
}

/// A copy is read as a file, without a server in between, while its file is written to in place, cut short and lengthened.
#[test]
fn copies_are_never_mixed_of_two_contents() {
    if !may_mount() {
        return;
    }
    let site = site();
    assert_eq!(site.apply(&["--placer", "hot-root"]).0, Some(0));
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0.. {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                // Cut short, then written and lengthened.
                fs::write(site.file("0.html"), content(turn as usize)).unwrap();
                thread::sleep(Duration::from_millis(turn % 60));
            }
        });
        let copy = site.place.path("state/copies/shop/0.html");
        let end = Instant::now() + DURATION;
        let mut seen = 0;
        while Instant::now() < end {
            if let Ok(body) = fs::read(&copy) {
                seen += 1;
                // The file itself is empty, then holds the beginning of what is written, and may be copied so.
                let of_one = is_beginning(&body);
                if !of_one {
                    stop.store(true, Ordering::Relaxed);
                }
                assert!(of_one, "{} bytes", body.len());
            }
            thread::sleep(Duration::from_millis(1));
        }
        stop.store(true, Ordering::Relaxed);
        assert!(seen > 0);
    });
    site.is_held_again();
}

#[test]
fn a_server_that_is_not_told_of_copies_is_named_until_it_reads_one() {
    if !may_mount() {
        return;
    }
    // Other tests hold files for servers in the same memory group.
    alone();
    let site = Site::new(2);
    let root = format!("root {};", site.place.path("www").display());
    let Some(nginx) = Nginx::start(site.place.folder(), &root) else {
        return;
    };
    let how = ["--placer", "hot-root", "--server", "pid:nginx/pid"];
    let (_, applied) = site.apply(&how);
    let config = ["config", "nginx", "--root", "shop=www", "--state", "state"];
    let lines = site.place.succeeds(config);
    assert_eq!(applied["lookup_lines"], lines, "{applied}");
    let faults = |status: &Value| status["faults"].as_array().map_or(0, Vec::len);
    // To look is not to read.
    let asks_until = |wanted: usize, ask: &dyn Fn()| {
        within(PATIENCE, || {
            ask();
            faults(&site.status().1) == wanted
        });
    };
    asks_until(1, &|| drop(nginx.get("/0.html")));
    let (code, status) = site.status();
    assert_eq!(code, Some(3));
    let fault = status["faults"][0].as_str().unwrap();
    assert!(
        fault.starts_with("no server reads the copies of shop"),
        "{fault}"
    );
    let copy = site.place.path("state/copies/shop/1.html");
    asks_until(0, &|| drop(fs::read(&copy).unwrap()));
    assert_eq!(site.status().0, Some(0));
    site.release();
}
