//! Files that are replaced, rewritten, cut short and removed without pause, while they are placed again and again and their
//! workers are killed: copies are whole at any moment, and in the end they are current.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use crate::support::content::{content, is_whole};
use crate::support::site::{PATIENCE, Site, may_mount, within};
use hotset_machine::file::read_json;
use serde_json::Value;

const FILES: usize = 60;
/// `HOTSET_REPLACEMENTS=10000` takes two minutes.
const REPLACEMENTS: usize = 600;

/// Does one of the things that happen to files.
fn change(site: &Site, turn: usize) {
    let file = site.file(&format!("{}", turn.wrapping_mul(7) % FILES));
    let done = match turn % 5 {
        0 => fs::write(&file, content(turn)),
        1 => fs::File::create(&file).map(drop),
        2 => fs::remove_file(&file),
        _ => {
            let next = site.file("next");
            fs::write(&next, content(turn)).and_then(|()| fs::rename(next, &file))
        }
    };
    // It may have been removed before.
    let _absent = done;
}

/// What is held, and what of each file.
fn held(site: &Site) -> Vec<Value> {
    let state = site.place.path("state/runs/guardian/state.json");
    let state: Option<Value> = read_json(&state).unwrap();
    let files = state.map_or(Value::Null, |state| state["files"].clone());
    let files = files.as_array().cloned().unwrap_or_default();
    files.into_iter().map(|file| file["held"].clone()).collect()
}

fn replacements() -> usize {
    let asked = std::env::var("HOTSET_REPLACEMENTS").ok();
    asked
        .and_then(|asked| asked.parse().ok())
        .unwrap_or(REPLACEMENTS)
}

/// Applies the plan over and over while files change. `copies` is looked at meanwhile.
#[track_caller]
fn holds_out(placer: &str, copies: Option<&str>) {
    let site = Site::new(0);
    for number in 0..FILES {
        site.write(&number.to_string(), &content(number));
    }
    let names: Vec<String> = (0..FILES).map(|number| format!("/{number}")).collect();
    let paths: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    site.plan(&paths, 1 << 30);
    let arguments = ["--placer", placer];
    assert_eq!(site.apply(&arguments).0, Some(0));
    let copies = copies.map(|copies| site.place.path(copies));
    let stop = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0.. {
                if stop.load(Ordering::Relaxed) {
                    return;
                }
                change(&site, turn);
                thread::sleep(Duration::from_micros(500));
            }
        });
        let reader = scope.spawn(|| {
            for turn in 0.. {
                if stop.load(Ordering::Relaxed) {
                    return true;
                }
                let read =
                    |copies: &std::path::PathBuf| fs::read(copies.join((turn % FILES).to_string()));
                if let Some(Ok(body)) = copies.as_ref().map(read)
                    // A file is empty for a moment when it is rewritten, and may be copied so.
                    && !(body.is_empty() || is_whole(&body))
                {
                    return false;
                }
            }
            true
        });
        let (mut placed, mut before) = (0, held(&site));
        for round in 1.. {
            if placed >= replacements() {
                break;
            }
            let (code, applied) = site.apply(&arguments);
            assert!(matches!(code, Some(0 | 4)), "{applied}");
            let now = held(&site);
            let renewed = now.iter().zip(&before);
            placed += renewed
                .filter(|(now, before)| now.is_object() && now != before)
                .count();
            before = now;
            if round % 10 == 0
                && let Some(worker) = site.workers().first()
            {
                worker.kill().unwrap();
            }
        }
        stop.store(true, Ordering::Relaxed);
        assert!(reader.join().unwrap(), "a copy was not whole");
    });
    for number in 0..FILES {
        site.write(&number.to_string(), &content(number));
    }
    site.apply(&arguments);
    site.is_held_again();
    within(PATIENCE, || copies.as_deref().is_none_or(are_current));
}

/// All copies are those of the last contents.
fn are_current(copies: &Path) -> bool {
    let is_current = |number: usize| {
        fs::read(copies.join(number.to_string())).is_ok_and(|body| body == content(number))
    };
    (0..FILES).all(is_current)
}

#[test]
fn a_hot_root_holds_out_while_its_files_change_without_pause() {
    if may_mount() {
        holds_out("hot-root", Some("state/copies/shop"));
    }
}

#[test]
fn pins_hold_out_while_their_files_change_without_pause() {
    holds_out("pin", None);
}
