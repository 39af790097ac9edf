//! Paths answered 404 are counted, in bounded memory with a stated error.

use super::support::{get, line, read_text};
use hotset_trace::read::{CountingRule, NotFound, ReadOptions};
use std::collections::HashMap;

fn missing(second: u32, path: &str) -> String {
    line(
        "10.0.0.1",
        second,
        &format!("GET {path} HTTP/1.1"),
        404,
        "10",
    )
}

fn not_found(log: &str) -> NotFound {
    read_text(log, &ReadOptions::default()).1.not_found
}

#[test]
fn queries_and_spellings_of_a_path_are_one_and_other_statuses_none() {
    let log = [
        get(0, "/found"),
        missing(1, "/a?x=1"),
        missing(2, "/%61"),
        missing(3, "/b"),
        line("10.0.0.1", 4, "POST /a HTTP/1.1", 404, "10"),
        line("10.0.0.1", 5, "GET /gone HTTP/1.1", 410, "10"),
    ];
    let text = log.concat().repeat(10);
    let counted = not_found(&text);
    let paths: Vec<(&str, u64)> = counted
        .paths
        .iter()
        .map(|of| (&*of.path, of.requests))
        .collect();
    assert_eq!(paths, [("/a", 30), ("/b", 10)]);
    assert_eq!(counted.count_error, 0);
    let c1 = ReadOptions {
        counting: CountingRule::C1,
        ..ReadOptions::default()
    };
    let by_c1 = read_text(&text, &c1).1.not_found;
    assert_eq!(
        by_c1.paths[0].requests, 20,
        "requests with a query are dropped"
    );
}

#[test]
fn endless_paths_are_cut() {
    let long = format!("/{}", "a".repeat(5_000));
    let log = (missing(0, &format!("{long}b")) + &missing(1, &format!("{long}c"))).repeat(20);
    let counted = not_found(&log);
    assert_eq!(counted.paths.len(), 1);
    assert_eq!(
        (counted.paths[0].path.len(), counted.paths[0].requests),
        (1024, 40)
    );
}

#[test]
fn with_more_paths_than_are_counted_the_error_is_stated_and_holds() {
    let mut exact: HashMap<String, u64> = HashMap::new();
    let mut log = String::new();
    for i in 0..60_000_u32 {
        let path = match i % 3 {
            0 => format!("/hot{}", i / 3 % 5),
            _ => format!("/scan{i}"),
        };
        log += &missing(i / 100, &path);
        *exact.entry(path).or_default() += 1;
    }
    let counted = not_found(&log);
    assert!(counted.count_error > 0 && counted.count_error <= 2 * 60_000 / 16_384);
    for of in &counted.paths {
        let true_count = exact[&of.path];
        assert!(of.requests <= true_count && true_count <= of.requests + counted.count_error);
    }
    let mut first: Vec<&str> = counted.paths[..5].iter().map(|of| &*of.path).collect();
    first.sort_unstable();
    assert_eq!(first, ["/hot0", "/hot1", "/hot2", "/hot3", "/hot4"]);
    assert_eq!(counted.paths.len(), 1_000);
    assert_eq!(not_found(&log), counted, "the same every time");
}
