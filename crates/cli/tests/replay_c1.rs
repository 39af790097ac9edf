//! A log replayed by the rule c1 from the files that it implies.

use std::collections::HashSet;
use std::path::Path;

use serde_json::Value;

use crate::support::Workplace;
use crate::support::nginx::Nginx;
use crate::support::small_disk::SmallDisk;

/// Requests with all that the rule is about: sizes of one path, methods and statuses that other rules leave out, names that
/// lead elsewhere or are none, a query, and a time that steps back.
fn log() -> String {
    let requests = [
        (3, "GET /a.html", "200 1000"),
        (3, "GET /a.html", "200 1200"),
        (4, "GET /%61.html", "200 1000"),
        (5, "POST /a.html", "200 1000"),
        (6, "GET /a.html?page=2", "200 1000"),
        (7, "GET /icon.png", "304 -"),
        (8, "HEAD /icon.png", "200 -"),
        (9, "GET /", "200 0"),
        (10, "GET //", "200 300"),
        (11, "GET /../../etc/passwd", "404 207"),
        (12, "GET /a.html@1000/b%00%ff", "200 70000"),
        (13, "OPTIONS *", "501 1"),
        (14, "GET /index.html", "206 17"),
        (1, "GET /100%25", "200 9"),
    ];
    let long = "x".repeat(700);
    let lines = requests.iter().map(|(second, request, answer)| {
        format!("192.0.2.{} - - [17/May/2015:10:05:{second:02} +0000] \"{request} HTTP/1.1\" {answer}\n", second % 4)
    });
    let more = format!(
        "192.0.2.9 - - [17/May/2015:10:05:20 +0000] \"GET /{long}/{long} HTTP/1.0\" 200 5\n\
         192.0.2.9 - - [17/May/2015:10:01:00 +0000] \"GET /late HTTP/1.0\" 200 6\n"
    );
    lines.chain([more]).collect()
}

fn described(place: &Workplace, log: &Path) -> Value {
    let log = log.to_str().expect("UTF-8");
    place.json(["describe", "--rule", "c1", "--json", log])["total"].clone()
}

/// Replays a log by the rule from the tree that it implies, and says what was described and what was measured; none without
/// a server.
fn there_and_back(place: &Workplace, log: &Path, options: &[&str]) -> Option<(Value, Value)> {
    let name = log.to_str().expect("UTF-8");
    let tree = [
        "generate", "tree", "--rule", "c1", name, "--files", "www", "--json",
    ];
    let written = place.json(tree.iter().chain(options));
    let root = format!("root {};", place.path("www/all").display());
    let nginx = Nginx::start(place.folder(), &root)?;
    let url = format!("http://127.0.0.1:{}", nginx.port);
    let replay = [
        "replay",
        "--rule",
        "c1",
        "--clients",
        "2",
        "--json",
        name,
        &url,
    ];
    let replayed = place.json(replay);
    let described = described(place, log);
    for (of, key) in [
        (&described, "objects"),
        (&written, "paths"),
        (&written, "objects"),
    ] {
        assert_eq!(of[key], replayed["schedule"]["files"], "{key}");
    }
    Some((described, replayed))
}

#[test]
fn all_that_the_rule_describes_is_sent_and_answered_from_the_tree_of_the_log() {
    let place = Workplace::new();
    place.write("a.log", log().as_bytes());
    let Some((described, replayed)) = there_and_back(&place, &place.path("a.log"), &[]) else {
        return;
    };
    assert_eq!(described["requests"], 15);
    assert_eq!(described["objects"], 12);
    for key in ["requests", "accesses"] {
        assert_eq!(described[key], replayed["requests"], "{key}");
    }
    assert_eq!(replayed["bytes"], described["response_bytes"]);
    assert_eq!(
        (&replayed["errors"], &replayed["wrong_length"]),
        (&0.into(), &0.into())
    );
}

/// A public log, where it is at hand.
#[test]
fn a_real_log_is_replayed_whole_from_its_tree() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let log = data.join("epa-http-1995.txt");
    if !log.exists() {
        hotset_test_support::skip("the public logs are not at hand");
        return;
    }
    let place = Workplace::new();
    let Some((described, replayed)) = there_and_back(&place, &log, &["--sparse"]) else {
        return;
    };
    assert_eq!(described["requests"], 15_201);
    assert_eq!(described["requests"], replayed["requests"]);
    assert_eq!(described["response_bytes"], replayed["bytes"]);
    assert_eq!(
        (&replayed["errors"], &replayed["wrong_length"]),
        (&0.into(), &0.into())
    );
}

