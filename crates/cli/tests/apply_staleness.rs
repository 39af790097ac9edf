//! How old an answer may be because of what is held: asked for, kept and shown.

use std::fs;

use crate::support::site::{PATIENCE, Site, may_mount, within};

#[test]
fn pinned_files_are_never_stale_and_copies_hardly() {
    if !may_mount() {
        return;
    }
    let site = Site::new(2);
    site.apply(&["--placer", "pin", "--staleness", "10s"]);
    assert_eq!(site.status().1["staleness_ms"], 0);
    site.release();
    site.apply(&["--placer", "hot-root", "--staleness", "1h"]);
    // The kernel tells of changes: nobody waits for half an hour.
    within(PATIENCE, || {
        site.status().1["staleness_ms"]
            .as_u64()
            .is_some_and(|ms| (100..60_000).contains(&ms))
    });
    fs::write(site.file("new"), b"new").unwrap();
    fs::rename(site.file("new"), site.file("0.html")).unwrap();
    let copy = site.place.path("state/copies/shop/0.html");
    within(PATIENCE, || fs::read(&copy).is_ok_and(|it| it == b"new"));
}

#[test]
fn files_that_may_change_unseen_are_looked_at_twice_in_the_time_that_is_asked_for() {
    if !may_mount() {
        return;
    }
    let site = Site::new(2);
    // The kernel tells of what happens to a file by the names that are watched.
    fs::hard_link(site.file("0.html"), site.file("other")).unwrap();
    site.apply(&["--placer", "hot-root", "--staleness", "4s"]);
    within(PATIENCE, || {
        let ms = site.status().1["staleness_ms"].as_u64();
        ms.is_some_and(|ms| ms >= 2_000)
    });
    fs::write(site.file("other"), b"changed by its other name").unwrap();
    let copy = site.place.path("state/copies/shop/0.html");
    within(PATIENCE, || {
        fs::read(&copy).is_ok_and(|it| it == b"changed by its other name")
    });
}

#[test]
fn a_time_that_cannot_be_kept_is_refused() {
    let site = Site::new(1);
    for time in ["1ms", "25h", "soon"] {
        let apply = [
            "apply",
            "plan.json",
            "--root",
            "shop=www",
            "--staleness",
            time,
        ];
        site.place.refuses(apply).has_code(2).says(time);
    }
}
