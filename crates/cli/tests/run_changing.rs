//! Files that are replaced, rewritten, cut short, removed and made again without pause, while `hotset run` holds copies of them and is
//! killed: what nginx sends with these copies is what it sends without.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::support::content::{content, is_whole};
use crate::support::followed::{Followed, PATIENCE};
use crate::support::nginx::Nginx;
use crate::support::site::{may_mount, within};
use serde_json::Value;

const FILES: usize = 60;

/// The first of them are only replaced as a whole, so that they are always there.
const REPLACED: usize = 20;

/// `HOTSET_REPLACEMENTS=10000` takes some minutes.
const REPLACEMENTS: usize = 300;

/// Changes of held files between two kills.
const KILL_EVERY: usize = 100;

fn change(place: &Path, turn: usize) {
    let number = turn % FILES;
    let file = place.join("www").join(format!("{number}.html"));
    let next = place.join("next");
    match turn / FILES % 4 {
        way if way == 0 || number < REPLACED => {
            fs::write(&next, content(turn)).unwrap();
            fs::rename(&next, &file).unwrap();
        }
        1 => fs::write(&file, content(turn)).unwrap(),
        2 => {
            // It may have been removed.
            let cut = fs::File::options().write(true).open(&file);
            let _cut = cut.and_then(|file| file.set_len(10));
        }
        _ => {
            let _removed = fs::remove_file(&file);
        }
    }
}

/// Asks for one file after the other until it is to stop, or an answer is wrong: that.
fn ask(nginx: &Nginx, stop: &AtomicBool) -> Option<String> {
    for turn in 0.. {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let number = turn * 7 % FILES;
        let answer = nginx.answer(&format!("/{number}.html"));
        // Plain nginx hangs up as well where a file is written in place while it is sent.
        if answer.is_none() && number >= REPLACED {
            continue;
        }
        let (status, body) = answer.unwrap_or_default();
        let is_right = match status {
            200 => number >= REPLACED || is_whole(&body),
            404 => number >= REPLACED,
            _ => false,
        };
        if !is_right {
            return Some(format!("{number}: {status}, {} bytes", body.len()));
        }
    }
    None
}

/// What is held of each file.
fn identities(site: &Followed) -> Vec<Value> {
    let path = site.place.path("state/runs/guardian/state.json");
    let text = fs::read_to_string(path).unwrap_or_default();
    let state: Value = serde_json::from_str(&text).unwrap_or(Value::Null);
    let files = state["files"].as_array().cloned().unwrap_or_default();
    let mut held: Vec<Value> = files
        .into_iter()
        .filter(|file| file["held"].is_object())
        .collect();
    held.sort_by_key(|file| file["path"].to_string());
    held
}

fn replacements() -> usize {
    let asked = std::env::var("HOTSET_REPLACEMENTS").ok();
    asked
        .and_then(|asked| asked.parse().ok())
        .unwrap_or(REPLACEMENTS)
}

#[test]
fn nginx_sends_whole_files_while_they_change_and_the_daemon_is_killed() {
    if !may_mount() {
        return;
    }
    let mut site = Followed::new(0, 200);
    for number in 0..FILES {
        let file = site.place.path("www").join(format!("{number}.html"));
        fs::write(file, content(number)).unwrap();
    }
    let folder = site.place.folder().display().to_string();
    let log = format!("access_log {folder}/access.log combined;");
    let lines = format!(
        "{log} location / {{ root {folder}/state/copies/shop; try_files $uri @backing; error_page 404 = @backing; }} \
         location @backing {{ root {folder}/www; }}"
    );
    let Some(nginx) = Nginx::start(site.place.folder(), &lines) else {
        return;
    };
    let how = ["--placer", "hot-root"];
    site.start(&how);
    let place = site.place.folder().to_owned();
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0.. {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                change(&place, turn);
                thread::sleep(Duration::from_micros(500));
            }
        });
        let asking = scope.spawn(|| ask(&nginx, &stop));
        let placed = replace_and_kill(&mut site, &how, || asking.is_finished());
        stop.store(true, Ordering::Relaxed);
        let wrong = asking.join().unwrap();
        assert!(wrong.is_none(), "{wrong:?} after {placed} placed anew");
    });
    for number in 0..FILES {
        fs::write(place.join(format!("www/{number}.html")), content(number)).unwrap();
    }
    let is_current =
        |number: usize| nginx.get(&format!("/{number}.html")) == (200, content(number));
    within(PATIENCE, || (0..FILES).all(is_current));
    site.stop();
    assert!(!place.join("state").exists(), "everything is released");
    assert!((0..FILES).all(is_current));
}

/// Waits until so many files were held anew, and kills the daemon now and then; how many were.
fn replace_and_kill(site: &mut Followed, how: &[&str], is_over: impl Fn() -> bool) -> usize {
    let started = Instant::now();
    let (mut placed, mut next_kill, mut before) = (0, KILL_EVERY, identities(site));
    while placed < replacements() && !is_over() {
        assert!(started.elapsed() < 20 * PATIENCE, "{placed} placed");
        thread::sleep(Duration::from_millis(20));
        let now = identities(site);
        placed += now.iter().filter(|file| !before.contains(file)).count();
        before = now;
        if placed >= next_kill {
            site.kill();
            site.start(how);
            next_kill = placed + KILL_EVERY;
        }
    }
    placed
}