#[test]
fn an_imported_log_has_the_names_that_its_tree_has() {
    let place = Workplace::new();
    place.write("a.log", log().as_bytes());
    place.succeeds(["import", "--rule", "c1", "a.log", "-o", "a.trace"]);
    for (from, to) in [("a.log", "log"), ("a.trace", "trace")] {
        let rule: &[&str] = if from == "a.log" {
            &["--rule", "c1"]
        } else {
            &[]
        };
        let tree = ["generate", "tree", from, "--files", to, "--sparse"];
        place.succeeds(tree.iter().chain(rule));
    }
    let names = |folder: &str| -> HashSet<String> {
        let folder = place.path(folder);
        let found = walk(&folder).into_iter();
        found
            .map(|path| path.strip_prefix(&folder).unwrap().display().to_string())
            .collect()
    };
    assert_eq!(names("log"), names("trace"));
    for name in [
        "all/a.html@1000",
        "all/a.html@1200",
        "all/@0",
        "all/%2E%2E/%2E%2E/etc/passwd@207",
    ] {
        assert!(names("log").contains(name), "{name}");
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = std::fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("readable").path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                walk(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

#[test]
fn by_the_default_rule_files_stand_where_servers_look_them_up() {
    let place = Workplace::new();
    let line = |path: &str, bytes: u64| crate::support::combined_line(path, bytes);
    place.write(
        "a.log",
        [line("/", 90), line("/index.html", 90), line("/b/%20c", 5)]
            .concat()
            .as_bytes(),
    );
    let said = place.succeeds(["generate", "tree", "a.log", "--files", "www"]);
    assert!(
        said.starts_with("2 files (95 B) for 3 requests to 3 paths, seed 0."),
        "{said}"
    );
    assert_eq!(
        std::fs::metadata(place.path("www/all/b/ c"))
            .expect("a file")
            .len(),
        5
    );
    let again = place.hotset(["generate", "tree", "a.log", "--files", "www"]);
    crate::support::Failure::of(again)
        .has_code(1)
        .says("already exists");
}

#[test]
fn trees_that_cannot_be_written_are_refused_before_anything_is() {
    let place = Workplace::new();
    let refused = |paths: &[&str], options: &[&str]| {
        let lines = paths
            .iter()
            .zip(1..)
            .map(|(path, bytes)| crate::support::combined_line(path, bytes));
        place.write("a.log", lines.collect::<String>().as_bytes());
        place.refuses(["generate", "tree", "a.log"].iter().chain(options))
    };
    let to = ["--files", "www"];
    for (paths, says) in [
        (["/blog", "/blog/post"], "cannot be a folder"),
        (["/", "/index.html"], "two sizes"),
        (
            ["/fine", "/../../etc/passwd"],
            "leads out of the site's folder",
        ),
    ] {
        refused(&paths, &to)
            .has_code(1)
            .says(says)
            .says("--rule c1");
    }
    refused(&["/a"], &[]).has_code(2).says("--files FOLDER");
    refused(&["/a"], &["--files", "www", "-o", "a.trace"])
        .has_code(2)
        .says("hotset import");
    refused(&["/a?x=1"], &to)
        .has_code(1)
        .says("none of 1 requests is a file read");
    assert_eq!(place.entries(), ["a.log"]);
}

#[test]
fn options_that_the_rule_takes_no_notice_of_are_refused() {
    let place = Workplace::new();
    place.write("a.log", log().as_bytes());
    let commands: [&[&str]; 5] = [
        &["describe", "a.log"],
        &["import", "a.log", "-o", "a.trace"],
        &["generate", "tree", "a.log", "--files", "www"],
        &["replay", "a.log", "http://127.0.0.1:9"],
        &["plan", "--memory", "1MiB", "a.log"],
    ];
    for command in commands {
        let with = |option: [&'static str; 2]| {
            let options = ["--rule", "c1"].into_iter().chain(option);
            place.refuses(command.iter().copied().chain(options))
        };
        with(["--root", "www"])
            .has_code(2)
            .says("--rule c1 looks no file up and keeps no query; leave it out, or --root");
        with(["--query", "keep"])
            .has_code(2)
            .says("leave it out, or --query");
    }
    place.succeeds(["describe", "--rule", "c1", "--query", "auto", "a.log"]);
    assert_eq!(place.entries(), ["a.log"]);
}

#[test]
fn a_tree_larger_than_its_disk_says_by_how_much() {
    let place = Workplace::new();
    let Some(disk) = SmallDisk::mount(place.path("small"), "64k") else {
        return;
    };
    place.write(
        "a.log",
        crate::support::combined_line("/a", 200 << 10).as_bytes(),
    );
    let tree = ["generate", "tree", "a.log", "--files", "small/www"];
    // 200 KiB and blocks for two folders.
    let refused = place.refuses(tree);
    refused
        .has_code(1)
        .says("208 KiB on disk and 64 KiB are free, 144 KiB too few");
    assert_eq!(disk.names(), [""; 0]);
    place.succeeds(tree.iter().chain(&["--sparse"]));
}
